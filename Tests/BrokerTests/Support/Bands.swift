import Broker
import Foundation

enum Genre: String, CaseIterable {
  case rock, pop, ambient
}

@Entity struct Band {
  @Identity var name: String
  @Key("description") var bandDescription: String?
  var formed = 1970
  var genre: Genre?
  var tags: [String]?
  @Attribute(minimum: 0, maximum: 10) var rating: Double?
  @Relationship(inverse: \Album.band, deleteRule: .cascade) var albums: ToMany<Album>
  @Relationship(ordered: true) var members: ToMany<Musician>
  var label: ToOne<Label>?
  var notes: ToMany<Note>
}

@Entity struct Album {
  @Identity var name: String
  @Key("release.date") var released: Date?
  var band: ToOne<Band>
  var year: Int?
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

@Entity(identified: false) struct Note {
  var text: String
  var band: ToOne<Band>?
}

let bandsJSON = """
  {"bands": [
    {"name": "Japan", "description": "New wave", "formed": 1974, "genre": "pop", "tags": ["uk", "80s"], "rating": 8.5,
     "label": {"name": "Virgin", "country": "UK"},
     "albums": [{"name": "Tin Drum", "release": {"date": "1981-11-13"}, "year": 1981},
                {"name": "Quiet Life", "year": 1979}],
     "members": [{"id": 2, "name": "Mick Karn"}, {"id": 1, "name": "David Sylvian"}],
     "notes": [{"text": "a"}, {"text": "b"}]},
    {"name": "Talk Talk", "genre": "rock", "albums": [{"name": "Spirit of Eden", "year": 1988}], "label": "EMI"}
  ]}
  """

func bandStore() async throws -> Store {
  let store = try await Store(at: .scratch, for: Band.self)
  try await store.write { transaction in try transaction.import(bandsJSON) }
  return store
}
