import Broker
import Foundation
import Testing

enum Currency: String, CaseIterable {
  case euro = "EUR"
  case yen = "JPY"
}

enum Rank: Int, Codable {
  case low = 1
  case high = 2
}

@Entity struct Money: Hashable, Codable {
  @Identity var currency: Currency
  var name: String?
  var prices: ToMany<Price>
}

extension Currency: Codable {}

@Entity struct Price {
  @Identity var rank: Rank
  @Identity var currency: Currency
  var amount: Int
  var money: ToOne<Money>
}

/// Enumerations identify objects by their raw values; nothing is to be said for that.
@Suite struct EnumIdentityTests {
  private func filled() async throws -> Store {
    let store = try await Store(at: .scratch, for: Money.self)
    try await store.write { transaction in
      try transaction.import(
        #"[{"currency": "EUR", "name": "Euro"}, {"currency": "JPY", "name": "Yen"}]"#, as: Money.self)
      try transaction.import(
        #"[{"rank": 2, "currency": "JPY", "amount": 9, "money": "JPY"}, {"rank": 1, "currency": "EUR", "amount": 3, "money": "EUR"}]"#,
        as: Price.self)
    }
    return store
  }

  @Test func findingAndSaving() async throws {
    let store = try await filled()
    var yen = try await store.find(Money.self, .yen)
    #expect(yen.id == .yen && yen.name == "Yen")
    yen.name = "Japanese yen"
    try await store.save(yen)
    #expect(try await store.fetch(Money.filter(ids: [.yen])).map(\.name) == ["Japanese yen"])
    #expect(try await store.find(Price.self, Price.ID(rank: .high, currency: .yen)).money.id == .yen)
  }

  @Test func links() async throws {
    let store = try await filled()
    let prices = try await store.fetch(Price.all.sorted(by: \.amount).prefetching(\.money))
    #expect(prices.map(\.money.name) == ["Euro", "Yen"])
    let yen = Currency.yen
    #expect(try await store.count(Price.filter(#Predicate { $0.money.id == yen })) == 1)
    #expect(try await store.count(Money.filter(#Predicate { $0.currency == yen })) == 1)
    var euro = try await store.find(Money.self, .euro)
    euro.prices.insert(id: Price.ID(rank: .high, currency: .yen))
    try await store.save(euro)
    #expect(try await store.count(Price.filter(#Predicate { $0.money.id == yen })) == 0)
  }

  @Test func coding() throws {
    let text = String(decoding: try JSONEncoder().encode([ToOne<Money>(id: .yen)]), as: UTF8.self)
    #expect(text == #"["JPY"]"#)
    let back = try JSONDecoder().decode([ToOne<Money>].self, from: Data(text.utf8))
    #expect(back == [ToOne(id: .yen)])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ToOne<Money>.self, from: Data(#""XYZ""#.utf8))
    }
  }

  @Test("members of a required relationship take no question mark")
  func requiredLinks() async throws {
    let store = try await filled()
    #expect(try await store.count(Price.filter(#Predicate { $0.money.name == "Yen" })) == 1)
    #expect(try await store.count(Price.filter(#Predicate { $0.money.name != nil && $0.amount > 5 })) == 1)
  }
}
