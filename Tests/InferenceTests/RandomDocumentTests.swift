import Inference
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// What an import promises that takes its model, for documents without any shape: objects have keys at random, of which each has
/// values of all kinds.
@Suite struct RandomDocumentTests {
  @Test(arguments: Seeds.first(60, long: 3_000))
  func documents(_ seed: UInt64) throws {
    var random = RandomDocument(seed: seed)
    try keepsPromises(random.document().text)
  }

  /// Trees and dictionaries whose objects have a few keys at any depth, as the descriptions of data have.
  @Test(arguments: Seeds.first(40, long: 1_000))
  func trees(_ seed: UInt64) throws {
    var random = RandomDocument(seed: seed)
    try keepsPromises(random.tree().text)
  }

  /// The place under the key of an identity became one with another place of the tree.
  @Test func identityInATree() throws {
    try keepsPromises(
      #"{"url": {"value": {"k1": {"id": {"name": "abcdef12", "k1": 7, "k2": "abcdef12"}, "k2": {"type": true, "definitions": 5, "k3": "object"}}, "k4": {"k3": {"type": true, "value": "abcdef12", "id": 7}, "k8": {"name": "abcdef12", "id": "string"}}}, "items": {"k0": {"type": "a", "value": {"k3": "string"}, "title": 5, "definitions": "http://x/1", "items": {"items": "string"}}}}, "type": {"name": {"url": {"k0": {"definitions": {"type": true}, "name": {}, "items": {"url": "abcdef12", "title": null, "name": null, "definitions": "abcdef12"}, "properties": {}, "value": {"id": 5, "name": "string", "properties": true, "definitions": 5, "title": "object"}}, "k2": {"k1": "http://x/1", "k2": {"items": null, "value": null, "title": "abcdef12"}, "id": {"id": "string", "url": 5}}}}}}"#
    )
  }

  /// The first of several objects with the same keys holds a dictionary, whose entries stand under no key of the place.
  @Test func dictionaryInTheFirstOfObjects() throws {
    try keepsPromises([
      "airvisual.json": #"{"options": {"step": {"init": {}}}}"#,
      "androidtv.json":
        #"{"options": {"error": {}, "step": {"init": {}, "rules": {"data": {}, "description": "Configure detection rule for application ID {rule_id}", "title": "Configure Android state detection rules"}}}, "selector": {}}"#,
      "androidtv_remote.json":
        #"{"exceptions": {}, "options": {"step": {"apps": {"description": "Configure application ID {app_id}", "title": "Configure Android apps"}, "init": {"data": {}, "data_description": {}}}}}"#,
      "anthropic.json":
        #"{"config_subentries": {"conversation": {"step": {"additional": {"title": "Additional settings"}, "init": {}, "model": {"data": {}, "data_description": {}, "title": "Model-specific options"}}}}, "issues": {"model_deprecated": {"fix_flow": {"step": {"init": {"title": "Update model"}}}}}}"#,
      "axis.json":
        #"{"config": {}, "options": {"step": {"configure_stream": {"title": "Axis device video stream options"}}}}"#,
      "blink.json":
        #"{"issues": {"service_deprecation": {"fix_flow": {"step": {"confirm": {"title": "[%key:component::blink::issues::service_deprecation::title%]"}}}}}, "options": {"step": {"simple_options": {"title": "Blink options"}}}}"#,
    ])
  }

  private func keepsPromises(_ text: String) throws { try keepsPromises(["doc.json": text]) }

  private func keepsPromises(_ files: [String: String]) throws {
    let folder = try TestFolder(files)
    let text = files.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n")
    let inferred: InferredModel
    do {
      inferred = try InferredModel(from: folder.sources())
    } catch is InferenceError {
      // There is no object, or none that has a key.
      return
    }
    let (store, report) = try imported(inferred, folder.sources())
    #expect(report.issues.map(\.description) == [], "\(text)")
    #expect(report.skipped == [:])
    let again = try Importer(store, options(inferred)).run(folder.sources())
    #expect(again.inserted == [:] && again.updated == [:] && again.deleted == [:], "\(text)")
    let export = try Exporter(store).wholeText()
    let copy = try Store(path: ":memory:", like: store)
    #expect(try Importer(copy).run([.string(export)]).issues.map(\.description) == [], "\(text)")
    #expect(try Exporter(copy).wholeText() == export, "\(text)")
  }

