public import JSONStream

/// A value that stands outside the objects of the JSON, and that each of them gets under a key, unless it has that key
/// itself.
///
/// ```swift
/// options.added["source"] = .value("archive")
/// options.added["page"] = .document("meta.page")
/// ```
public enum AddedValue: Sendable, Hashable {
  /// The same for all.
  case value(JSONValue)
  /// The target of a key path from the root of the JSON; in JSON Lines, from the root of each line.
  case document(String)
  /// The target of a key path from an object around the list of objects, on the way from the root: 1 is the
  /// innermost.
  case enclosing(Int, String)
  /// The name of the file, without its extension.
  case fileName
  /// The name of the folder that the file is in.
  case folderName
  /// The name of the source among all others: the whole path of a file. A source without a name gets one that no other has.
  case source
  /// How many objects of the same entity at the top of the source came before.
  case position
}

/// The short form, in which the command line and mapping files say it.
extension AddedValue {
  /// Reads `$.meta.page`, `^.name`, `@file`, `@folder`, `@source`, `@position`, or a text, with `=` before it
  /// if it begins with one of these signs. Nil if nothing readable follows a sign.
  package init?(_ text: some StringProtocol) {
    switch text.first {
    case "=": self = .value(.string(String(text.dropFirst())))
    case "@":
      guard let known = Self.named.first(where: { $0.text == text }) else { return nil }
      self = known.value
    case "$":
      guard let path = Self.path(text.dropFirst()) else { return nil }
      self = .document(path)
    case "^":
      let level = text.prefix { $0 == "^" }.count
      guard let path = Self.path(text.dropFirst(level)) else { return nil }
      self = .enclosing(level, path)
    default: self = .value(.string(String(text)))
    }
  }

  /// The words that begin with `@`.
  private static let named: [(text: String, value: Self)] = [
    ("@file", .fileName), ("@folder", .folderName), ("@source", .source),
    ("@position", .position),
  ]

  /// Whether it is the same wherever in the JSON the objects are.
  package var isOfSource: Bool {
    switch self {
    case .document, .enclosing: false
    case .value, .fileName, .folderName, .source, .position: true
    }
  }

  /// The path behind a sign: `.meta.page` or `[0]`.
  private static func path(_ text: some StringProtocol) -> String? {
    switch text.first {
    case ".": text.count > 1 ? String(text.dropFirst()) : nil
    case "[": String(text)
    default: nil
    }
  }

  /// The short form. A value that is no text is written as one.
  var text: String {
    switch self {
    case .value(.string(let text)): ["$", "^", "@", "="].contains(text.first) ? "=\(text)" : text
    case .value(let value): value.text
    case .document(let path): "$" + (path.hasPrefix("[") ? path : ".\(path)")
    case .enclosing(let level, let path):
      String(repeating: "^", count: max(1, level)) + (path.hasPrefix("[") ? path : ".\(path)")
    case .fileName: "@file"
    case .folderName: "@folder"
    case .source: "@source"
    case .position: "@position"
    }
  }
}

extension AddedValue: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self = Self(text) ?? .value(.string(text))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
