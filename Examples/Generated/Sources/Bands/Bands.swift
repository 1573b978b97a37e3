import Broker

@main struct Bands {
  static func main() async throws {
    let store = try await Store(at: .memory, for: Band.self)
    try await store.import(
      #"{"name": "Japan", "formed": 1974, "genre": "rock", "albums": [{"id": 1, "title": "Tin Drum"}]}"#,
      as: Band.self)
    let album = try await store.find(Album.self, 1)
    print(album.title, "by", album.band.id)
  }
}
