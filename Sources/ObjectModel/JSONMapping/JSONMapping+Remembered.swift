import Foundation

/// How a store keeps a mapping. Functions cannot be kept; they are given anew.
extension JSONMapping {
  package init(remembered text: String) throws {
    entities = try JSONDecoder().decode([String: EntityMapping].self, from: Data(text.utf8))
  }

  /// The same mapping always gives the same text.
  package func remembered() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(entities), as: UTF8.self)
  }
}
