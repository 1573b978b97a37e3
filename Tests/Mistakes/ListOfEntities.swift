import Broker

@Entity struct Song {
  @Identity var title: String
}

@Entity struct Album {
  @Identity var title: String
  var year: Int?
  var songs: [Song]  // error: a list of entities is no value of an attribute: write ToMany<…> with the entity
  var others: [Song] = []  // error: a list of entities is no value of an attribute: write ToMany<…>
  var more: Set<Song>?  // error: a list of entities is no value of an attribute: write ToMany<…>
}

extension Song: Hashable {}
