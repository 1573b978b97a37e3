import Broker

// MappingJSON.md, TypeMapping.swift

@Entity struct Country {
  @Identity var code: String
  @Key("latlng[0]") var latitude: Double?
  @Key("capital[]") var capitals: [String]?
  var translations: ToMany<Translation>
}

@Entity(identified: false) struct Translation {
  var language: String
  var official: String?
  @Relationship(inverse: \Country.translations) var country: ToOne<Country>?
}

@Entity struct Notice {
  var id: Int
  var picture: ToOne<Picture>?
  var concert: ToOne<Concert>?
}

@Entity struct Picture {
  var id: Int
  var url: String?
}

@Entity struct Concert {
  var id: Int
  var title: String?
}

func shapes() throws -> JSONMapping {
  var mapping = JSONMapping()
  try mapping.map(Country.self) { country in
    country.dictionary(\.translations, keys: \.language)
  }
  try mapping.map(Notice.self) { notice in
    notice.polymorphic("subject", \.picture, \.concert)
    notice.only(\.picture, .insert)
  }
  mapping.document.root = "pages[].items"
  return mapping
}

func importingCountries(_ mapping: JSONMapping) async throws -> Store {
  let store = try await Store(at: .memory, for: Country.self, Translation.self, Notice.self, mapping: mapping)
  try await store.import(
    #"""
    {"pages": [{"items": [
      {"code": "CH", "latlng": [47, 8], "capital": ["Bern"],
       "translations": {"deu": {"official": "Schweiz"}, "fra": {"official": "Suisse"}}}]}]}
    """#, as: Country.self)
  return store
}
