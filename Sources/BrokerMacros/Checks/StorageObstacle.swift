import SwiftSyntax

/// A part of a type that no database can hold.
struct StorageObstacle {
  let type: TypeSyntax
  let reason: String
  /// Ways to write another type in its place.
  var fixes: [Fix] = []

  /// The first in a type, or in what it is a list, a dictionary or an optional of.
  init?(in type: TypeSyntax) {
    let type = type.bare
    if let inner = type.wrapped ?? type.element {
      self.init(in: inner)
    } else if let entry = type.entry {
      guard let found = entry.lazy.compactMap({ StorageObstacle(in: $0) }).first else { return nil }
      self = found
    } else if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      let optional = "\(unwrapped.wrappedType.trimmedDescription)?"
      self.init(
        type: type, reason: "it may be nil without saying so",
        fixes: [Fix("make it \(optional)", .replace(type, with: optional))])
    } else if let reason = Self.reason(type) ?? Self.reason(name: type.named?.name) {
      self.init(type: type, reason: reason)
    } else {
      return nil
    }
  }

  private init(type: TypeSyntax, reason: String, fixes: [Fix] = []) {
    self.type = type
    self.reason = reason
    self.fixes = fixes
  }

  private static func reason(_ type: TypeSyntax) -> String? {
    if type.is(FunctionTypeSyntax.self) { return "it is a function" }
    if type.is(MetatypeTypeSyntax.self) { return "it is a type, not a value" }
    if let tuple = type.as(TupleTypeSyntax.self) {
      return tuple.elements.isEmpty ? "it has no value" : "it is a tuple; a Codable struct can be"
    }
    if let anyOrSome = type.as(SomeOrAnyTypeSyntax.self) {
      let keyword = anyOrSome.someOrAnySpecifier.text
      return "the store has to know which type it is, and \(keyword) hides that"
    }
    return type.is(CompositionTypeSyntax.self) ? "the store has to know which type it is" : nil
  }

  private static func reason(name: String?) -> String? {
    switch name {
    case "Any", "AnyObject", "AnyHashable": "the store has to know which type it is"
    case "Void": "it has no value"
    case "ToOne", "ToMany": "a relationship stands by itself, not in another type"
    default: nil
    }
  }
}
