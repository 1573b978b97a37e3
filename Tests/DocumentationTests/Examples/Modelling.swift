import Broker
import Foundation

// Modelling.md

enum Medium: String, CaseIterable, Codable {
  case vinyl, tape, disc
}

struct Address: Codable {
  var street: String
  var city: String
}

@Entity struct Shop {
  var id: UUID
  var name: String
  var isOpen = true
  var opened: Date?
  var site: URL?
  var turnover: Decimal?
  var address: Address?
  var media: [Medium] = []
  var phones: [String]?
  @Transient var isSelected = false
}

@Entity struct Show {
  @Identity var country: String
  @Identity var number: Int
  @Attribute(pattern: "[A-Z].*") var title: String
  var next: ToOne<Show>?
}

@Entity struct Person {
  @Identity var name: String
  @Relationship(inverse: "friends") var friends: ToMany<Person>
}

@Entity struct Employee {
  @Inherited var person: Person
  var salary: Double
}

@Entity(identified: false) struct Remark {
  var text: String
}

@Entity struct Review {
  @Inherited var remark: Remark
  @Identity var number: Int
  var stars: Int
}

@Entity struct Order {
  var id: Int
  @Relationship(deleteRule: .cascade, ordered: true) var lines: ToMany<OrderLine>
}

@Entity(identified: false) struct OrderLine {
  var article: String
  var count = 1
  var order: ToOne<Order>?
}

struct Colour: AttributeValue {
  var hex: String
  static var attributeType: AttributeType { .string }
  var storedValue: SQLValue { .text(hex) }
  init(hex: String) { self.hex = hex }
  init?(stored: SQLValue) {
    guard case .text(let hex) = stored else { return nil }
    self.hex = hex
  }
}

@Entity struct Paint {
  var id: Int
  var colour: Colour
}

@Entity("CDTrack") struct Track {
  @Identity @Attribute(name: "trackID") var number: Int
  var title: String
}

func findingByAComposite(_ store: Store) async throws -> Show {
  let show = try await store.find(Show.self, Show.ID(country: "UK", number: 1))
  return show
}

func findingByAnOwner(_ store: Store) async throws -> Version {
  let version = try await store.find(Version.self, Version.ID(crate: "serde", number: "1.0"))
  return version
}

func breakingARule(_ store: Store) async throws {
  do {
    try await store.update(Band.self, "Japan") { $0.rating = 11 }
  } catch let error as SaveError {
    print(error)  // Band Japan.rating: expected a number from 0 to 10, found 11.0
  }
}

func savingParts(_ store: Store) async throws {
  try await store.import(
    #"{"id": 7, "lines": [{"article": "tape", "count": 2}, {"article": "pen"}]}"#, as: Order.self)
  try await store.save(Order(id: 8, lines: [OrderLine(article: "ink")]))
}

func inheriting(_ store: Store) async throws -> ([Employee], [Person]) {
  let employees = try await store.fetch(Employee.sorted(by: \.person.name))
  let people = try await store.fetch(Person.all)  // employees too, as people
  return (employees, people)
}

func identifyingASubEntity(_ store: Store) async throws -> Review {
  try await store.save(Review(remark: Remark(text: "Quiet."), number: 7, stars: 4))
  let review = try await store.find(Review.self, 7)
  for remark in try await store.fetch(Remark.all) {
    if let review = try await store.first(remark.as(Review.self)) { print(review.stars) }
  }
  return review
}

func overAModel() async throws -> Store {
  let model = try Model(contentsOf: URL(filePath: "Bands.xcdatamodeld"))
  let store = try await Store(at: .file("bands.sqlite"), model: model, for: Band.self)
  return store
}

func writingAModel() throws {
  let model = try Model(describing: Band.self)
  try model.write(to: URL(filePath: "Bands.xcdatamodeld"))
}
