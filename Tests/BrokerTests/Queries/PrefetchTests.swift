import Broker
import Foundation
import GRDBSQLite
import ObjectStore
import Testing

@testable import BrokerCore

/// How many statements a query takes, whatever it finds.
@Suite("Fetching along") struct PrefetchTests {
  @Test(.onSQLite) func oneStatementForEachRelationship() async throws {
    let store = try await bandStore()
    #expect(try await store.statements(of: Band.all) == 1)
    #expect(try await store.statements(of: Band.all.prefetching(\.albums)) == 2)
    #expect(try await store.statements(of: Band.all.prefetching(\.albums).prefetching(\.label)) == 3)
    #expect(try await store.statements(of: Album.all.prefetching(\.band) { $0.prefetching(\.members) }) == 3)
    // Nothing found, nothing asked.
    let none = Band.filter(#Predicate { $0.name == "" })
    #expect(try await store.statements(of: none.prefetching(\.albums)) == 1)
  }

  @Test(.onSQLite) func asManyForManyObjects() async throws {
    let store = try await bandStore()
    try await store.write { transaction in
      for number in 0..<2_000 {
        try transaction.save(Album(name: "\(number)", released: nil, band: ToOne(id: "Japan"), year: number))
      }
    }
    let query = Album.all.prefetching(\.band) { $0.prefetching(\.albums).prefetching(\.label) }
    #expect(try await store.statements(of: query) == 4)
    let albums = try await store.fetch(query)
    #expect(albums.count == 2_003)
    #expect(albums.allSatisfy { $0.band.object?.albums.isLoaded == true })
  }

  @Test func whatIsFetched() async throws {
    let store = try await bandStore()
    let albums = try await store.fetch(
      Album.sorted(by: \.name).prefetching(\.band) {
        $0.prefetching(\.albums).prefetching(\.label).prefetching(\.members)
      })
    #expect(albums.map(\.band.formed) == [1974, 1970, 1974])
    #expect(albums[0].band.object?.albums.map(\.name) == ["Quiet Life", "Tin Drum"])
    #expect(albums[0].band.object?.members.map(\.id) == [2, 1])
    #expect(albums[0].band.object?.label?.country == "UK")
    // It has not arrived.
    #expect(albums[1].band.object?.label == nil)
    #expect(albums[1].band.object?.members.isEmpty == true)
    let musicians = try await store.fetch(Musician.all.prefetching(\.bands) { $0.prefetching(\.albums) })
    #expect(musicians.map { $0.bands.map(\.albums.count) } == [[2], [2]])
  }

  @Test func conditionsAndRangesAreTheQuerysOwn() async throws {
    let store = try await bandStore()
    let query = Band.sorted(by: \.name).limit(1).prefetching(\.albums) { $0.limit(1) }
    let bands = try await store.fetch(query)
    #expect(bands.map(\.name) == ["Japan"])
    #expect(bands[0].albums.count == 2)
  }
}

extension Store {
  /// How many statements fetching a query runs.
  fileprivate func statements<Root: Storable>(of query: Broker.Query<Root>) async throws -> Int {
    try await read { transaction in
      // What is kept for the connection is made before.
      _ = try transaction.fetch(query)
      let counter = StatementCounter()
      let connection = try transaction.sqlite().connection
      let pointer = Unmanaged.passUnretained(counter).toOpaque()
      sqlite3_trace_v2(
        connection, UInt32(SQLITE_TRACE_STMT),
        { _, counter, _, _ in
          guard let counter else { return 0 }
          Unmanaged<StatementCounter>.fromOpaque(counter).takeUnretainedValue().count += 1
          return 0
        }, pointer)
      defer { sqlite3_trace_v2(connection, 0, nil, nil) }
      _ = try transaction.fetch(query)
      return counter.count
    }
  }
}

private final class StatementCounter {
  var count = 0
}

extension PrefetchTests {
  /// To Swift the two keys are equal; to the store they are not.
  @Test func keysThatDifferInTheirBytesOnly() async throws {
    let store = try await bandStore()
    let (composed, decomposed) = ("Sigur R\u{F3}s", "Sigur Ro\u{301}s")
    try await store.import(
      """
      [{"name": "\(composed)", "formed": 1994}, {"name": "\(decomposed)", "formed": 1995}]
      """, as: Band.self)
    try await store.import(
      """
      [{"name": "a", "year": 1, "band": "\(composed)"}, {"name": "b", "year": 2, "band": "\(decomposed)"},
       {"name": "c", "year": 3, "band": "Nobody yet"}]
      """, as: Album.self)
    let query = Album.filter(#Predicate { $0.year! < 10 }).sorted(by: \.name).prefetching(\.band)
    #expect(try await store.fetch(query).map(\.band.formed) == [1994, 1995, nil])
  }
}
