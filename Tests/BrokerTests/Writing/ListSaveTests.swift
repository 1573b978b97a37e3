import Broker
import Testing

@Entity private struct Client {
  var id: Int
  var name: String?
  @Relationship(inverse: \Order.customer, ordered: true) var orders: ToMany<Order>
  @Relationship(inverse: \Sticker.customers) var labels: ToMany<Sticker>

  init(id: Int, orders: ToMany<Order> = ToMany(), labels: ToMany<Sticker> = ToMany()) {
    (self.id, self.orders, self.labels) = (id, orders, labels)
  }
}

@Entity private struct Order {
  var id: Int
  var text: String?
  var customer: ToOne<Client>?
  var items: ToMany<Item>

  init(id: Int, text: String? = nil, items: ToMany<Item> = ToMany()) {
    (self.id, self.text, self.items) = (id, text, items)
  }
}

@Entity private struct Item {
  var id: Int
  var count: Int?
  var weight: Double?
}

@Entity private struct Sticker {
  var id: String
  var customers: ToMany<Client>
}

/// Objects that are given in lists.
@Suite struct ListSaveTests {
  private func store() async throws -> Store {
    let store = try await Store(at: .memory, for: Client.self, tracksLocalChanges: true)
    try await store.import(
      #"[{"id": 1, "orders": [{"id": 10, "text": "a"}, {"id": 11, "text": "b"}], "labels": ["x"]}, {"id": 2}]"#,
      as: Client.self)
    try await store.import(#"[{"id": "x"}]"#, as: Sticker.self)
    return store
  }

  private func told(_ store: Store) async throws -> [String] {
    try await store.localChanges().map {
      "\($0.kind) \($0.entity) \($0.identity)" + ($0.properties.isEmpty ? "" : " \($0.properties)")
    }
  }

  @Test func newObjectsAreSavedAlong() async throws {
    let store = try await store()
    let order = Order(id: 20, text: "new", items: [Item(id: 1, count: 5), Item(id: 2, count: 6)])
    try await store.save(Client(id: 3, orders: [order, Order(id: 21)]))
    let orders = try await store.fetch(store.find(Client.self, 3).orders)
    #expect(orders.map(\.id) == [20, 21])
    #expect(orders.first?.text == "new")
    #expect(try await store.fetch(Item.all).map(\.count) == [5, 6])
    let told = try await told(store)
    for new in ["Client 3", "Order 20", "Order 21", "Item 1", "Item 2"] {
      #expect(told.contains { $0.hasPrefix("inserted \(new)") }, "\(told)")
    }
    try await store.update(Client.self, 1) { $0.orders.insert(Order(id: 12, text: "c")) }
    #expect(try await store.fetch(store.find(Client.self, 1).orders).map(\.text) == ["a", "b", "c"])
  }

  @Test func whatIsThereIsLinkedAndStaysAsItIs() async throws {
    let store = try await store()
    var order = try await store.find(Order.self, 10)
    order.text = "changed"
    try await store.save(Client(id: 3, orders: [order]))
    #expect(try await store.find(Order.self, 10).text == "a")
    #expect(try await store.find(Order.self, 10).customer?.id == 3)
    #expect(try await store.fetch(store.find(Client.self, 1).orders).map(\.id) == [11])
  }

  @Test(arguments: [false, true])
  func listsOfOthersAreTakenAsTheyAre(_ isFetched: Bool) async throws {
    let store = try await store()
    let query = Client.filter(ids: [1])
    let all = isFetched ? query.prefetching(\.orders).prefetching(\.labels) : query
    let first = try #require(try await store.first(all))
    try await store.insert(Client(id: 3, orders: first.orders, labels: first.labels))
    let third = try await store.find(Client.self, 3)
    // An order has one customer, a label many.
    #expect(try await store.fetch(third.orders).map(\.id) == [10, 11])
    #expect(try await store.fetch(third.labels).map(\.id) == ["x"])
    #expect(try await store.fetch(first.orders).isEmpty)
    #expect(try await store.fetch(first.labels).map(\.id) == ["x"])
    var orders = third.orders
    orders.remove(id: 10)
    orders.insert(id: 12)
    try await store.save(Client(id: 4, orders: orders))
    #expect(try await store.fetch(store.find(Client.self, 4).orders).map(\.id) == [11])
    try await store.save(Order(id: 12))
    #expect(try await store.fetch(store.find(Client.self, 4).orders).map(\.id) == [11, 12])
  }

  @Test func theSameNewObjectTwiceIsOne() async throws {
    let store = try await store()
    let item = Item(id: 7, count: 1)
    try await store.save(
      Client(id: 3, orders: [Order(id: 30, items: [item]), Order(id: 31, items: [item]), Order(id: 30)]))
    #expect(try await store.count(Item.all) == 1)
    #expect(try await store.fetch(store.find(Client.self, 3).orders).map(\.id) == [30, 31])
    #expect(try await told(store).filter { $0.contains("Item 7") }.count == 1)
  }

  @Test func whatIsWrongInANewObjectIsAnErrorAndNothingIsSaved() async throws {
    let store = try await store()
    let item = Item(id: 1, weight: .nan)
    let error = await #expect(throws: SaveError.self) {
      try await store.save(Client(id: 3, orders: [Order(id: 40, items: [item])]))
    }
    #expect(error?.description == "Item 1.weight: expected a finite number, found infinity or NaN")
    #expect(try await !store.exists(Client.self, 3))
  }
}