  /// Empty objects, also as the first one of a list, are objects of which nothing is said.
  @Test func emptyObjectsInLists() throws {
    let folder = try TestFolder(["doc.json": #"[{}, {"a": 1, "b": {"c": 2}}, {}]"#])
    let inferred = try InferredModel(from: folder.sources())
    let (_, report) = try imported(inferred, folder.sources())
    #expect(report.issues.map(\.description) == [])
    #expect(report.inserted.values.reduce(0, +) >= 3)
  }

  /// A document is one of its form whatever lists it has beside the objects.
  @Test func listsBesideTheObjectOfADocument() throws {
    let folder = try TestFolder([
      "doc.json": #"{"status": {"code": 5}, "thing": {"x": 1, "name": "A"}, "info": [{"id": "a"}]}"#
    ])
    let inferred = try InferredModel(from: folder.sources())
    let (_, report) = try imported(inferred, folder.sources())
    #expect(report.issues.map(\.description) == [])
    #expect(report.inserted == ["Thing": 1])
  }

  /// A list stands in an object of an object, neither of which has a name that says nothing.
  @Test(
    arguments: [
      #"{"shop": {"products": [{"a": 1, "b": 2}, {"a": 3, "b": 3}]}}"#,
      #"{"photos": {"photo": [{"id": 1, "b": 2}, {"id": 3, "b": 3}]}}"#,
      #"{"photos": {"page": 1, "photo": [{"id": 1, "b": 2}, {"id": 3, "b": 3}]}, "stat": "ok"}"#,
      #"{"thing": {"slug": [{"a": 1, "slug": 2}, {"a": 3, "slug": 3}]}}"#,
      #"{"a": {"b": {"things": [{"a": 1, "b": 2}, {"a": 3, "b": 3}]}}}"#,
    ])
  func listsInObjectsInObjects(_ json: String) throws {
    let folder = try TestFolder(["doc.json": json])
    let inferred = try InferredModel(from: folder.sources())
    let (_, report) = try imported(inferred, folder.sources())
    #expect(report.issues.map(\.description) == [])
    #expect(report.inserted.values.reduce(0, +) == 2)
  }

  /// What stands further inside has no name that a key of the object itself would fill.
  @Test func namesOfKeysOfTheObjectItself() throws {
    let folder = try TestFolder([
      "doc.json":
        #"[{"data": {"code": 16, "price": 2}}, {"code": {"status": {"a": "b"}}}, {"data": {"code": 3}}]"#
    ])
    let inferred = try InferredModel(from: folder.sources())
    let (_, report) = try imported(inferred, folder.sources())
    #expect(report.issues.map(\.description) == [])
    let names = inferred.model.entities[0].attributes.map(\.name)
    #expect(names.contains("dataCode") && names.contains("price") && names.contains("codeStatusA"))
  }
}

/// Documents of keys that APIs have, with values at random, nulls in lists among them.
private struct RandomDocument {
  private var random: Seeded

  private static let keys = [
    "id", "name", "title", "type", "kind", "code", "url", "count", "value", "tags", "items", "owner",
    "parent",
    "children", "data", "meta", "status", "date", "created", "price", "author", "key", "slug", "label",
    "list",
    "info", "user",
  ]
  private static let texts: [JSONValue] = [
    "a", "b", "Ann", "Bob", "x y", "7", "12", "true", "äö", "", "2024-01-05", "2024-01-01T10:00:00Z",
    "http://example.com/3",
  ]

  init(seed: UInt64) { random = Seeded(state: seed &* 7_000_003) }

  mutating func document() -> JSONValue {
    let count = [1, 2, 3, 5, 10, 30][random.below(6)]
    switch random.below(4) {
    case 0: return object(4)
    case 1: return .object([key(): .array((0..<count).map { _ in objectOrNull() })])
    default: return .array((0..<count).map { _ in objectOrNull() })
    }
  }

  private static let keysOfTrees = [
    "id", "type", "properties", "items", "name", "url", "value", "definitions", "title",
  ]

  mutating func tree() -> JSONValue { branch(3 + random.below(5)) }

  private mutating func branch(_ depth: Int) -> JSONValue {
    var members: [String: JSONValue] = [:]
    let isDictionary = random.below(5) < 2
    for number in 0..<(isDictionary ? 2 + random.below(7) : 1 + random.below(5)) {
      let isMember = isDictionary && random.below(5) < 3
      members[isMember ? "k\(number)" : Self.keysOfTrees[random.below(Self.keysOfTrees.count)]] = leaf(depth)
    }
    return .object(members)
  }

  private mutating func leaf(_ depth: Int) -> JSONValue {
    switch depth > 0 ? random.below(20) : 0 {
    case 0..<5: scalar()
    case 5, 6: .array((0..<random.below(4)).map { _ in leaf(depth - 1) })
    default: branch(depth - 1)
    }
  }

  private mutating func objectOrNull() -> JSONValue { random.below(20) == 0 ? .null : object(3) }

  private mutating func key() -> String { Self.keys[random.below(Self.keys.count)] }

  private mutating func object(_ depth: Int) -> JSONValue {
    var members: [String: JSONValue] = [:]
    for _ in 0..<random.below(6) { members[key()] = value(depth) }
    return .object(members)
  }

  private mutating func value(_ depth: Int) -> JSONValue {
    switch depth > 0 ? random.below(10) : 0 {
    case 6, 7: return object(depth - 1)
    case 8, 9: return list(depth - 1)
    default: return scalar()
    }
  }

  private mutating func list(_ depth: Int) -> JSONValue {
    .array((0..<random.below(4)).map { _ in random.flip() ? value(depth) : object(depth) })
  }

  private mutating func scalar() -> JSONValue {
    switch random.below(9) {
    case 0: .null
    case 1: .bool(random.flip())
    case 2, 3: .integer(Int64(random.below(20)))
    case 4: .integer(Int64(random.below(2_000_000)) - 1_000_000)
    case 5: .double(Double(random.below(100_000)) / 1_000)
    default: Self.texts[random.below(Self.texts.count)]
    }
  }
}
