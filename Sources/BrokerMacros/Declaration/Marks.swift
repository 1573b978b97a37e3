import SwiftSyntax

/// The attributes that say something of a property.
enum MarkName: String, CaseIterable {
  case attribute = "Attribute"
  case identity = "Identity"
  case inherited = "Inherited"
  case key = "Key"
  case relationship = "Relationship"
  case transient = "Transient"
  case version = "Version"
}

struct Mark {
  let name: MarkName
  let syntax: AttributeSyntax

  var arguments: LabeledExprListSyntax { syntax.labeledArguments }
  var text: String { "@\(name.rawValue)" }

  /// The expression after `label:`.
  func argument(_ label: String) -> ExprSyntax? {
    arguments.first { $0.label?.text == label }?.expression
  }
}

/// All that a property is marked with.
struct Marks {
  /// In the order of the source.
  private(set) var all: [Mark] = []
  /// Names of attributes that are not Broker's and not Swift's own: property wrappers, as far as can be seen.
  private(set) var wrappers: [AttributeSyntax] = []

  init(_ attributes: AttributeListSyntax) {
    for case .attribute(let attribute) in attributes {
      let name = attribute.plainName
      if let known = MarkName(rawValue: name) {
        all.append(Mark(name: known, syntax: attribute))
      } else if !Self.isSwift(name) {
        wrappers.append(attribute)
      }
    }
  }

  /// The first with this name.
  subscript(name: MarkName) -> Mark? { all.first { $0.name == name } }

  // Swift writes its own in lower case, but for the main actor.
  private static func isSwift(_ name: String) -> Bool {
    guard let first = name.first else { return true }
    return first.isLowercase || first == "_" || name == "MainActor"
  }
}

extension AttributeSyntax {
  /// Its name without Broker's own module.
  var plainName: String { attributeName.named?.name ?? attributeName.trimmedDescription }

  var labeledArguments: LabeledExprListSyntax {
    guard case .argumentList(let list) = arguments else { return [] }
    return list
  }
}

extension AttributeListSyntax {
  /// The attribute `@name`.
  func first(named name: String) -> AttributeSyntax? {
    for case .attribute(let attribute) in self where attribute.plainName == name { return attribute }
    return nil
  }
}
