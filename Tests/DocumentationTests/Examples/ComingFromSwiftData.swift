import Broker
import Foundation

// ComingFromSwiftData.md

@Entity struct Trip {
  @Identity var name: String
  var destination: String
  var start: Date?
  @Relationship(inverse: \Stop.trip, deleteRule: .cascade, ordered: true) var stops: ToMany<Stop>
}

@Entity struct Stop {
  var id: UUID
  var place: String
  var trip: ToOne<Trip>?
}

func openingForTrips() async throws -> Store {
  let store = try await Store(at: .file("trips.sqlite"), for: Trip.self)
  return store
}

func tripsOfAllKinds(_ store: Store) async throws -> [Trip] {
  let stop = Stop(id: UUID(), place: "Lyon", trip: nil)
  try await store.write { transaction in
    try transaction.save(stop)
    try transaction.insert(Trip(name: "South", destination: "Nice", start: nil, stops: [stop]))
  }
  let trips = try await store.fetch(Trip.sorted(by: \.name).prefetching(\.stops))
  try await store.update(Trip.self, "South") { $0.destination = "Menton" }
  try await store.delete(Trip.self, "South")
  return trips
}

func tripsByPredicate() -> Query<Trip> {
  let query = Trip.filter(#Predicate { $0.destination == "Nice" && $0.stops.contains { $0.place == "Lyon" } })
    .sorted(using: SortDescriptor(\.name))
    .limit(20)
  return query
}

func observingTrips(_ store: Store) async throws {
  for try await trips in store.observe(Trip.sorted(by: \.name)) { show(trips) }
}
