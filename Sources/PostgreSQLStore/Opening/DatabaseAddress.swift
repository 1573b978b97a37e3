import ObjectStore

/// Where a store in a PostgreSQL database is: the server and the database as libpq takes them, and the schema.
package struct DatabaseAddress: Sendable, Hashable {
  /// What libpq is given.
  package let connection: String
  package let schema: String
  /// The address as messages show it: without a password.
  package let shown: String
  let settings: ServerSettings

  /// The schema where none is named.
  package static let usualSchema = "broker"

  /// - Parameters:
  ///   - text: A URL, which may name the schema by `?schema=`, or libpq's `key=value` pairs, which may name it too.
  ///   - schema: The schema; nil for the one in the text, or the usual one.
  /// - Throws: ``StoreError`` if the schema cannot be one's name, or a setting has no such value.
  package init(_ text: String, schema: String? = nil) throws {
    let text = ConnectionText(text)
    connection = text.connection
    self.schema = schema ?? text.own["schema"] ?? Self.usualSchema
    shown = text.shown + (self.schema == Self.usualSchema ? "" : ", schema \(self.schema)")
    settings = try ServerSettings(text.own)
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

  /// Whether a text is the address of a database rather than the path of a file.
  package static func isAddress(_ text: String) -> Bool { ConnectionText.isAddress(text) }

  /// An address without its password.
  package static func shown(_ text: String) -> String { ConnectionText(text).shown }
}
