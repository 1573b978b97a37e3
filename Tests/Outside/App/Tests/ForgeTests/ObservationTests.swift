import Broker
import Foundation
import Testing

@testable import Forge

@Suite struct ObservationTests {
  @Test func objectsQueriesAndCounts() async throws {
    let store = try await library().store
    let open = TicketState.open
    let titles = Collector(store.observe(Ticket.filter(#Predicate { $0.state == open }).sorted(by: \.id)))
    let repository = Collector(store.observe(Repository.self, 10))
    let count = Collector(store.observeCount(of: Comment.all))
    #expect(try await titles.reaches { $0.last?.isEmpty == true })
    try await store.import(ticketsJSON, as: Ticket.self)
    #expect(try await titles.reaches { $0.last?.map(\.title) == ["Crash"] })
    #expect(try await count.reaches { $0.last == 2 })
    try await store.update(Repository.self, 10) { $0.stars += 1 }
    #expect(try await repository.reaches { $0.last??.stars == 43 })
    let before = titles.all.count
    try await store.import(ticketsJSON, as: Ticket.self)
    try await store.update(Account.self, 1) { $0.login = "octocat" }
    try await Task.sleep(for: .milliseconds(50))
    #expect(titles.all.count == before)
    try await store.delete(Repository.self, 10)
    #expect(try await repository.reaches { $0.last == .some(nil) })
    #expect(try await titles.reaches { $0.last?.isEmpty == true })
  }

  @Test func anotherStoreOnTheFile() async throws {
    let folder = try Folder()
    let location = StoreLocation.file(folder.url.appending(path: "forge.sqlite"))
    let first = try await library(at: location).store
    let second = try await Library(at: location).store
    let count = Collector(first.observeCount(of: Ticket.all))
    let changes = Collector(first.changes())
    #expect(try await count.reaches { $0.last == 0 })
    try await second.import(ticketsJSON, as: Ticket.self)
    #expect(try await count.reaches { $0.last == 3 })
    #expect(try await changes.reaches { $0.contains { $0.isByOthers } })
  }

  @Test func commits() async throws {
    let store = try await library().store
    let changes = Collector(store.changes())
    try await Task.sleep(for: .milliseconds(20))
    try await store.import(ticketsJSON, as: Ticket.self)
    #expect(try await changes.reaches { $0.first?.inserted(Ticket.self) == [1, 2, 3] })
    #expect(changes.all.first?.isImport == true)
  }
}
