import Foundation

/// What a caller says about documents as a whole: where their objects are, and of which entities.
///
/// ```swift
/// mapping.document.root = "entry[].resource"
/// mapping.document.kind = "resourceType"
/// ```
public struct DocumentMapping: Sendable, Hashable, Codable {
  /// The path from the root to the objects; see ``ImportOptions/root``.
  public var root: String?
  /// The key or key path whose value names the entity of each object, by the rules by which the keys of documents name
  /// entities. The values that an entity lists as its ``EntityMapping/names`` name it too.
  public var kind: String?
  /// Whether objects whose kind names no entity are passed over, and counted. Otherwise each is an issue.
  public var skipsOthers = false
  /// Values from outside the objects, by the key that the objects get them under.
  public var added: [String: AddedValue] = [:]

  public init() {}

  /// Whether nothing is said.
  var isEmpty: Bool { self == DocumentMapping() }

  /// Where a model that a mapping was applied to keeps it.
  static let key = "broker.document"
}

extension Model {
  /// What the mapping that was applied says about documents.
  package var document: DocumentMapping {
    guard let text = other[DocumentMapping.key] else { return DocumentMapping() }
    return (try? JSONDecoder().decode(DocumentMapping.self, from: Data(text.utf8))) ?? DocumentMapping()
  }

  /// The same model, whose documents are as a mapping says.
  func with(_ document: DocumentMapping) -> Model {
    guard !document.isEmpty, let data = try? JSONEncoder().encode(document) else { return self }
    var model = self
    model.other[DocumentMapping.key] = String(decoding: data, as: UTF8.self)
    return model
  }
}
