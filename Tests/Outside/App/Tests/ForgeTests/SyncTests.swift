import Broker
import Foundation
import Testing

@testable import Forge

func library(at location: StoreLocation = .memory) async throws -> Library {
  let library = try await Library(at: location)
  let report = try await library.store.import(forgeJSON)
  #expect(report.issues.isEmpty, "\(report.issues)")
  #expect(report.pendingCount == 0)
  return library
}

@Suite struct SyncTests {
  @Test func whatCame() async throws {
    let store = try await library().store
    let octo = try await store.find(User.self, 1)
    #expect(octo.account.login == "octo" && octo.account.avatar?.absoluteString.hasSuffix("png") == true)
    #expect(try await store.fetch(octo.followers).map(\.account.login) == ["mona"])
    #expect(try await store.fetch(octo.organizations).map(\.plan?.seats) == [5])
    #expect(try await store.count(Account.all) == 3)
    let tool = try await store.fetch(
      Repository.filter(ids: [10]).prefetching(\.owner).prefetching(\.releases) { $0.prefetching(\.assets) }
        .prefetching(\.settings).prefetching(\.branches)
    ).first
    let repository = try #require(tool)
    #expect(repository.owner.login == "acme")
    #expect(repository.releases.map(\.tag) == ["0.2", "0.1"])
    #expect(repository.releases.first?.assets.map(\.name) == ["b.zip", "a.zip"])
    #expect(repository.settings?.mergeMethods == ["squash"])
    #expect(repository.stars == 42 && repository.license?.key == "mit")
    #expect(repository.branches.first?.head?.id == "c2")
    let sponsorship = try #require(try await store.first(Sponsorship.all))
    #expect(sponsorship.amount == Decimal(string: "12.3") && sponsorship.currency == .euro)
    let branch = try await store.find(Branch.self, Branch.ID(repositoryID: 10, name: "main"))
    #expect(branch.repository?.id == 10)
    let second = try await store.find(Commit.self, "c2")
    #expect(try await store.fetch(second.parents).map(\.sha) == ["c1"])
    let first = try await store.find(Commit.self, "c1")
    #expect(try await store.fetch(first.children).map(\.sha) == ["c2"])
    let organization = try await store.first(
      try await store.find(Account.self, 3).as(Organization.self))
    #expect(organization?.plan?.name == "team")
  }

