import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Files that come after others, with keys that mean something else than the model says by itself.
@Suite struct LaterFileTests {
  /// Imports sources one after another, twice. Nothing has an issue, and the second time nothing changes.
  private func store(_ sources: [ImportSource]) throws -> (model: InferredModel, store: Store) {
    let inferred = try widened(sources)
    let store = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    for round in 0..<2 {
      for source in sources {
        let report = try Importer(store, options(InferredModel(from: [source]))).run([source])
        #expect(report.issues.isEmpty, "\(report.issues.prefix(2))")
        #expect(round == 0 || report.inserted.isEmpty && report.deleted.isEmpty, "\(report.inserted)")
        #expect(round == 0 || report.updated.isEmpty, "\(report.updated)")
      }
    }
    return (inferred, store)
  }

  private func count(_ entity: String, where format: String, in store: Store) throws -> Int {
    var query = Query(entity)
    query.predicates = [try ObjectPredicate(format: format)]
    return try store.read { try $0.count(query) }
  }

  private func list(_ numbers: Range<Int>, _ object: (Int) -> String) -> String {
    "[" + numbers.map(object).joined(separator: ", ") + "]"
  }

  private var customers: String { list(100..<104) { #"{"id": \#($0), "name": "c\#($0)"}"# } }
  private var orders: String {
    list(500..<508) { #"{"id": \#($0), "total": \#($0 * 3), "customer_id": \#(100 + $0 % 4)}"# }
  }

  @Test(arguments: ["2", "null", "[]", #"{"count": 2, "href": "/orders"}"#])
  func whatComesUnderTheNameOfAnotherEndTakesNoLinks(_ value: String) throws {
    let folder = try TestFolder([
      "1/customers.json": customers, "2/orders.json": orders,
      "3/customers.json": list(100..<104) { #"{"id": \#($0), "name": "c\#($0)", "orders": \#(value)}"# },
    ])
    let (_, store) = try store(folder.sources())
    #expect(try count("Order", where: "customer != nil", in: store) == 8)
  }

  @Test func aPageOfTargetsIsTheOtherEnd() throws {
    func album(_ number: Int) -> String { #"{"id": "al\#(number)", "name": "n\#(number)""# }
    let tracks = list(0..<8) { #"{"id": "tr\#($0)", "name": "t\#($0)", "album": \#(album($0 % 2))}}"# }
    let page = list(0..<4) { #"{"id": "tr\#($0 * 2)", "name": "t\#($0 * 2)"}"# }
    let folder = try TestFolder([
      "tracks.json": tracks,
      "album.json": album(0)
        + #", "label": "L", "tracks": {"href": "/t", "limit": 50, "items": \#(page), "total": 4}}"#,
    ])
    let (inferred, store) = try store(["tracks.json", "album.json"].map(folder.source))
    #expect(inferred.mapping["Album"].keys["tracks"] == ["tracks.items"])
    #expect(try count("Track", where: "album != nil", in: store) == 8)
  }

  @Test func listsThatLeadBackByAKnownKeyAreOfItsLink() throws {
    func address(_ customer: Int) -> String {
      #"{"id": \#(customer + 70_000), "customer_id": \#(customer), "city": "C"}"#
    }
    func customer(_ number: Int) -> String {
      #""id": \#(number), "email": "e\#(number)@x.org", "default_address": \#(address(number))"#
    }
    let folder = try TestFolder([
      "1/orders.json": list(0..<20) {
        #"{"id": \#($0 + 450_000), "name": "N\#($0)", "customer": {\#(customer(90_001 + $0))}}"#
      },
      "2/customers.json": list(0..<30) {
        #"{\#(customer(90_001 + $0)), "addresses": [\#(address(90_001 + $0))]}"#
      },
    ])
    let (inferred, store) = try store(folder.sources())
    let links = inferred.model.entities.first { $0.name == "DefaultAddress" }?.relationships.filter {
      !$0.isToMany
    }
    #expect(links?.map(\.name) == ["customer"])
    #expect(try count("Customer", where: "ANY defaultAddressesByCustomer.city == 'C'", in: store) == 30)
  }

  @Test func twoListsOfKeysThatSayDifferentThingsAreTwoLinks() throws {
    let folder = try TestFolder([
      "users.json": list(1000..<1020) { number in
        #"{"id": \#(number), "name": "u\#(number)", "starred": [\#(5000 + number % 7), \#(5007 + number % 8)]}"#
      },
      "projects.json": list(5000..<5015) { number in
        #"{"id": \#(number), "title": "p\#(number)", "members": [\#(1000 + number % 20), \#(1000 + (number * 3 + 1) % 20), \#(1000 + (number * 7 + 2) % 20)]}"#
      },
    ])
    let sources = try folder.sources()
    let inferred = try InferredModel(from: sources)
    let (store, _) = try imported(inferred, sources)
    #expect(try count("Project", where: "members.@count >= 2", in: store) == 15)
    #expect(try count("User", where: "starreds.@count == 2", in: store) == 20)
    let again = try Importer(store, options(inferred)).run(sources)
    #expect(again.updated == [:])
  }

  @Test func keysOfADictionaryStayWhatTheyAre() throws {
    func id(_ number: Int) -> String { "8b0e7153bf7c3706d85c524e\(440_066 + number)" }
    let folder = try TestFolder([
      "containers.json": list(0..<6) {
        #"{"Id": "\#(id($0))", "Name": "/web\#($0)", "RestartCount": \#($0)}"#
      },
      "network.json": #"[{"Id": "94978278947bec", "Name": "net", "Containers": {"#
        + (0..<6).map { #""\#(id($0))": {"Name": "web\#($0)", "Address": "02:4\#($0)"}"# }.joined(
          separator: ", ") + "}}]",
    ])
    let sources = try folder.sources()
    let known = try InferredModel(from: sources)
    let (store, _) = try imported(known, sources)
    var options = InferenceOptions()
    options.read(as: known.mapping)
    options.known = known.model.entities.map { entity in
      KnownEntity(entity, mapping: known.mapping[entity.name], hasObject: nil) {
        try store.texts(of: $0, entity.name)
      }
    }
    let again = try InferredModel(from: sources, options: options).refining(
      known.model, mapping: known.mapping)
    #expect(again.model == known.model)
    _ = try again.mapping.applied(to: again.model)
  }
}
