import SwiftSyntax

/// The relationship that leads back: `\Album.band`, or `"band"`.
struct InversePath {
  /// The type, if it is written.
  let root: String?
  let property: String
  /// Whether it is written as a string.
  let isName: Bool

  init?(_ expression: ExprSyntax) {
    if let name = expression.literalText {
      self.init(name: name)
    } else if let path = expression.as(KeyPathExprSyntax.self) {
      self.init(path)
    } else {
      return nil
    }
  }

  private init?(name: String) {
    guard !name.isEmpty, !name.contains(".") else { return nil }
    root = nil
    property = name
    isName = true
  }

  /// `nil` for a path that goes further than one property, or through an optional.
  ///
  /// The parser cannot tell `\Model.Album.band` from a path of two properties; types begin in upper case.
  private init?(_ path: KeyPathExprSyntax) {
    var names: [String] = []
    for component in path.components {
      guard let property = component.component.as(KeyPathPropertyComponentSyntax.self),
        property.genericArgumentClause == nil
      else { return nil }
      names.append(property.declName.trimmedDescription)
    }
    guard let last = names.popLast(), names.allSatisfy({ $0.first?.isUppercase ?? false }) else { return nil }
    guard path.root != nil || names.isEmpty else { return nil }
    root = path.root.map { ([$0.trimmedDescription] + names).joined(separator: ".") }
    property = last
    isName = false
  }
}

extension PropertyDeclaration {
  /// The inverse that a relationship is marked with, if it is well formed.
  var inverse: InversePath? { marks[.relationship]?.argument("inverse").flatMap { InversePath($0) } }
}
