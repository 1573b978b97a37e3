import Broker

@Entity struct Song {
  @Identity var title: String
}

@Entity struct Album {
  @Identity var title: String
  var best: Song?  // error: an entity is no value of an attribute: write ToOne<…> with it
  @Key("opener") var first: Song  // error: an entity is no value of an attribute: write ToOne<…> with it
}
