import Foundation
import Inference
import Mapping
import ObjectModel
import Testing

/// What looks like one thing and is two, and the other way round.
@Suite struct LookalikeTests {
  private func list(_ count: Int, _ object: (Int) -> String) -> String {
    "[" + (0..<count).map(object).joined(separator: ", ") + "]"
  }

  private func lines(_ json: String) throws -> [String] { try ModelSummary(inferred(json)).lines }

  /// The objects that a second import of the same finds unchanged, and those that it inserts.
  private func again(_ json: String) throws -> (unchanged: [String: Int], inserted: [String: Int]) {
    let inferred = try inferred(json)
    let (store, first) = try imported(inferred, [.string(json)])
    #expect(first.issues.isEmpty)
    let report = try Importer(store, options(inferred)).run([.string(json)])
    return (report.unchanged, report.inserted)
  }

  @Test func anIdentityThatMeansTwoThingsIsNone() throws {
    let languages = list(200) { index in
      let number = index % 4
      return
        "{\"id\": \(index), \"status\": {\"id\": \(number), \"name\": \"S\(number)\", \"lang\": \"\(index == 8 ? "de" : "en")\"}}"
    }
    #expect(try lines(languages) == ["Record: id"])
  }

  @Test func equalNumbersOfDifferentThingsDoNotMakeThemOne() throws {
    let json = list(60) { index in
      let (type, status) = (index % 2, index % 3)
      return """
        {"id": \(index), "issuetype": {"id": "\(type)", "self": "https://x.com/type/\(type)", "name": "T\(type)"},
         "status": {"id": "\(status)", "self": "https://x.com/status/\(status)", "name": "S\(status)"}}
        """
    }
    let lines = try lines(json)
    #expect(lines.contains("Issuetype: id"))
    #expect(lines.contains("Status: id"))
  }

  @Test func objectsThatSayOfThemselvesThatTheyAreDifferentAre() throws {
    let item = { (kind: String, id: String) in
      #""id": "\#(id)", "type": "\#(kind)", "href": "https://x.com/\#(id)", "uri": "x:\#(id)", "name": "N \#(id)""#
    }
    let json = list(8) { index in
      "{\(item("playlist", "p\(index)")), \"owner\": {\(item("user", "u\(index % 3)"))}}"
    }
    let lines = try lines(json)
    #expect(lines.contains("Record: id"))
    #expect(lines.contains("Owner: id"))
  }

  @Test func thePeopleUnderTwoKeysAreOneEntity() throws {
    let person = { (number: Int) in
      #"{"accountId": "acc-\#(number)", "displayName": "P \#(number)", "active": true}"#
    }
    let json = list(40) { "{\"id\": \($0), \"creator\": \(person($0 % 5)), \"assignee\": \(person($0 % 4))}" }
    let inferred = try inferred(json)
    #expect(inferred.model.entities.count == 2)
    let people = try imported(inferred, [.string(json)]).report.inserted.filter { $0.key != "Record" }
    #expect(people.map(\.value) == [5])
  }

  @Test func whatStandsInTwoPlacesIsOptionalWhereItIsMissing() throws {
    let json = list(40) { index in
      let discount = #""discount": {"amount": \#(index), "currency": "EUR", "note": "c\#(index)"}"#
      return
        "{\"id\": \(index), \(index % 2 == 0 ? discount + ", " : "")\"lines\": [{\"sku\": \"s\(index)\", \(discount)}]}"
    }
    let inferred = try inferred(json)
    #expect(inferred.model[entity: "Record"]?[attribute: "discountAmount"]?.isOptional == true)
    #expect(try imported(inferred, [.string(json)]).report.issues.isEmpty)
  }

