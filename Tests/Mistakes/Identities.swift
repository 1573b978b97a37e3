import Broker
import Foundation

@Entity struct Album {  // error: Album has no identity: mark the property that identifies it with @Identity
  var title: String
  var songs: ToMany<Song>
}

@Entity struct Song {
  @Identity var title: String?  // error: title identifies Song, so it cannot be optional
}

func queries(_ store: Store) async throws {
  let albums = try await store.fetch(Album.filter(#Predicate { $0.title > "" }).sorted(by: \.title))
  print(albums.map(\.id), albums[0].songs.count)
  try await store.save(albums[0])
}
