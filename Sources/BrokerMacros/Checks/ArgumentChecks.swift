import SwiftSyntax

// Arguments that the macro itself has to read.
extension EntityChecker {
  mutating func checkName(_ argument: ExprSyntax?) {
    guard let argument else { return }
    guard let name = argument.literalText else {
      problems.error(.notALiteral, at: argument, "write the name as a string literal: @Entity has to read it")
      return
    }
    if name.isEmpty { problems.error(.emptyName, at: argument, "the name is empty") }
  }

  mutating func checkBool(_ argument: ExprSyntax?) {
    guard let argument, argument.literalBool == nil else { return }
    problems.error(.notALiteral, at: argument, "write true or false: @Entity has to read it")
  }

  /// The arguments `minimum` and `maximum` of a mark.
  mutating func checkRange(of property: PropertyDeclaration, _ name: MarkName) {
    guard let minimum = property.marks[name]?.argument("minimum"), let least = minimum.literalNumber,
      let maximum = property.marks[name]?.argument("maximum"), let greatest = maximum.literalNumber,
      least > greatest
    else { return }
    problems.error(
      .contraryRange, at: minimum,
      """
      the minimum of \(property.name), \(minimum.trimmedDescription), \
      is more than its maximum, \(maximum.trimmedDescription)
      """,
      fixIts: [
        Fix(
          "exchange them", .replace(minimum, with: maximum.trimmedDescription),
          .replace(maximum, with: minimum.trimmedDescription))
      ])
  }
}
