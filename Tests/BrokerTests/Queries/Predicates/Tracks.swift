import Broker
import Foundation

enum Mood: String, Codable, CaseIterable {
  case calm, wild, odd
}

/// Not `CaseIterable`, so nobody can list its raw values.
enum Grade: Int, Codable {
  case low = 1
  case high = 9
}

@Entity struct Track {
  @Identity var title: String
  var subtitle: String?
  var plays: Int
  var position: Int?
  var level: Int16
  var length: Double
  var gain: Double?
  var pitch: Float
  var price: Decimal?
  var released: Date?
  var code: UUID?
  var page: URL?
  var cover: Data?
  var isLive: Bool
  var isRemix: Bool?
  var mood: Mood?
  var grade: Grade
  var words: [String]?
  var artist: ToOne<Artist>
  @Relationship(inverse: nil) var original: ToOne<Track>?
  var fans: ToMany<Fan>
}

@Entity struct Artist {
  @Identity var name: String
  var founded: Int?
  var tracks: ToMany<Track>
  var home: ToOne<Place>?
}

@Entity struct Fan {
  var id: Int
  var nick: String?
  var age: Int
  var tracks: ToMany<Track>
  @Relationship(inverse: nil) var friend: ToOne<Fan>?
  var home: ToOne<Place>?
}

/// What `@Entity` would write, with an identity that can be coded, so that predicates can bring it along.
struct Place: Storable {
  struct ID: IdentityValue, Codable {
    var country: String
    var number: Int

    init(country: String, number: Int) {
      self.country = country
      self.number = number
    }

    init(from parts: inout IdentityDecoder) throws {
      country = try parts.next()
      number = try parts.next()
    }

    func encode(to parts: inout IdentityEncoder) {
      parts.append(country)
      parts.append(number)
    }
  }

  var country: String
  var number: Int
  var height: Int?
  var id: ID { ID(country: country, number: number) }

  init(country: String, number: Int, height: Int?) {
    self.country = country
    self.number = number
    self.height = height
  }

  static let properties = Properties<Place>(
    "Place",
    .attribute("country", \.country, .identity),
    .attribute("number", \.number, .identity),
    .attribute("height", \.height))

  init(row: borrowing ObjectRow) throws {
    country = try row.value(0)
    number = try row.value(1)
    height = try row.value(2)
  }
}

@Entity struct Single {
  @Inherited var track: Track
  var chart: Int?
}
