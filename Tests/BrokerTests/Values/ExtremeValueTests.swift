import Broker
import Foundation
import Testing

enum Size: Int, IdentityValue, CaseIterable {
  case small = -1
  case large = 9_000_000_000_000_000_000
}

enum Letter: String, IdentityValue {
  case a, b
}

struct Fragile: Codable, Sendable, Equatable {
  var number: Int
  var when: Date?
  var inner: [String: [Double]]?
}

@Entity struct Everything {
  @Identity var text: String
  @Identity var number: Int64
  @Identity var letter: Letter
  var decimal: Decimal?
  var date: Date?
  var double: Double?
  var float: Float?
  var data: Data?
  var url: URL?
  var uuid: UUID?
  var small: Int8?
  var wide: UInt32?
  var flag: Bool?
  var letterOrNot: Letter?
  var size: Size?
  var fragile: Fragile?
  var list: [Fragile]?
  @Relationship(inverse: nil) var other: ToOne<Everything>?
  @Relationship(inverse: nil) var others: ToMany<Everything>

  init(_ text: String, _ number: Int64 = 0, _ letter: Letter = .a) {
    self.text = text
    self.number = number
    self.letter = letter
    others = ToMany()
  }
}

/// The least and greatest values, and unusual ones.
@Suite struct ExtremeValueTests {
  static let texts = [
    "", " ", ",", "\\", "\\,", ",\\,", "a,b", "\"", "'", "''); DROP TABLE Everything; --", "\u{0}", "a\u{0}b",
    "\u{0}\u{0}",
    "é", "e\u{301}", "👨‍👩‍👧‍👦", "\u{301}", "\u{202E}x", "\u{FEFF}", "null", "NULL", "0", "1.0", "%", "_", "\n\r\t",
    String(repeating: "x", count: 30_000), "\u{10FFFF}", "İ", "ß",
  ]

