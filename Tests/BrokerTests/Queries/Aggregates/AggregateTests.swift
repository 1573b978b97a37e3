import Broker
import Foundation
import TestSettings
import Testing

@Entity private struct Sale {
  var id: Int
  var price: Decimal?
  var pieces: Int
  var weight: Double?
  var sold: Date?
  var town: String?
  var level: SaleLevel?
  var customer: ToOne<Customer>?
}

private enum SaleLevel: String, CaseIterable {
  case low, high
}

@Entity private struct Customer {
  @Identity var name: String
  var country: String?
  var sales: ToMany<Sale>
}

private func sales() async throws -> Store {
  let store = try await Store(at: .scratch, for: Sale.self)
  try await store.import(
    #"""
    {"customers": [{"name": "Ann", "country": "UK"}, {"name": "Bo", "country": "SE"}],
     "sales": [
      {"id": 1, "price": 0.1, "pieces": 1, "weight": 1.5, "sold": "2020-01-01", "town": "Umea", "level": "low",
       "customer": "Ann"},
      {"id": 2, "price": 0.2, "pieces": 2, "weight": 2.5, "sold": "2021-01-01", "town": "Bath", "level": "high",
       "customer": "Ann"},
      {"id": 3, "price": 10, "pieces": 3, "customer": "Bo", "town": "Umea", "level": "low"},
      {"id": 4, "price": -9.5, "pieces": 4, "customer": "Nobody yet"},
      {"id": 5, "pieces": 5}]}
    """#)
  return store
}

@Suite("Aggregates") struct AggregateTests {
  @Test func sumsAreExact() async throws {
    let store = try await sales()
    #expect(try await store.sum(Sale.all, of: \.price) == Decimal(string: "0.8"))
    #expect(try await store.sum(Sale.all, of: \.pieces) == 15)
    #expect(try await store.sum(Sale.all, of: \.weight) == 4)
    #expect(try await store.sum(Sale.filter(#Predicate { $0.id < 3 }), of: \.price) == Decimal(string: "0.3"))
  }

  @Test func leastAndGreatest() async throws {
    let store = try await sales()
    #expect(try await store.minimum(Sale.all, of: \.price) == Decimal(string: "-9.5"))
    // As texts, 10 would come before 0.2 and after -9.5.
    #expect(try await store.maximum(Sale.all, of: \.price) == 10)
    #expect(try await store.maximum(Sale.filter(#Predicate { $0.id < 3 }), of: \.pieces) == 2)
    #expect(try await store.minimum(Sale.all, of: \.town) == "Bath")
    #expect(try await store.maximum(Sale.all, of: \.sold) == Date(timeIntervalSince1970: 1_609_459_200))
    #expect(try await store.maximum(Sale.all, of: \.customer?.country) == "UK")
  }

  @Test func averages() async throws {
    let store = try await sales()
    #expect(try await store.average(Sale.all, of: \.price) == Decimal(string: "0.2"))
    #expect(try await store.average(Sale.all, of: \.pieces) == 3)
    #expect(try await store.average(Sale.all, of: \.weight) == 2)
    let thirds = try await store.average(Sale.filter(#Predicate { $0.id < 4 }), of: \.price)
    #expect(thirds == Decimal(string: "3.4333333333333333333333333333333333333"))
  }

  @Test func ofNothing() async throws {
    let store = try await sales()
    let none = Sale.filter(#Predicate { $0.id > 9 })
    #expect(try await store.sum(none, of: \.price) == 0)
    #expect(try await store.sum(none, of: \.pieces) == 0)
    #expect(try await store.sum(none, of: \.weight) == 0)
    #expect(try await store.average(none, of: \.price) == nil)
    #expect(try await store.average(none, of: \.pieces) == nil)
    #expect(try await store.minimum(none, of: \.town) == nil)
    #expect(try await store.maximum(none, of: \.price) == nil)
    #expect(try await store.count(none, by: \.town) == [:])
    let empty = try await Store(at: .scratch, for: Sale.self)
    #expect(try await empty.sum(Sale.all, of: \.price) == 0)
  }

  @Test func withinRanges() async throws {
    let store = try await sales()
    let dearest = Sale.sorted(by: \.price, .reverse)
    #expect(try await store.sum(dearest.limit(2), of: \.price) == Decimal(string: "10.2"))
    #expect(try await store.sum(dearest.limit(2).offset(1), of: \.price) == Decimal(string: "0.3"))
    #expect(try await store.count(dearest.limit(3), by: \.town) == ["Umea": 2, "Bath": 1])
    let ann = try await store.find(Customer.self, "Ann")
    #expect(try await store.sum(ann.sales.query, of: \.pieces) == 3)
  }

  @Test func byOtherProperties() async throws {
    let store = try await sales()
    #expect(try await store.count(Sale.all, by: \.town) == ["Umea": 2, "Bath": 1, nil: 2])
    #expect(try await store.count(Sale.all, by: \.level) == [.low: 2, .high: 1, nil: 2])
    #expect(try await store.count(Sale.all, by: \.customer?.country) == ["UK": 2, "SE": 1, nil: 2])
    let links: [ToOne<Customer>?: Int] = [ToOne(id: "Ann"): 2, ToOne(id: "Bo"): 1, nil: 2]
    #expect(try await store.count(Sale.all, by: \.customer) == links)
    let sums = try await store.sum(Sale.all, of: \.price, by: \.customer?.name)
    #expect(
      sums == [
        "Ann": try #require(Decimal(string: "0.3")), "Bo": 10, nil: try #require(Decimal(string: "-9.5")),
      ])
    // Where there is no value, there is no average.
    #expect(try await store.average(Sale.all, of: \.weight, by: \.town) == ["Umea": 1.5, "Bath": 2.5])
    #expect(try await store.minimum(Sale.all, of: \.id, by: \.level) == [.low: 1, .high: 2, nil: 4])
    #expect(try await store.maximum(Sale.all, of: \.id, by: \.level) == [.low: 3, .high: 2, nil: 5])
    #expect(try await store.count(Customer.all, by: \.sales.count) == [2: 1, 1: 1])
  }

  @Test func oneReadIsOfOneMoment() async throws {
    let store = try await sales()
    try await store.write { transaction in
      try transaction.delete(Sale.self, 3)
      #expect(try transaction.sum(Sale.all, of: \.price) == Decimal(string: "-9.2"))
    }
  }

  @Test func whatHasNoSumIsAnError() async throws {
    let store = try await sales()
    await #expect(throws: QueryError.self) { try await store.sum(Sale.all, of: \.town?.count) }
    await #expect(throws: QueryError.self) { try await store.count(Customer.all, by: \.name.count) }
    try await store.save(
      Sale(id: 9, price: nil, pieces: .max, weight: nil, sold: nil, town: nil, level: nil, customer: nil))
    await #expect(throws: StoreError.self) { try await store.sum(Sale.all, of: \.pieces) }
  }

  @Test func randomDecimalsAddUp() async throws {
    var random = Seeded(state: 7)
    for _ in 0..<5 {
      let prices = (0..<40).map { _ in
        Decimal(
          sign: Bool.random(using: &random) ? .minus : .plus,
          exponent: Int.random(in: -9...9, using: &random),
          significand: Decimal(Int.random(in: 0...999_999_999_999, using: &random)))
      }
      let store = try await Store(at: .scratch, for: Sale.self)
      try await store.save(
        prices.enumerated().map { index, price in
          Sale(
            id: index, price: price, pieces: 0, weight: nil, sold: nil, town: nil, level: nil, customer: nil)
        })
      #expect(try await store.sum(Sale.all, of: \.price) == prices.reduce(0, +))
      #expect(try await store.minimum(Sale.all, of: \.price) == prices.min())
      #expect(try await store.maximum(Sale.all, of: \.price) == prices.max())
    }
  }

  @Test func predicatesSumDecimals() async throws {
    let store = try await sales()
    #expect(try await store.fetch(Customer.filter(format: "sales.@sum.price == 0.3")).map(\.name) == ["Ann"])
    #expect(try await store.fetch(Customer.filter(format: "sales.@sum.price > 9.99")).map(\.name) == ["Bo"])
    #expect(try await store.fetch(Customer.filter(format: "sales.@avg.price == 0.15")).map(\.name) == ["Ann"])
    #expect(
      try await store.fetch(Customer.all.sorted(byName: "sales.@sum.price", .reverse)).map(\.name) == [
        "Bo", "Ann",
      ])
  }
}
