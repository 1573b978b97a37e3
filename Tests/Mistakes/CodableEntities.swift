import Broker

@Entity struct Song: Codable {
  @Identity var title: String
}

@Entity struct Album {
  @Identity var title: String
  var best: Song?  // error: an entity is no value of an attribute: write ToOne<…> with it
  var songs: [Song] = []  // error: a list of entities is no value of an attribute: write ToMany<…>
}
