import Broker
import Foundation

// What the doc comments of Broker show, file by file, but for what articles show too.

// Macros.swift
@Entity struct Crate {
  var id: String
}

@Entity struct Version {
  @Identity var crate: ToOne<Crate>
  @Identity var number: String
}

// Storable.swift
enum ByHand {
  struct Band: Storable {
    var name: String
    var formed: Int?
    var id: String { name }

    static let properties = Properties<Band>(
      "Band",
      .attribute("name", \.name, .identity),
      .attribute("formed", \.formed)
    )

    init(row: borrowing ObjectRow) throws {
      name = try row.value(0)
      formed = try row.value(1)
    }
  }
}

// ToOne.swift
func linking(_ album: Album, to japan: Band, in store: Store) async throws -> (String?, Band?) {
  var album = album
  album.band = ToOne(japan)
  album.band = ToOne(id: "Japan")
  let name = album.band.name  // nil if the band was not fetched along
  let band = try await store.fetch(album.band)
  return (name, band)
}

// ToMany.swift
func changingAList(
  of japan: Band, _ tinDrum: Album, _ quietLife: Album, _ oilOnCanvas: Album, in store: Store
) async throws -> (Band, [Album]) {
  var japan = japan
  let late = try await store.fetch(japan.albums.filter(#Predicate { ($0.year ?? 0) > 1980 }))
  japan.albums = [tinDrum, quietLife]  // exactly these, once it is saved
  japan.albums.insert(oilOnCanvas)  // and this one
  japan.albums.remove(id: "Adolescent Sex")
  return (japan, late)
}

// Store+Opening.swift
func openingForTypes() async throws -> Store {
  let store = try await Store(at: .file("bands.sqlite"), for: Band.self, Album.self)
  return store
}

// Model+Types.swift
func describing() throws -> Model {
  let model = try Model(describing: Band.self, Album.self)
  return model
}

// ReadTransaction.swift
func readingAtOneMoment(_ store: Store) async throws -> ([Band], Int) {
  let (bands, albums) = try await store.read { transaction in
    (try transaction.fetch(Band.all), try transaction.count(Album.all))
  }
  return (bands, albums)
}

// WriteTransaction.swift
func writing(_ store: Store) async throws {
  try await store.write { transaction in
    var japan = try transaction.find(Band.self, "Japan")
    japan.bandDescription = "Later Rain Tree Crow"
    try transaction.save(japan)
    try transaction.delete(Album.self, "Assemblage")
  }
}

func updating(_ transaction: WriteTransaction) throws {
  try transaction.update(Band.self, "Japan") { $0.formed = 1974 }
}

func renaming(_ transaction: WriteTransaction) throws {
  try transaction.rename(Band.self, "Japan", to: "Rain Tree Crow")
}

// Object.swift
func changingByName(_ store: Store) async throws {
  var japan = try await store.find("Band", "Japan")
  japan["formed"] = 1975
  japan["label"] = .link("Virgin")
  try await store.save(japan)
}

// ObjectQuery.swift
func askingByName(_ store: Store) async throws -> [Object] {
  let query = try ObjectQuery("Band").filter(format: "formed > %d", 1970).sorted(by: "name")
    .including("albums")
  let bands = try await store.fetch(query)
  return bands
}

// Query.swift
func queryingBands(_ store: Store) async throws -> [Band] {
  let query = Band.filter(#Predicate { $0.formed < 1980 }).sorted(by: \.name).limit(10)
  let bands = try await store.fetch(query)
  return bands
}

func queryingByEither() -> Query<Band> {
  let bands = Band.filter(any: [#Predicate { $0.formed < 1970 }, #Predicate { $0.albums.isEmpty }])
  return bands
}

func queryingByNone() -> Query<Band> {
  let bands = Band.filter(not: #Predicate { $0.formed < 1970 })
  return bands
}

// Prefetch.swift
func prefetchingDeeply() -> Query<Label> {
  let query = Label.all.prefetching(\.bands) { $0.prefetching(\.albums) }
  return query
}

// Store+Import.swift
func importingData(_ data: Data, into store: Store) async throws -> Report {
  let report = try await store.import(data, as: Band.self)
  return report
}

// Store+Export.swift
func exportingAnObject(_ japan: Band, from store: Store) async throws -> Data {
  let body = try await store.export(japan)
  return body
}

func exportingAll(_ store: Store) async throws -> Data {
  let backup = try await store.exportAll()
  return backup
}

func exportingNested(_ japan: Band, from store: Store) async throws -> Data {
  let body = try await store.export(japan, relationships: .nested(depth: 1))
  return body
}

func exportingWithOptions(_ japan: Band, from store: Store) async throws -> Data {
  let body = try await store.export(japan, options: .relationships(.nested(depth: 1)))
  return body
}

// The documents beside the README.

// MODELS.md
func convertingAModel() throws {
  let model = try Model(contentsOf: URL(filePath: "Music.xcdatamodeld"))
  for problem in model.problems() { print(problem) }
  try model.write(to: URL(filePath: "music.json"))
}

// MAPPING.md
func transformingCents(_ model: Model) throws -> Store {
  var mapping = JSONMapping()
  mapping.functions.transformers["cents"] = Transformer(
    read: { value in
      if value == .null { return .null }
      guard let cents = value.integerValue else { throw TransformerError(expected: "cents") }
      return .double(Double(cents) / 100)
    },
    write: { value in
      value.doubleValue.map { .integer(Int64(($0 * 100).rounded())) } ?? value
    })
  let store = try Store(path: "tickets.sqlite", model: model, mapping: mapping)
  return store
}

// PREDICATES.md
func aPredicate() throws -> ObjectPredicate {
  let predicate = try ObjectPredicate(format: "formed > %d AND name IN %@", [1970, ["Japan", "Talk Talk"]])
  return predicate
}

func aPredicateWithNames(_ since: Date) throws -> ObjectPredicate {
  let predicate = try ObjectPredicate(
    format: "founded >= %@ AND %K == $label", [.init(since), "name"], variables: ["label": "Japan"])
  return predicate
}

func predicatesOfSwift(_ store: Store) async throws -> [Band] {
  let bands = try await store.fetch(Band.filter(#Predicate { $0.formed < 1980 && $0.label?.country == "UK" }))
  return bands
}
