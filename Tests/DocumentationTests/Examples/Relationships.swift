import Broker
import Foundation

// Relationships.md

func followingOne(_ store: Store) async throws -> Band? {
  let album = try await store.find(Album.self, "Tin Drum")
  print(album.band.id)  // Japan
  print(album.band.formed as Any)  // nil: the band was not fetched along
  let band = try await store.fetch(album.band)
  return band
}

func prefetchingOne(_ store: Store) async throws -> [Album] {
  let albums = try await store.fetch(Album.all.prefetching(\.band))
  for album in albums { print(album.title, album.band.formed ?? 0) }
  return albums
}

func followingMany(_ store: Store) async throws -> ([Album], Album?, Int) {
  let japan = try await store.find(Band.self, "Japan")
  let albums = try await store.fetch(japan.albums)
  let latest = try await store.first(japan.albums.sorted(by: \.year, .reverse))
  let count = try await store.count(japan.albums.query)
  return (albums, latest, count)
}

func prefetchingMany(_ store: Store) async throws -> [Label] {
  let labels = try await store.fetch(Label.all.prefetching(\.bands) { $0.prefetching(\.albums) })
  for band in labels.flatMap(\.bands) { print(band.name, band.albums.map(\.title)) }
  return labels
}

func cascading(_ store: Store) async throws {
  try await store.delete(Band.self, "Japan")  // and its albums, by the rule of Band.albums
}

func leavingReferences(_ store: Store) async throws -> Report {
  let report = try await store.import(
    #"[{"title": "Gone to Earth", "band": "David Sylvian"}]"#, as: Album.self)
  for reference in report.pending { print(reference.relationship, reference.target, reference.key) }
  return report
}

func changingLinks(_ store: Store) async throws -> Band {
  var japan = try await store.find(Band.self, "Japan")
  japan.label = ToOne(id: "Hansa")
  japan.members.insert(id: 3)
  japan.members.remove(id: 2)
  try await store.save(japan)
  japan.members = ToMany(ids: [1, 3])
  try await store.save(japan)
  return japan
}

private enum Values {
  @Entity struct Track: Hashable, Codable {
    @Identity var title: String
    var seconds: Int?
    var record: ToOne<Record>?
  }

  @Entity struct Record: Hashable, Codable {
    @Identity var title: String
    var tracks: ToMany<Track>
  }

  static func answer(_ store: Store, _ title: String) async throws -> Data {
    let record = try await store.first(Record.filter(ids: [title]).prefetching(\.tracks))
    let json = try JSONEncoder().encode(record)
    return json
  }
}
