import Foundation
import Mapping
import ObjectModel
import Testing

@Suite("Tweets, as Twitter's search sends them", .enabled(if: RealFile.twitter.isThere))
struct TwitterTests {
  private let json: TwitterJSON
  private let bench: Workbench
  private let report: Report

  init() throws {
    json = try RealFile.twitter.decoded()
    bench = try Workbench(for: .twitter)
    report = try bench.importing(.twitter)
  }

  private var users: Set<Int64> { Set(json.authors.keys).union(json.mentions.map(\.id)) }

  // MARK: - Objects

  @Test("each tweet, author, hashtag and picture is there once")
  func counts() throws {
    let links =
      json.tweets.values.map(\.entities.urls.count).reduce(0, +)
      + json.authors.values.map { $0.entities?.url?.urls.count ?? 0 }.reduce(0, +)
    let expected = [
      "Tweet": json.tweets.count, "User": users.count, "Link": links,
      "Hashtag": Set(json.all.flatMap(\.entities.hashtags).map(\.text)).count,
      "Medium": Set(json.media.map(\.idStr)).count,
    ]
    #expect(expected["Tweet"] == 115)
    #expect(try bench.counts(of: Array(expected.keys)) == expected)
    #expect(report.inserted == expected)
    #expect(try bench.count("SELECT count(*) FROM \"Place\"") == 0)
  }

  @Test("objects that came again are counted")
  func duplicates() {
    let objects =
      json.all.count * 2 + json.mentions.count + json.media.count
      + json.all.flatMap(\.entities.hashtags).count
    let distinct =
      json.tweets.count + users.count + Set(json.media.map(\.idStr)).count
      + Set(json.all.flatMap(\.entities.hashtags).map(\.text)).count
    #expect(report.duplicates == objects - distinct)
  }

  @Test("values: key paths, dates with English names, text, JSON kept as text")
  func values() throws {
    let expected = json.tweets.values.map { tweet in
      [tweet.idStr, tweet.date, tweet.metadata.resultType, tweet.metadata.isoLanguageCode, tweet.text]
        .joined(separator: "|")
    }
    let rows = try bench.rows("SELECT id, createdAt, resultType, isoLanguageCode, text FROM Tweet")
    #expect(Set(rows) == Set(expected))
    #expect(rows.count == expected.count)

    let widths = Set(json.media.map { "\($0.idStr)|\($0.sizes.large.w)" })
    #expect(Set(try bench.rows("SELECT id, largeWidth FROM Medium")) == widths)
    #expect(try bench.rows("SELECT DISTINCT json_extract(thumb, '$.resize') FROM Medium") == ["crop"])
  }

  @Test("identities stay exact where the numbers beside them were rounded")
  func exactIdentities() throws {
    let rounded = json.tweets.values.filter { String($0.id) != $0.idStr }
    #expect(rounded.count > 100)
    #expect(try bench.count("SELECT count(*) FROM Tweet WHERE id <> roundedID") == rounded.count)
    #expect(Set(try bench.rows("SELECT id FROM Tweet")) == Set(json.tweets.keys))
  }

  @Test("a user who is only mentioned has a name, and a mention takes nothing from one who wrote")
  func partialUsers() throws {
    let onlyMentioned = Set(json.mentions.map(\.id)).subtracting(json.authors.keys)
    #expect(!onlyMentioned.isEmpty)
    #expect(
      Set(try bench.rows("SELECT id FROM User WHERE followersCount IS NULL")) == Set(onlyMentioned.map(String.init)))
    let expected = json.authors.values.map { "\($0.id)|\($0.screenName)|\($0.followersCount ?? -1)" }
    #expect(
      Set(try bench.rows("SELECT id, screenName, followersCount FROM User WHERE followersCount IS NOT NULL"))
        == Set(expected))
  }

  // MARK: - Relationships

  @Test("authors, repeated tweets and answers")
  func toOne() throws {
    let expected = json.tweets.values.map { tweet in
      [
        tweet.idStr, String(tweet.user.id), tweet.retweetedStatus?.idStr ?? "", tweet.inReplyToStatusIdStr ?? "",
        tweet.inReplyToUserId.map(String.init) ?? "",
      ].joined(separator: "|")
    }
    #expect(
      Set(try bench.rows("SELECT id, user, retweetOf, inReplyTo, inReplyToUser FROM Tweet")) == Set(expected))
  }

  @Test("a join says who repeated whom")
  func joined() throws {
    let rows = try bench.rows(
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
    func check(_ sql: String, _ expected: [String]) throws {
      #expect(try bench.rows(sql).sorted() == expected.sorted())
      #expect(!expected.isEmpty)
    }
    let tweets = json.tweets.values
    try check(
      """
      SELECT tweets, group_concat(hashtags, ',' ORDER BY hashtags_order) FROM Tweet_hashtags GROUP BY tweets
      """.replacingOccurrences(of: " ORDER BY hashtags_order", with: ""),
      tweets.filter { !$0.entities.hashtags.isEmpty }.map {
        "\($0.idStr)|" + $0.entities.hashtags.map(\.text).joined(separator: ",")
      })
    for tweet in tweets where !tweet.entities.userMentions.isEmpty {
      #expect(
        try bench.rows(
          "SELECT mentions FROM Tweet_mentions WHERE mentionedIn = \(tweet.idStr) ORDER BY mentions_order")
          == tweet.entities.userMentions.map { String($0.id) }.uniqued)
    }
    for tweet in tweets where !tweet.entities.urls.isEmpty {
      #expect(
        try bench.rows("SELECT url FROM Link WHERE tweet = \(tweet.idStr) ORDER BY tweet_order")
          == tweet.entities.urls.map(\.url))
    }
  }

  @Test("a link belongs to a tweet or to a user, never to both or none")
  func owners() throws {
    #expect(try bench.count("SELECT count(*) FROM Link WHERE (tweet IS NULL) = (user IS NULL)") == 0)
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
    #expect(
      try bench.dangling().sorted() == report.pending.map { "\($0.entity).\($0.relationship) \($0.key)" }.sorted())
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

  @Test("importing it again changes nothing, not even the file")
  func again() throws {
    let before = try bench.bytes()
    let second = try bench.importing(.twitter)
    #expect(second.unchanged == report.inserted)
    #expect(!second.changesAnything)
    #expect(second.pending == report.pending)
    #expect(try bench.bytes() == before)
  }

  // MARK: - Later

  @Test("a pending reference becomes the relationship when the tweet arrives")
  func arrival() throws {
    let reference = try #require(report.pending.first { $0.entity == "Tweet" })
    var options = ImportOptions()
    options.entity = "Tweet"
    let second = try bench.importing(
      .string(
        #"{"id_str": "\#(reference.key)", "id": 1, "text": "…", "created_at": "Sun Aug 31 00:29:15 +0000 2014"}"#),
      options: options)
    #expect(second.inserted == ["Tweet": 1])
    #expect(second.pendingCount == report.pendingCount - 1)
    #expect(
      try bench.rows(
        "SELECT answer.id FROM Tweet AS answer JOIN Tweet AS asked ON asked.id = answer.inReplyTo")
        == [reference.identity])
  }
}
