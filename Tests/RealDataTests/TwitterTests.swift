import Foundation
import Mapping
import ObjectModel
import Testing

@Suite("Tweets, as Twitter's search sends them", .enabled(if: RealFile.twitter.isThere))
struct TwitterTests {
  private let json: TwitterJSON
  private let store: TestStore
  private let report: Report

  /// The file is read and imported once. Tests that write use a store of their own.
  private static let decoded = Result { try RealFile.twitter.decoded(as: TwitterJSON.self) }
  private static let filled = Result { try TestStore.filled(with: .twitter) }

  init() throws {
    json = try Self.decoded.get()
    (store, report) = try Self.filled.get()
  }

  private var users: Set<Int64> { Set(json.authors.keys).union(json.mentions.map(\.id)) }
  private var hashtags: [String] { json.all.flatMap(\.entities.hashtags).map(\.text) }
  private var pictures: [String] { json.media.map(\.idStr) }

  // MARK: - Objects

  @Test("each tweet, author, hashtag and picture is there once")
  func counts() throws {
    let inTweets = json.tweets.values.map(\.entities.urls.count).reduce(0, +)
    let ofUsers = json.authors.values.map { $0.entities?.url?.urls.count ?? 0 }.reduce(0, +)
    var expected = ["Link": inTweets + ofUsers]
    expected["Tweet"] = json.tweets.count
    expected["User"] = users.count
    expected["Hashtag"] = hashtags.uniqued.count
    expected["Medium"] = pictures.uniqued.count
    #expect(expected["Tweet"] == 115)
    #expect(try store.counts(of: Array(expected.keys)) == expected)
    #expect(report.inserted == expected)
    #expect(try store.count("SELECT count(*) FROM \"Place\"") == 0)
  }

  @Test("objects that came again are counted")
  func duplicates() {
    // A link has no identity, but with the tweet or the user that it belongs to it comes again.
    let links = json.all.map { $0.entities.urls.count + ($0.user.entities?.url?.urls.count ?? 0) }
    let objects = [json.all.count, json.all.count, json.mentions.count, pictures.count, hashtags.count]
    #expect(report.duplicates == (objects + links).reduce(0, +) - report.objectCount)
  }

  @Test("values: key paths, dates with English names, text, JSON kept as text")
  func values() throws {
    let expected = json.tweets.values.map { tweet in
      [tweet.idStr, tweet.date, tweet.metadata.resultType, tweet.metadata.isoLanguageCode, tweet.text]
        .joined(separator: "|")
    }
    let rows = try store.rows("SELECT id, createdAt, resultType, isoLanguageCode, text FROM Tweet")
    #expect(Set(rows) == Set(expected))
    #expect(rows.count == expected.count)

    let widths = Set(json.media.map { "\($0.idStr)|\($0.sizes.large.w)" })
    #expect(Set(try store.rows("SELECT id, largeWidth FROM Medium")) == widths)
    #expect(try store.rows("SELECT DISTINCT json_extract(thumb, '$.resize') FROM Medium") == ["crop"])
  }

  @Test("identities stay exact where the numbers beside them were rounded")
  func exactIdentities() throws {
    let rounded = json.tweets.values.filter { String($0.id) != $0.idStr }
    #expect(rounded.count > 100)
    #expect(try store.count("SELECT count(*) FROM Tweet WHERE id <> roundedID") == rounded.count)
    #expect(Set(try store.rows("SELECT id FROM Tweet")) == Set(json.tweets.keys))
  }

  @Test("a user who is only mentioned has a name, and a mention takes nothing from one who wrote")
  func partialUsers() throws {
    let onlyMentioned = Set(json.mentions.map(\.id)).subtracting(json.authors.keys)
    #expect(!onlyMentioned.isEmpty)
    let withoutFollowers = try store.rows("SELECT id FROM User WHERE followersCount IS NULL")
    #expect(Set(withoutFollowers) == Set(onlyMentioned.map(String.init)))
    let expected = json.authors.values.map { "\($0.id)|\($0.screenName)|\($0.followersCount ?? -1)" }
    let rows = try store.rows("SELECT id, screenName, followersCount FROM User WHERE followersCount >= 0")
    #expect(Set(rows) == Set(expected))
  }

  // MARK: - Relationships

  @Test("authors, repeated tweets and answers")
  func toOne() throws {
    let expected = json.tweets.values.map { tweet in
      let answered = tweet.inReplyToUserId.map(String.init) ?? ""
      let tweets = "\(tweet.retweetedStatus?.idStr ?? "")|\(tweet.inReplyToStatusIdStr ?? "")"
      return "\(tweet.idStr)|\(tweet.user.id)|\(tweets)|\(answered)"
    }
    let rows = try store.rows("SELECT id, user, retweetOf, inReplyTo, inReplyToUser FROM Tweet")
    #expect(Set(rows) == Set(expected))
  }

