import Foundation
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
    let store = try importedTwice(sources, inferred)
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
      KnownEntity(entity, mapping: known.mapping[entity.name], stored: nil) {
        try store.texts(of: $0, entity.name)
      }
    }
    let again = try InferredModel(from: sources, options: options).refining(
      known.model, mapping: known.mapping)
    #expect(again.model == known.model)
    _ = try again.mapping.applied(to: again.model)
  }

  // MARK: - Kinds

  private func parts(_ numbers: Range<Int>, _ part: (Int) -> String) -> String {
    list(numbers) { #"{"id": "m\#($0)", "title": "t\#($0)", "parts": [\#(part($0))]}"# }
  }

  private static let text = #"{"type": "text", "body": "b", "lang": "en", "size": 3}"#
  private static let link = #"{"type": "link", "href": "/x", "rel": "next", "label": "l"}"#

  /// A kind that is new, a key that only another kind had, and objects that do not say their kind.
  @Test(arguments: [
    #"{"type": "photo", "width": 8, "height": 9, "alt": "a"}"#,
    #"{"type": "text", "body": "b", "label": "l"}"#, #"{"body": "b", "label": "l"}"#,
    #"{"type": "Text", "body": "b"}"#,
  ])
  func kindsComeLaterToo(_ part: String) throws {
    let folder = try TestFolder([
      "1/messages.json": parts(0..<8) { $0 % 2 == 0 ? Self.text : Self.link },
      "2/messages.json": parts(8..<12) { _ in part },
    ])
    let (inferred, store) = try store(folder.sources())
    _ = try inferred.mapping.applied(to: inferred.model)
    #expect(try store.read { try $0.count(Query("Part")) } == 12)
    let export = try Exporter(store).wholeText()
    let label = part.contains("label") ? 4 : 0
    #expect(export.components(separatedBy: #""label":"l""#).count == 4 + label + 1)
  }

  @Test func aKindIsNoEntityOfItsName() throws {
    let user = #"{"type": "user", "user_id": "U0", "tone": 2, "style": "s"}"#
    let files = [
      "users.json": list(0..<4) { #"{"id": "U\#($0)", "name": "n\#($0)", "real_name": "N"}"# },
      "messages.json": parts(0..<8) { $0 % 2 == 0 ? Self.text : user },
    ]
    let folder = try TestFolder(files)
    for order in [["users.json", "messages.json"], ["messages.json", "users.json"]] {
      let (_, store) = try store(order.map(folder.source))
      let export = try Exporter(store).wholeText()
      #expect(export.components(separatedBy: #""real_name""#).count == 5)
    }
  }

  // MARK: - Values of other types

  private func values(_ numbers: Range<Int>, _ value: (Int) -> String) -> String {
    list(numbers) { #"{"id": \#($0), "name": "n\#($0)", "value": \#(value($0))}"# }
  }

  @Test(arguments: [
    (#""2020-01-01""#, AttributeType.date), (#""https://x.org/1""#, .uri), ("7", .integer16),
    ("1.5", .double),
    (#""123e4567-e89b-12d3-a456-426614174001""#, .uuid), ("true", .boolean),
  ])
  func emptyTextsChangeNoType(_ value: String, _ type: AttributeType) throws {
    let folder = try TestFolder([
      "1/things.json": values(0..<12) { _ in value }, "2/things.json": values(12..<15) { _ in #""""# },
    ])
    for sources in [try folder.sources(), try folder.sources().reversed()] {
      let (inferred, store) = try store(sources)
      #expect(inferred.model[entity: "Thing"]?[attribute: "value"]?.type == type)
      #expect(try count("Thing", where: "value == nil", in: store) == 3)
      let together = try InferredModel(from: sources)
      #expect(together.model[entity: "Thing"]?[attribute: "value"]?.type == type)
    }
  }

  @Test(arguments: ["false", #"["x", {"type": "link"}]"#, #"{"a": 1}"#])
  func textsBesideOtherValuesStayWhatTheyAre(_ value: String) throws {
    let folder = try TestFolder([
      "1/things.json": values(0..<4) { #""t\#($0)""# },
      "2/things.json": values(4..<8) { $0 % 2 == 0 ? #""t\#($0)""# : value },
    ])
    let (_, store) = try store(folder.sources())
    let export = try Exporter(store).wholeText()
    #expect(export.components(separatedBy: #""value":"t"#).count == 7)
    #expect(export.components(separatedBy: #""value":"# + value.filter { $0 != " " }).count == 3)
  }

  // MARK: - Names of files

  @Test func aPartOfAWholeNamesNoEntity() throws {
    let folder = try TestFolder([
      "users/page1.json": list(0..<3) { #"{"id": \#($0), "login": "u\#($0)", "email": "u\#($0)@x.org"}"# },
      "issues/page2.json": list(100..<104) {
        #"{"id": \#($0), "title": "t", "state": "open", "number": \#($0)}"#
      },
      "issues/page1.json": list(0..<4) {
        #"{"id": \#($0), "title": "t", "state": "open", "number": \#($0)}"#
      },
    ])
    let (_, store) = try store(
      ["users/page1.json", "issues/page2.json", "issues/page1.json"].map(folder.source))
    #expect(try store.read { try $0.count(Query("User")) } == 3)
    #expect(try store.read { try $0.count(Query("Issue")) } == 8)
  }

  // MARK: - Objects inside of others

  @Test func objectsWithKeysOfAnyObjectAreNoneOfTheStoreByThese() throws {
    let folder = try TestFolder([
      "authors.json": list(1..<5) {
        #"{"id": \#($0), "name": "A\#($0)", "url": "https://x/a/\#($0)", "born": 19\#($0 + 10)}"#
      },
      "books.json": list(1..<7) {
        #"{"isbn": "978\#($0)", "title": "B", "publisher": {"id": \#($0 % 2 + 1), "name": "P\#($0 % 2)", "url": "https://x/p/\#($0 % 2)"}}"#
      },
    ])
    for order in [["authors.json", "books.json"], ["books.json", "authors.json"]] {
      let (_, store) = try store(order.map(folder.source))
      #expect(try store.read { try $0.count(Query("Author")) } == 4)
      #expect(try store.read { try $0.count(Query("Publisher")) } == 2)
    }
  }

  @Test func aLaterFileFlattensNoLink() throws {
    func show(_ number: Int) -> String {
      let country = ["GB", "US"][number % 2]
      return
        #"{"id": \#(number), "name": "S\#(number)", "network": {"id": \#(number % 4), "name": "N\#(number % 4)", "country": {"name": "C\#(country)", "code": "\#(country)", "timezone": "T\#(country)"}}}"#
    }
    let folder = try TestFolder([
      "shows.json": list(0..<8, show),
      "tips.json": list(100..<102) { #"{"id": \#($0), "text": "see", "show": \#(show($0 % 2 * 4 + 1))}"# },
    ])
    let (inferred, _) = try store(["shows.json", "tips.json"].map(folder.source))
    #expect(inferred.model[entity: "Network"]?.attributes.map(\.name) == ["id", "name"])
  }

  @Test func linksToKindsThatDidNotComeAreKept() throws {
    let clients = list(0..<3) {
      #"{"type": "clients", "id": "c\#($0)", "attributes": {"name": "n\#($0)", "types": {"ris": "D", "kind": "k"}}, "relationships": {"provider": {"data": {"type": "providers", "id": "p\#($0 % 2)"}}}}"#
    }
    let folder = try TestFolder([
      "clients.json": #"{"data": \#(clients)}"#,
      "providers.json": #"{"data": [{"type": "providers", "id": "p0", "attributes": {"name": "P"}}]}"#,
    ])
    let (inferred, store) = try store(["clients.json", "providers.json"].map(folder.source))
    #expect(inferred.model[entity: "Client"]?[relationship: "provider"]?.destination == "Provider")
    #expect(try count("Client", where: "typesRis == 'D'", in: store) == 3)
    #expect(try count("Client", where: "provider.name == 'P'", in: store) == 2)
    #expect(try count("Provider", where: "name == 'P'", in: store) == 1)
  }

  /// An invoice in a payment has no lines, since these came with the invoice.
  @Test func shortFormsOfALaterFileTakeNothingAway() throws {
    func invoice(_ number: Int, _ lines: String) -> String {
      #"{"id": \#(number), "number": "INV-\#(number)", "contact": "c\#(number)", "total": 9.5, "lines": \#(lines)}"#
    }
    let folder = try TestFolder([
      "invoices.json": list(1..<4) { invoice($0, #"[{"line": "l\#($0)", "text": "Pens", "amount": 2}]"#) },
      "payments.json": list(11..<13) {
        #"{"id": \#($0), "amount": 9.5, "invoice": \#(invoice($0 - 10, "[]"))}"#
      },
    ])
    let (_, store) = try store(["invoices.json", "payments.json"].map(folder.source))
    #expect(try count("Payment", where: "invoice.number == 'INV-1'", in: store) == 1)
    #expect(try count("Invoice", where: "ANY lines.text == 'Pens'", in: store) == 3)
  }

  /// A key named the team of a player before, and the team itself stands there now.
  @Test func objectsOfALaterFileComeUnderAnotherKeyThanTheirIdentities() throws {
    func team(_ number: Int) -> String { #"{"id": \#(number), "full_name": "T\#(number)"}"# }
    let folder = try TestFolder([
      "stats.json": list(1..<5) {
        #"{"id": \#($0 + 500), "pts": 9, "player": {"id": \#($0), "name": "P\#($0)", "team_id": \#($0 % 2 + 1)}, "team": \#(team($0 % 2 + 1))}"#
      },
      "players.json": list(3..<7) { #"{"id": \#($0), "name": "P\#($0)", "team": \#(team($0 % 2 + 1))}"# },
    ])
    let (_, store) = try store(["stats.json", "players.json"].map(folder.source))
    #expect(try count("Player", where: "team.fullName == 'T1'", in: store) == 3)
  }

  @Test func pagesOfOneKindAndWithANewOneAreReadAsThoseBefore() throws {
    func page(_ elements: String) -> String { #"{"osm3s": {}, "elements": [\#(elements)]}"# }
    let folder = try TestFolder([
      "1/map.json": page(
        #"{"type": "node", "id": 743729455}, {"type": "way", "id": 15471626, "nodes": [743729455]}, {"type": "relation", "id": 3770111, "members": [{}]}"#
      ),
      "2/nodes.json": page(
        #"{"type": "node", "id": 743729999, "lat": 5.5}, {"type": "node", "id": 935463333, "lat": 6.5}"#),
      "3/areas.json": page(#"{"type": "area", "id": 743729999, "name": "x"}, {"type": "node", "id": 5}"#),
    ])
    let (inferred, store) = try store(folder.sources())
    #expect(inferred.model.entities.map(\.name) == ["Node", "Way", "Relation", "Area"])
    #expect(try count("Node", where: "lat > 5", in: store) == 2)
    #expect(try count("Area", where: "name == 'x'", in: store) == 1)
    #expect(try Exporter(store).wholeText().contains(#""type":"node""#))
  }

  /// A number with a point stays one where whole numbers come under its name that may be moments.
  @Test func momentsOfALaterFileAreNumbersBesideNumbers() throws {
    let folder = try TestFolder([
      "1/posts.json":
        #"[{"id": "a1bcd23", "created_utc": 1709290000.5}, {"id": "a1bcd24", "created_utc": 1709291234.0}]"#,
      "2/posts.json":
        #"[{"id": "a1bcd25", "created_utc": 1709290555}, {"id": "a1bcd26", "created_utc": 1709290556}]"#,
    ])
    let (inferred, store) = try store(folder.sources())
    #expect(inferred.model[entity: "Post"]?[attribute: "createdUtc"]?.type == .double)
    #expect(try count("Post", where: "createdUtc > 1709290000", in: store) == 4)
  }

  /// A date that is a text is no number.
  @Test(arguments: ["5", "5.5"]) func datesOfALaterFileMakeTextsOfNumbers(_ number: String) throws {
    let folder = try TestFolder([
      "1/posts.json": list(101..<104) { #"{"id": \#($0), "name": "a", "score": \#(number)}"# },
      "2/posts.json": list(104..<107) { #"{"id": \#($0), "name": "b", "score": "2024-01-0\#($0 - 100)"}"# },
    ])
    let (inferred, store) = try store(folder.sources())
    #expect(inferred.model[entity: "Post"]?[attribute: "score"]?.type == .string)
    #expect(try count("Post", where: "score == '2024-01-05'", in: store) == 1)
  }

  /// A price in capitals is none that identifies, though it ends as identities do.
  @Test func pricesOfALaterFileAreNoIdentities() throws {
    let folder = try TestFolder([
      "quotes-1.json": list(1..<4) { #"{"BID": \#($0), "ASK": \#($0 + 2), "SYM": "EUR\#($0)"}"# },
      "quotes-2.json": #"[{"BID": 1, "ASK": 7, "SYM": "USD"}]"#,
    ])
    let (_, store) = try store(["quotes-1.json", "quotes-2.json"].map(folder.source))
    #expect(try count("Quote", where: "ask > 0", in: store) == 4)
  }
}
