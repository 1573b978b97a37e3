import Broker
import Foundation
import Testing

@testable import Forge

@Suite struct QueryTests {
  private func store() async throws -> Store {
    let store = try await library().store
    try await store.import(ticketsJSON, as: Ticket.self)
    return store
  }

  @Test func conditions() async throws {
    let store = try await store()
    let state = TicketState.open
    let open = Ticket.filter(#Predicate { $0.state == state })
    #expect(try await store.fetch(open).map(\.id) == [1])
    let ofOrganization = Ticket.filter(#Predicate { $0.repository.owner?.login == "acme" })
    #expect(try await store.count(ofOrganization) == 3)
    let withBug = Ticket.filter(#Predicate { $0.labels.contains { $0.name == "bug" } })
    #expect(try await store.fetch(withBug.sorted(by: \.title, .reverse)).map(\.id) == [2, 1])
    let late = Date(timeIntervalSince1970: 0)
    let dated = Ticket.filter(#Predicate { $0.createdAt != nil && ($0.createdAt ?? late) > late })
    #expect(try await store.fetch(dated).map(\.id) == [1])
    let blocked = Ticket.filter(#Predicate { $0.blockedBy.contains { $0.title == "Crash" } })
    #expect(try await store.fetch(blocked).map(\.id) == [2])
    let swift = Repository.filter(#Predicate { $0.topics.contains("swift") })
    #expect(try await store.fetch(swift).map(\.name) == ["tool"])
    let words = try Ticket.filter(
      format: "title CONTAINS[c] %@ AND ANY comments.author.login == 'mona'", "CRASH")
    #expect(try await store.fetch(words).map(\.id) == [1])
    let page = Ticket.sorted(by: \.repository.name).sorted(by: \.number, .reverse).offset(1).limit(1)
    #expect(try await store.fetch(page).map(\.id) == [2])
    let sponsored = Sponsorship.filter(#Predicate { $0.sponsor.account?.login == "octo" })
    #expect(try await store.count(sponsored) == 1)
    let inherited = User.filter(#Predicate { $0.account.login == "mona" })
    #expect(try await store.fetch(inherited).map(\.id) == [2])
  }

  @Test func aggregatesAndSelections() async throws {
    let store = try await store()
    #expect(try await store.sum(Repository.all, of: \.stars) == 42)
    #expect(try await store.average(Ticket.all, of: \.revision) == 7.0 / 3)
    #expect(try await store.minimum(Ticket.all, of: \.createdAt) != nil)
    #expect(try await store.count(Ticket.all, by: \.state) == [.open: 1, .unknown: 1, .closed: 1])
    #expect(
      try await store.sum(Sponsorship.all, of: \.amount, by: \.sponsor.name)["Octo"]
        == Decimal(string: "12.3"))
    let rows = try await store.fetch(Ticket.sorted(by: \.id).select(\.title, \.comments.count))
    #expect(rows.map(\.0) == ["Crash", "Idea", "Typo"] && rows.map(\.1) == [2, 0, 0])
    let owners = try await store.fetch(Ticket.select(\.repository.owner?.login).distinct())
    #expect(owners == ["acme"])
    let sql: SQLStatement = "SELECT name FROM \(Repository.self) WHERE stars > \(10)"
    #expect(try await store.sql(sql, as: String.self) == ["tool"])
    #expect(try await store.sql(of: Ticket.all).contains("SELECT"))
  }

  @Test func batches() async throws {
    let store = try await store()
    try await store.write { transaction in
      #expect(try transaction.update(Ticket.all, set: \.state, to: .closed) == 2)
      try transaction.update(Ticket.all, .set(\.milestone, to: nil), .set(\.author, to: ToOne(id: 1)))
    }
    let closed = TicketState.closed
    #expect(try await store.count(Ticket.filter(#Predicate { $0.state == closed })) == 3)
    #expect(try await store.count(Ticket.filter(#Predicate { $0.author?.id == 1 })) == 3)
    #expect(try await store.delete(Ticket.filter(#Predicate { $0.id > 1 })) == 2)
    #expect(try await store.localChanges().count == 3)
  }

  @Test func valuesAreValues() async throws {
    let store = try await store()
    let ticket = try await store.find(Ticket.self, 1)
    let set: Set = [ticket, try await store.find(Ticket.self, 1)]
    #expect(set.count == 1)
    let repository = try #require(try await store.first(Repository.all.prefetching(\.owner)))
    let json = try JSONEncoder().encode(repository)
    let copy = try JSONDecoder().decode(Repository.self, from: json)
    #expect(copy.owner.id == repository.owner.id && copy.license == repository.license)
    #expect(try await store.save(copy).name == "tool")
    #expect(try await store.localChanges().isEmpty)
  }

  @Test func exportsAndBackups() async throws {
    let folder = try Folder()
    let location = StoreLocation.file(folder.url.appending(path: "forge.sqlite"))
    let store = try await library(at: location).store
    try await store.import(ticketsJSON, as: Ticket.self)
    var pieces = Data()
    for try await piece in store.exportStream(Ticket.sorted(by: \.id)) { pieces += piece }
    let report = try await store.import(pieces, as: Ticket.self)
    #expect(!report.changesAnything)
    try await store.backup(to: folder.url.appending(path: "copy.sqlite").path)
    let copy = try await Library(at: .file(folder.url.appending(path: "copy.sqlite"))).store
    #expect(try await copy.fetch(Ticket.all) == (try await store.fetch(Ticket.all)))
    let all = try await store.exportAll()
    let other = try await Library(at: .memory).store
    try await other.import(all)
    #expect(try await other.exportAll() == all)
    try store.close()
    try copy.close()
    try Store.remove(at: location)
  }
}
