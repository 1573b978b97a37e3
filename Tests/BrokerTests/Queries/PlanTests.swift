import Broker
import Foundation
import ObjectStore
import Testing

@testable import BrokerCore

@Entity struct Entry {
  @Identity var code: String
  @Attribute(indexed: true) var weight: Int?
  @Attribute(indexed: true) var name: String
  var next: ToOne<Entry>?
}

/// Conditions are such that SQLite can use its indexes.
@Suite("How SQLite finds what a query asks for") struct PlanTests {
  @Test(.onSQLite) func indexes() async throws {
    let store = try await Store(at: .scratch, for: Entry.self)
    try await store.save(Entry(code: "a", weight: 1, name: "b", next: nil))
    let code = ToOne<Entry>(id: "a")
    let next: ToOne<Entry>? = code
    let few = ["a", "b"]
    let many = (0..<5_000).map(String.init)
    for query in [
      Entry.all.filter(ids: ["a", "b"]), Entry.filter(#Predicate { $0.code == "a" }),
      Entry.filter(#Predicate { few.contains($0.code) }), Entry.filter(#Predicate { many.contains($0.name) }),
      Entry.filter(#Predicate { $0.name.starts(with: "b") }), Entry.filter(#Predicate { $0.weight == nil }),
      Entry.filter(#Predicate { (3...4).contains($0.weight!) }),
      Entry.filter(#Predicate { $0.next == next }), Entry.filter(#Predicate { $0.next?.id == "a" }),
      Entry.filter(#Predicate { $0.name == "a" && $0.weight != 2 }),
    ] {
      let steps = try await store.plan(of: query)
      let condition = try await store.condition(of: query).prefix(100)
      #expect(steps.contains { $0.hasPrefix("SEARCH t0 USING") }, "\(condition): \(steps)")
    }
  }
}

extension Store {
  /// The steps that SQLite takes for a query, as it tells them.
  fileprivate func plan<Root: Storable>(of query: Broker.Query<Root>) async throws -> [String] {
    try await read { transaction in
      let statement = try transaction.sqlite().prepare("EXPLAIN QUERY PLAN \(transaction.sql(of: query))")
      var steps: [String] = []
      while try statement.step() { steps.append(statement.string(3)) }
      return steps
    }
  }
}
