import Foundation

/// The mapping of documents as a whole: where their objects are, and of which entities.
///
/// ```swift
/// mapping.document.root = "entry[].resource"
/// mapping.document.kind = "resourceType"
/// ```
public struct DocumentMapping: Sendable, Hashable, Codable {
  /// The path from the root to the objects; see ``ImportOptions/root``.
  public var root: String?
  /// The place of the names of columns, if objects are given as lists of values in their order; see
  /// ``ImportOptions/columns``.
  public var columns: String?
  /// The key or key path whose value names the entity of each object, by the rules by which the keys of documents name
  /// entities. The values that an entity lists as its ``EntityMapping/names`` name it too.
  public var kind: String?
  /// Whether objects whose kind names no entity are passed over, and counted. Otherwise each is an issue.
  public var skipsOthers = false
  /// Values from outside the objects, by the key that the objects get them under.
  public var added: [String: AddedValue] = [:]
  /// The places of the objects in documents of several forms. Each document is read by the form that fits it best: the
  /// one that leads to an object most of whose keys are known. They are not looked at where ``root`` is said.
  public var forms: [SourceForm] {
    get { knownForms ?? [] }
    set { knownForms = newValue.isEmpty ? nil : newValue }
  }
  /// Nil where nothing is said, as in what stores of earlier versions remember.
  private var knownForms: [SourceForm]?

  /// Keys of objects that mean nothing to the model and do not count as unmatched; `*` stands for any characters:
  /// `@odata.*`.
  public var ignored: [String] = []
  /// Members that exports have around their objects: `["resourceType": "Bundle"]`.
  public var constants: [String: String] = [:]

  /// Whether exports write the key of an object as an object with its identity, and its kind.
  public var referencesAreObjects = false

  /// Whether an export of one entity is a document too, with the entity's key around the list.
  public var namesLists = false

  public init() {}

  /// ``kind`` as a path; nil also if it is none.
  package var kindPath: JSONKeyPath? { kind.flatMap { try? JSONKeyPath($0) } }

  var isEmpty: Bool { self == DocumentMapping() }

  /// The annotation in which a model keeps the mapping that was applied to it.
  static let key = "broker.document"
}

/// The place of the objects in documents of one form, and their entity.
public struct SourceForm: Sendable, Hashable, Codable {
  /// The path from the root to the objects; nil for the root itself.
  public var root: String?
  /// The entity of the objects; nil if the keys of the document name the entities.
  public var entity: String?
  /// Values from outside the objects, by the key that the objects get them under.
  public var added: [String: AddedValue]
  /// The keys that the objects have, in the order of the alphabet; empty if they are not known. A document whose first
  /// object has no other keys is of this form, before it is of one whose keys are not known.
  public var keys: [String] {
    get { knownKeys ?? [] }
    set { knownKeys = newValue.isEmpty ? nil : newValue }
  }
  /// Nil where nothing is said, as in what stores of earlier versions remember.
  private var knownKeys: [String]?
  /// The files known to be of this form, each by its name and that of its folder, in the order of the alphabet: such a file is of no
  /// other form that fits it as well.
  public var files: [String] {
    get { knownFiles ?? [] }
    set { knownFiles = newValue.isEmpty ? nil : newValue }
  }
  /// Nil where nothing is said.
  private var knownFiles: [String]?

  public init(
    root: String? = nil, entity: String? = nil, added: [String: AddedValue] = [:], keys: [String] = []
  ) {
    self.root = root
    self.entity = entity
    self.added = added
    self.keys = keys
  }

  package init(root: String?, entity: String?, keys: [String], files: [String]) {
    self.init(root: root, entity: entity, keys: keys)
    self.files = files
  }
}

extension Model {
  /// The mapping of documents that was applied.
  package var document: DocumentMapping {
    guard let text = other[DocumentMapping.key] else { return DocumentMapping() }
    return (try? JSONDecoder().decode(DocumentMapping.self, from: Data(text.utf8))) ?? DocumentMapping()
  }

  /// The same model, whose documents are as a mapping says.
  func with(_ document: DocumentMapping) -> Model {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard !document.isEmpty, let data = try? encoder.encode(document) else { return self }
    var model = self
    model.other[DocumentMapping.key] = String(decoding: data, as: UTF8.self)
    return model
  }
}

/// The values of a discriminator, or the keys around objects, with the sub-entity that each stands for.
///
/// Several values may stand for one entity. Their order counts: an export writes the first one, unless the store knows
/// which one an object came with.
///
/// ```swift
/// mapping["Media"].discriminator = .key("type", values: ["image": "Photo", "photo": "Photo", "clip": "Video"])
/// ```
public struct KindValues: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The values and the names of their entities, in their order.
  public private(set) var pairs: [(value: String, entity: String)] = []

  public init(dictionaryLiteral elements: (String, String)...) {
    for (value, entity) in elements { self[value] = entity }
  }

  /// The values in alphabetical order.
  public init(_ entities: [String: String]) {
    pairs = entities.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The entity that a value stands for. A new value comes last.
  public subscript(value: String) -> String? {
    get { pairs.first { $0.value == value }?.entity }
    set {
      let index = pairs.firstIndex { $0.value == value }
      switch (index, newValue) {
      case (let index?, let entity?): pairs[index].entity = entity
      case (let index?, nil): pairs.remove(at: index)
      case (nil, let entity?): pairs.append((value, entity))
      case (nil, nil): break
      }
    }
  }

  public static func == (first: Self, second: Self) -> Bool {
    first.pairs.elementsEqual(second.pairs) { $0 == $1 }
  }

  public func hash(into hasher: inout Hasher) {
    for pair in pairs {
      hasher.combine(pair.value)
      hasher.combine(pair.entity)
    }
  }
}

/// A list of pairs, since the members of a JSON object have no order.
extension KindValues: Codable {
  public init(from decoder: any Decoder) throws {
    for pair in try [[String]](from: decoder) where pair.count == 2 { self[pair[0]] = pair[1] }
  }

  public func encode(to encoder: any Encoder) throws {
    try pairs.map { [$0.value, $0.entity] }.encode(to: encoder)
  }
}
