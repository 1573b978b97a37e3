import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Files that come one after another, and make the model that they make together.
@Suite struct SequenceTests {
  struct Sequence: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The files in the order in which they come, with their names.
    let files: [(name: String, json: String)]
    /// How many objects each entity has in the end.
    let objects: [String: Int]
    var links: [String: String] = [:]
    var types: [String: AttributeType] = [:]
    /// How many objects fulfil a predicate, by entity.
    var fulfilled: [String: (predicate: String, count: Int)] = [:]
  }

  private static func repositories(_ numbers: [Int]) -> String {
    let nodes = numbers.map {
      #"{"node": {"id": "MDEwOlJlcG9\#($0)0", "name": "r\#($0)", "owner": {"login": "octo", "id": "MDQ6VXNlcjE="}}}"#
    }
    return
      #"{"data": {"viewer": {"login": "octo", "id": "MDQ6VXNlcjE=", "repositories": {"edges": [\#(nodes.joined(separator: ", "))]}}}}"#
  }

  private static func pulls(_ numbers: [Int], reviews: String, issues: String) -> String {
    let nodes = numbers.map {
      #"{"node": {"id": "PR_kwDOAbCd0\#($0)", "title": "T\#($0)", "reviews": {"nodes": [\#(reviews)]}}}"#
    }
    return
      #"{"data": {"repository": {"id": "R_1", "name": "x", "pullRequests": {"edges": [\#(nodes.joined(separator: ", "))], "pageInfo": {"endCursor": "Y"}}, "issues": {"edges": [\#(issues)], "pageInfo": {"endCursor": "Y"}}}}}"#
  }

  private static func article(_ number: Int, image: String) -> String {
    #"{"type": "articles", "id": "\#(number)", "attributes": {"title": "T\#(number)"}, "relationships": {"author": {"data": {"type": "people", "id": "9"}}, "image": {"data": \#(image)}}}"#
  }

  private static let person = #"{"type": "people", "id": "9", "attributes": {"name": "Ann"}}"#

  static let sequences = [
    Sequence(
      testDescription: "objects of a few values that answers have too",
      files: [
        ("users.json", #"[{"id": 1, "email": "a@example.org"}, {"id": 2, "email": "b@example.org"}]"#),
        ("release.json", #"{"Version": "v1.0.0", "Time": "2018-02-22T03:48:05Z"}"#),
        ("dashboard.json", #"{"url": "https://dashboard.example.com"}"#),
        ("associations.json", #"{"groups_count": 1, "projects_count": 2, "issues_count": 3}"#),
        ("tls.json", #"{"max_version": "TLS12", "min_version": "TLS11"}"#),
      ], objects: ["User": 2, "Release": 1, "Dashboard": 1, "Association": 1, "Tls": 1]),
    Sequence(
      testDescription: "an id of objects that had none, which others seem to name",
      files: [
        (
          "images.json",
          #"{"data": [{"id": "linode/debian11", "label": "Debian 11", "regions": [{"region": "us-iad", "status": "available"}]}], "page": 1, "pages": 1, "results": 1}"#
        ),
        ("cluster.json", #"{"id": "my-cluster", "domain": "example.com", "region": "us-east-1"}"#),
        (
          "key.json",
          #"{"id": 124, "label": "new-key", "limited": true, "bucket_access": [{"region": "us-east-1", "bucket_name": "b"}], "regions": [{"id": "us-east-1", "s3_endpoint": "https://s3.example.com", "endpoint_type": "E0"}]}"#
        ),
      ], objects: ["Image": 1, "Region": 2, "Cluster": 1, "Key": 1, "BucketAccess": 1]),
    Sequence(
      testDescription: "objects that only the names of their files call like others",
      files: [
        (
          "a.good.json",
          #"{"proxy": "http://remote.host", "headers": {"single": ["a"], "multi": ["b", "c"]}}"#
        ),
        ("b.good.json", #"{"skip_verify": true}"#),
      ], objects: ["Good": 1, "GoodRecord": 1]),
    Sequence(
      testDescription: "whole numbers of 64 bits before fractions",
      files: [
        (
          "levels.json", #"[{"id": 1, "label": "a", "v": 9007199254740993}, {"id": 2, "label": "b", "v": 2}]"#
        ),
        ("levels2.json", #"[{"id": 3, "label": "c", "v": 0.5}]"#),
      ], objects: ["Level": 3], types: ["Level.v": .decimal]),
    Sequence(
      testDescription: "moments as numbers before those as texts",
      files: [
        (
          "events.json",
          #"[{"id": 1, "name": "a", "created_at": 1700000000}, {"id": 2, "name": "b", "created_at": 1700000100}]"#
        ),
        ("events2.json", #"[{"id": 3, "name": "c", "created_at": "2024-03-03T10:00:00Z"}]"#),
      ], objects: ["Event": 3], types: ["Event.createdAt": .date],
      fulfilled: ["Event": ("createdAt != nil", 3)]),
    Sequence(
      testDescription: "truth before words",
      files: [
        ("flags.json", #"[{"id": 1, "name": "a", "on": true}, {"id": 2, "name": "b", "on": false}]"#),
        ("flags2.json", #"[{"id": 3, "name": "c", "on": "dimmed"}]"#),
      ], objects: ["Flag": 3], types: ["Flag.on": .transformable]),
    Sequence(
      testDescription: "one author before lists of them",
      files: [
        (
          "volumes.json",
          #"[{"id": 301, "title": "a", "author": {"id": 71, "name": "Ann"}}, {"id": 302, "title": "b", "author": {"id": 72, "name": "Bob"}}]"#
        ),
        (
          "volumes2.json",
          #"[{"id": 303, "title": "c", "author": [{"id": 71, "name": "Ann"}, {"id": 73, "name": "Cyd"}]}]"#
        ),
      ], objects: ["Volume": 3, "Author": 3], links: ["Volume.author": "Author"],
      fulfilled: ["Volume": ("ANY author.name == 'Ann'", 2)]),
    Sequence(
      testDescription: "students before the courses that name them too",
      files: [
        (
          "students.json",
          #"[{"id": 101, "name": "Ann", "course_ids": [501, 502]}, {"id": 102, "name": "Bob", "course_ids": [501]}]"#
        ),
        (
          "courses.json",
          #"[{"id": 501, "title": "Maths", "student_ids": [101, 102]}, {"id": 502, "title": "Art", "student_ids": [101]}]"#
        ),
      ], objects: ["Student": 2, "Course": 2],
      links: ["Student.courses": "Course", "Course.students": "Student"],
      fulfilled: ["Student": ("ANY courses.title == 'Art'", 1)]),
    Sequence(
      testDescription: "tasks before projects that name some of them only",
      files: [
        (
          "tasks.json",
          AnswerTests.list(0..<4) {
            #"{"id": \#(5_000 + $0), "name": "n\#($0)", "project_ids": [\#(70_001 + $0 % 2)]}"#
          }
        ),
        (
          "projects.json",
          AnswerTests.list(0..<2) {
            #"{"id": \#(70_001 + $0), "title": "p\#($0)", "task_ids": [\#(5_000 + $0)]}"#
          }
        ),
      ], objects: ["Task": 4, "Project": 2], links: ["Task.projects": "Project"],
      fulfilled: ["Task": ("projects.@count == 1", 4)]),
    Sequence(
      testDescription: "contacts with their account, and accounts with a page of them",
      files: [
        (
          "contacts.json",
          AnswerTests.list(0..<4) {
            #"{"Id": "003AbCdEfGhIj10\#($0)", "Name": "C\#($0)", "AccountId": "001AbCdEfGhIj10\#($0 % 2)"}"#
          }
        ),
        (
          "accounts.json",
          AnswerTests.list(0..<2) {
            #"{"Id": "001AbCdEfGhIj10\#($0)", "Industry": "I", "Contacts": {"totalSize": 2, "done": false, "nextRecordsUrl": "/q/1", "records": [{"Id": "003AbCdEfGhIj10\#($0)", "Name": "C\#($0)", "AccountId": "001AbCdEfGhIj10\#($0)"}]}}"#
          }
        ),
      ], objects: ["Contact": 4, "Account": 2], fulfilled: ["Contact": ("account != nil", 4)]),
    Sequence(
      testDescription: "events with objects of other types",
      files: [
        (
          "h1.json",
          #"{"id": "evt_1N1qX", "object": "event", "type": "customer.created", "data": {"object": {"id": "cus_Nffr1GnV", "object": "customer", "email": "a@x.com", "name": "Ann"}}}"#
        ),
        (
          "h2.json",
          #"{"id": "evt_1N2qX", "object": "event", "type": "charge.succeeded", "data": {"object": {"id": "ch_3Nabc1Xyz", "object": "charge", "amount": 100, "currency": "usd"}}}"#
        ),
      ], objects: ["Event": 2, "Customer": 2],
      fulfilled: ["Customer": ("amount == 100 AND currency == 'usd'", 1)]),
    Sequence(
      testDescription: "lists that name their board",
      files: [
        ("board.json", #"{"id": "5abbe4b7ddc1b351ef961400", "name": "B", "desc": "", "closed": false}"#),
        (
          "lists.json",
          #"[{"id": "5abbe4b7ddc1b351ef961401", "name": "todo", "idBoard": "5abbe4b7ddc1b351ef961400"}, {"id": "5abbe4b7ddc1b351ef961402", "name": "done", "idBoard": "5abbe4b7ddc1b351ef961400"}]"#
        ),
      ], objects: ["Board": 1, "List": 2], links: ["List.board": "Board"]),
    Sequence(
      testDescription: "a team before the matches that it plays",
      files: [
        ("team.json", #"{"id": 57, "name": "A", "tla": "AAA", "venue": "V"}"#),
        (
          "matches.json",
          #"{"matches": [{"id": 400001, "homeTeam": {"id": 57, "name": "A", "tla": "AAA"}, "awayTeam": {"id": 61, "name": "T1", "tla": "T01"}}, {"id": 400002, "homeTeam": {"id": 57, "name": "A", "tla": "AAA"}, "awayTeam": {"id": 62, "name": "T2", "tla": "T02"}}]}"#
        ),
      ], objects: ["Team": 3, "Match": 2], links: ["Match.homeTeam": "Team", "Match.awayTeam": "Team"]),
    Sequence(
      testDescription: "pages of a connection, whose objects say their owner",
      files: [("q1.json", repositories([1, 2])), ("q2.json", repositories([3]))],
      objects: ["Viewer": 1, "Repository": 3], fulfilled: ["Repository": ("owner != nil", 3)]),
    Sequence(
      testDescription: "connections without objects before others, and after them",
      files: [
        ("a.json", pulls([1, 2], reviews: "", issues: "")),
        (
          "b.json",
          pulls(
            [3], reviews: #"{"id": "PRR_kwDOAbCd01", "state": "APPROVED"}"#,
            issues: #"{"node": {"id": "I_kwDOAbCd01", "title": "a"}}"#)
        ),
        ("c.json", pulls([4], reviews: "", issues: "")),
      ], objects: ["Repository": 1, "PullRequest": 4, "Review": 1, "Issue": 1],
      links: ["PullRequest.reviews": "Review", "Repository.issues": "Issue"]),
    Sequence(
      testDescription: "relationships of JSON:API that were null",
      files: [
        (
          "a.json",
          #"{"data": [\#(article(1, image: "null")), \#(article(2, image: "null"))], "included": [\#(person)]}"#
        ),
        (
          "b.json",
          #"{"data": [\#(article(3, image: #"{"type": "images", "id": "7"}"#))], "included": [\#(person), {"type": "images", "id": "7", "attributes": {"src": "x.png"}}]}"#
        ),
        ("c.json", #"{"data": [\#(article(4, image: "null"))], "included": [\#(person)]}"#),
      ], objects: ["Article": 4, "Person": 1, "Image": 1], links: ["Article.image": "Image"],
      fulfilled: ["Article": ("image.src == 'x.png'", 1)]),
    Sequence(
      testDescription: "the key of a list in a file of another name",
      files: [
        (
          "inventory_levels.json",
          #"{"inventory_levels": [{"inventory_item_id": 49148385, "location_id": 655441491, "available": 2}, {"inventory_item_id": 49148386, "location_id": 655441491, "available": 3}]}"#
        ),
        (
          "late.json",
          #"{"inventory_levels": [{"inventory_item_id": 49148387, "location_id": 655441492, "available": 4}]}"#
        ),
      ], objects: ["InventoryLevel": 3]),
  ]

  @Test(arguments: sequences + thatRefute + ofPages) func filesOneAfterAnother(_ sequence: Sequence) throws {
    let folder = try TestFolder(Dictionary(uniqueKeysWithValues: sequence.files.map { ($0.name, $0.json) }))
    let sources = sequence.files.map { folder.source($0.name) }
    let inferred = try widened(sources)
    let store = try importedTwice(sources, inferred)
    let counts = try store.read { transaction in
      try Dictionary(
        uniqueKeysWithValues: inferred.model.entities.filter { !$0.isAbstract }.map {
          ($0.name, try transaction.count(Query($0.name)))
        })
    }
    #expect(counts.filter { $0.value > 0 } == sequence.objects)
    for (link, target) in sequence.links {
      let names = link.split(separator: ".").map(String.init)
      #expect(inferred.model[entity: names[0]]?[relationship: names[1]]?.destination == target, "\(link)")
    }
    for (attribute, type) in sequence.types {
      let names = attribute.split(separator: ".").map(String.init)
      #expect(inferred.model[entity: names[0]]?[attribute: names[1]]?.type == type, "\(attribute)")
    }
    for (entity, expected) in sequence.fulfilled {
      var query = Query(entity)
      query.predicates = [try ObjectPredicate(format: expected.predicate)]
      #expect(try store.read { try $0.count(query) } == expected.count, "\(expected.predicate)")
    }
  }

  /// Objects at the top that share nothing but small numbers with those of the store are others.
  @Test func usersOfTwoServicesStayApart() throws {
    let folder = try TestFolder([
      "a/users.json": AnswerTests.list(1..<3) {
        #"{"id": \#($0), "name": "N\#($0)", "email": "e\#($0)@a.org"}"#
      },
      "b/users.json": AnswerTests.list(1..<3) {
        #"{"id": \#($0), "login": "l\#($0)", "points": \#($0), "tier": "t"}"#
      },
    ])
    let model = try widened(["a/users.json", "b/users.json"].map(folder.source)).model
    #expect(model.entities.map(\.name) == ["User", "UserRecord"])
    #expect(model[entity: "User"]?[attribute: "login"] == nil)
  }

  /// A list of users, and two users of which one has another name by now, are users.
  @Test func aUserWithAnotherNameIsTheSame() throws {
    func user(_ number: Int, _ name: String) -> String {
      #"{"id": \#(35_000 + number), "name": "\#(name)", "role": "agent", "active": true}"#
    }
    let folder = try TestFolder([
      "users.json": #"{"users": [\#(user(1, "Ann")), \#(user(2, "Bob"))], "count": 2}"#,
      "user.json": #"{"user": \#(user(3, "Cyd"))}"#, "user-1.json": #"{"user": \#(user(1, "Anna"))}"#,
    ])
    let inferred = try InferredModel(from: folder.sources())
    #expect(inferred.model.entities.map(\.name) == ["User"])
    #expect(try imported(inferred, folder.sources()).report.inserted == ["User": 3])
  }

  /// Documents in which an API says why there is no answer.
  static let failures = [
    #"{"error": true, "reason": "Too many requests"}"#,
    #"{"message": "Not Found", "documentation_url": "https://x.org/docs"}"#,
    #"{"type": "about:blank", "title": "Not Found", "status": 404, "detail": "User 9 does not exist", "instance": "/users/9"}"#,
    #"{"timestamp": "2024-01-01T00:00:00Z", "status": 404, "error": "Not Found", "path": "/users/9"}"#,
    #"{"errors": [{"code": 1003, "message": "Invalid access token"}]}"#,
    #"{"error": {"code": 404, "message": "Not found", "errors": [{"domain": "global", "reason": "notFound", "message": "m"}], "status": "NOT_FOUND"}}"#,
    #"{"ok": false, "error": "channel_not_found"}"#,
    #"{"data": null, "errors": [{"message": "Something went wrong", "type": "NOT_FOUND", "path": ["viewer"]}]}"#,
    #"{"code": "rest_no_route", "message": "No route", "status": 404}"#,
    #"{"fault": {"faultstring": "Rate limit quota violation", "code": "q"}}"#,
    #"{"count": 0, "results": []}"#, "{}",
  ]

  /// What is called like an error, or has a few keys of one, is an object all the same.
  @Test(arguments: [
    #"{"error": 0.25, "value": 12.5, "unit": "m"}"#,
    #"{"title": "Paint", "status": "open", "detail": "Two coats"}"#,
    #"{"message": "hello", "code": "greeting", "level": "info"}"#,
  ])
  func whatHasKeysOfErrorsIsAnObject(_ json: String) throws {
    let folder = try TestFolder([
      "users.json": AnswerTests.list(1..<4) { #"{"id": \#($0), "name": "N\#($0)"}"# }, "task.json": json,
    ])
    let known = try InferredModel(from: [folder.source("users.json")])
    let refined = try InferredModel(from: [folder.source("task.json")]).refining(
      known.model, mapping: known.mapping)
    #expect(refined.model.entities.count > known.model.entities.count)
  }

  /// What says that there is no answer leaves the model as it is, of objects with an identity and of those of their files.
  @Test(
    arguments: failures,
    [#"{"id": 7, "temp": 3.5, "sky": "clear"}"#, #"{"temp": 3.5, "wind": 4, "sky": "clear"}"#])
  func anAnswerThatFailedLeavesTheModelAsItWas(_ failure: String, _ answer: String) throws {
    let folder = try TestFolder([
      "w/berlin.json": answer, "w/rome.json": answer.replacing("7", with: "8"), "w/oslo.json": failure,
    ])
    let known = try InferredModel(from: [folder.source("w/berlin.json"), folder.source("w/rome.json")])
    do {
      let refined = try InferredModel(from: [folder.source("w/oslo.json")]).refining(
        known.model, mapping: known.mapping)
      #expect(refined.model == known.model)
      #expect(refined.mapping.text() == known.mapping.text())
    } catch let error as InferenceError {
      // Nothing in it is an object.
      #expect("\(error)".contains("no objects"))
    }
  }
}
