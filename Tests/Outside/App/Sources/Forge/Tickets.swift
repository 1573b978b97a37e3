import Broker
import Foundation

public enum TicketState: String, CaseIterable, Codable, Sendable {
  case open, closed, unknown
}

public struct Reactions: Codable, Hashable, Sendable {
  public var plus: Int
  public var hearts: [String]
}

/// An issue, or what is discussed in a pull request.
@Entity public struct Ticket: Hashable {
  public var id: Int
  public var number: Int?
  @Attribute(minimum: 1, maximum: 200) public var title: String
  public var body: String?
  @Attribute(unknown: TicketState.unknown) public var state: TicketState = .open
  public var reactions: Reactions?
  @Key("created_at") public var createdAt: Date?
  @Version public var revision: Int?
  public var repository: ToOne<Repository>
  @Key("user") public var author: ToOne<Account>?
  public var milestone: ToOne<Milestone>?
  @Relationship(inverse: \Label.tickets) public var labels: ToMany<Label>
  @Relationship(inverse: nil) public var assignees: ToMany<Account>
  @Relationship(inverse: \Comment.ticket, deleteRule: .cascade, ordered: true) public var comments:
    ToMany<Comment>
  @Relationship(inverse: "blocks") public var blockedBy: ToMany<Ticket>
  @Relationship(inverse: "blockedBy") public var blocks: ToMany<Ticket>
}

@Entity public struct PullRequest: Hashable {
  @Inherited public var ticket: Ticket
  @Key("merged_at") public var mergedAt: Date?
  @Key("head.sha") public var headSHA: String?
  public var isDraft = false
}

@Entity public struct Label: Hashable {
  @Identity @Key("repository_id") public var repositoryID: Int
  @Identity public var name: String
  @Attribute(pattern: "[0-9a-f]{6}") public var color: String?
  public var tickets: ToMany<Ticket>
}

@Entity public struct Milestone: Hashable {
  public var id: Int
  public var title: String
  @Key("due_on") public var due: Date?
  public var repository: ToOne<Repository>
  @Relationship(inverse: \Ticket.milestone) public var tickets: ToMany<Ticket>
}

@Entity public struct Comment: Hashable {
  public var id: Int
  public var body: String
  @Key("user") public var author: ToOne<Account>?
  public var ticket: ToOne<Ticket>
}

@Entity @Kinds("type", unknown: .entity(OtherActivity.self)) public struct Activity: Hashable {
  public var id: Int
  @Key("created_at") public var date: Date?
  public var actor: ToOne<Account>?
}

@Entity @Kind("PushEvent") public struct Push: Hashable {
  @Inherited public var activity: Activity
  @Key("payload.size") public var size: Int
  @Key("payload.commits") public var commits: ToMany<Commit>
}

@Entity public struct OtherActivity: Hashable {
  @Inherited public var activity: Activity
  @Key("payload") public var payload: String?
}
