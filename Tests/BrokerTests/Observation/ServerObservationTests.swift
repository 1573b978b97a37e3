#if PostgreSQL
  import Broker
  import Foundation
  import PostgreSQLServer
  import Testing

  /// Observations of what other programs write to a store on a server.
  @Suite("Observations on a server", .enabled(if: PostgreSQLServer.isWanted))
  struct ServerObservationTests {
    private static let database = Result { try PostgreSQLServer.required().makeDatabase() }
    private let place: StoreLocation

    init() throws {
      place = .postgreSQL(try Self.database.get(), schema: "t\(UUID().uuidString)")
    }

    private func store() async throws -> Store { try await Store(at: place, for: Band.self) }

    @Test("small commits of others are told in full")
    func smallCommits() async throws {
      let (own, other) = (try await store(), try await store())
      try await own.import(bandsJSON)
      let follower = Follower(own.changes())
      try await other.update(Band.self, "Japan") { $0.formed = 1 }
      #expect(await eventually { follower.all.count == 1 })
      let told = try #require(follower.last)
      #expect(told.isByOthers && told.isComplete && !told.isImport)
      #expect(told.updated(Band.self) == ["Japan"] && told.inserted.isEmpty && told.deleted.isEmpty)
      try await other.save(Musician(id: 77, name: "x", bands: ToMany()))
      #expect(await eventually { follower.last?.inserted(Musician.self) == [77] })
      try await other.delete(Album.self, "Tin Drum")
      #expect(await eventually { follower.last?.deleted(Album.self) == ["Tin Drum"] })
      try await other.import(bandsJSON)
      #expect(await eventually { follower.last?.isImport == true })
      #expect(follower.last?.isByOthers == true)
    }

    @Test("of large commits of others, it is told how many objects of which entities they changed")
    func largeCommits() async throws {
      let (own, other) = (try await store(), try await store())
      try await own.import(bandsJSON)
      let changes = Follower(own.changes())
      let (bands, albums) = (Follower(own.observeCount(of: Band.all)), Follower(own.observe(Album.all)))
      #expect(await eventually { bands.all.count == 1 && albums.all.count == 1 })
      let objects = (0..<3000).map { #"{"name": "b\#($0)"}"# }
      try await other.import(Data("[\(objects.joined(separator: ","))]".utf8), as: Band.self)
      #expect(await eventually { bands.last == 3002 })
      let told = try #require(changes.last)
      #expect(told.isByOthers && !told.isComplete && told.isImport && told.inserted.isEmpty)
      #expect(told.counts?.keys.sorted() == ["Band"])
      #expect(told.counts?["Band"]?.inserted == 3000)
      // It does not concern albums, so their query is not asked again.
      #expect(albums.all.count == 1)
    }

    @Test("imports of one's own tell all objects, however many")
    func ownImports() async throws {
      let own = try await store()
      let changes = Follower(own.changes())
      let objects = (0..<3000).map { #"{"name": "b\#($0)"}"# }
      try await own.import(Data("[\(objects.joined(separator: ","))]".utf8), as: Band.self)
      #expect(await eventually { changes.last?.inserted(Band.self).count == 3000 })
      try await own.import(
        Data(#"[{"name": "b7", "formed": 1999}, {"name": "b8"}]"#.utf8), as: Band.self)
      #expect(await eventually { changes.last?.updated(Band.self) == ["b7"] })
      #expect(changes.last?.isComplete == true && changes.last?.isByOthers == false)
    }

    @Test("a store that another program empties")
    func emptied() async throws {
      let (own, other) = (try await store(), try await store())
      try await own.import(bandsJSON)
      let (changes, otherChanges) = (Follower(own.changes()), Follower(other.changes()))
      try await other.removeAll()
      #expect(await eventually { changes.last?.isByOthers == true })
      #expect(await eventually { otherChanges.last?.deleted(Band.self).count == 2 })
    }
  }
#endif
