import SwiftSyntax

extension EntityChecker {
  /// Names in the model, which are those of columns: two that differ only by case are one.
  mutating func checkNames() {
    var seen: [String: PropertyDeclaration] = [:]
    for property in entity.properties where !property.storedName.isEmpty {
      let name = property.storedName
      guard let other = seen.updateValue(property, forKey: Self.folded(name)) else { continue }
      let place = property.nameArgument.map { Syntax($0) } ?? Syntax(property.identifier)
      let otherPlace = other.nameArgument.map { Syntax($0) } ?? Syntax(other.identifier)
      problems.error(
        .nameTwice, at: place,
        other.storedName == name
          ? "two properties of \(entity.name) are called “\(name)” in the model; give one another name"
          : "“\(name)” and “\(other.storedName)” differ only by case, which SQLite ignores; rename one of them",
        notes: [ProblemNote(at: otherPlace, "the other is here")])
    }
  }

  // SQLite ignores the case of ASCII letters only.
  private static func folded(_ name: String) -> String {
    String(name.map { $0.isASCII ? Character($0.lowercased()) : $0 })
  }

  /// Keys in JSON: each fills one property.
  mutating func checkKeys() {
    var seen: [String: ExprSyntax] = [:]
    for property in entity.properties {
      for key in property.keys {
        guard let text = key.literalText else {
          problems.error(.notALiteral, at: key, "write the key as a string literal: @Entity has to read it")
          continue
        }
        checkParts(of: key, text)
        guard let other = seen.updateValue(key, forKey: text) else { continue }
        problems.error(
          .keyTwice, at: key, "the key “\(text)” is used twice in \(entity.name); one key fills one property",
          notes: [ProblemNote(at: other, "the other is here")])
      }
    }
  }

  private mutating func checkParts(of key: ExprSyntax, _ text: String) {
    if text.isEmpty {
      problems.error(.emptyKey, at: key, "the key is empty")
    } else if text.split(separator: ".", omittingEmptySubsequences: false).contains(where: \.isEmpty) {
      let whole = text.split(separator: ".").joined(separator: ".")
      problems.error(
        .emptyKey, at: key, "a part of the key path “\(text)” is empty",
        fixIts: whole.isEmpty ? [] : [Fix("make it “\(whole)”", .replace(key, with: "\"\(whole)\""))])
    }
  }
}
