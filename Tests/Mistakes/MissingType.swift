import Broker

enum TicketState: String, Codable, Sendable { case open, closed }

@Entity struct Ticket {
  @Identity var number: Int
  var state = TicketState.open  // error: write the type of state
}

func close(_ store: Store) async throws {
  try await store.update(Ticket.self, 1) { $0.state = .closed }
  _ = try await store.fetch(Ticket.sorted(by: \.number).limit(3))
}
