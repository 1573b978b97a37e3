/// A macro before a property, with its arguments: `@Attribute(indexed: true)`.
struct SwiftMark {
  let name: String
  private(set) var arguments: [String] = []

  init(_ name: String, _ arguments: [String] = []) {
    self.name = name
    self.arguments = arguments
  }

  mutating func add(_ label: String, _ value: String?) {
    if let value { arguments.append("\(label): \(value)") }
  }

  mutating func add(_ argument: String) { arguments.append(argument) }

  /// Nothing if there are no arguments.
  var ifNeeded: [SwiftMark] { arguments.isEmpty ? [] : [self] }

  /// The mark on one line.
  var text: String { arguments.isEmpty ? "@\(name)" : "@\(name)(\(arguments.joined(separator: ", ")))" }

  /// The mark, an argument a line where one line would be too long.
  func lines(width: Int) -> [String] {
    guard text.count > width else { return [text] }
    let last = arguments.count - 1
    return ["@\(name)("] + arguments.enumerated().map { "  \($1)\($0 == last ? "" : ",")" } + [")"]
  }
}

/// A stored property of a type, and what is written about it.
struct SwiftProperty {
  var name: String
  var type: String
  /// What stands after the equals sign.
  var initialValue: String?
  var marks: [SwiftMark] = []
  /// Lines of a comment for those who use the property.
  var documentation: [String] = []
  var enumeration: SwiftEnumeration?

  private static let width = 100

  func lines(isPublic: Bool) -> [String] {
    let value = initialValue.map { " = \($0)" } ?? ""
    let declaration = "\(isPublic ? "public " : "")var \(SwiftNames.code(name)): \(type)\(value)"
    let line = (marks.map(\.text) + [declaration]).joined(separator: " ")
    let comment = documentation.map { $0.isEmpty ? "///" : "/// \($0)" }
    if line.count <= Self.width { return comment + [line] }
    return comment + marks.flatMap { $0.lines(width: Self.width) } + [declaration]
  }

  /// What it is called in the parameters of an initializer, and its default there.
  var parameter: String {
    let fallback =
      initialValue ?? (type.hasSuffix("?") ? "nil" : type.hasPrefix("ToMany<") ? "\(type)()" : nil)
    return "\(SwiftNames.code(name)): \(type)\(fallback.map { " = \($0)" } ?? "")"
  }
}
