import Broker
import Foundation
import Testing

/// What Broker for Objective-C promised.
@Suite("The ancestor Broker: maps remote JSON onto Core Data")
struct BrokerAncestorTests {
  private let model = Model(entities: [
    entity(
      "Employee",
      [
        required("employeeID", .integer64), optional("firstname", .string), optional("startDate", .date),
        optional("lastReview", .date),
      ],
      [
        Relationship(name: "department", destination: "Department", inverse: "employees"),
        Relationship(name: "contactInfo", destination: "ContactInfo"),
      ]),
    entity(
      "Department", [required("departmentID", .integer64), optional("name", .string)],
      [Relationship(name: "employees", destination: "Employee", inverse: "department", isToMany: true)]),
    entity("ContactInfo", [optional("email", .string)]),
    entity("Note", [optional("text", .string)]),
  ])

  private func store(_ change: (inout JSONMapping) -> Void = { _ in }) throws -> Store {
    var mapping = JSONMapping()
    change(&mapping)
    return try Store(path: ":memory:", model: model, mapping: mapping)
  }

  @discardableResult
  private func load(
    _ json: String..., as entity: String? = nil, into store: Store, _ target: ImportTarget = .store
  ) throws -> Report {
    var options = ImportOptions()
    options.entity = entity
    options.target = target
    return try Importer(store, options).run(json.map { .string($0) })
  }

  @Test("registration of an entity with its primary key and network-to-local names")
  func registration() throws {
    let store = try store { mapping in
      mapping["Employee"].identity = ["employeeID"]
      mapping["Employee"].keys = ["employeeID": ["emp_no"], "firstname": ["fn"]]
    }
    try load(#"[{"emp_no": "5", "fn": "David"}]"#, as: "Employee", into: store)
    let again = try load(#"[{"emp_no": 5, "fn": "Steve"}]"#, as: "Employee", into: store)
    #expect(again.updated == ["Employee": 1])
    #expect(try Exporter.lines("Employee", store) == [#"{"emp_no":5,"fn":"Steve"}"#])
  }

  @Test("a date format per property")
  func dateFormats() throws {
    let store = try store { mapping in
      mapping["Employee"].dates["startDate"] = DateRule("MM/dd/yyyy")
      mapping["Employee"].dates["lastReview"] = DateRule("yyyy-MM-dd'T'HH:mm", timeZone: "-05:00")
    }
    let json = #"{"employeeID":1,"startDate":"10/05/2011","lastReview":"2012-01-01T19:30"}"#
    #expect(try load(json, as: "Employee", into: store).issues == [])
    #expect(try Exporter.lines("Employee", store) == [json])
    let late = try ObjectPredicate(format: "lastReview > '2012-01-02T00:00:00Z'")
    #expect(try Exporter(store).text(of: "Employee", where: late).contains("10/05/2011"))
  }

  @Test("a nested thing")
  func nestedThing() throws {
    let store = try store()
    try load(#"{"employeeID": 1, "contactInfo": {"email": "a@b.c"}}"#, as: "Employee", into: store)
    #expect(try Exporter.lines("Employee", store) == [#"{"employeeID":1,"contactInfo":{"email":"a@b.c"}}"#])
  }

  @Test("a nested list")
  func nestedList() throws {
    let store = try store()
    let report = try load(
      #"{"departmentID": 7, "employees": [{"employeeID": 1, "firstname": "A"}, {"employeeID": 2, "firstname": "B"}]}"#,
      as: "Department", into: store)
    #expect(report.inserted == ["Department": 1, "Employee": 2])
    #expect(try Exporter.lines("Employee", store).allSatisfy { $0.contains(#""department":7"#) })
  }

  @Test("onto an object that is there")
  func ontoAnObject() throws {
    let store = try store()
    try load(#"[{"employeeID": 1}, {"employeeID": 2}]"#, as: "Employee", into: store)
    try load(#"{"firstname": "Steve"}"#, into: store, .object(entity: "Employee", identity: "2"))
    #expect(
      try Exporter.lines("Employee", store) == [
        #"{"employeeID":1}"#, #"{"employeeID":2,"firstname":"Steve"}"#,
      ])
  }

  @Test("for a relationship of an object that is there")
  func forARelationship() throws {
    let store = try store()
    try load(#"[{"departmentID": 7}, {"departmentID": 8}]"#, as: "Department", into: store)
    let json = #"[{"employeeID": 1, "firstname": "A"}, {"employeeID": 2, "firstname": "B"}]"#
    try load(json, into: store, .relationship(entity: "Department", identity: "7", name: "employees"))
    #expect(
      try Exporter.lines("Department", store) == [
        #"{"departmentID":7,"employees":[1,2]}"#, #"{"departmentID":8,"employees":[]}"#,
      ])
  }

  @Test("several pieces of JSON in one background piece of work, all or nothing")
  func severalPieces() async throws {
    let store = try store()
    let pieces = (0..<3).map { #"[{"employeeID": \#($0), "firstname": "x"}]"# }
    let report = try await Task.detached {
      var options = ImportOptions()
      options.entity = "Employee"
      return try Importer(store, options).run(pieces.map { .string($0) })
    }.value
    #expect(report.inserted == ["Employee": 3])
    #expect(throws: ImportError.self) {
      try load(#"[{"employeeID": 9}]"#, "[{", as: "Employee", into: store)
    }
    #expect(try Exporter.lines("Employee", store).count == 3)
  }

  @Test("without a primary key the same JSON makes duplicates")
  func noPrimaryKey() throws {
    let store = try store()
    for _ in 0..<2 { try load(#"[{"text": "same"}]"#, as: "Note", into: store) }
    #expect(try Exporter.lines("Note", store) == [#"{"text":"same"}"#, #"{"text":"same"}"#])
  }

  @Test("an object that was deleted meanwhile is an error, and nothing is changed")
  func deleted() throws {
    let store = try store()
    try load(#"[{"employeeID": 1}, {"employeeID": 2}]"#, as: "Employee", into: store)
    var options = ImportOptions()
    options.entity = "Employee"
    options.prunes = true
    let report = try Importer(store, options).run([.string(#"[{"employeeID": 1}]"#)])
    #expect(report.deletedObjects == [ObjectReference(entity: "Employee", identity: "2")])
    #expect(throws: ImportError.self) {
      try load(#"{"firstname": "x"}"#, into: store, .object(entity: "Employee", identity: "2"))
    }
    #expect(try Exporter.lines("Employee", store) == [#"{"employeeID":1}"#])
  }
}
