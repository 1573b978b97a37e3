import Broker
import Foundation

/// Whoever has repositories: a user or an organization.
@Entity @Kinds("type", unknown: .skip) public struct Account: Hashable, Codable {
  public var id: Int
  @Attribute(indexed: true) public var login: String
  @Key("avatar_url") public var avatar: URL?
  public var repositories: ToMany<Repository>
}

@Entity @Kind("User") public struct User: Hashable {
  @Inherited public var account: Account
  public var name: String?
  @Relationship(inverse: "following") public var followers: ToMany<User>
  @Relationship(inverse: "followers") public var following: ToMany<User>
  public var organizations: ToMany<Organization>
  @Relationship(inverse: \Sponsorship.sponsor, deleteRule: .cascade) public var sponsorships:
    ToMany<Sponsorship>
}

@Entity @Kind("Organization") public struct Organization: Hashable {
  @Inherited public var account: Account
  public var plan: Plan?
  @Relationship(inverse: \User.organizations) public var members: ToMany<User>
}

public struct Plan: Codable, Hashable, Sendable {
  public var name: String
  public var seats: Int
}

public enum Currency: String, CaseIterable, Codable, Sendable {
  case euro = "EUR"
  case yen = "JPY"
}

@Entity public struct Sponsorship: Hashable {
  public var id: UUID
  @Attribute(minimum: 0) public var amount: Decimal
  public var currency: Currency
  @Key("since") @Attribute(dateFormat: "yyyy-MM-dd") public var since: Date?
  public var sponsor: ToOne<User>
}
