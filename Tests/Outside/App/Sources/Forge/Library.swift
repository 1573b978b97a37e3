import Broker
import Foundation

/// What the app keeps of the forge, and how it stays up to date.
public struct Library: Sendable {
  public let store: Store

  public static let types: [any Storable.Type] = [
    Account.self, User.self, Organization.self, Sponsorship.self, Repository.self, Settings.self, Branch.self,
    Commit.self, Release.self, Asset.self, Ticket.self, PullRequest.self, Label.self, Milestone.self,
    Comment.self,
    Activity.self, Push.self, OtherActivity.self,
  ]

  public init(at location: StoreLocation) async throws {
    store = try await Store(
      at: location, for: User.self, Organization.self, Repository.self, Ticket.self, PullRequest.self,
      Activity.self,
      Push.self, OtherActivity.self, Sponsorship.self, tracksLocalChanges: true)
  }
}

/// What the app needs of the forge's web API.
public protocol Forge: Sendable {
  /// A page of a list, with its version; nil if the version is the one that is known.
  func page(_ list: String, _ number: Int, knownVersion: String?) async throws -> Page?
  func create(_ entity: String, _ json: Data) async throws -> (identity: String, json: Data)
  func update(_ entity: String, _ identity: String, _ json: Data) async throws -> Data
  func delete(_ entity: String, _ identity: String) async throws
}

public struct Page: Sendable {
  public var json: Data
  public var version: String
  public var isLast: Bool

  public init(json: Data, version: String, isLast: Bool) {
    (self.json, self.version, self.isLast) = (json, version, isLast)
  }
}

extension Library {
  /// Fetches all pages of a repository's tickets, and forgets what the forge no longer has.
  ///
  /// - Returns: The list's version and what was done; nil if nothing is new.
  public func syncTickets(
    of repository: Repository, from forge: some Forge, knownVersion: String? = nil
  ) async throws -> (version: String, report: Report)? {
    var pages: [Data] = []
    var version = knownVersion ?? ""
    for number in 1... {
      guard let page = try await forge.page("tickets/\(repository.id)", number, knownVersion: knownVersion)
      else {
        return nil
      }
      pages.append(page.json)
      version = page.version
      if page.isLast { break }
    }
    var options = ImportOptions()
    options.pruneCondition = try ObjectPredicate(format: "repository.id == %d", [.init(repository.id)])
    options.maximumDeletions = .percent(60)
    return (version, try await store.import(pages, as: Ticket.self, options: options))
  }

  /// Tells the forge what was changed here, the oldest first.
  public func send(to forge: some Forge) async throws {
    for change in try await store.localChanges() {
      let query = ObjectQuery(change.entity).filter(identity: change.identity)
      switch change.kind {
      case .inserted:
        let answer = try await forge.create(change.entity, try await store.export(query))
        try await store.write { transaction in
          try transaction.confirm(change, identity: answer.identity)
          try transaction.import(answer.json, as: change.entity)
        }
      case .updated, .renamed:
        let known = change.formerIdentity ?? change.identity
        let json = try await forge.update(change.entity, known, try await store.export(query))
        try await store.write { transaction in
          try transaction.confirm([change])
          try transaction.import(json, as: change.entity)
        }
      case .deleted:
        try await forge.delete(change.entity, change.identity)
        try await store.confirm([change])
      }
    }
  }
}
