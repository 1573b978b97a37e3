import Foundation

/// How a store keeps a mapping. Functions cannot be kept; they are given anew.
extension JSONMapping {
  package init(remembered text: String) throws {
    let data = Data(text.utf8)
    if let whole = try? JSONDecoder().decode(Remembered.self, from: data) {
      entities = whole.entities
      document = whole.document
      dialect = whole.dialect
    } else {
      entities = try JSONDecoder().decode([String: EntityMapping].self, from: data)
    }
  }

  /// The same mapping always gives the same text.
  package func remembered() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data =
      try document.isEmpty && dialect == nil
      ? encoder.encode(entities)
      : encoder.encode(Remembered(dialect: dialect, document: document, entities: entities))
    return String(decoding: data, as: UTF8.self)
  }

  /// The form of a mapping that says something about documents.
  private struct Remembered: Codable {
    var dialect: Dialect?
    var document: DocumentMapping
    var entities: [String: EntityMapping]
  }
}
