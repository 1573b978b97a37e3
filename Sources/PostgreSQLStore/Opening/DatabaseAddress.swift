import ObjectStore

/// Where a store in a PostgreSQL database is: the server and the database as libpq takes them, and the schema.
package struct DatabaseAddress: Sendable, Hashable {
  /// What libpq is given.
  package let connection: String
  package let schema: String
  /// The address as messages show it: without a password.
  package let shown: String

  /// The schema where none is named.
  package static let usualSchema = "broker"

  /// - Parameters:
  ///   - text: A URL, which may name the schema by `?schema=`, or libpq's `key=value` pairs.
  ///   - schema: The schema; nil for the one in the URL, or the usual one.
  /// - Throws: ``StoreError`` if the schema cannot be one's name.
  package init(_ text: String, schema: String? = nil) throws {
    let (rest, named) = Self.withoutSchema(text)
    connection = rest
    self.schema = schema ?? named ?? Self.usualSchema
    shown = Self.shown(rest) + (self.schema == Self.usualSchema ? "" : ", schema \(self.schema)")
    try Self.check(self.schema)
  }

  private static func check(_ schema: String) throws {
    let isSystem = schema.hasPrefix("pg_") || schema == "information_schema"
    guard !schema.isEmpty, schema.utf8.count <= 63, !schema.utf8.contains(0), !isSystem else {
      throw StoreError.invalid(
        "\"\(schema.prefix(80))\" cannot be the schema of a store: name one of 1 to 63 bytes that is not PostgreSQL's own."
      )
    }
  }

  /// The text without `schema` among the parameters of the URL, and its value.
  private static func withoutSchema(_ text: String) -> (String, String?) {
    guard text.contains("://"), let mark = text.firstIndex(of: "?") else { return (text, nil) }
    var (kept, schema): ([Substring], String?) = ([], nil)
    for parameter in text[text.index(after: mark)...].split(separator: "&") {
      guard parameter.hasPrefix("schema=") else {
        kept.append(parameter)
        continue
      }
      schema = decoded(parameter.dropFirst("schema=".count))
    }
    let rest = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
    return (String(text[..<mark]) + rest, schema)
  }

  /// A text with its `%XX` put back.
  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else {
        bytes.append(byte)
        continue
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// An address without its password.
  package static func shown(_ text: String) -> String {
    guard let scheme = text.firstRange(of: "://") else { return "the PostgreSQL database" }
    var rest = text[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    rest = rest.dropFirst(authority.count)
    var shown = String(text[..<scheme.upperBound])
    if let at = authority.lastIndex(of: "@") {
      shown += authority[..<at].prefix { $0 != ":" } + "@" + authority[authority.index(after: at)...]
    } else {
      shown += authority
    }
    // A password may stand among the parameters too, and so may the paths of keys: none of them is shown.
    return shown + rest.prefix { $0 != "?" && $0 != "@" }
  }
}
