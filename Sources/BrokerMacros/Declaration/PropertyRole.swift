import SwiftSyntax

enum PropertyRole {
  case attribute
  case toOne(target: TypeSyntax)
  case toMany(target: TypeSyntax)
  case inherited
  case transient

  init(type: TypeSyntax?, marks: Marks) {
    if marks[.transient] != nil {
      self = .transient
    } else if marks[.inherited] != nil {
      self = .inherited
    } else {
      self = type.flatMap(Self.relationship) ?? .attribute
    }
  }

  /// The relationship that a type makes of a property: `ToOne<T>`, `ToOne<T>?` or `ToMany<T>`.
  private static func relationship(_ type: TypeSyntax) -> PropertyRole? {
    let type = type.bare
    if let named = (type.wrapped ?? type).named, named.name == "ToOne" {
      return named.arguments.first.map { .toOne(target: $0) }
    }
    guard let named = type.named, named.name == "ToMany" else { return nil }
    return named.arguments.first.map { .toMany(target: $0) }
  }

  var isRelationship: Bool { target != nil }

  var isToMany: Bool { if case .toMany = self { true } else { false } }

  var target: TypeSyntax? {
    switch self {
    case .toOne(let target), .toMany(let target): target
    case .attribute, .inherited, .transient: nil
    }
  }
}
