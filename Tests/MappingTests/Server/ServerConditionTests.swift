#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore
  import Testing

  /// The server finds what SQLite finds, by all kinds of conditions and in all kinds of places.
  @Suite(.enabled(if: PostgreSQLServer.isWanted)) struct ServerConditionTests {
    private static let notation = """
      Band
        name: string! | broker.identity=true
        formed: integer16
        disbanded: integer16
        isActive: boolean
        rating: double
        price: decimal
        founded: date
        key: uuid
        site: uri
        logo: binary
        visits: integer64
        facts: transformable
        motto: string
        home: Place
        parent: Band <- offshoots
        offshoots: [Band] <- parent
        albums: [Album] <- band
        tags: [Tag] <- bands
        likes: [Band] <- likes
        members: [Member] | ordered
        rider: Rider <- band
        thing: Thing
        photo: Photo
        photos: [Photo]
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
      Thing
        what: string
      Photo : Thing | identityAttributes=number
        number: integer64
      """

    private static let bands = """
      [
        {"name": "Japan", "formed": 1974, "disbanded": 1991, "isActive": false, "rating": 4.5, "price": "12.10",
         "founded": "1974-05-01T10:00:00+02:00", "key": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "visits": 3,
         "site": "https://japan.example/a", "logo": "AQI=", "motto": "Tin Drum", "likes": ["Talk Talk", "x"],
         "facts": {"a": 1, "list": [1, 2, 2.5, "2", null], "name": "Japan", "flag": true, "number": 2.5,
          "when": "2021-05-01", "items": [{"n": 2, "s": "x"}, {"n": 1}]},
         "home": {"x": 1, "city": "London", "country": "UK"}, "tags": [{"id": 1, "word": "art"}, {"id": 2}],
         "members": [{"name": "Mick", "age": 60}, {"name": "David", "age": 66}], "rider": {"id": 1, "text": "x"},
         "thing": {"what": "x"}, "photo": {"number": 5, "what": "a"}, "photos": [{"number": 5}, {"number": 7}],
         "albums": [{"id": 1, "title": "Tin Drum", "year": 1981, "label": "Virgin", "price": "0.1", "score": 0.5},
          {"id": 2, "title": "Quiet Life", "year": 1979, "price": "2.9", "score": 1, "home": {"x": 1, "city": "x"}}]},
        {"name": "Talk Talk", "formed": 1981, "disbanded": 1981, "isActive": true, "rating": 3, "price": 9.99,
         "founded": "1981-01-01", "motto": "É a*", "visits": 9007199254740993, "parent": "Japan",
         "facts": [1, 2, "x"], "home": {"x": 2, "city": "London", "country": "UK"}, "tags": [{"id": 2}],
         "albums": [{"id": 3, "title": "Ágætis", "year": 1988, "label": "VIRGIN", "price": "2"}, {"id": 7}],
         "photos": [{"number": 9, "what": "ab"}], "photo": 7},
        {"name": "Rain Tree Crow", "parent": "Talk Talk", "motto": "", "price": "-3", "facts": "x", "visits": 0},
        {"name": "tin drum", "formed": 1974, "rating": 1974, "parent": "Nobody", "motto": "tin drum", "photo": 99,
         "home": {"x": 7, "city": "Nowhere"}, "likes": ["tin drum"], "facts": {"a": {"b": "Xyz"}, "d": -1},
         "visits": -9223372036854775808, "price": 1974}
      ]
      """

    private static let stores = Result {
      try ServerStores(notation) { try $0.load(bands, as: "Band") }
    }

    private static let conditions = [
      "formed > 1970", "formed != disbanded", "formed == nil", "formed != nil",
      "formed BETWEEN {1970, 1980}", "formed IN {1974, nil, 1.5}", "isActive == TRUE", "rating != 4",
      "rating < formed", "price > 1.5", "price == rating", "price IN {1, 2}", "founded < '1981-01-01'",
      "founded BEGINSWITH '1981'", "key == '6BA7B810-9DAD-11D1-80B4-00C04FD430C8'", "name == key",
      "site CONTAINS 'a'", "logo == 'AQI='", "facts == '1'", "facts.a == 1", "facts.a.b BEGINSWITH[c] 'x'",
      "facts CONTAINS 'x'", "ANY facts == 2", "ALL facts > 2", "facts.@count > 1",
      "SUBQUERY(facts, $f, $f.x == 1 AND $f.y != nil).@count > 0", "facts.a < facts.b",
      "facts.d > CAST(0, 'NSDate')", "motto BEGINSWITH 'Ti'", "motto BEGINSWITH[cd] 'Ti'",
      "motto ENDSWITH 'x'", "motto CONTAINS[c] 'É'", "motto LIKE 'T*n'", "motto LIKE[cd] '*?a'",
      "motto MATCHES '[a-z]+'", "motto == name", "motto ==[c] name", "motto <[d] 'x'", "'a' < motto",
      "home.country == 'UK'", "home == '1,London'", "home == nil", "parent == 'Japan'",
      "parent != 'Japan'", "parent == nil", "parent.parent.name != 'x'", "parent.formed > 1970",
      "parent.home.country == nil", "rider.text == 'x'", "rider == 1", "rider == nil", "SELF == 'Japan'",
      "thing == 'x'", "thing.what == 'x'", "albums.@count > 0", "albums.@count == 2",
      "albums.@max.year > 1980", "albums.@sum.price > 1.5", "albums.@avg.price == 2",
      "albums.@avg.score > 1", "albums.@min.title < 'x'", "ANY albums.year > 1980",
      "ALL albums.year > formed", "NONE albums.label == 'Virgin'", "'Virgin' IN albums.label",
      "albums.label CONTAINS 'Virgin'", "ANY albums == 7", "7 IN albums",
      "ANY albums.home.country == 'UK'", "ANY offshoots.albums.year > 1980", "ANY tags.word == 'art'",
      "tags.@count > 1", "ANY likes.likes.name == 'x'", "ANY members.age > 60", "ANY albums.home == '1,x'",
      "SUBQUERY(albums, $a, $a.year > 1980 AND $a.label == 'Virgin').@count > 1",
      "SUBQUERY(albums, $a, $a.year - formed > 6).@count > 0",
      "SUBQUERY(offshoots.parent, $p, $p.formed == nil).@count > 0",
      "SUBQUERY(tags, $t, ANY $t.bands.name == 'x').@count == 0", "formed + 1 > disbanded",
      "rating * 2 / 3 > 1", "-formed < 0", "formed - disbanded == 0 - 1", "founded > NOW()",
      "TRUEPREDICATE", "1 == 1", "'a' < 'b'", "visits + 1 > 5", "visits * visits == 9",
      "visits / 0 == nil", "visits == rating", "visits > rating", "rating / 0 == nil", "rating - 1.5 > 2",
      "visits == 9007199254740993", "visits + 9223372036854775807 > 0", "formed / disbanded == 0",
      "price == formed", "price CONTAINS '.1'", "formed CONTAINS '97'", "key BEGINSWITH '6BA'",
      "founded == '1974-05-01T08:00:00.0000001Z'", "founded < '1974-05-01T08:00:00.0000001Z'",
      "founded >= '1974-05-01T08:00:00.0000001Z'",
      "founded > CAST(CAST(NOW(), 'NSNumber') - 86400, 'NSDate')", "thing.number == 5", "thing != nil",
      "ANY photos == 7", "photos.@count > 1", "photo == 5", "photo != 7", "photo == nil",
      "ANY photos.what BEGINSWITH 'a'", "photo.what == 'a'", "motto BEGINSWITH ''", "motto CONTAINS[d] ''",
      "name LIKE[c] motto", "motto MATCHES name", "facts.list CONTAINS 2", "ANY facts.list > 1",
      "facts.name CONTAINS[c] 'AP'", "SUBQUERY(facts.items, $i, $i.n > 1 AND $i.s == 'x').@count == 1",
      "facts.when > '2020-01-01'", "facts.flag == TRUE", "facts.items.@count == 2", "facts.name == motto",
      "facts.number IN {1, 2.5}", "facts == nil", "facts.list == nil",
      // Whole numbers beyond 64 bits are reals.
      "visits - 1 < 0", "visits - 1 == -9223372036854775808", "visits - 1024 == -9223372036854775808",
      "visits - 1025 < -9223372036854775808", "visits + visits < visits", "0 - visits > 5", "-visits > 0",
      "-visits == 9223372036854775808", "-visits >= 9223372036854775807", "visits / -1 > 0",
      "visits / -1 == 9223372036854775808", "visits / visits == 1",
      "visits * 9223372036854775807 > 1", "visits * visits > 9223372036854775807",
      "visits * visits IN {9, 0}",
      "visits - 1 BETWEEN {0, 5}", "(visits + 1) * 2 > 5", "visits + 1 > rating",
      "visits + 1 != formed", "visits - 1 > price", "visits + 1 == nil", "visits - formed < visits",
      "ANY albums.sales + 1 > 0", "visits + 1 CONTAINS '4'",
    ]

    @Test(arguments: conditions.indices)
    func findTheSame(_ index: Int) throws {
      let stores = try Self.stores.get()
      let (one, other) = (Self.conditions[index], Self.conditions[(index * 37 + 11) % Self.conditions.count])
      let formats = [
        one, "NOT (\(one))", "(\(one)) OR (\(other))", "(\(one)) AND NOT (\(other))",
        "NOT ((\(one)) OR NOT (\(other)))",
      ]
      for format in formats {
        for isPointLookup in [false, true] {
          var query = Query("Band")
          query.isPointLookup = isPointLookup
          query.predicate = try ObjectPredicate(format: format)
          let (expected, found) = stores.answers(query, [.key])
          #expect(found == expected, "\(format)")
        }
      }
    }
  }
#endif
