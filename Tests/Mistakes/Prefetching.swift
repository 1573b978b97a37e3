import Broker

@Entity struct Song {
  @Identity var title: String
  var album: ToOne<Album>?
}

@Entity struct Album {
  @Identity var title: String
  var songs: ToMany<Song>
}

func queries() {
  _ = Song.all.prefetching(\.title)  // error: only relationships can be fetched along
  _ = Song.all.prefetching(\.albm)  // error: value of type 'Song' has no member 'albm'
}
