import Broker
import Foundation
import Testing

extension Genre: Codable {}

/// What predicates of Swift become, and what they find among the bands.
@Suite("Predicates of Swift as SQL") struct SwiftPredicateTests {
  /// Compares the condition in a query's SQL, and the identities of what it finds.
  private func check<Root: Storable>(
    _ predicate: Predicate<Root>, _ sql: String, finds ids: [Root.ID],
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let store = try await bandStore()
    // On a server, tables have their schema before them.
    let condition = try await store.condition(of: Root.filter(predicate))
      .replacing(/FROM "[^"]+"\./, with: "FROM ")
    #expect(condition == sql, sourceLocation: location)
    #expect(try await store.fetch(Root.filter(predicate)).map(\.id) == ids, sourceLocation: location)
  }

  @Test(.onSQLite) func attributes() async throws {
    try await check(#Predicate<Band> { $0.formed == 1974 }, #"t0."formed" = 1974"#, finds: ["Japan"])
    try await check(#Predicate<Band> { $0.formed != 1974 }, #"t0."formed" IS NOT 1974"#, finds: ["Talk Talk"])
    try await check(#Predicate<Band> { 1972 < $0.formed }, #"t0."formed" > 1972"#, finds: ["Japan"])
    let pop: Genre? = .pop
    try await check(#Predicate<Band> { $0.genre == pop }, #"t0."genre" = 'pop'"#, finds: ["Japan"])
    try await check(
      #Predicate<Band> { $0.genre?.rawValue == "rock" }, #"t0."genre" = 'rock'"#, finds: ["Talk Talk"])
  }

  @Test(.onSQLite) func conditions() async throws {
    try await check(
      #Predicate<Band> { $0.formed > 1900 && $0.name != "Japan" && $0.rating == nil },
      #"(t0."formed" > 1900 AND (t0."name" IS NOT 'Japan' AND t0."rating" IS NULL))"#, finds: ["Talk Talk"])
    try await check(
      #Predicate<Band> { $0.formed < 1900 || $0.name == "Japan" },
      #"(t0."formed" < 1900 OR t0."name" = 'Japan')"#, finds: ["Japan"])
    try await check(
      #Predicate<Album> { !(($0.year ?? 0) > 1980) },
      #"((coalesce(t0."year", 0) > 1980) IS NOT TRUE)"#, finds: ["Quiet Life"])
    try await check(
      #Predicate<Band> { $0.formed > 1972 ? $0.rating == nil : $0.name == "Talk Talk" },
      #"CASE WHEN t0."formed" > 1972 THEN ((t0."rating" IS NULL) IS TRUE)"#
        + #" ELSE ((t0."name" = 'Talk Talk') IS TRUE) END = 1"#, finds: ["Talk Talk"])
  }

  @Test func nothing() async throws {
    try await check(#Predicate<Band> { $0.rating == nil }, #"t0."rating" IS NULL"#, finds: ["Talk Talk"])
    try await check(#Predicate<Band> { $0.rating != nil }, #"t0."rating" IS NOT NULL"#, finds: ["Japan"])
    try await check(#Predicate<Band> { $0.rating! > 8 }, #"t0."rating" > 8.0"#, finds: ["Japan"])
    try await check(
      #Predicate<Band> { $0.rating.flatMap { $0 > 8 } == nil },
      #"CASE WHEN t0."rating" IS NOT NULL THEN ((t0."rating" > 8.0) IS TRUE) END IS NULL"#,
      finds: ["Talk Talk"])
    let none: Double? = nil
    try await check(#Predicate<Band> { $0.rating == none }, #"t0."rating" IS NULL"#, finds: ["Talk Talk"])
  }

  @Test(.onSQLite) func calculations() async throws {
    try await check(
      #Predicate<Band> { $0.formed + 1 == 1975 }, #"(t0."formed" + 1) = 1975"#, finds: ["Japan"])
    try await check(
      #Predicate<Band> { $0.formed % 4 == 2 }, #"(t0."formed" % 4) = 2"#, finds: ["Japan", "Talk Talk"])
    try await check(
      #Predicate<Band> { $0.formed / 10 == 197 }, #"(t0."formed" / 10) = 197"#, finds: ["Japan", "Talk Talk"])
    try await check(
      #Predicate<Band> { ($0.rating ?? 0) / 2 > 4 }, #"(coalesce(t0."rating", 0.0) / 2.0) > 4.0"#,
      finds: ["Japan"])
    try await check(#Predicate<Band> { -$0.formed < -1972 }, #"(0 - t0."formed") < -1972"#, finds: ["Japan"])
  }

  @Test func ranges() async throws {
    try await check(
      #Predicate<Band> { (1970...1972).contains($0.formed) },
      #"(t0."formed" >= 1970 AND t0."formed" <= 1972)"#, finds: ["Talk Talk"])
    try await check(
      #Predicate<Band> { (1970..<1974).contains($0.formed) },
      #"(t0."formed" >= 1970 AND t0."formed" < 1974)"#, finds: ["Talk Talk"])
    let late = 1972...
    try await check(#Predicate<Band> { late.contains($0.formed) }, #"t0."formed" >= 1972"#, finds: ["Japan"])
  }

  @Test func values() async throws {
    let names = ["Japan", "Dolphin Brothers"]
    try await check(
      #Predicate<Band> { names.contains($0.name) }, #"t0."name" IN ('Japan', 'Dolphin Brothers')"#,
      finds: ["Japan"])
    let genres: [Genre?] = [nil, .rock]
    try await check(
      #Predicate<Band> { genres.contains($0.genre) }, #"(t0."genre" IS NULL OR t0."genre" IN ('rock'))"#,
      finds: ["Talk Talk"])
    let day = Date(timeIntervalSince1970: 374_457_600)
    try await check(
      #Predicate<Album> { $0.released == day }, #"t0."released" = '1981-11-13 00:00:00'"#, finds: ["Tin Drum"]
    )
  }

  @Test(.onSQLite) func texts() async throws {
    try await check(
      #Predicate<Band> { $0.name.contains("apa") }, #"instr(t0."name", 'apa') > 0"#, finds: ["Japan"])
    try await check(
      #Predicate<Band> { $0.name.starts(with: "Ja") }, #"(t0."name" >= 'Ja' AND t0."name" < 'Jb')"#,
      finds: ["Japan"])
    try await check(
      #Predicate<Band> { $0.name.count > 5 }, #"broker_count(t0."name") > 5"#, finds: ["Talk Talk"])
    try await check(#Predicate<Band> { $0.name.isEmpty }, #"t0."name" = ''"#, finds: [])
    let doubled = /(\w+) \1/
    try await check(
      #Predicate<Band> { $0.name.contains(doubled) }, #"broker_finds(t0."name", '(\w+) \1')"#,
      finds: ["Talk Talk"])
  }

  @Test func relationshipsToOne() async throws {
    let japan = ToOne<Band>(id: "Japan")
    try await check(
      #Predicate<Album> { $0.band == japan }, #"t0."band" = 'Japan'"#, finds: ["Quiet Life", "Tin Drum"])
    try await check(
      #Predicate<Album> { $0.band.id == "Talk Talk" }, #"t0."band" = 'Talk Talk'"#, finds: ["Spirit of Eden"])
    try await check(
      #Predicate<Album> { $0.band.formed == 1970 },
      #"t0."band" IN (SELECT p1."name" FROM "Band" p1 WHERE p1."formed" = 1970)"#, finds: ["Spirit of Eden"])
    try await check(
      #Predicate<Band> { $0.label?.country == "UK" },
      #"t0."label" IN (SELECT p1."name" FROM "Label" p1 WHERE p1."country" = 'UK')"#, finds: ["Japan"])
    // The label of Talk Talk has not arrived.
    try await check(
      #Predicate<Band> { $0.label == nil },
      #"NOT EXISTS (SELECT 1 FROM "Label" p1 WHERE p1."name" = t0."label")"#, finds: ["Talk Talk"])
    try await check(
      #Predicate<Band> { $0.label?.id == "EMI" },
      #"t0."label" IN (SELECT p1."name" FROM "Label" p1 WHERE p1."name" = 'EMI')"#, finds: [])
  }

  @Test(.onSQLite) func relationshipsToMany() async throws {
    let albums = #"FROM "Album" p1 WHERE p1."band" = t0."name""#
    try await check(
      #Predicate<Band> { $0.albums.count > 1 }, "(SELECT count(*) \(albums)) > 1", finds: ["Japan"])
    try await check(
      #Predicate<Band> { $0.notes.isEmpty },
      #"NOT EXISTS (SELECT 1 FROM "Note" p1 WHERE p1."band" = t0."name")"#, finds: ["Talk Talk"])
    try await check(
      #Predicate<Band> { $0.albums.contains { $0.year == 1988 } },
      #"t0."name" IN (SELECT p1."band" FROM "Album" p1 WHERE p1."year" = 1988)"#, finds: ["Talk Talk"])
    try await check(
      #Predicate<Band> { $0.albums.allSatisfy { $0.released == nil } },
      #"((t0."name" IN (SELECT p1."band" FROM "Album" p1 WHERE p1."released" IS NOT NULL)) IS NOT TRUE)"#,
      finds: ["Talk Talk"])
    try await check(
      #Predicate<Band> { band in band.albums.filter { ($0.year ?? 0) != band.formed }.count == 2 },
      #"(SELECT count(*) \#(albums) AND ((coalesce(p1."year", 0) IS t0."formed") IS NOT TRUE)) = 2"#,
      finds: ["Japan"])
    try await check(
      #Predicate<Musician> { $0.bands.contains { $0.albums.contains { $0.year == 1981 } } },
      #"t0."id" IN (SELECT p1_link."members" FROM "Band_members" p1_link JOIN "Band" p1"#
        + #" ON p1."name" = p1_link."bands" WHERE p1."name" IN (SELECT p2."band" FROM "Album" p2"#
        + #" WHERE p2."year" = 1981))"#, finds: [1, 2])
  }

  @Test(.onSQLite) func identities() async throws {
    try await check(#Predicate<Musician> { $0.id == 2 }, #"t0."id" = 2"#, finds: [2])
    let store = try await bandStore()
    let notes = try await store.fetch(Note.all)
    #expect(notes.map(\.text) == ["a", "b"])
    try await check(
      #Predicate<Note> { $0.band != nil }, #"EXISTS (SELECT 1 FROM "Band" p1 WHERE p1."name" = t0."band")"#,
      finds: notes.map(\.id))
  }

  @Test func inheritedProperties() async throws {
    let store = try await TrackStore.shared.value
    let odd = #Predicate<Single> { $0.track.title == "Odd" && $0.chart == 3 }
    #expect(try await store.fetch(Single.filter(odd)).map(\.chart) == [3])
    #expect(
      try await store.condition(of: Single.filter(odd)).hasSuffix(#"(t0."title" = 'Odd' AND t0."chart" = 3)"#)
    )
    let founded = #Predicate<Single> { $0.track.artist.founded == 1978 }
    #expect(try await store.count(Single.filter(founded)) == 1)
    let none = #Predicate<Single> { $0.track.fans.isEmpty && $0.track.original == nil }
    #expect(try await store.count(Single.filter(none)) == 1)
  }

  @Test("several filters, and those of other kinds, hold together") func together() async throws {
    let store = try await bandStore()
    let query = try Band.filter(#Predicate { $0.formed > 1960 }).filter(format: "ANY albums.year == 1988")
      .filter(#Predicate { $0.rating == nil }).filter(ids: ["Japan", "Talk Talk"])
    #expect(try await store.fetch(query).map(\.name) == ["Talk Talk"])
  }

  /// Swift takes letters for the same that look the same. In the store they have to be the same.
  @Test func textsAreComparedByTheirBytes() async throws {
    let store = try await bandStore()
    let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
    try await store.save(Label(name: composed, country: nil, bands: []))
    let same = #Predicate<Label> { $0.name == decomposed }
    #expect(composed == decomposed)
    #expect(try await store.count(Label.filter(same)) == 0)
    try await store.save(Label(name: decomposed, country: nil, bands: []))
    #expect(try await store.count(Label.filter(#Predicate { $0.name.starts(with: "Cafe") })) == 1)
  }

  /// Where Swift gives up, with an error or at once, the store goes on.
  @Test func whatStopsSwift() async throws {
    let store = try await bandStore()
    let unwrapped = #Predicate<Band> { $0.rating! > 0 }
    #expect(try await store.fetch(Band.filter(unwrapped)).map(\.name) == ["Japan"])
    let zero = 0
    #expect(try await store.count(Band.filter(#Predicate { $0.formed / zero == 0 })) == 0)
    let most = Int.max
    #expect(try await store.count(Band.filter(#Predicate { $0.formed + most > 0 })) == 2)
  }
}

extension Store {
  /// What stands behind `WHERE` in the SQL of a query.
  func condition<Root: Storable>(of query: Query<Root>) async throws -> String {
    let sql = try await sql(of: query)
    guard let start = sql.range(of: "\" t0 WHERE "),
      let end = sql.range(of: " ORDER BY t0.", options: .backwards)
    else { return sql }
    return String(sql[start.upperBound..<end.lowerBound])
  }
}
