import Broker
import Foundation

@Entity struct Song {
  @Identity var title: String
  var seconds: Int
  var album: ToOne<Album>?
}

@Entity struct Album {
  @Identity var title: String
  var songs: ToMany<Song>
}

func queries() {
  _ = Song.filter(#Predicate { $0.ttile == "Ghosts" })  // error: value of type 'Song' has no member 'ttile'
  _ = Song.all.filter(#Predicate { $0.seconds > 3 && $0.ttile == "" })  // error: has no member
  _ = Song.filter(#Predicate { $0.album?.ttile == "" })  // error: has no dynamic member 'ttile'
  _ = Song.filter(#Predicate { $0.seconds == "3" })  // error: operands of type 'Int' and 'String'
  _ = Song.sorted(by: \.ttile)  // error: value of type 'Song' has no member 'ttile'
  _ = Song.all.sorted(by: \.ttile)  // error: value of type 'Song' has no member 'ttile'
  _ = Album.sorted(by: \.songs)  // error: objects cannot be sorted by a list
  _ = Album.all.sorted(by: \.songs)  // error: objects cannot be sorted by a list
}

func identities(_ store: Store) async throws {
  _ = try await store.find(Song.self, 7)  // error: the identity is of another type
  _ = try await store.exists(Song.self, 7)  // error: the identity is of another type
  try await store.delete(Song.self, 7)  // error: the identity is of another type
  _ = try await store.read { try $0.find(Song.self, 7) }  // error: the identity is of another type
  try await store.write { try $0.delete(Song.self, 7) }  // error: the identity is of another type
}