  @Test func identitiesOfAnyText() async throws {
    let file = try TemporaryFile()
    let store = try await Store(
      at: .file(file.url), for: Everything.self, Label.self, tracksLocalChanges: true)
    var previous: Everything.ID?
    for text in Self.texts {
      for number in [0, Int64.min, Int64.max] {
        var one = Everything(text, number, .b)
        one.other = previous.map { ToOne(id: $0) }
        one.others = ToMany(ids: [one.id] + (previous.map { [$0] } ?? []))
        try await store.insert(one)
        previous = one.id
      }
      try await store.insert(Label(name: text, country: nil, bands: ToMany()))
    }
    // é and its decomposed form are the same string to Swift, and two objects to SQLite.
    #expect(try await store.count(Everything.all) == Self.texts.count * 3)
    previous = nil
    for text in Self.texts {
      #expect(try await store.find(Label.self, text).name.unicodeScalars.elementsEqual(text.unicodeScalars))
      #expect(try await store.find("Label", text).identity == text)
      #expect(try await store.exists("Label", text))
      for number in [0, Int64.min, Int64.max] {
        let id = Everything.ID(text: text, number: number, letter: .b)
        let one = try await store.find(Everything.self, id)
        #expect(one.text.unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(one.other?.id == previous)
        let others = try await store.fetch(one.others)
        #expect(Set(others.map(\.id)) == Set([id] + (previous.map { [$0] } ?? [])))
        #expect(try await store.fetch(Everything.filter(ids: [id])).count == 1)
        // By its text.
        let dynamic = try await store.fetch(
          ObjectQuery("Everything").filter(
            format: "text == %@ AND number == %lld", .init(text), .init(number)))
        let identity = try #require(
          dynamic.first { $0["text"]?.stringValue?.utf8.count == text.utf8.count }?.identity)
        let found = try await store.find("Everything", identity)
        #expect(found["number"]?.integerValue == number)
        #expect(found["text"]?.stringValue?.utf8.elementsEqual(text.utf8) == true)
        previous = id
      }
    }
    let changes = try await store.localChanges()
    #expect(changes.count == Self.texts.count * 4)
    let json = try await store.exportLocalChanges(changes)
    let parsed = try JSONSerialization.jsonObject(with: json) as? [[String: Any]]
    #expect(parsed?.count == changes.count)
    #expect(parsed?.allSatisfy { $0["object"] != nil } == true)
    try await store.confirm(changes)
    #expect(try await store.localChanges().isEmpty)
    // Exports come back the same.
    let exported = try await store.export(Everything.all)
    #expect(try await !store.import(exported, as: Everything.self).changesAnything)
    for text in Self.texts { try await store.delete(Label.self, text) }
    #expect(try await store.count(Label.all) == 0)
    try store.close()
  }

  @Test func valuesAtTheirEnds() async throws {
    let store = try await Store(at: .scratch, for: Everything.self)
    let decimals =
      [
        "0", "-0", "1e127", "-1e-128", "99999999999999999999999999999999999999",
        "0.12345678901234567890123456789012345678",
        "-12345678901234567890.1234567890123456789", "1e-10", "100",
      ].compactMap { Decimal(string: $0) } + [Decimal.greatestFiniteMagnitude, .leastNonzeroMagnitude]
    for decimal in decimals {
      var one = Everything("d")
      one.decimal = decimal
      #expect(try await store.save(one).decimal == decimal, "\(decimal)")
      #expect(
        try await store.count(try Everything.filter(format: "decimal == %@", .init(decimal))) == 1,
        "\(decimal)")
    }
    let dates: [Date] = [
      .distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -0.000_001),
      Date(timeIntervalSince1970: 253_402_300_799), Date(timeIntervalSince1970: 253_402_300_799.999_9),
      Date(timeIntervalSince1970: -62_135_596_800), Date(timeIntervalSince1970: 951_782_400),
    ]
    for date in dates {
      var one = Everything("t")
      one.date = date
      let saved = try await store.save(one).date
      #expect(abs((saved ?? .now).timeIntervalSince(date)) < 0.000_02, "\(date)")
      #expect(try await store.find("Everything", "t,0,a")["date"]?.dateValue == saved)
      if let saved {
        var again = one
        again.date = saved
        #expect(try await store.save(again).date == saved)
      }
    }
    let doubles: [Double] = [
      0, -0.0, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
      .leastNormalMagnitude,
      0.1 + 0.2, 9_007_199_254_740_994, 1e300, .pi,
    ]
    for double in doubles {
      var one = Everything("f")
      one.double = double
      one.float = Float(double).isFinite ? Float(double) : .greatestFiniteMagnitude
      let saved = try await store.save(one)
      #expect(saved.double == double)
      #expect(saved.float == one.float)
    }
    for bad in [Double.nan, .infinity, -.infinity, .signalingNaN] {
      var one = Everything("bad")
      one.double = bad
      await #expect(throws: SaveError.self) { try await store.save(one) }
      one.double = nil
      one.float = Float(bad)
      await #expect(throws: SaveError.self) { try await store.save(one) }
      one.float = nil
      one.date = Date(timeIntervalSinceReferenceDate: bad)
      await #expect(throws: SaveError.self) { try await store.save(one) }
      one.date = nil
      one.fragile = Fragile(number: 1, inner: ["x": [bad]])
      await #expect(throws: SaveError.self) { try await store.save(one) }
    }
    var one = Everything("bad")
    one.decimal = .nan
    await #expect(throws: SaveError.self) { try await store.save(one) }
    #expect(try await !store.exists(Everything.self, one.id))
  }

  @Test func otherKindsOfValues() async throws {
    let store = try await Store(at: .scratch, for: Everything.self)
    var one = Everything("x")
    one.data = Data()
    one.small = -128
    one.wide = .max
    one.size = .large
    one.letterOrNot = .b
    one.fragile = Fragile(
      number: .min, when: Date(timeIntervalSince1970: 0.5), inner: ["": [], "a\"\u{0}": [1e300]])
    one.list = []
    one.uuid = UUID()
    one.url = URL(string: "https://example.org/%C3%A9?q=a,b&'\"".replacingOccurrences(of: "\"", with: "%22"))
    one.flag = false
    let saved = try await store.save(one)
    #expect(saved.data == Data())
    #expect(saved.small == -128)
    #expect(saved.wide == .max)
    #expect(saved.size == .large)
    #expect(saved.letterOrNot == .b)
    #expect(saved.fragile == one.fragile)
    #expect(saved.list == [])
    #expect(saved.uuid == one.uuid)
    #expect(saved.url == one.url)
    #expect(saved.flag == false)
    let exported = try await store.export(saved)
    #expect(try await !store.import(exported, as: Everything.self).changesAnything)
    one.data = Data(repeating: 0, count: 2_000_000)
    #expect(try await store.save(one).data?.count == 2_000_000)
    let uuid = try #require(one.uuid)
    #expect(try await store.count(Everything.filter(#Predicate { $0.uuid == uuid })) == 1)
  }

  @Test func valuesThatTheTypeHasNot() async throws {
    let store = try await Store(at: .scratch, for: Everything.self)
    let report = try await store.import(
      #"""
      [{"text": "a", "number": 1, "letter": "z"}, {"text": "b", "number": 9223372036854775808, "letter": "a"},
       {"text": "c", "number": 1, "letter": "a", "letterOrNot": "q", "size": 5, "small": 128, "wide": -1,
        "fragile": {"number": "x"}, "list": [{"number": 1}, {"nomber": 2}]}]
      """#, as: Everything.self)
    #expect(report.inserted == ["Everything": 1])
    #expect(report.skipped == ["Everything": 2])
    #expect(report.issues.count == 8)
    #expect(try await store.fetch(Everything.all).map(\.text) == ["c"])
    // By name, what the type has not is refused, too.
    await #expect(throws: SaveError.self) {
      try await store.save(Object("Everything", ["text": "n", "number": 1, "letter": "z"]))
    }
    await #expect(throws: SaveError.self) {
      try await store.save(Object("Everything", ["text": "n", "number": 1, "letter": "a", "small": 128]))
    }
    await #expect(throws: SaveError.self) {
      try await store.save(
        Object("Everything", ["text": "n", "number": 1, "letter": "a", "fragile": .json(.string("x"))]))
    }
    for value in [Object.Value.double(.nan), .double(.infinity), .decimal(.nan), .integer(3), .links([])] {
      await #expect(throws: SaveError.self) {
        try await store.save(
          Object("Everything", ["text": "n", "number": 1, "letter": "a", "decimal": value, "date": value]))
      }
    }
    await #expect(throws: ObjectNotFound.self) { try await store.find("Everything", "n,x,a") }
    #expect(try await !store.exists("Everything", "n,1,a"))
  }
}
