import Broker
import Foundation

func readingWhatCanBeRead(_ store: Store) async throws {
  let (bands, unreadable) = try await store.fetchReadable(Band.all)
  for error in unreadable { print(error.identity, error.property, error.found) }
  show(bands)
}

// Querying.md

func conditions() -> (Query<Band>, Query<Album>, Query<Band>, Query<Album>) {
  let early = Band.filter(#Predicate { $0.formed < 1980 })
  let onVirgin = Album.filter(#Predicate { $0.band.label?.id == "Virgin" })
  let withDrums = Band.filter(#Predicate { $0.albums.contains { $0.title.contains("Drum") } })
  let late = Album.filter(#Predicate { ($0.year ?? 0) > 1985 })
  return (early, onVirgin, withDrums, late)
}

@Entity struct Studio {
  @Identity var name: String
  var address: Place?
  var machines: [Machine] = []

  struct Place: Codable { var city: String }

  struct Machine: Codable {
    var kind: String
    var tracks: Int
  }
}

func insideValues() -> [Query<Studio>] {
  let inOslo = Studio.filter(#Predicate { $0.address?.city == "Oslo" })
  let withTape = Studio.filter(#Predicate { $0.machines.contains { $0.kind == "tape" && $0.tracks >= 16 } })
  return [inOslo, withTape]
}

func bands(formedBefore year: Int) -> Query<Band> {
  Band.filter(#Predicate { $0.formed < year })
}

func combined() -> (Query<Band>, Query<Band>) {
  let earlyOrSilent = Band.filter(any: [#Predicate { $0.formed < 1970 }, #Predicate { $0.albums.isEmpty }])
  let later = Band.filter(not: #Predicate { $0.formed < 1970 })
  return (earlyOrSilent, later)
}

func byIdentity(_ store: Store) async throws -> ([Band], [Band]) {
  let two = try await store.fetch(Band.filter(ids: ["Japan", "Talk Talk"]))
  let inThisOrder = try await store.find(Band.self, ids: ["Talk Talk", "Japan"])
  return (two, inThisOrder)
}

func byFormat(_ store: Store) async throws -> [Band] {
  let query = try Band.filter(format: "formed > %d AND ANY albums.title ==[c] %@", 1970, "tin drum")
  let bands = try await store.fetch(query)
  return bands
}

func orders() -> [Query<Album>] {
  let byYear = Album.sorted(by: \.year).sorted(by: \.title, .reverse)
  let byBand = Album.sorted(by: \.band.formed)
  let described = Album.all.sorted(using: SortDescriptor(\.title), SortDescriptor(\.year, order: .reverse))
  let page = Album.sorted(by: \.title).offset(20).limit(10)
  return [byYear, byBand, described, page]
}

func alongWithRelationships(_ store: Store) async throws {
  let query = Band.sorted(by: \.name).prefetching(\.label).prefetching(\.albums)
  for band in try await store.fetch(query) {
    print(band.name, band.label?.country ?? "", band.albums.count)
  }
}

func singleQuestions(_ store: Store) async throws -> (Band?, Int, Bool, Band?, Band) {
  let first = try await store.first(Band.sorted(by: \.formed))
  let count = try await store.count(try Band.filter(format: "formed < 1980"))
  let isThere = try await store.exists(Band.self, "Japan")
  let found = try await store.fetch(Band.self, id: "Rush")  // nil if there is none
  let japan = try await store.find(Band.self, "Japan")  // throws ObjectNotFound if there is none
  return (first, count, isThere, found, japan)
}

func oneAfterAnother(_ store: Store) async throws {
  try await store.read { transaction in
    try transaction.forEach(Album.all) { album in
      print(album.title)
    }
  }
}

func showingSQL(_ store: Store) async throws {
  print(try await store.sql(of: Album.sorted(by: \.band.formed).limit(3)))
}

func queryingByName(_ store: Store) async throws -> [Object] {
  let query = try ObjectQuery("Band").filter(format: "formed > %d", 1970).sorted(by: "name")
    .including("albums")
  let bands = try await store.fetch(query)
  for band in bands { print(band["name"]?.stringValue ?? "", band["albums"]?.links ?? []) }
  return bands
}

func singleValues(_ store: Store) async throws -> [(String, Int)] {
  let sizes = try await store.fetch(Band.sorted(by: \.name).select(\.name, \.albums.count))
  for (name, count) in sizes { print(name, count) }
  let countries = try await store.fetch(Band.select(\.label?.country).distinct())
  print(countries)
  return sizes
}

func sumsAndCounts(_ store: Store) async throws -> (Int?, [String?: Int], [String?: Double]) {
  let first = try await store.minimum(Album.all, of: \.year)
  let counts = try await store.count(Album.all, by: \.band.name)
  let ratings = try await store.average(Band.all, of: \.rating, by: \.label?.country)
  return (first, counts, ratings)
}

func sumsInATransaction(_ store: Store) async throws -> (Decimal, [String?: Int]) {
  try await store.read { transaction in
    let turnover = try transaction.sum(Shop.all, of: \.turnover)
    let counts = try transaction.count(Band.all, by: \.label?.country)
    return (turnover, counts)
  }
}

func turnover(_ store: Store) async throws -> Decimal {
  let turnover = try await store.sum(Shop.all, of: \.turnover)
  return turnover
}

func countsByCountry(_ store: Store) async throws -> [String?: Int] {
  let counts = try await store.count(Band.all, by: \.label?.country)
  return counts
}

func albums(since year: Int) throws -> Query<Album> {
  try Album.filter(format: "year >= %d", .init(year))
}
