import Broker
import Foundation
import Testing

@Entity struct Shelf: Hashable, Codable {
  @Identity var name: String
  var colour: String?
  var owner: ToOne<Reader>?
  var books: ToMany<Novel>
  var slips: ToMany<Slip>
}

@Entity struct Novel: Hashable, Codable {
  @Identity var series: String
  @Identity var number: Int
  var shelf: ToOne<Shelf>?
  var pages: Int?
}

/// Neither `Hashable` nor `Codable`.
@Entity struct Reader {
  var id: UUID
  var shelves: ToMany<Shelf>
}

@Entity(identified: false) struct Slip: Hashable, Codable {
  var text: String
  var shelf: ToOne<Shelf>?
}

/// Entities as values: compared, hashed, and coded.
@Suite struct ValueSemanticsTests {
  private static let ada = UUID(uuidString: "7AB0E1A4-3B07-4F6B-9A0D-1F1D2C3B4A59") ?? UUID()

  private func filled() async throws -> Store {
    let store = try await Store(at: .scratch, for: Shelf.self)
    try await store.write { transaction in
      try transaction.import(
        """
        {"shelves": [{"name": "red", "colour": "red", "owner": {"id": "\(Self.ada.uuidString)"},
          "books": [{"series": "A", "number": 1, "pages": 10}, {"series": "A", "number": 2, "pages": 20}],
          "slips": [{"text": "x"}]}, {"name": "blue", "books": [{"series": "B", "number": 1, "pages": 5}]}]}
        """)
    }
    return store
  }

  private func shelf(_ store: Store, prefetched: Bool) async throws -> Shelf {
    let query = Shelf.filter(ids: ["red"])
    let wanted =
      prefetched ? query.prefetching(\.books).prefetching(\.slips).prefetching(\.owner) : query
    return try #require(try await store.first(wanted))
  }

  // MARK: - Equality

  @Test func readInTheSameWayTheyAreEqual() async throws {
    let store = try await filled()
    let plain = try await shelf(store, prefetched: false)
    let whole = try await shelf(store, prefetched: true)
    #expect(try await shelf(store, prefetched: false) == plain)
    #expect(try await shelf(store, prefetched: true) == whole)
    #expect(plain != whole, "a list that is known is not one that is not")
    #expect(plain.owner == whole.owner, "a link is the same, fetched along or not")
    #expect(Set([plain, whole, plain]).count == 2)
  }

  @Test func pendingChangesCount() async throws {
    let store = try await filled()
    let whole = try await shelf(store, prefetched: true)
    var edited = whole
    edited.books.insert(id: Novel.ID(series: "C", number: 1))
    #expect(edited != whole)
    edited.books.remove(id: Novel.ID(series: "C", number: 1))
    #expect(edited == whole, "what was undone is no change")
    edited.books = ToMany(whole.books.objects ?? [])
    #expect(edited == whole && edited.hashValue == whole.hashValue, "the same list, set as a whole")
    let plain = try await shelf(store, prefetched: false)
    var other = plain
    other.books.remove(id: Novel.ID(series: "A", number: 1))
    #expect(other != plain)
    #expect(Shelf(name: "red", books: [], slips: []) != Shelf(name: "red", books: ToMany(), slips: []))
  }