  @Test func pagesVersionsAndPruning() async throws {
    let library = try await library()
    let forge = FakeForge()
    try await forge.set("tickets/10", ticketsJSON)
    let repository = try await library.store.find(Repository.self, 10)
    let first = try #require(try await library.syncTickets(of: repository, from: forge))
    #expect(first.report.inserted == ["Ticket": 3, "Label": 1, "Comment": 2])
    // An object with nothing but its identity is a reference.
    #expect(first.report.pending.map(\.key) == ["10,wish"])
    #expect(try await library.syncTickets(of: repository, from: forge, knownVersion: first.version) == nil)
    // The same again writes nothing.
    let again = try #require(try await library.syncTickets(of: repository, from: forge))
    #expect(!again.report.changesAnything)
    let unknown = try await library.store.find(Ticket.self, 2)
    #expect(unknown.state == .unknown)
    // A ticket of another repository is out of the scope.
    try await library.store.import(
      #"{"id": 9, "title": "Elsewhere", "repository": 11, "revision": 1}"#, as: Ticket.self)
    try await forge.set(
      "tickets/10",
      """
      [{"id": 1, "title": "Older", "repository": 10, "revision": 4, "comments": []},
       {"id": 2, "title": "Idea, newer", "repository": 10, "revision": 2, "state": "closed"}]
      """)
    let next = try #require(
      try await library.syncTickets(of: repository, from: forge, knownVersion: first.version))
    #expect(next.report.deletedObjects.map(\.identity) == ["3"])
    #expect(next.report.outdated == ["Ticket": 1])
    #expect(
      try await library.store.fetch(Ticket.sorted(by: \.id)).map(\.title) == [
        "Crash", "Idea, newer", "Elsewhere",
      ])
  }

  @Test func draftsGetTheIdentityOfTheForge() async throws {
    let library = try await library()
    let store = library.store
    try await store.confirm(try await store.localChanges())
    let forge = FakeForge()
    let draft = Ticket(
      id: -1, title: "Draft", repository: ToOne(id: 10), labels: ToMany(), assignees: ToMany(ids: [1]),
      comments: ToMany(), blockedBy: ToMany(), blocks: ToMany())
    try await store.insert(draft)
    try await store.insert(Comment(id: -2, body: "on a draft", ticket: ToOne(id: -1)))
    try await store.update(Repository.self, 10) { $0.summary = "Changed here" }
    // What the server says of it meanwhile does not win.
    let report = try await store.import(
      #"{"id": 10, "name": "tool", "description": "Theirs", "stargazers_count": 50, "revision": 4}"#,
      as: Repository.self)
    #expect(report.keptLocal == ["Repository": 1])
    try await library.send(to: forge)
    #expect(await forge.told == ["create Ticket", "create Comment", "update Repository 10"])
    #expect(try await store.localChanges().isEmpty)
    let ticket = try #require(try await store.first(Ticket.filter(#Predicate { $0.title == "Draft" })))
    #expect(ticket.id == 101)
    #expect(try await store.fetch(ticket.comments).map(\.id) == [102])
    #expect(try await store.fetch(ticket.assignees).map(\.id) == [1])
    let repository = try await store.find(Repository.self, 10)
    #expect(repository.summary == "Changed here" && repository.stars == 50)
  }

  @Test func deletionsAreToldAndNotBroughtBack() async throws {
    let library = try await library()
    let store = library.store
    try await store.import(ticketsJSON, as: Ticket.self)
    try await store.delete(Ticket.self, 1)
    #expect(try await store.count(Comment.all) == 0)
    let report = try await store.import(ticketsJSON, as: Ticket.self)
    #expect(try await !store.exists(Ticket.self, 1))
    #expect(report.issues.isEmpty)
    let forge = FakeForge()
    try await library.send(to: forge)
    #expect(Set(await forge.told) == ["delete Ticket 1", "delete Comment 1", "delete Comment 2"])
    try await store.import(ticketsJSON, as: Ticket.self)
    #expect(try await store.exists(Ticket.self, 1))
  }

  @Test func requiredLinksHold() async throws {
    let store = try await library().store
    try await store.import(#"[{"id": 5, "title": "T", "repository": 10, "user": 1}]"#, as: Ticket.self)
    let error = await #expect(throws: SaveError.self) { try await store.delete(Organization.self, 3) }
    #expect("\(try #require(error))".contains("owner"))
    try await store.delete(Repository.self, 10)
    #expect(try await store.count(Ticket.all) == 0)
    try await store.delete(Organization.self, 3)
  }

  @Test func kindsOfActivities() async throws {
    let store = try await library().store
    try await store.import(
      """
      [{"type": "PushEvent", "id": 1, "created_at": 1767225600, "actor": 1,
        "payload": {"size": 1, "commits": [{"sha": "c3", "message": "third", "parents": ["c2"]}]}},
       {"type": "StarEvent", "id": 2, "actor": 2, "payload": {"starred": true}}]
      """, as: Activity.self)
    let push = try #require(try await store.first(Push.all.prefetching(\.commits)))
    #expect(push.size == 1 && push.commits.map(\.sha) == ["c3"])
    #expect(push.activity.date == Date(timeIntervalSince1970: 1_767_225_600))
    let other = try #require(try await store.first(OtherActivity.all))
    #expect(other.payload == #"{"starred":true}"# || other.payload == #"{"starred": true}"#)
    let activities = try await store.fetch(Activity.sorted(by: \.date, .reverse))
    #expect(activities.map(\.id) == [1, 2])
  }
}
