import Broker
import Foundation
import TestSettings

/// A store with unusual objects: nil wherever it is allowed, empty texts, numbers at the limits of their
/// types, many links and none, pending references.
enum TrackStore {
  /// The store of all tests that only read.
  static let shared = Task { try await open() }

  static func open() async throws -> Store {
    let store = try await Store(at: .scratch, for: Track.self, Single.self)
    try await store.write { transaction in
      for place in places { try transaction.save(place) }
      for artist in artists { try transaction.save(artist) }
      for fan in fans { try transaction.save(fan) }
      for track in tracks() { try transaction.save(track) }
      try transaction.save(Single(track: odd, chart: 3))
    }
    return store
  }

  /// All tracks, with everything that predicates ask for.
  static let everything = Track.all
    .prefetching(\.artist) { $0.prefetching(\.home).prefetching(\.tracks) { $0.prefetching(\.fans) } }
    .prefetching(\.original) { original in
      original.prefetching(\.artist) { $0.prefetching(\.home).prefetching(\.tracks) }
        .prefetching(\.fans).prefetching(\.original)
    }
    .prefetching(\.fans) { fan in
      fan.prefetching(\.friend) { $0.prefetching(\.home) }.prefetching(\.home).prefetching(\.tracks)
    }

  static let places = [
    Place(country: "UK", number: 1, height: nil), Place(country: "UK", number: 2, height: 10),
    Place(country: "", number: 1, height: -5),
  ]

  static let artists = [
    Artist(name: "Kate", founded: 1978, tracks: ToMany(), home: ToOne(id: places[0].id)),
    Artist(name: "kate", founded: nil, tracks: ToMany(), home: ToOne(id: places[1].id)),
    // Its place is a pending reference.
    Artist(
      name: "Sigur Rós", founded: 1994, tracks: ToMany(), home: ToOne(id: Place.ID(country: "IS", number: 1))),
    Artist(name: "", founded: Int.max, tracks: ToMany(), home: nil),
    // It has no tracks.
    Artist(name: "None", founded: 0, tracks: ToMany(), home: ToOne(id: places[2].id)),
  ]

  static let fans = [
    Fan(id: 1, nick: "Ann", age: 20, tracks: ToMany(), friend: ToOne(id: 2), home: ToOne(id: places[0].id)),
    Fan(id: 2, nick: nil, age: 35, tracks: ToMany(), friend: ToOne(id: 1), home: nil),
    Fan(id: 3, nick: "", age: -1, tracks: ToMany(), friend: nil, home: ToOne(id: places[1].id)),
    Fan(id: 4, nick: "Zoë", age: 64, tracks: ToMany(), friend: ToOne(id: 99), home: nil),
    Fan(id: Int.min, nick: "O'Hara \"%_", age: 20, tracks: ToMany(), friend: ToOne(id: 3), home: nil),
  ]

  static let code = UUID(uuidString: "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE")
  static let day = Date(timeIntervalSinceReferenceDate: 0)

  private static let odd = track("Odd", "Kate", plays: 7)

  private static func track(_ title: String, _ artist: String, plays: Int = 0) -> Track {
    Track(
      title: title, subtitle: nil, plays: plays, position: nil, level: 0, length: 0, gain: nil, pitch: 0,
      price: nil,
      released: nil, code: nil, page: nil, cover: nil, isLive: false, isRemix: nil, mood: nil, grade: .low,
      words: nil, artist: ToOne(id: artist), original: nil, fans: [])
  }

  private static func tracks() -> [Track] {
    var tracks = [track("", ""), track("Unknown", "Nobody yet")]
    var wuthering = track("Wuthering Heights", "Kate", plays: 1000)
    wuthering.subtitle = "Single"
    wuthering.position = 6
    wuthering.length = 268.5
    wuthering.gain = -1.5
    wuthering.pitch = 0.1
    wuthering.price = Decimal(string: "0.99")
    wuthering.released = day
    wuthering.code = code
    wuthering.page = URL(string: "https://example.org/w")
    wuthering.cover = Data([0, 1, 255])
    wuthering.isRemix = false
    wuthering.mood = .wild
    wuthering.words = ["out", "wiley"]
    wuthering.fans = ToMany(ids: [1, 2, 3])
    tracks.append(wuthering)
    var remix = track("Wuthering Heights (New Vocal)", "Kate", plays: -3)
    remix.subtitle = ""
    remix.position = 0
    remix.isRemix = true
    remix.original = ToOne(id: "Wuthering Heights")
    remix.price = Decimal(string: "-12345678901234567890.123456789")
    remix.released = day.addingTimeInterval(-0.000_001)
    remix.fans = ToMany(ids: [2])
    tracks.append(remix)
    tracks += generated()
    return tracks
  }

  private static func generated() -> [Track] {
    var random = Seeded(state: 42)
    let texts = ["a", "A", "äöü", "👨‍👩‍👧‍👦 family", "straße", "日本", "%_'\"\\", "a\nb", "Z", "zebra", " "]
    return (0..<60).map { number in
      var track = track(
        "\(texts[number % texts.count]) \(number)", random.pick(["Kate", "kate", "", "Sigur Rós", "?"]))
      track.plays = random.pick([0, 1, -1, 7, 1000, Int.max, Int.min, 1 << 53, 1 << 53 + 1])
      track.subtitle = random.maybe(texts)
      track.position = random.maybe([0, 1, -1, 2, 6, 100])
      track.level = random.pick([0, 1, -1, Int16.max, Int16.min])
      track.length = random.pick([0, 0.1, 1, 2.5, -2.5, 1e300, Double.leastNonzeroMagnitude])
      track.gain = random.maybe([0, -1.5, 0.1 + 0.2, 1e10])
      track.pitch = random.pick([0, 0.1, 16_777_216, -1.5])
      track.price = random.maybe(
        ["0", "0.99", "-1", "1000000000000000000000.01", "10"].map { Decimal(string: $0) ?? 0 })
      track.released = random.maybe([0, 0.5, 0.123_456, 1e9, -2e10].map { day.addingTimeInterval($0) })
      track.code = random.maybe([
        code ?? UUID(), UUID(uuidString: "00000000-0000-0000-0000-000000000000") ?? UUID(),
      ])
      track.page = random.maybe(["https://example.org/w", "mailto:a@b"].compactMap { URL(string: $0) })
      track.cover = random.maybe([Data(), Data([0]), Data([0, 1, 255])])
      track.isLive = random.pick([true, false])
      track.isRemix = random.maybe([true, false])
      track.mood = random.maybe(Mood.allCases)
      track.grade = random.pick([.low, .high])
      track.words = random.maybe([[], ["a"], ["out", "wiley"]])
      track.original = random.maybe(["Odd", "Wuthering Heights", "", "Lost", "a 0", "A 1"]).map {
        ToOne(id: $0)
      }
      track.fans = ToMany(ids: random.some([1, 2, 3, 4, Int.min, 77]))
      return track
    }
  }
}

extension Seeded {
  mutating func maybe<Value>(_ values: [Value]) -> Value? { below(3) == 0 ? nil : pick(values) }

  mutating func some<Value>(_ values: [Value]) -> [Value] { values.filter { _ in below(3) == 0 } }
}