  @Test(arguments: [1, 2, 10, 39])
  func aSampleEndsBetweenObjects(_ count: Int) throws {
    let json = list(40) { "{\"id\": \($0), \"tags\": [{\"id\": 1, \"name\": \"x\"}], \"name\": \"n\"}" }
    let inferred = try inferred(json, records: count)
    #expect(inferred.records == count)
    #expect(try ModelSummary(inferred).lines.contains("Record: id"))
    #expect(inferred.model[entity: "Record"]?[attribute: "name"] != nil)
    if count >= 10 { #expect(inferred.model[entity: "Record"]?[attribute: "name"]?.isOptional == false) }
  }

  @Test func theWordsOfObjectsThatComeOftenAreNoEnumeration() throws {
    let json = list(200) { "{\"id\": \($0), \"author\": {\"id\": \($0 % 5), \"login\": \"user\($0 % 5)\"}}" }
    #expect(try inferred(json).model[entity: "Author"]?[attribute: "login"]?.annotations.values == nil)
  }

  @Test(
    "what stands around lists is no object",
    arguments: [
      #"{"kind": "Listing", "data": {"after": "x", "dist": 2, "children": #}}"#,
      #"{"help": "https://x.com", "success": true, "result": {"count": 2, "facets": {}, "results": #}}"#,
      #"{"ok": true, "messages": #, "has_more": false}"#,
    ])
  func wrappers(_ wrapper: String) throws {
    let isWrapped = wrapper.contains("Listing")
    let objects = list(20) { index in
      let object =
        "{\"id\": \"m\(index)\", \"user\": \"U\(index % 3)\", \"text\": \"t \(index)\", \"type\": \"message\"}"
      return isWrapped ? "{\"kind\": \"t3\", \"data\": \(object)}" : object
    }
    let (unchanged, inserted) = try again(wrapper.replacing("#", with: objects))
    #expect(Array(unchanged.values) == [20])
    #expect(inserted.isEmpty)
  }

  @Test func whatAnObjectHasUnderOneKeyIsItsOwn() throws {
    let names = (0..<12).map { "\"n\($0)\": \($0)" }.joined(separator: ", ")
    let json = list(20) { index in
      "{\"id\": \(index), \"fields\": {\"author\": {\"id\": \(index % 3), \"name\": \"A \(index % 3)\"}, \(names)}}"
    }
    let inferred = try inferred(json)
    #expect(inferred.model.entities.map(\.name).sorted() == ["Author", "Record"])
    #expect(inferred.model[entity: "Record"]?[relationship: "author"]?.destination == "Author")
    #expect(inferred.mapping["Record"].keys["author"] == ["fields.author"])
    #expect(try imported(inferred, [.string(json)]).report.issues.isEmpty)
  }

  @Test func oneValueIsNoLink() throws {
    let json = list(20) { index in
      "{\"id\": \(index + 100), \"version\": 1, \"fixVersions\": [{\"id\": \"1\", \"name\": \"1.0\", \"released\": true}]}"
    }
    #expect(try inferred(json).model[entity: "Record"]?[attribute: "version"] != nil)
  }

  @Test func anObjectInListsOfTwoKindsHasOneOwnerOfEach() throws {
    let item = { (number: Int) in
      "{\"id\": \(number), \"sku\": \"s\(number)\", \"title\": \"t\(number)\", \"quantity\": 1}"
    }
    let json = list(20) { index in
      let items = "[\(item(index * 2)), \(item(index * 2 + 1))]"
      return """
        {"id": \(index), "line_items": \(items), "fulfillments": [{"id": \(index + 500), "line_items": \(items)}]}
        """
    }
    let inferred = try inferred(json)
    let inverses = inferred.model[entity: "LineItem"]?.relationships.map {
      "\($0.destination) \($0.isToMany)"
    }
    #expect(Set(inverses ?? []) == ["Record false", "Fulfillment false"])
    #expect(try imported(inferred, [.string(json)]).report.issues.isEmpty)
  }

  /// Pages have addresses, and say what may still be asked for: their lists are of the objects in them.
  @Test func pagesWithAddresses() throws {
    let keys = #""created": 1650000000, "livemode": false, "name": "n""#
    let files = ["customers": #""email": "e""#, "products": #""active": true"#].map { name, more in
      (
        "\(name).json",
        #"{"object": "list", "url": "/v1/\#(name)", "has_more": false, "quota_max": 300, "quota_remaining": 9, "data": \#(list(6) { #"{"id": "\#(name)_\#($0)x", "object": "\#(name)", \#(keys), \#(more)}"# })}"#
      )
    }
    let entities = try inFiles(files) { try InferredModel(from: $0).model.entities.map(\.name) }
    #expect(Set(entities) == ["Customer", "Product"])
  }

  /// References say what they are references to, and change nothing of what came in full.
  @Test func referencesOfSeveralTypes() throws {
    func reference(_ type: String, _ number: Int) -> String {
      #"{"id": "\#(type)-\#(number)", "type": "\#(type)_reference", "summary": "\#(type) \#(number)"}"#
    }
    func full(_ type: String) -> String {
      list(4) {
        #"{"id": "\#(type)-\#($0)", "type": "\#(type)", "summary": "\#(type) \#($0)", "name": "\#(type) \#($0)", "zone": "z", "mail": "m"}"#
      }
    }
    let incidents = list(12) {
      #"{"id": "I\#($0)", "title": "t\#($0)", "service": \#(reference("service", $0 % 4)), "assignee": \#(reference("user", $0 % 4)), "changed_by": \#(reference($0 % 2 == 0 ? "user" : "service", $0 % 4))}"#
    }
    let json = #"{"incidents": \#(incidents), "services": \#(full("service")), "users": \#(full("user"))}"#
    let model = try inferred(json)
    let incident = try #require(model.model[entity: "Incident"])
    #expect(incident[relationship: "service"]?.destination == "Service")
    #expect(incident[relationship: "assignee"]?.destination == "User")
    #expect(!["Service", "User"].contains(incident[relationship: "changedBy"]?.destination))
    #expect(model.mapping["Incident"].only["assignee"] == .insert)
    let (store, first) = try imported(model, [.string(json)])
    #expect(first.issues.isEmpty)
    let again = try Importer(store, options(model)).run([.string(json)])
    #expect(again.updated == [:] && again.inserted == [:])
  }

  /// Objects that all say another form than those at the top are short forms of these.
  @Test func shortFormsOfObjects() throws {
    let activities = list(6) {
      #"{"id": \#(500_000 + $0), "form": 2, "name": "a\#($0)", "distance": \#($0 * 7), "gear": "g", "athletes": 1}"#
    }
    let efforts = list(6) {
      #"{"id": \#(900_000 + $0), "activity": {"id": \#(500_000 + $0), "form": 1}, "time": \#($0)}"#
    }
    let json = #"{"efforts": \#(efforts), "activities": \#(activities)}"#
    let model = try inferred(json)
    #expect(model.model[entity: "Effort"]?[relationship: "activity"]?.destination == "Activity")
    let (store, _) = try imported(model, [.string(json)])
    #expect(try Importer(store, options(model)).run([.string(json)]).updated == [:])
  }

  /// An address that ends with the identity of the object itself leads to no other, though others have such identities.
  @Test func anObjectsOwnAddressIsNoLink() throws {
    let json =
      #"{"services": \#(list(6) { #"{"id": "key-\#($0)abc", "site": "https://x.org/s/key-\#($0)abc"}"# }), "changes": \#(list(6) { #"{"id": "key-\#($0)abc", "word": "w\#($0)", "size": 3}"# })}"#
    #expect(try inferred(json).model[entity: "Service"]?[attribute: "site"] != nil)
  }

  /// Numbers that count the objects of the only list that came identify nothing.
  @Test func placesInAListAreNoIdentities() throws {
    let json =
      #"{"id": 7, "day": "d", "participants": \#(list(6) { #"{"participant_id": \#($0 + 1), "kills": \#($0 % 2)}"# })}"#
    #expect(!(try lines(json)).contains { $0.contains("participantId") })
  }

  // MARK: - Files

  /// Files of one name in two folders hold two lists of objects, behind wrappers too.
  @Test func pagesInFolders() throws {
    let folder = try TestFolder(
      Dictionary(
        uniqueKeysWithValues: ["berlin", "paris"].flatMap { city in
          (1...2).map { page in
            (
              "\(city)/page-\(page).json",
              #"{"page": \#(page), "results": \#(list(6) { #"{"id": \#(page * 10 + $0), "name": "\#(city) \#($0)"}"# })}"#
            )
          }
        }))
    let model = try InferredModel(from: folder.sources())
    #expect(Set(model.model.entities.map(\.name)) == ["Berlin", "Paris"])
    #expect(try imported(model, folder.sources()).report.inserted == ["Berlin": 12, "Paris": 12])
  }

  private func inFiles<Result>(
    _ contents: [(name: String, json: String)], _ body: ([ImportSource]) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try contents.map { name, json in
      let file = folder.appendingPathComponent(name)
      try Data(json.utf8).write(to: file)
      return ImportSource.file(file.path)
    }
    return try body(files)
  }

  @Test(arguments: [
    ["issues-p1.json", "issues-p2.json"], ["issues1.json", "issues2.json"],
    ["issues_page1.json", "issues_page2.json"],
  ])
  func pagesAreOfOneEntity(_ names: [String]) throws {
    let pages = names.enumerated().map { page, name in
      (name, list(12) { "{\"id\": \(page * 12 + $0), \"title\": \"t\"}" })
    }
    let entities = try inFiles(pages) { try InferredModel(from: $0).model.entities.map(\.name) }
    #expect(entities == ["Issue"])
  }

  @Test func aFileOfAnotherNameMayHaveTheSameObjects() throws {
    func issue(_ number: Int) -> String {
      "{\"id\": \(number), \"title\": \"t\", \"state\": \"open\", \"number\": \(number), \"body\": \"b\"}"
    }
    let model = try inFiles([("issues.json", list(20, issue))]) { try InferredModel(from: $0) }
    try inFiles([("backlog.json", "{\"backlog\": \(list(20) { issue($0 + 20) }), \"total\": 20}")]) {
      sources in
      let widened = try InferredModel(from: sources).refining(model.model, mapping: model.mapping)
      #expect(widened.model.entities.map(\.name) == ["Issue"])
      #expect(widened.mapping["Issue"].names.contains("backlog"))
      #expect(try imported(widened, sources).report.inserted == ["Issue": 20])
    }
  }

  @Test func aFileOfAnotherNameWithFewKeysIsOfAnotherEntity() throws {
    let users = list(20) { "{\"id\": \($0), \"score\": \($0)}" }
    let model = try inFiles([("users.json", users)]) { try InferredModel(from: $0) }
    let events = list(20) { "{\"id\": \($0), \"score\": \($0), \"user_id\": 3}" }
    try inFiles([("events.json", "{\"events\": \(events), \"total\": 20}")]) { sources in
      let widened = try InferredModel(from: sources).refining(model.model, mapping: model.mapping)
      #expect(widened.model.entities.map(\.name) == ["User", "Event"])
      #expect(try imported(widened, sources).report.inserted == ["Event": 20])
    }
  }

  @Test func objectsWithoutAnEntitysIdentityAreNotOfIt() throws {
    let authors = list(9) {
      "{\"id\": \($0), \"created_at\": \"2024-01-0\($0)\", \"active\": true, \"count\": \($0), \"status\": \"s\"}"
    }
    let model = try inFiles([("authors.json", authors)]) { try InferredModel(from: $0) }
    let places = list(9) {
      "{\"name\": \"p\($0)\", \"created_at\": \"2024-01-0\($0)\", \"active\": true, \"count\": \($0), \"status\": \"s\"}"
    }
    try inFiles([("places.json", places)]) { sources in
      let widened = try InferredModel(from: sources).refining(model.model, mapping: model.mapping)
      #expect(widened.model.entities.map(\.name) == ["Author", "Place"])
      let report = try imported(widened, sources).report
      #expect(report.inserted == ["Place": 9])
      #expect(report.skipped == [:])
    }
  }

  @Test func namesAloneAreNoMessage() throws {
    let products = "[{\"code\": \"PR100\", \"count\": 17}, {\"code\": \"PR101\", \"count\": 40}]"
    let model = try inFiles([("products.json", products)]) { try InferredModel(from: $0) }
    try inFiles([("orders.json", list(5) { "{\"name\": \"order no \($0)\"}" })]) { sources in
      let widened = try InferredModel(from: sources).refining(model.model, mapping: model.mapping)
      #expect(try imported(widened, sources).report.inserted == ["Order": 5])
    }
  }

  @Test func whatSeveralListsHoldLaterIsManyToMany() throws {
    let first =
      "[{\"id\": 1, \"name\": \"a\", \"tags\": [{\"id\": 7, \"label\": \"x\"}, {\"id\": 8, \"label\": \"y\"}]}, {\"id\": 2, \"name\": \"b\", \"tags\": [{\"id\": 9, \"label\": \"z\"}]}]"
    let model = try inFiles([("teams.json", first)]) { try InferredModel(from: $0) }
    #expect(model.model[entity: "Tag"]?[relationship: "team"]?.isToMany == false)
    let second =
      "[{\"id\": 3, \"name\": \"c\", \"tags\": [{\"id\": 7, \"label\": \"x\"}]}, {\"id\": 4, \"name\": \"d\", \"tags\": [{\"id\": 7, \"label\": \"x\"}]}]"
    try inFiles([("teams.json", second)]) { sources in
      let widened = try InferredModel(from: sources).refining(model.model, mapping: model.mapping)
      #expect(widened.model[entity: "Tag"]?[relationship: "team"]?.isToMany == true)
      #expect(try imported(widened, sources).report.issues.map(\.description) == [])
    }
  }
}
