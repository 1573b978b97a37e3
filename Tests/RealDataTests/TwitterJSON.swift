/// What `twitter.json` holds, as far as the tests compare it.
struct TwitterJSON: Decodable {
  let statuses: [Status]

  /// Tweets and the tweets they repeat, as often as they come.
  var all: [Status] { statuses.flatMap { [$0] + ($0.retweetedStatus.map { [$0] } ?? []) } }

  /// Each tweet once.
  var tweets: [String: Status] { Dictionary(all.map { ($0.idStr, $0) }, uniquingKeysWith: { $1 }) }

  /// Each author once.
  var authors: [Int64: User] { Dictionary(all.map { ($0.user.id, $0.user) }, uniquingKeysWith: { $1 }) }

  var mentions: [User] { all.flatMap(\.entities.userMentions) }

  var media: [Medium] { all.flatMap { $0.entities.media ?? [] } }

  final class Status: Decodable, Sendable {
    let id: Int64
    let idStr: String
    let createdAt: String
    let text: String
    let metadata: Metadata
    let user: User
    let retweetedStatus: Status?
    let inReplyToStatusIdStr: String?
    let inReplyToUserId: Int64?
    let entities: Entities

    /// `Sun Aug 31 00:29:15 +0000 2014` as SQLite writes dates.
    var date: String {
      let parts = createdAt.split(separator: " ").map(String.init)
      let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
      let month = (months.firstIndex(of: parts[1]) ?? -1) + 1
      return "\(parts[5])-\(month < 10 ? "0" : "")\(month)-\(parts[2]) \(parts[3])"
    }
  }

  struct Metadata: Decodable {
    let resultType: String
    let isoLanguageCode: String
  }

  struct User: Decodable {
    let id: Int64
    let screenName: String
    let followersCount: Int?
    let entities: UserEntities?
  }

  struct UserEntities: Decodable {
    let url: Links?

    struct Links: Decodable {
      let urls: [Link]
    }
  }

  struct Entities: Decodable {
    let hashtags: [Hashtag]
    let urls: [Link]
    let userMentions: [User]
    let media: [Medium]?
  }

  struct Hashtag: Decodable {
    let text: String
  }

  struct Link: Decodable {
    let url: String
  }

  struct Medium: Decodable {
    let idStr: String
    let sourceStatusIdStr: String?
    let sizes: Sizes

    struct Sizes: Decodable {
      let large: Size
    }

    struct Size: Decodable {
      let w: Int
    }
  }
}
