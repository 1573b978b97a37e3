import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Documents of lists beside documents of one object, as the answers about a list and about one of its objects are.
@Suite struct LoneObjectTests {
  /// A form of documents: a list of objects, and one object.
  struct Form: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let list: @Sendable ([String]) -> String
    let one: @Sendable (String) -> String
  }

  private static func joined(_ objects: [String], _ form: (String) -> String = { $0 }) -> String {
    objects.map(form).joined(separator: ", ")
  }

  private static let forms = [
    Form(testDescription: "a list", list: { "[\(joined($0))]" }, one: { $0 }),
    Form(testDescription: "results", list: { #"{"count": 9, "results": [\#(joined($0))]}"# }, one: { $0 }),
    Form(
      testDescription: "a list behind two keys",
      list: { #"{"responseHeader": {"status": 0}, "response": {"numFound": 9, "docs": [\#(joined($0))]}}"# },
      one: { $0 }),
    Form(
      testDescription: "HAL", list: { #"{"_embedded": {"things": [\#(joined($0))]}, "page": {"size": 9}}"# },
      one: { $0 }),
    Form(
      testDescription: "OData", list: { #"{"@odata.context": "x", "value": [\#(joined($0))]}"# },
      one: { #"{"@odata.context": "x/$entity", \#($0.dropFirst())"# }),
    Form(
      testDescription: "JSON:API",
      list: { objects in
        #"{"data": [\#(joined(objects) { #"{"type": "things", "id": "\#(id($0))", "attributes": {\#(rest($0))}"# })]}"#
      },
      one: { #"{"data": {"type": "things", "id": "\#(id($0))", "attributes": {\#(rest($0))}}"# }),
    Form(
      testDescription: "FHIR",
      list: { objects in
        let entries = joined(objects) { #"{"resource": {"resourceType": "Thing", \#($0.dropFirst())}"# }
        return #"{"resourceType": "Bundle", "entry": [\#(entries)]}"#
      }, one: { #"{"resourceType": "Thing", \#($0.dropFirst())"# }),
    Form(
      testDescription: "GeoJSON",
      list: { objects in
        #"{"type": "FeatureCollection", "features": [\#(joined(objects, feature))]}"#
      }, one: feature),
  ]

  private static func rest(_ object: String) -> String { String(object.dropFirst(11)) }

  private static func id(_ object: String) -> String { String(object.dropFirst(7).prefix(2)) }

  @Sendable private static func feature(_ object: String) -> String {
    #"""
    {"type": "Feature", "id": \#(id(object)), "properties": \#(object),
     "geometry": {"type": "Point", "coordinates": [1.5, 2.5]}}
    """#
  }

  private static func thing(_ number: Int) -> String {
    #"{"id": \#(number), "name": "N\#(number)", "rev": \#(number * 3), "flag": \#(number % 2 == 0)}"#
  }

  private static func files(_ form: Form) throws -> TestFolder {
    try TestFolder([
      "things.json": form.list((10..<16).map(thing)), "thing_15.json": form.one(thing(15)),
      "thing_99.json": form.one(thing(99)),
    ])
  }

  /// Imports sources twice. Nothing has an issue, and the second time nothing changes.
  private func expect(_ count: Int, of sources: [ImportSource], in inferred: InferredModel) throws {
    let store = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    let importer = Importer(store, options(inferred))
    for round in 0..<2 {
      for source in sources {
        let report = try importer.run([source])
        #expect(report.issues.isEmpty, "\(report.issues.prefix(2))")
        #expect(round == 0 || report.inserted.isEmpty && report.updated.isEmpty && report.deleted.isEmpty)
      }
    }
    let entities = inferred.model.entities.map(\.name)
    let counts = try store.read { transaction in try entities.map { try transaction.count(Query($0)) } }
    #expect(counts == [count], "\(entities)")
  }

  @Test(arguments: forms)
  func objectsOfAListAndByThemselvesAreOfOneEntity(_ form: Form) throws {
    let folder = try Self.files(form)
    let inferred = try InferredModel(from: folder.sources())
    try expect(7, of: folder.sources(), in: inferred)
  }

  @Test(arguments: forms, [false, true])
  func theyAreSoOneAfterAnother(_ form: Form, isReversed: Bool) throws {
    let folder = try Self.files(form)
    let sources = try isReversed ? folder.sources().reversed() : folder.sources()
    try expect(7, of: sources, in: widened(sources))
  }

  @Test func anObjectOfHALWithObjectsInItIsNoPage() throws {
    func order(_ number: Int) -> String {
      #"""
      {"id": \#(number), "total": \#(number * 2), "_links": {"self": {"href": "/orders/\#(number)"}},
       "_embedded": {"items": [{"quantity": 1, "_embedded": {"product": {"sku": "S\#(number % 3)", "title": "t"}}}]}}
      """#
    }
    let folder = try TestFolder([
      "orders.json": #"""
      {"_links": {"self": {"href": "/orders"}}, "_embedded": {"orders": [\#((1..<6).map(order).joined(separator: ", "))]}}
      """#,
      "order_99.json": order(99),
    ])
    for sources in [try folder.sources(), try folder.sources().reversed()] {
      let inferred = try widened(sources)
      let (store, report) = try imported(inferred, sources)
      #expect(report.issues.isEmpty)
      let counts = try store.read { transaction in
        try ["Order", "Item", "Product"].map { try transaction.count(Query($0)) }
      }
      #expect(counts == [6, 6, 3])
    }
  }

  @Test(arguments: [
    (
      #"{"resourceType": "Bundle", "entry": [{"resource": {"resourceType": "Patient", "id": "p", "active": true}}]}"#,
      #"{"resourceType": "Bundle", "type": "searchset", "total": 0}"#
    ),
    (
      #"{"_embedded": {"things": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]}, "page": {"size": 9}}"#,
      #"{"_links": {"self": {"href": "x"}}, "page": {"size": 9, "totalElements": 0}}"#
    ),
    (
      #"{"@odata.context": "x", "value": [{"id": 1, "name": "a"}]}"#, #"{"@odata.context": "x", "value": []}"#
    ),
    (
      #"{"type": "FeatureCollection", "features": [{"type": "Feature", "id": "a", "properties": {"name": "b"}, "geometry": null}]}"#,
      #"{"type": "FeatureCollection", "bbox": [1, 2, 3, 4]}"#
    ),
  ])
  func aPageWithoutObjectsHasNone(_ full: String, _ empty: String) throws {
    let folder = try TestFolder(["things.json": full, "things_p2.json": empty])
    let sources = try folder.sources()
    for inferred in [try InferredModel(from: sources), try widened(sources)] {
      #expect(inferred.model.entities.count == 1, "\(inferred.model.entities.map(\.name))")
      let (store, report) = try imported(inferred, sources)
      #expect(report.issues.isEmpty && report.skipped.isEmpty, "\(report.issues)")
      let count = try store.read { try $0.count(Query(inferred.model.entities[0].name)) }
      #expect(count == report.inserted.values.reduce(0, +) && count > 0)
    }
  }

  @Test func aListWithKeysOfItsOwnIsNoneOfItsItems() throws {
    func item(_ number: Int) -> String {
      #"""
      {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "node-\#(number)", "uid":
       "ad90dbdf-b579-46c3-8a5a-f5ce6db31f\#(number)"}, "spec": {"podCIDR": "10.0.\#(number).0/24"}}
      """#
    }
    let items = (10..<16).map(item).joined(separator: ", ")
    let folder = try TestFolder([
      "nodes.json":
        #"{"apiVersion": "v1", "items": [\#(items)], "kind": "List", "metadata": {"resourceVersion": ""}}"#
    ])
    let sources = try folder.sources()
    let inferred = try InferredModel(from: sources)
    let (store, report) = try imported(inferred, sources)
    #expect(report.issues.isEmpty)
    let again = try Importer(store, options(inferred)).run(sources)
    #expect(again.inserted.isEmpty && again.updated.isEmpty && again.deleted.isEmpty, "\(again.inserted)")
  }

  @Test func documentsOfOneListEachAreNoObjects() throws {
    let folder = try TestFolder([
      "search.json": #"""
      {"batchcomplete": "", "continue": {"sroffset": 10}, "query": {"searchinfo": {"totalhits": 55}, "search":
       [{"title": "A", "size": 1}, {"title": "B", "size": 2}, {"title": "C", "size": 3}]}}
      """#,
      "changes.json": #"""
      {"batchcomplete": "", "query": {"changes": [{"rcid": 9001, "kind": "edit"}, {"rcid": 9002, "kind": "new"}]}}
      """#,
    ])
    for sources in [try folder.sources(), try folder.sources().reversed()] {
      let (store, report) = try imported(InferredModel(from: sources), sources)
      #expect(report.issues.isEmpty && report.skipped.isEmpty)
      #expect(try store.read { try $0.count(Query("Search")) + $0.count(Query("Change")) } == 5)
    }
  }

  @Test func aPageSaysNothingOfObjects() throws {
    let calls = (0..<5).map { #"{"sid": "CA00\#($0)", "status": "done"}"# }.joined(separator: ", ")
    let page =
      #"{"first_page_uri": "/calls?Page=0", "end": 4, "page_size": 50, "uri": "/calls", "calls": [\#(calls)]}"#
    let inferred = try inferred(page)
    #expect(inferred.model.entities.map(\.name) == ["Call"])
    #expect(
      inferred.mapping["Call"].identity ?? inferred.model.entities[0].declaredIdentity?.properties == ["sid"])
  }

  @Test func aPieceOfADictionaryIsReadAsOne() throws {
    let rest = #""rev": 3, "flag": true}"#
    let folder = try TestFolder([
      "all.json":
        #"{"entities": {"X11": {"id": 1, \#(rest), "X12": {"id": 2, \#(rest), "X13": {"id": 3, \#(rest)}, "success": 1}"#,
      "X12.json": #"{"entities": {"X12": {"id": 2, \#(rest)}}"#,
    ])
    let sources = try folder.sources()
    let (store, report) = try imported(InferredModel(from: sources), sources)
    #expect(report.issues.isEmpty)
    #expect(try store.read { try $0.count(Query("Entity")) } == 3)
  }

  @Test func objectsThatSayWhatTheyAreAreOfDifferentEntities() throws {
    func things(_ kind: String, _ numbers: Range<Int>) -> String {
      let objects = numbers.map {
        #"{"gid": "118\#($0)84195", "resource_type": "\#(kind)", "name": "\#(kind) \#($0)"}"#
      }
      return #"{"data": [\#(objects.joined(separator: ", "))]}"#
    }
    let tasks = (10..<20).map { number in
      #"""
      {"gid": "99\#(number)", "resource_type": "task", "name": "t\#(number)", "memberships": [{
       "project": {"gid": "118\#(number)84195", "resource_type": "project", "name": "project \#(number)"},
       "section": {"gid": "118\#(number + 20)84195", "resource_type": "section", "name": "section \#(number + 20)"}}]}
      """#
    }
    let folder = try TestFolder([
      "projects.json": things("project", 10..<20), "sections.json": things("section", 30..<40),
      "tasks.json": #"{"data": [\#(tasks.joined(separator: ", "))]}"#,
    ])
    let sources = try folder.sources()
    let (store, _) = try imported(InferredModel(from: sources), sources)
    let counts = try store.read { transaction in
      try ["Project", "Section", "Task"].map { try transaction.count(Query($0)) }
    }
    #expect(counts == [10, 10, 10])
  }

  @Test func valuesInOneObjectNameNothingOfOthers() throws {
    func ticket(_ number: Int) -> String {
      #"""
      {"ticket": {"id": \#(number), "subject": "s\#(number)", "custom_fields":
       [{"id": 360012345678, "value": "a\#(number)"}, {"id": 360012345679, "value": "b\#(number)"}]}}
      """#
    }
    let folder = try TestFolder(["ticket_7.json": ticket(7), "ticket_8.json": ticket(8)])
    let sources = try folder.sources()
    let (store, report) = try imported(widened(sources), sources)
    #expect(report.issues.isEmpty)
    #expect(try store.read { try $0.count(Query("CustomField")) } == 4)
  }

  @Test func messagesOfAConversationAreObjects() throws {
    let folder = try TestFolder([
      "calls.json": #"{"calls": [{"sid": "CA1", "status": "done"}, {"sid": "CA2", "status": "done"}]}"#,
      "messages.json":
        #"{"messages": [{"sid": "SM1", "body": "b", "to": "+1"}, {"sid": "SM2", "body": "c", "to": "+2"}]}"#,
    ])
    let sources = try folder.sources()
    let (store, report) = try imported(widened(sources), sources)
    #expect(report.issues.isEmpty)
    #expect(try store.read { try $0.count(Query("Message")) } == 2)
  }

  @Test func aVersionIsNoIdentity() throws {
    let videos = (0..<6).map {
      #"{"etag": "aX\#($0 * 77)", "id": {"kind": "video", "videoId": "vid00\#($0)"}, "title": "T"}"#
    }
    let inferred = try inferred(#"{"items": [\#(videos.joined(separator: ", "))]}"#)
    let entity = try #require(inferred.model.entities.first)
    let identity = inferred.mapping[entity.name].identity ?? entity.declaredIdentity?.properties
    let name = try #require(identity?.first)
    #expect(inferred.mapping[entity.name].keys[name] == ["id.videoId"])
  }
}
