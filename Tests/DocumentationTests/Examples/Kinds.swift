import Broker

// Macros.swift, Storable+Kinds.swift, TypeMapping.swift

@Entity @Kinds("type", unknown: .skip) struct Event {
  var id: Int
}

@Entity @Kind("PushEvent") struct Push {
  @Inherited var event: Event
  var size: Int
}

func printPushes(_ store: Store) async throws {
  for event in try await store.fetch(Event.all) {
    if let push = try await store.first(event.as(Push.self)) { print(push.size) }
  }
}

enum Mood: String {
  case calm
  case other
}

@Entity struct Song {
  @Identity var title: String
  @Attribute(unknown: Mood.other) var mood: Mood
}

func bandMapping() throws -> JSONMapping {
  var mapping = JSONMapping()
  try mapping.map(Band.self) { band in
    band.keys(\.formed, "details.founded", "started")
    band.toMany(\.albums, .merge)
  }
  return mapping
}
