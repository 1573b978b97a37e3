import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Empty texts and lists in place of objects, as services write them that are made with PHP.
@Suite struct EmptinessTests {
  private static let whole = #"""
    [{"id": 1, "name": "Ann", "company": {"id": 7, "name": "Acme"}, "address": {"street": "S1", "city": "C1"},
      "tags": [{"id": 1, "name": "x"}]},
     {"id": 3, "name": "Cy", "company": {"id": 8, "name": "Bell"}, "address": {"street": "S3", "city": "C3"},
      "tags": []}]
    """#

  private static func user(_ id: Int, _ value: String) -> String {
    #"{"id": \#(id), "name": "n\#(id)", "company": \#(value), "address": \#(value), "tags": \#(value)}"#
  }

  private static let mixed =
    "[\(user(9, "\"\"")), "
    + #"{"id": 10, "name": "F", "company": {"id": 9, "name": "Corp"}, "address": {"street": "S", "city": "D"}, "tags": [{"id": 3, "name": "y"}]}]"#

  /// Imports files one after another, twice. Nothing has an issue, and the second time nothing changes.
  private func counts(_ files: [String]) throws -> (counts: [String: Int], model: InferredModel) {
    let folder = try TestFolder(
      Dictionary(uniqueKeysWithValues: files.enumerated().map { ("users-\($0.offset).json", $0.element) }))
    let sources = files.indices.map { folder.source("users-\($0).json") }
    let inferred = try widened(sources)
    let store = try importedTwice(sources, inferred)
    let counts = try store.read { store in
      try inferred.model.entities.map { ($0.name, try store.count(Query($0.name))) }
    }
    return (Dictionary(uniqueKeysWithValues: counts), inferred)
  }

  @Test(arguments: [
    [whole, "[\(user(4, "\"\""))]"], ["[\(user(4, "\"\""))]", whole], [whole, "[\(user(4, "[]"))]"],
    ["[\(user(4, "[]"))]", whole], [whole, "[\(user(4, "null"))]"], ["[\(user(4, "null"))]", whole],
  ])
  func whatIsEmptyComesBeforeObjectsOrAfterThem(_ files: [String]) throws {
    let (counts, inferred) = try counts(files)
    #expect(counts == ["User": 3, "Company": 2, "Tag": 1])
    let user = try #require(inferred.model[entity: "User"])
    #expect(Set(user.attributes.map(\.name)) == ["id", "name", "addressStreet", "addressCity"])
    #expect(user[relationship: "company"]?.isToMany == false)
    #expect(user[relationship: "tags"]?.isToMany == true)
  }

  @Test(arguments: [[whole, mixed], [mixed, whole]])
  func whatIsEmptyStandsBesideObjects(_ files: [String]) throws {
    let (counts, inferred) = try counts(files)
    let isFlat = files[0] == Self.whole
    #expect(counts == ["User": 4, "Company": 3, "Tag": 2].merging(isFlat ? [:] : ["Address": 3]) { $1 })
    let user = try #require(inferred.model[entity: "User"])
    #expect(user[relationship: "company"] != nil && user[attribute: "company"] == nil)
    #expect((user[attribute: "addressCity"] != nil) == isFlat)
    #expect((user[relationship: "address"] != nil) == !isFlat)
  }

  @Test func repliesOfComments() throws {
    let json = #"""
      [{"id": "c1", "body": "a", "replies": {"kind": "Listing", "data": {"children": [
         {"id": "c2", "body": "b", "replies": ""},
         {"id": "c3", "body": "c", "replies": {"kind": "Listing", "data": {"children": [
           {"id": "c4", "body": "d", "replies": ""}]}}}]}}},
       {"id": "c5", "body": "e", "replies": ""}]
      """#
    let inferred = try inferred(json)
    let (store, report) = try imported(inferred, [.string(json)])
    #expect(report.issues.isEmpty)
    #expect(try store.read { try $0.count(Query(inferred.model.entities[0].name)) } == 5)
    #expect(inferred.model.entities.allSatisfy { $0.attributes.allSatisfy { $0.type != .transformable } })
  }

  /// What an object in a list has later, beside the values that the model has as attributes, becomes an attribute or a relationship
  /// of the object around it.
  @Test func objectsInsideWithListsOfTheirOwnLater() throws {
    func user(_ id: Int, _ more: String) -> String {
      #"[{"id": \#(id), "name": "n", "address": {"street": "S", "city": "C"\#(more)}}]"#
    }
    let (counts, inferred) = try counts([
      user(1, ""),
      user(2, #", "phones": [{"kind": "home", "number": "1"}, {"kind": "work", "number": "2"}]"#),
    ])
    #expect(counts == ["User": 2, "Phone": 2])
    let user = try #require(inferred.model[entity: "User"])
    #expect(Set(user.attributes.map(\.name)) == ["id", "name", "addressStreet", "addressCity"])
    #expect(user.relationships.map(\.destination) == ["Phone"])
  }

  /// Objects that stand for others, with empty lists where these have elements, take none away, whatever comes first.
  @Test(arguments: [[0, 1], [1, 0]])
  func emptyListsOfObjectsThatStandForOthers(_ order: [Int]) throws {
    let contacts = (0..<3).map {
      #"{"ContactID": "c\#($0)x\#($0 * 977 + 4100)", "Name": "n\#($0)", "Addresses": [{"Kind": "POBOX", "City": "a\#($0)"}, {"Kind": "STREET", "City": ""}]}"#
    }
    let invoices = (0..<5).map { number in
      let contact = "c\(number % 3)x\(number % 3 * 977 + 4100)"
      return
        #"{"InvoiceID": "i\#(number)x\#(number * 71 + 9000)", "Total": \#(number).5, "Contact": {"ContactID": "\#(contact)", "Name": "n\#(number % 3)", "Addresses": [], "HasErrors": false}}"#
    }
    let files = ["Contacts": contacts, "Invoices": invoices].mapValues { list in
      "[\(list.joined(separator: ", "))]"
    }
    let folder = try TestFolder(files.reduce(into: [:]) { $0["\($1.key).json"] = $1.value })
    let sources = order.map { folder.source(["Contacts.json", "Invoices.json"][$0]) }
    for inferred in [try widened(sources), try InferredModel(from: sources)] {
      let store = try importedTwice(sources, inferred)
      let counts = try store.read { store in
        try ["Contact", "Invoice", "Address"].map { try store.count(Query($0)) }
      }
      #expect(counts == [3, 5, 6])
    }
  }

  /// `false` beside objects may say something, as in a JSON Schema: it is kept.
  @Test func falseIsNoEmptiness() throws {
    let inferred = try inferred(
      #"[{"id": 1, "rest": {"type": "a", "size": 2}}, {"id": 2, "rest": false}]"#)
    #expect(inferred.model.entities[0][attribute: "rest"]?.type == .transformable)
  }
}
