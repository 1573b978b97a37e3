package import ObjectModel

/// A model as Swift types marked `@Entity`.
///
///     let code = try SwiftCode(model)
///     print(code.text)
///
/// The types describe the same model again. What they cannot say stands in a comment of its type, and in ``remarks``.
/// What Broker keeps and does not use (fetch requests, configurations, the classes of an app …) is left out.
package struct SwiftCode {
  /// A type with all that belongs to it.
  package struct TypeDeclaration {
    package let name: String
    fileprivate let lines: [String]
  }

  package let types: [TypeDeclaration]
  /// Remarks on what Swift cannot say, in the order of the model.
  package let remarks: [Remark]
  private let needsJSONText: Bool
  private let isPublic: Bool

  /// - Parameter isPublic: Whether other modules can use the types.
  /// - Throws: ``SchemaError`` if the model cannot be used.
  package init(_ model: Model, isPublic: Bool = false) throws(SchemaError) {
    let schema = try Schema(model)
    let names = SwiftNames(schema)
    let inverses = SwiftInverses(schema, names)
    let entities = model.entities.map {
      SwiftEntity($0, schema: schema, names: names, inverses: inverses)
    }
    types = entities.map { TypeDeclaration(name: $0.typeName, lines: $0.lines(isPublic: isPublic)) }
    remarks = entities.flatMap(\.remarks)
    needsJSONText = entities.contains { $0.properties.contains { $0.type.hasPrefix(SwiftJSONText.name) } }
    self.isPublic = isPublic
  }

  /// All types in one file.
  package var text: String {
    let helper = needsJSONText ? [SwiftJSONText.lines(isPublic: isPublic)] : []
    return Self.file((types.map(\.lines) + helper))
  }

  /// A file for each type, with its name.
  package var files: [(name: String, text: String)] {
    let helper =
      needsJSONText
      ? [("\(SwiftJSONText.name).swift", Self.file([SwiftJSONText.lines(isPublic: isPublic)]))] : []
    return types.map { ("\($0.name).swift", Self.file([$0.lines])) } + helper
  }

  private static func file(_ declarations: [[String]]) -> String {
    let code = declarations.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    let words = Set(code.split { !($0.isLetter || $0.isNumber) }.map(String.init))
    let needsFoundation = !words.isDisjoint(with: ["Data", "Date", "Decimal", "URL", "UUID"])
    let imports = ["import Broker"] + (needsFoundation ? ["import Foundation"] : [])
    let head = "// Made from a model by `broker model swift`."
    return ([head, imports.joined(separator: "\n"), code].filter { !$0.isEmpty }).joined(separator: "\n\n")
      + "\n"
  }
}

/// The type of attributes that hold any JSON.
enum SwiftJSONText {
  static let name = "JSONText"

  static func lines(isPublic: Bool) -> [String] {
    let access = isPublic ? "public " : ""
    return """
      /// Any JSON, kept as its text.
      \(access)struct JSONText: AttributeValue, Hashable {
        \(access)var text: String

        \(access)static var attributeType: AttributeType { .transformable }
        \(access)var storedValue: SQLValue { .text(text) }

        \(access)init(text: String) {
          self.text = text
        }

        \(access)init?(stored: SQLValue) {
          guard case .text(let text) = stored else { return nil }
          self.text = text
        }
      }
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// The annotations in `userInfo`, in Swift's words.
enum SwiftAnnotations {
  /// The annotations of Broker's that have no form in Swift, a sentence each.
  static func unsaid(_ userInfo: [String: String], besides known: [String]) -> [String] {
    userInfo.keys.sorted().compactMap { key in
      guard key.hasPrefix("broker.") || ["timeZone", "relatedByAttribute"].contains(key) else { return nil }
      if known.contains(key) || known.contains(where: { $0.hasSuffix(".*") && key.hasPrefix($0.dropLast()) })
      {
        return nil
      }
      return "\(key) is “\(userInfo[key] ?? "")”; say it in a mapping"
    }
  }

  static func documentation(_ userInfo: [String: String]) -> [String] {
    guard let text = userInfo[Model.documentationKey] else { return [] }
    return text.split(whereSeparator: \.isNewline).map { onOneLine(String($0)) }
  }

  static func onOneLine(_ text: String) -> String {
    text.replacingScalars { $0.properties.generalCategory.isUnseen ? " " : nil }
  }

  /// The mark with the keys of a property; none if it has none.
  static func keys(_ annotations: Annotations) -> [SwiftMark] {
    SwiftMark("Key", annotations.keys.map(SwiftLiteral.text)).ifNeeded
  }

  /// The transformers as an array of strings, each in the form of annotations; nil if there are none.
  static func transformers(_ annotations: Annotations) -> String? {
    let calls = annotations.transformers
    return calls.isEmpty
      ? nil : "[\(calls.map { SwiftLiteral.text($0.description) }.joined(separator: ", "))]"
  }
}
