import Broker
import Foundation

// The types that the articles speak of.

enum Genre: String, CaseIterable, Codable {
  case rock, pop, ambient
}

@Entity struct Band {
  @Identity var name: String
  @Key("description") var bandDescription: String?
  var formed = 1970
  var genre: Genre?
  @Attribute(indexed: true, minimum: 0, maximum: 10) var rating: Double?
  @Relationship(inverse: \Album.band, deleteRule: .cascade) var albums: ToMany<Album>
  @Relationship(ordered: true) var members: ToMany<Musician>
  var label: ToOne<Label>?
}

@Entity struct Album {
  @Identity var title: String
  @Key("release.date") var released: Date?
  var year: Int?
  var band: ToOne<Band>
}

@Entity struct Musician {
  var id: Int
  var name: String
  var bands: ToMany<Band>
}

@Entity struct Label {
  @Identity var name: String
  var country: String?
  var bands: ToMany<Band>
}

let bandsJSON = """
  [{"name": "Japan", "description": "New wave", "formed": "1974", "genre": "pop", "rating": 8.5,
    "label": {"name": "Virgin", "country": "UK"},
    "albums": [{"title": "Tin Drum", "year": 1981, "release": {"date": "1981-11-13"}},
               {"title": "Quiet Life", "year": 1979}],
    "members": [{"id": 2, "name": "Mick Karn"}, {"id": 1, "name": "David Sylvian"}]},
   {"name": "Talk Talk", "formed": 1981, "albums": ["Spirit of Eden"], "label": "EMI"}]
  """
