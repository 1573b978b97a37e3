import Mapping
import ObjectModel
import ObjectStore

/// Bands and their albums, with every type, every kind of relationship, nulls, and references to what is not
/// there: the band Nobody, the place Nowhere.
enum BandCollection {
  static let notation = """
    Band
      name: string! | broker.identity=true
      formed: integer16
      disbanded: integer16
      isActive: boolean
      rating: double
      price: decimal
      worth: decimal
      founded: date
      key: uuid
      site: uri
      logo: binary
      facts: transformable
      motto: string
      in: string
      home: Place
      parent: Band <- offshoots
      offshoots: [Band] <- parent
      albums: [Album] <- band
      tags: [Tag] <- bands
      likes: [Band] <- likes
      members: [Member] | ordered
      rider: Rider <- band
    Album
      id: integer64
      title: string
      year: integer16
      label: string
      sales: integer64
      price: decimal
      score: double
      band: Band <- albums
      home: Place
    Single : Album
      bSide: string
      hits: [Tag]
    Place | identityAttributes=x,city
      x: integer16
      city: string
      country: string
    Tag
      id: integer64
      word: string
      bands: [Band] <- tags
    Member
      name: string
      age: integer16
    Rider
      id: integer64
      text: string
      band: Band! <- rider
    """

  static let bands = """
    [
      {"name": "Japan", "formed": 1974, "disbanded": 1991, "isActive": false, "rating": 4.5, "price": "12.10",
       "worth": "123456789012345678901234567890.5", "founded": "1974-05-01T10:00:00+02:00",
       "key": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "site": "https://japan.example/", "logo": "AQI=",
       "facts": {"a": 1}, "motto": "Tin Drum", "in": "x", "home": {"x": 1, "city": "London", "country": "UK"},
       "likes": ["Talk Talk"], "tags": [{"id": 1, "word": "art"}, {"id": 2, "word": "pop"}],
       "members": [{"name": "Mick", "age": 60}, {"name": "David", "age": 66}],
       "rider": {"id": 1, "text": "tea"}},
      {"name": "Talk Talk", "formed": 1981, "disbanded": 1981, "isActive": false, "rating": 4, "price": 9.99,
       "worth": "123456789012345678901234567890.4", "founded": "1981-01-01",
       "home": {"x": 2, "city": "London", "country": "UK"}, "tags": [{"id": 2}], "members": [{"name": "Mark"}]},
      {"name": "Rain Tree Crow", "formed": null, "disbanded": null, "parent": "Japan", "motto": "",
       "price": "-3"},
      {"name": "Sigur Rós", "formed": 1994, "isActive": true, "rating": 3.5, "price": "100", "worth": "-1.5",
       "founded": "1994-01-04 12:30:00.5Z", "motto": "Ágætis byrjun", "home": {"x": 1, "city": "Reykjavík", "country": "IS"},
       "tags": [{"id": 3, "word": null}], "site": "http://sigurros.example/straße"},
      {"name": "Motörhead", "formed": 1975, "disbanded": 2015, "isActive": true, "parent": "Nobody",
       "motto": "50% *loud*, 'why?'\\n", "likes": ["Motörhead"], "home": {"x": 7, "city": "Nowhere"}}
    ]
    """

  static let albums = """
    [
      {"id": 1, "title": "Quiet Life", "year": 1979, "label": "Hansa", "sales": 9007199254740993, "band": "Japan",
       "price": "0.1", "score": 0.5},
      {"id": 2, "title": "Tin Drum", "year": 1981, "label": "Virgin", "sales": 9007199254740992, "band": "Japan",
       "price": "0.25", "score": 0.25},
      {"id": 3, "title": "Spirit of Eden", "year": 1988, "label": "Parlophone", "sales": 5, "band": "Talk Talk",
       "price": "10", "score": 10},
      {"id": 4, "title": "Laughing Stock", "year": 1991, "label": "Verve", "sales": 7, "band": "Talk Talk",
       "price": "9"},
      {"id": 5, "title": "Ágætis byrjun", "year": 1999, "label": null, "band": "Sigur Rós"},
      {"id": 6, "title": "Lost", "year": null, "label": "VIRGIN"},
      {"id": 7, "title": "Waiting", "year": 1981, "label": "virgin", "band": "Somebody"}
    ]
    """

  static let singles = """
    [{"id": 8, "title": "Ghosts", "year": 1982, "label": "Virgin", "band": "Japan", "bSide": "The Art of Parties",
      "hits": [{"id": 1}, {"id": 3}]}]
    """

  /// One store for all tests, which only read it.
  static func fixture() throws -> Fixture {
    let (store, twin) = try stores.get()
    return Fixture(store: store, twin: twin)
  }

  private static let stores = Result {
    let fixture = try Fixture(notation)
    try fixture.load(bands, as: "Band")
    try fixture.load(albums, as: "Album")
    try fixture.load(singles, as: "Single")
    return (fixture.store, fixture.twin)
  }
}

extension Fixture {
  /// The identities of the objects that fulfil a predicate, in the order of their keys. Asking how many there
  /// are must agree.
  func found(
    _ entity: String, _ format: String, _ arguments: [PredicateArgument] = []
  ) throws -> [String] {
    try found(entity, ObjectPredicate(format: format, arguments))
  }

  func found(_ entity: String, _ predicate: ObjectPredicate) throws -> [String] {
    var query = Query(entity)
    query.predicate = predicate
    let found = try Self.keys(query, store.backend)
    if let twin {
      try Twin.compare("\(found)", "\(Self.keys(query, twin))", "what \(predicate) finds")
    }
    return found
  }

  private static func keys(_ query: Query, _ store: any StoreEngine) throws -> [String] {
    try store.read { transaction in
      let objects = try transaction.cursor(query, [.key], isOrdered: true)
      var found: [String] = []
      while try objects.step() { found.append(KeyText.ofColumns(0..<objects.columnCount, objects)) }
      guard try transaction.count(query) == found.count else { throw CountDiffers() }
      return found
    }
  }

  struct CountDiffers: Error {}
}
