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
  @Relationship(inverse: \Album.bnad)  // error: value of type 'Album' has no member 'bnad'
  var records: ToMany<Album>
}