  @Test("a join says who repeated whom")
  func joined() throws {
    let rows = try store.rows(
      """
      SELECT repeater.screenName, author.screenName FROM Tweet AS retweet
      JOIN Tweet AS original ON original.id = retweet.retweetOf
      JOIN User AS repeater ON repeater.id = retweet.user
      JOIN User AS author ON author.id = original.user
      """)
    let expected = json.statuses.compactMap { tweet in
      tweet.retweetedStatus.map { "\(tweet.user.screenName)|\($0.user.screenName)" }
    }
    #expect(rows.sorted() == expected.sorted())
    #expect(rows.count == 73)
  }

  @Test("lists keep their order")
  func ordered() throws {
    for tweet in json.tweets.values {
      let (id, entities) = (tweet.idStr, tweet.entities)
      #expect(
        try store.rows("SELECT hashtags FROM Tweet_hashtags WHERE tweets = \(id) ORDER BY hashtags_order")
          == entities.hashtags.map(\.text).uniqued)
      let mentions = try store.rows(
        "SELECT mentions FROM Tweet_mentions WHERE mentionedIn = \(id) ORDER BY mentions_order")
      #expect(mentions == entities.userMentions.map { String($0.id) }.uniqued)
      #expect(
        try store.rows("SELECT media FROM Tweet_media WHERE tweets = \(id) ORDER BY media_order")
          == (entities.media ?? []).map(\.idStr).uniqued)
      #expect(
        try store.rows("SELECT url FROM Link WHERE tweet = \(id) ORDER BY tweet_order")
          == entities.urls.map(\.url))
    }
  }

  @Test("a link belongs to a tweet or to a user, never to both or none")
  func owners() throws {
    #expect(try store.count("SELECT count(*) FROM Link WHERE (tweet IS NULL) = (user IS NULL)") == 0)
  }

  // MARK: - The report

  @Test("what is referred to and not there is pending, and nothing else dangles")
  func pending() throws {
    let answers = json.tweets.values.compactMap { tweet in
      tweet.inReplyToStatusIdStr.map { "Tweet \(tweet.idStr).inReplyTo Tweet \($0)" }
    }
    let pictures = json.media.compactMap { medium in
      medium.sourceStatusIdStr.map { "Medium \(medium.idStr).firstTweet Tweet \($0)" }
    }
    let expected = Set(answers + pictures).filter { reference in
      !json.tweets.keys.contains { reference.hasSuffix(" \($0)") }
    }
    let found = report.pending.map { "\($0.entity) \($0.identity).\($0.relationship) \($0.target) \($0.key)" }
    #expect(found.sorted() == expected.sorted())
    #expect(report.pendingCount == 9)
    let keys = report.pending.map { "\($0.entity).\($0.relationship) \($0.key)" }
    #expect(try store.dangling().sorted() == keys.sorted())
  }

  @Test("no issues; what the model does not have is counted")
  func unmatched() {
    #expect(report.issues == [])
    #expect(report.unmatchedKeys["Tweet"]?["in_reply_to_status_id"] == json.all.count)
    #expect(report.unmatchedKeys["Tweet"]?["entities.symbols"] == json.all.count)
    #expect(report.unmatchedKeys["Tweet"]?["source"] == nil)
    #expect(report.unmatchedKeys["User"]?["id_str"] == json.all.count + json.mentions.count)
    #expect(report.unmatchedKeys["User"]?["indices"] == json.mentions.count)
    #expect(report.unmatchedKeys["Medium"]?["sizes.small"] == json.media.count)
    #expect(report.unmatchedKeys["Link"] == nil)
    #expect(report.unmatchedKeys["$"] == nil)
  }

  @Test("importing it again changes nothing in any table")
  func again() throws {
    let (store, report) = try TestStore.filled(with: .twitter)
    let before = try store.contents()
    let second = try store.load(.twitter)
    #expect(second.unchanged == report.inserted)
    #expect(!second.changesAnything)
    #expect(second.pending == report.pending)
    #expect(try store.contents() == before)
  }

  // MARK: - Later

  @Test("a pending reference becomes the relationship when the tweet arrives")
  func arrival() throws {
    let (store, report) = try TestStore.filled(with: .twitter)
    let reference = try #require(report.pending.first { $0.entity == "Tweet" })
    var options = ImportOptions()
    options.entity = "Tweet"
    let date = "Sun Aug 31 00:29:15 +0000 2014"
    let tweet = #"{"id_str": "\#(reference.key)", "id": 1, "text": "…", "created_at": "\#(date)"}"#
    let second = try store.load(.string(tweet), options: options)
    #expect(second.inserted == ["Tweet": 1])
    #expect(try store.load(.twitter).pendingCount == report.pendingCount - 1)
    #expect(
      try store.rows(
        "SELECT answer.id FROM Tweet AS answer JOIN Tweet AS asked ON asked.id = answer.inReplyTo")
        == [reference.identity])
  }
}
