import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Entities and attributes that are called as what statements name themselves: aliases, staging tables, tables and types of a
/// database's catalog.
@Suite("Names that statements have too")
struct OddNameTests {
  private static let names = [
    "k", "t", "s", "o", "r", "p", "t0", "p1", "j", "x", "y", "found", "selected", "excluded", "old", "new",
    "locks",
    "broker_stage_1", "broker_part_1", "broker_targets", "broker_converted_0", "pg_class", "pg_type", "text",
    "bigint", "main", "temp", "sqlite_master", "rowid",
  ]

  @Test(arguments: names)
  func importsAndQueries(_ name: String) throws {
    let notation = """
      Odd
        id: string! | broker.identity=true
        k0: integer64 | indexed
        k: string
        r: integer64
        c0: string
        t0: double
        key: string
        value: decimal
        parent: Odd <- children
        children: [Odd] <- parent
        tags: [Other] <- owners
      Other
        id: integer64
        s: string
        owners: [Odd] <- tags
      """
    var model = try model(notation)
    for index in model.entities.indices {
      if model.entities[index].name == "Odd" { model.entities[index].name = name }
      for other in model.entities[index].relationships.indices
      where model.entities[index].relationships[other].destination == "Odd" {
        model.entities[index].relationships[other].destination = name
      }
    }
    let fixture = try Fixture(model: model)
    func json(_ factor: Int) -> String {
      let objects = (0..<40).map { index in
        #"{"id": "a\#(index)", "k0": \#(index * factor), "k": "k\#(index % 3)", "r": \#(index), "c0": "c", "t0": 1.5,"#
          + #" "key": "x", "value": "1.5\#(factor)", "parent": "a\#(index / 2)", "tags": [\#(index % 5), \#(index % 7 + factor)]}"#
      }
      return "[\(objects.joined(separator: ","))]"
    }
    let plain = (0..<300).map { #"{"id": \#($0), "s": "s\#($0)"}"# }
    for factor in [1, 1, 2] {
      try fixture.load(json(factor), as: name)
      try fixture.load("[\(plain.joined(separator: ",").replacing("s1", with: "u\(factor)"))]", as: "Other")
    }
    try fixture.load(#"[{"id": "a1"}, {"id": "a2", "tags": []}]"#, as: name) { $0.prunes = true }
    #expect(try fixture.exported(name).count == 2)
    for format in [
      "k0 > 3", "ANY tags.s == 's2'", "parent.k == 'k1'", "children.@count > 0", "NOT ANY tags.id > 3",
      "k LIKE 'k*'",
    ] {
      var query = Query(name)
      query.predicate = try ObjectPredicate(format: format)
      let expected = try fixture.store.read { try $0.count(query) }
      if let twin = fixture.twin as? any StoreBackend {
        #expect(try Store(twin).read { try $0.count(query) } == expected, "\(format)")
      }
    }
  }
}