  @Test func linksAreComparedAndNotWhatTheyLeadTo() async throws {
    let store = try await filled()
    let before = try await shelf(store, prefetched: true)
    try await store.write { try $0.import(#"[{"series": "A", "number": 1, "pages": 11}]"#, as: Novel.self) }
    let after = try await shelf(store, prefetched: true)
    #expect(before == after)
    #expect(before.books.objects != after.books.objects)
    try await store.write {
      try $0.import(#"[{"series": "A", "number": 3, "shelf": "red"}]"#, as: Novel.self)
    }
    #expect(try await shelf(store, prefetched: true) != after)
  }

  @Test func newPartsAreWhatTheyHold() {
    let list: ToMany<Slip> = [Slip(text: "a"), Slip(text: "b")]
    #expect(list == [Slip(text: "a"), Slip(text: "b")])
    #expect(list != [Slip(text: "a"), Slip(text: "c")])
    #expect(ToOne(Slip(text: "a")) != ToOne(Slip(text: "b")))
  }

  @Test func differences() async throws {
    let store = try await filled()
    let query = Shelf.sorted(by: \.name).prefetching(\.books)
    let before = try await store.fetch(query)
    try await store.write {
      try $0.import(#"[{"name": "blue", "books": []}, {"name": "green", "colour": "green"}]"#, as: Shelf.self)
    }
    let difference = try await store.fetch(query).difference(from: before)
    #expect(difference.removals.count == 1 && difference.insertions.count == 2)
  }

  // MARK: - Coding

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("a list that was not fetched is left out, a link is an identity")
  func unloaded() async throws {
    let plain = try await shelf(try await filled(), prefetched: false)
    let text = try json(plain)
    #expect(text == #"{"colour":"red","name":"red","owner":"\#(Self.ada.uuidString)"}"#)
    #expect(try JSONDecoder().decode(Shelf.self, from: Data(text.utf8)) == plain)
  }

  @Test("what was fetched along is nested, if it can be coded")
  func loaded() async throws {
    let whole = try await shelf(try await filled(), prefetched: true)
    let text = try json(whole)
    #expect(
      text == #"""
        {"books":[{"number":1,"pages":10,"series":"A","shelf":"red"},{"number":2,"pages":20,"series":"A","shelf":"red"}],\#
        "colour":"red","name":"red","owner":"\#(Self.ada.uuidString)",\#
        "slips":[{"id":1,"shelf":"red","text":"x"}]}
        """#)
    let back = try JSONDecoder().decode(Shelf.self, from: Data(text.utf8))
    #expect(back == whole && back.books.objects == whole.books.objects)
  }

  @Test("what is decoded is saved as it says")
  func savingWhatWasDecoded() async throws {
    let store = try await filled()
    let decoder = JSONDecoder()
    let named = #"{"name": "red", "books": [["B", 1], ["A", 2]], "slips": [{"text": "new"}]}"#
    try await store.save(try decoder.decode(Shelf.self, from: Data(named.utf8)))
    let saved = try await shelf(store, prefetched: true)
    #expect(
      Set(saved.books.map(\.id)) == [Novel.ID(series: "B", number: 1), Novel.ID(series: "A", number: 2)])
    #expect(saved.slips.map(\.text) == ["new"])
    try await store.save(try decoder.decode(Shelf.self, from: Data(#"{"name": "red", "books": null}"#.utf8)))
    #expect(try await shelf(store, prefetched: true).books == saved.books, "what is not said stays")
  }

  @Test func changesAreCoded() async throws {
    var plain = try await shelf(try await filled(), prefetched: false)
    plain.books.insert(id: Novel.ID(series: "C", number: 1))
    plain.books.remove(id: Novel.ID(series: "A", number: 1))
    let text = try json(plain)
    #expect(text.contains(#""books":{"added":[["C",1]],"removed":[["A",1]]}"#))
    #expect(try JSONDecoder().decode(Shelf.self, from: Data(text.utf8)) == plain)
  }

  @Test("what is no identity and cannot be decoded says so")
  func wrongJSON() {
    for text in [
      #"{"name": "a", "owner": {"id": 1}}"#, #"{"name": "a", "books": [[1]]}"#, #"{"name": "a", "books": 1}"#,
    ] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Shelf.self, from: Data(text.utf8)) }
    }
  }

  @Test func aNavigationPath() async throws {
    let store = try await filled()
    let path: [AnyHashable] = try await store.fetch(Novel.sorted(by: \.number)).map { AnyHashable($0) }
    let last = try #require(path.last)
    #expect(Set(path).count == 3 && path.contains(last))
  }
}
