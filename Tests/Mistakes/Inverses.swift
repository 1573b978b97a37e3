import Broker

@Entity struct Label {
  @Identity var name: String
}

@Entity struct Album {
  @Identity var title: String
  var label: ToOne<Label>?
}

@Entity struct Band {
  @Identity var name: String
  @Relationship(inverse: \Album.label)
  var albums: ToMany<Album>  // error: this inverse leads to another entity
  @Relationship(inverse: \Album.title)
  var tapes: ToMany<Album>  // error: this inverse is no relationship
  @Relationship(inverse: "frends")
  var friends: ToMany<Band>  // error: has no dynamic member 'frends' using key path from root type 'Band'
}

@Entity struct Shop {
  @Identity var name: String
  @Relationship(inverse: "label")
  var albums: ToMany<Album>  // error: this inverse leads to another entity
}
