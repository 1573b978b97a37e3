import Broker
import Foundation

// ComingFromRealm.md

@Entity struct Keeper {
  @Identity var name: String
  var joined: Date?
  @Relationship(deleteRule: .cascade) var dogs: ToMany<Dog>
}

@Entity struct Dog {
  var id: Int
  var name: String
  var age: Int?
  var keeper: ToOne<Keeper>?
}

func openingLikeRealm(_ file: URL) async throws -> Store {
  let store = try await Store(at: .file(file), for: Keeper.self)  // one for all tasks
  return store
}

func importingKeepers(_ data: Data, into store: Store) async throws -> Report {
  let report = try await store.import(data, as: Keeper.self)
  for issue in report.issues { print(issue.path, issue.expected, issue.found) }
  return report
}

func findingByTheKey(_ store: Store) async throws -> Keeper? {
  let ann = try await store.fetch(Keeper.self, id: "Ann")
  return ann
}

func askingLikeRealm(_ store: Store) async throws -> ([Dog], [Keeper]) {
  let grown = Dog.filter(#Predicate { ($0.age ?? 0) >= 3 && $0.name.starts(with: "R") }).sorted(by: \.name)
  let dogs = try await store.fetch(grown)
  let keepers = try await store.fetch(try Keeper.filter(format: "ANY dogs.age >= 3"))
  return (dogs, keepers)
}

func changingADog(_ store: Store) async throws -> Dog {
  let rex = try await store.update(Dog.self, 1) { $0.age = 4 }
  return rex
}

func changingDogs(_ store: Store) async throws -> Keeper {
  let ann = try await store.update(Keeper.self, "Ann") { ann in
    ann.dogs.insert(id: 2)
    ann.dogs.remove(id: 1)
  }
  return ann
}

func deletingAKeeper(_ store: Store) async throws {
  try await store.delete(Keeper.self, "Ann")  // and her dogs, by the rule of Keeper.dogs
}

func followingDogs(_ store: Store, _ show: ([Dog]) -> Void) async throws {
  for try await dogs in store.observe(Dog.sorted(by: \.name)) { show(dogs) }
}

enum AfterRealm {
  @Entity struct Dog {
    var id: Int
    var name: String
    @Attribute(renamedFrom: "age") var years: Int?
  }
}
