import Broker
import Foundation

@Entity struct Band {
  @Identity var name: String
  var formed: Int?
  @Relationship(inverse: \Album.band, deleteRule: .cascade) var albums: ToMany<Album>
}

@Entity struct Album {
  @Identity var title: String
  @Key("release.date") var released: Date?
  var label: String?
  var band: ToOne<Band>
}

@main struct Bands {
  static func main() async throws {
    let store = try await Store(at: .memory, for: Band.self, Album.self)

    // Find or create each object by its identity, convert its values, wire relationships, tell what changed.
    let json = """
      [{"name": "Japan", "formed": "1974", "albums": [
         {"title": "Tin Drum", "release": {"date": "1981-11-13"}, "label": "Virgin"},
         {"title": "Quiet Life", "release": {"date": "1979-11-17"}, "label": "Hansa"}]},
       {"name": "Talk Talk", "formed": 1981, "albums": ["Spirit of Eden"]}]
      """
    let report = try await store.import(json, as: Band.self)
    print(report.inserted["Album"] ?? 0, "albums,", report.pendingCount, "to come")

    // Typed, by key paths, through relationships.
    let virgin = Band.filter(#Predicate { $0.albums.contains { $0.label == "Virgin" } })
    for band in try await store.fetch(virgin.sorted(by: \.name).prefetching(\.albums)) {
      print(band.name, "made", band.albums.map(\.title).joined(separator: ", "))
    }

    // Change what is there: all of it, or nothing.
    try await store.write { transaction in
      var japan = try transaction.find(Band.self, "Japan")
      japan.formed = 1975
      try transaction.save(japan)
      try transaction.import(#"{"title": "Oil on Canvas", "band": "Japan"}"#, as: Album.self)
    }

    // And back into JSON.
    let japan = try await store.find(Band.self, "Japan")
    print(String(decoding: try await store.export(japan), as: UTF8.self), terminator: "")
  }
}
