import Broker
import Foundation

public struct License: Codable, Hashable, Sendable {
  public var key: String
  public var name: String?
}

@Entity public struct Repository: Hashable, Codable {
  public var id: Int
  @Attribute(indexed: true) public var name: String
  @Key("description") public var summary: String?
  public var topics: [String] = []
  public var license: License?
  @Key("stargazers_count") public var stars = 0
  @Key("pushed_at") public var pushedAt: Date?
  @Version public var revision: Int?
  public var owner: ToOne<Account>
  @Relationship(inverse: \Ticket.repository, deleteRule: .cascade) public var tickets: ToMany<Ticket>
  @Relationship(inverse: \Milestone.repository, deleteRule: .cascade) public var milestones: ToMany<Milestone>
  @Relationship(inverse: \Release.repository, deleteRule: .cascade, ordered: true) public var releases:
    ToMany<Release>
  @Relationship(inverse: \Settings.repository, deleteRule: .cascade) public var settings: ToOne<Settings>?
  @Relationship(inverse: \Branch.repository, deleteRule: .cascade) public var branches: ToMany<Branch>
}

/// One for each repository.
@Entity public struct Settings: Hashable, Codable {
  public var id: Int
  public var isArchived = false
  @Key("merge_methods") public var mergeMethods: [String] = ["merge"]
  public var repository: ToOne<Repository>?
}

@Entity public struct Branch: Hashable {
  @Identity @Key("repository_id") public var repositoryID: Int
  @Identity public var name: String
  public var isProtected = false
  public var repository: ToOne<Repository>?
  public var head: ToOne<Commit>?
}

@Entity public struct Commit: Hashable {
  @Identity public var sha: String
  public var message: String
  @Key("author.date") public var date: Date?
  @Key("author.email") public var email: String?
  @Relationship(inverse: "children", ordered: true) public var parents: ToMany<Commit>
  @Relationship(inverse: "parents") public var children: ToMany<Commit>
}

@Entity public struct Release: Hashable {
  public var id: Int
  @Key("tag_name") public var tag: String
  @Key("published_at") public var publishedAt: Date?
  @Relationship(deleteRule: .cascade, ordered: true) public var assets: ToMany<Asset>
  public var repository: ToOne<Repository>?
}

@Entity(identified: false) public struct Asset: Hashable {
  public var name: String
  public var size: Int
  public var release: ToOne<Release>?
}
