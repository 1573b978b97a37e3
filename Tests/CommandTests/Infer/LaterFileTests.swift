import Foundation
import Testing

/// Files that come one after another into a store whose model is taken from them, and what the report of each says.
@Suite struct LaterFileTests {
  /// A file, and the outcome of its import.
  struct Step: Sendable {
    let name: String
    let json: String
    var status: Int32 = 0
    var inserted = 0
    var updated = 0
    var deleted = 0
  }

  struct Files: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let steps: [Step]
    /// Words that an export of all has.
    var words: [String] = []
  }

  private static func list(_ numbers: Range<Int>, _ object: (Int) -> String) -> String {
    "[" + numbers.map(object).joined(separator: ", ") + "]"
  }

  private static func members(_ numbers: Range<Int>, _ status: (Int) -> String) -> String {
    #"{"members": \#(list(numbers) { #"{"id": "m\#($0)", "email": "e\#($0)@example.org", "status": "\#(status($0))"}"# }), "list_id": "L"}"#
  }

  private static func match(_ number: Int) -> String {
    let players = list(0..<3) {
      #"{"puuid": "0426a3b5ebe27a4c5365d1e6da00ceee\#($0)f", "kills": \#(number * 3 + $0), "gold": \#(number * 1_000 + $0)}"#
    }
    return
      #"{"metadata": {"matchId": "EUW1_691\#(number)"}, "info": {"gameId": 691\#(number), "participants": \#(players)}}"#
  }

  private static func role(_ kind: String, _ name: String, _ number: Int) -> String {
    #"{"id": \#(number), "url": "https://net.example.org/api/\#(kind)/\#(number)/", "name": "\#(name) \#(number)"}"#
  }

  static let files = [
    Files(
      testDescription: "an answer without its content before one with it, and the first one again",
      steps: [
        Step(
          name: "delete.json",
          json:
            #"{"content": null, "commit": {"sha": "a4920b46ce034f44c41ce1a6a2752cca", "message": "Deleting"}}"#,
          inserted: 1),
        Step(
          name: "update.json",
          json:
            #"{"content": {"name": "t.txt", "path": "t.txt", "size": 5}, "commit": {"sha": "1e5ef2865a791564bc4af819f7af96ab", "message": "Creating"}}"#,
          inserted: 1),
        Step(
          name: "delete.json",
          json:
            #"{"content": null, "commit": {"sha": "a4920b46ce034f44c41ce1a6a2752cca", "message": "Deleting"}}"#
        ),
      ], words: ["Deleting", "Creating"]),
    Files(
      testDescription: "commits of a repository, and those of an event, whose authors say less",
      steps: [
        Step(
          name: "commits.json",
          json:
            #"[{"sha": "a1b2c3d4e5f6a7b8", "commit": {"author": {"name": "A", "email": "a@x.example.org"}, "message": "m"}, "author": {"login": "a", "id": 37}}, {"sha": "b1b2c3d4e5f6a7b8", "commit": {"author": {"name": "B", "email": "b@x.example.org"}, "message": "n"}, "author": {"login": "b", "id": 74}}]"#,
          inserted: 4),
        Step(
          name: "events.json",
          json:
            #"[{"id": "22249084948", "type": "PushEvent", "actor": {"id": 37, "login": "a"}, "payload": {"push_id": 1, "commits": [{"sha": "a1b2c3d4e5f6a7b8", "author": {"email": "a@x.example.org", "name": "A"}, "message": "m", "distinct": true}]}}]"#,
          inserted: 3),
      ]),
    Files(
      testDescription: "teams in a list, and the two of a match under the same key",
      steps: [
        Step(
          name: "teams.json",
          json:
            #"{"copyright": "c", "teams": [{"id": 108, "name": "Angels", "code": "ana"}, {"id": 109, "name": "D-backs", "code": "ari"}]}"#,
          inserted: 2),
        Step(
          name: "match.json",
          json:
            #"{"copyright": "c", "teams": {"away": {"team": {"id": 108, "name": "Angels"}, "batters": [1], "info": [{"title": "B", "fields": [{"label": "TB", "value": "2"}]}]}, "home": {"team": {"id": 109, "name": "D-backs"}, "batters": [2], "info": [{"title": "B", "fields": []}]}}, "officials": [{"official": {"id": 427000, "name": "Ump"}, "type": "Plate"}], "info": [{"label": "Wind", "value": "5"}]}"#,
          inserted: 9),
        Step(
          name: "teams.json",
          json:
            #"{"copyright": "c", "teams": [{"id": 108, "name": "Angels", "code": "ana"}, {"id": 109, "name": "D-backs", "code": "ari"}]}"#
        ),
      ]),
    Files(
      testDescription: "documents of one entity each, by its own key",
      steps: (5...7).map { number in
        Step(
          name: "Q\(number).json",
          json:
            #"{"entities": {"Q\#(number)": {"id": "Q\#(number)", "type": "item", "labels": {"de": {"language": "de", "value": "L\#(number)"}}}}}"#,
          inserted: 2)
      }),
    Files(
      testDescription: "pages of people and of series, each a page 0 in a folder of its own",
      steps: [
        Step(
          name: "shows/1.json",
          json:
            #"{"id": 1, "url": "https://x.example.org/shows/1", "name": "Dome", "premiered": "2013-06-24", "updated": 1631010933, "_embedded": {"cast": [{"person": {"id": 7, "url": "https://x.example.org/people/7", "name": "Mike", "gender": "Male", "updated": 1631010000}, "voice": false}]}}"#,
          inserted: 3),
        Step(
          name: "people/page-0.json",
          json:
            #"[{"id": 6, "url": "https://x.example.org/people/6", "name": "Natalie", "gender": "Female", "updated": 1631010006}, {"id": 7, "url": "https://x.example.org/people/7", "name": "Mike", "gender": "Male", "updated": 1631010000}]"#,
          inserted: 1),
        Step(
          name: "shows/page-0.json",
          json:
            #"[{"id": 1, "url": "https://x.example.org/shows/1", "name": "Dome", "premiered": "2013-06-24", "updated": 1631010933}, {"id": 6, "url": "https://x.example.org/shows/6", "name": "The 100", "premiered": "2014-03-19", "updated": 1631010939}]"#,
          inserted: 1),
      ], words: ["Natalie", "The 100"]),
    Files(
      testDescription: "categories of products and of posts, each from 1",
      steps: [
        Step(
          name: "products.json",
          json:
            #"{"products": \#(list(1..<4) { #"{"id": \#($0), "sku": "a\#($0)", "category": {"id": \#(1 + $0 / 3), "name": "P\#($0 / 3)"}}"# })}"#,
          inserted: 5),
        Step(
          name: "posts.json",
          json:
            #"{"posts": \#(list(1..<4) { #"{"id": \#($0), "slug": "b\#($0)", "category": {"id": \#(1 + $0 / 3), "name": "N\#($0 / 3)"}}"# })}"#,
          inserted: 5),
      ], words: ["P0", "N0"]),
    Files(
      testDescription: "what one user did, and what he did next",
      steps: [
        Step(
          name: "events.json",
          json:
            #"{"events": [{"user_id": 11, "event": "login", "at": "2024-01-01T10:00:00Z"}, {"user_id": 12, "event": "login", "at": "2024-01-01T11:00:00Z"}]}"#,
          inserted: 2),
        Step(
          name: "events-2.json",
          json: #"{"events": [{"user_id": 11, "event": "logout", "at": "2024-01-02T10:00:00Z"}]}"#,
          inserted: 1),
      ], words: ["login", "logout"]),
    Files(
      testDescription: "parts of a message and of the next one",
      steps: [
        Step(
          name: "mail.json",
          json:
            #"{"messages": [{"id": "18eb6c2f3a4b5c6d", "payload": {"parts": [{"partId": "0.0", "type": "text/plain"}, {"partId": "0.1", "filename": "invoice.pdf"}]}}]}"#,
          inserted: 3),
        Step(
          name: "mail-2.json",
          json:
            #"{"messages": [{"id": "28eb6c2f3a4b5c6f", "payload": {"parts": [{"partId": "0.0", "type": "text/html"}, {"partId": "0.1", "filename": "cat.png"}]}}]}"#,
          inserted: 3),
      ], words: ["invoice.pdf", "cat.png"]),
    Files(
      testDescription: "members of a list, some of whom have changed in the next answer",
      steps: [
        Step(name: "members.json", json: members(0..<6) { _ in "open" }, inserted: 7),
        Step(
          name: "members-2.json", json: members(2..<8) { $0 < 5 ? "closed" : "open" }, inserted: 3, updated: 3
        ),
      ]),
    Files(
      testDescription: "a part of a chat again, in which a message answers another one",
      steps: [
        Step(
          name: "chat.json",
          json:
            #"{"name": "Family", "id": 987654, "messages": [{"id": 1, "type": "service", "actor": "Ann"}, {"id": 2, "type": "message", "text": "Hi"}, {"id": 3, "type": "message", "text": "see", "reply_to_message_id": 2}]}"#,
          inserted: 4),
        Step(
          name: "chat-2.json",
          json:
            #"{"name": "Family", "id": 987654, "messages": [{"id": 2, "type": "message", "text": "Hi!"}, {"id": 3, "type": "message", "text": "see", "reply_to_message_id": 2}, {"id": 5, "type": "message", "text": "New"}]}"#,
          inserted: 1, updated: 3),
      ], words: ["Hi!", "New", "Ann"]),
    Files(
      testDescription: "what players did in each of two matches",
      steps: [
        Step(name: "EUW1_6911.json", json: match(1), inserted: 4),
        Step(name: "EUW1_6912.json", json: match(2), inserted: 4),
        Step(name: "EUW1_6911.json", json: match(1)),
      ], words: ["1001", "2001"]),
    Files(
      testDescription: "a key that identifies objects, as more of them show",
      steps: [
        Step(
          name: "places.json",
          json: list(1..<3) { #"{"place_id": \#($0), "osm_id": 7, "lat": "4\#($0).5"}"# },
          inserted: 2),
        Step(
          name: "places-2.json",
          json: list(1..<5) { #"{"place_id": \#($0), "osm_id": 7, "lat": "4\#($0).5"}"# },
          inserted: 2),
        Step(
          name: "places.json", json: list(1..<3) { #"{"place_id": \#($0), "osm_id": 7, "lat": "4\#($0).5"}"# }
        ),
      ]),
    Files(
      testDescription: "objects without the key that identified those before them",
      steps: [
        Step(
          name: "papers.json",
          json: list(1..<4) {
            #"{"paper_chembl_id": "CHEMBL112013\#($0)", "doi": "10.1021/jm\#($0)", "year": 2\#($0)}"#
          },
          inserted: 3),
        Step(
          name: "papers-2.json",
          json:
            #"[{"paper_chembl_id": "CHEMBL1201861", "doi": null, "year": 7}, {"paper_chembl_id": "CHEMBL1201862", "doi": "10.1021/jm5", "year": 8}]"#,
          inserted: 2),
      ]),
    Files(
      testDescription: "a kind that is new, with a value that another one has",
      steps: [
        Step(
          name: "resources.json",
          json:
            #"{"value": [{"id": "/s/vm1", "name": "vm1", "type": "Compute/vm"}, {"id": "/s/d1", "name": "d1", "type": "Compute/disk", "managedBy": "/s/vm1", "sku": {"name": "P"}}]}"#,
          inserted: 2),
        Step(
          name: "resources-2.json",
          json:
            #"{"value": [{"id": "/s/vm1", "name": "vm1", "type": "Compute/vm"}, {"id": "/s/x1", "name": "x1", "type": "Storage/account", "kind": "V2", "sku": {"name": "S"}, "tags": {}}]}"#,
          inserted: 1),
        Step(
          name: "resources-3.json",
          json:
            #"{"value": [{"id": "/s/x1", "name": "x1", "type": "Storage/account", "kind": "V2", "sku": {"name": "S"}, "tags": {}}]}"#
        ),
      ], words: [#""S""#]),
    Files(
      testDescription: "objects under keys of two, whose values are attributes already",
      steps: [
        Step(
          name: "lock.json",
          json:
            #"{"hash": "1", "packages": [{"name": "a/b", "source": {"type": "git", "url": "https://git.example.org/a.git", "reference": "e239"}}, {"name": "c/d", "source": {"type": "git", "url": "https://git.example.org/c.git", "reference": "fe5e"}}], "packages-dev": [{"name": "e/f", "source": {"type": "git", "url": "https://git.example.org/e.git", "reference": "abc1"}}]}"#,
          inserted: 4),
        Step(
          name: "lock-2.json",
          json:
            #"{"hash": "2", "packages": [{"name": "c/d", "source": {"type": "git", "url": "https://git.example.org/c.git", "reference": "fe5e"}}, {"name": "g/h", "source": {"type": "git", "url": "https://git.example.org/c.git", "reference": "fe5e"}}], "packages-dev": [{"name": "e/f", "source": {"type": "git", "url": "https://git.example.org/e.git", "reference": "abc1"}}]}"#,
          inserted: 4),
      ]),
    Files(
      testDescription: "roles of another address with the same numbers",
      steps: [
        Step(
          name: "devices.json",
          json: list(1..<5) {
            #"{"id": \#($0), "name": "d\#($0)", "role": \#(role("device-roles", "Router", $0 % 2 + 1))}"#
          },
          inserted: 6),
        Step(
          name: "prefixes.json",
          json: list(1..<5) {
            #"{"id": \#($0), "prefix": "10.\#($0)", "role": \#(role("roles", "Data", $0 % 2 + 1))}"#
          },
          inserted: 6),
      ], words: ["Router 1", "Data 1"]),
    Files(
      testDescription: "lists of which cards had told the name",
      steps: [
        Step(
          name: "cards.json",
          json: list(0..<4) {
            #"{"id": "60b00000ca978112ca0000\#($0)d", "name": "c\#($0)", "list": {"id": "60b00000acac86c0e6000\#($0 % 2)4d", "name": "L\#($0 % 2)"}}"#
          }, inserted: 6),
        Step(
          name: "lists.json",
          json: list(0..<2) {
            #"{"id": "60b00000acac86c0e6000\#($0)4d", "name": "L\#($0)", "closed": false, "color": "red", "pos": 1\#($0), "subscribed": true}"#
          }, updated: 2),
      ]),
    Files(
      testDescription: "a count of objects that are there",
      steps: [
        Step(
          name: "addresses.json", json: list(1..<4) { #"{"id": \#($0), "address": "10.0.0.\#($0)"}"# },
          inserted: 3),
        Step(
          name: "interfaces.json",
          json: list(1..<5) { #"{"id": \#($0), "name": "eth\#($0)", "count_addresses": \#($0 % 3 + 1)}"# },
          inserted: 4),
      ], words: [#""count_addresses":1"#]),
    Files(
      testDescription: "an error in place of objects, and a second list under a number",
      steps: [
        Step(
          name: "a-4217.json",
          json: #"{"4217": \#(list(1..<4) { #"{"code": "C\#($0)", "name": "N\#($0)"}"# })}"#, inserted: 3),
        Step(
          name: "a-3166.json",
          json:
            #"{"3166-1": \#(list(1..<4) { #"{"alpha_2": "A\#($0)", "name": "M\#($0)", "flag": "f\#($0)"}"# })}"#,
          inserted: 3),
        Step(
          name: "error.json", json: #"{"errors": [{"message": "The resource does not exist."}]}"#, status: 3),
        Step(
          name: "a-4217.json",
          json: #"{"4217": \#(list(1..<4) { #"{"code": "C\#($0)", "name": "N\#($0)"}"# })}"#),
      ]),
    Files(
      testDescription: "a document that has one list of the same name as another one",
      steps: [
        Step(
          name: "officer.json",
          json:
            #"{"born": {"month": 7, "year": 1956}, "etag": "e1", "is_corporate": false, "name": "Mia", "items": [{"appointed_on": "2016-02-01", "company": {"number": "0044", "status": "active"}}, {"appointed_on": "2016-02-02", "company": {"number": "OC30", "status": "active"}}]}"#,
          inserted: 3),
        Step(
          name: "officer.json",
          json:
            #"{"born": {"month": 7, "year": 1956}, "etag": "e1", "is_corporate": false, "name": "Mia", "items": [{"appointed_on": "2016-02-01", "company": {"number": "0044", "status": "active"}}, {"appointed_on": "2016-02-02", "company": {"number": "OC30", "status": "active"}}]}"#
        ),
      ]),
    Files(
      testDescription: "an object in an envelope, and a document that has more beside this key",
      steps: [
        Step(
          name: "advisory-1.json",
          json: #"{"document": {"title": "One", "tracking": {"id": "ADV-2021-0001", "status": "final"}}}"#,
          inserted: 2),
        Step(
          name: "advisory-2.json",
          json:
            #"{"document": {"title": "Two", "tracking": {"id": "ADV-2021-0002", "status": "final"}}, "product_tree": {"names": [{"product_id": "P1", "name": "Kettle"}]}}"#,
          inserted: 3),
        Step(
          name: "advisory-1.json",
          json: #"{"document": {"title": "One", "tracking": {"id": "ADV-2021-0001", "status": "final"}}}"#),
      ], words: ["One", "Two", "Kettle"]),
    Files(
      testDescription: "keys that nothing else takes",
      steps: [
        Step(name: "a.json", json: #"{"unevaluatedProperties": false}"#, inserted: 1),
        Step(
          name: "b.json",
          json:
            #"{"type": "object", "required": [], "properties": {"type": {"x": "T1"}, "required": {"const": ["$schema", "category"]}, "properties": {"properties": {"$schema": {"y": "S1"}, "category": {"y": "C1"}}}}}"#,
          inserted: 5),
      ], words: ["T1", "S1", "C1"]),
    Files(
      testDescription: "moments in milliseconds after a zero",
      steps: [
        Step(
          name: "mower-1.json",
          json:
            #"{"data": [{"id": "0-0", "attributes": {"mower": {"errorCodeTimestamp": 0}, "metadata": {}}}]}"#,
          inserted: 1),
        Step(
          name: "mower-2.json",
          json:
            #"{"data": [{"id": "1234", "attributes": {"mower": {"errorCodeTimestamp": 1729269469000}, "metadata": {}}}]}"#,
          inserted: 1),
      ], words: ["1729269469000"]),
    Files(
      testDescription: "one reading of a counter, and then many",
      steps: [
        Step(
          name: "counts-2.json",
          json: #"[{"id": "100009424", "date": "2016-10-02T01:45:00.000", "counts": "3", "status": "0"}]"#,
          inserted: 1),
        Step(
          name: "counts-1.json",
          json: list(10..<40) {
            #"{"id": "100009424", "date": "2016-09-21T15:\#($0):00.000", "counts": "\#($0 % 7)", "status": "0"}"#
          }, inserted: 30),
        Step(
          name: "counts-2.json",
          json: #"[{"id": "100009424", "date": "2016-10-02T01:45:00.000", "counts": "3", "status": "0"}]"#),
      ], words: ["01:45:00", "15:10:00", "15:39:00"]),
    Files(
      testDescription: "one reading of each sensor, and then several",
      steps: [1, 6, 1].enumerated().map { place, count in
        Step(
          name: "readings-\(count).json",
          json: list(0..<3 * count) {
            #"{"id": "s\#($0 % 3)", "time": "2024-05-0\#(count)T1\#($0 / 3):00:00Z", "value": \#($0).5}"#
          }, inserted: place < 2 ? 3 * count : 0)
      }, words: ["05-01T10:00:00", "05-06T10:00:00", "05-06T15:00:00"]),
    Files(
      testDescription: "offers of one region each, by a key that is not called like an identity",
      steps: ["us-west-1", "eu-west-1", "us-west-1"].enumerated().map { place, region in
        Step(
          name: "offers/\(region).json",
          json: list(0..<12) {
            #"{"InstanceType": "c\#($0).medium", "Location": "\#(region)"}"#
          }, inserted: place < 2 ? 12 : 0)
      }, words: ["us-west-1", "eu-west-1"]),
    Files(
      testDescription: "objects that a key named, and that lose their identity in a file without that key",
      steps: ["B", "A", "B"].enumerated().map { place, name in
        Step(
          name: "rules-\(name).json",
          json:
            #"{"framework": "\#(name)", "version": "4.0", "provider": "M365", "description": "The \#(name) rules", "rules": "#
            + list(0..<6) { number in
              let key = name == "B" ? #""rule_id": "1.1.\#(number)", "# : ""
              return
                #"{"id": "1.1.\#(number)", "text": "\#(name) \#(number) text", "checks": [{\#(key)"summary": "S\#(name)\#(number)"}]}"#
            } + "}", inserted: place < 2 ? 13 : 0)
      }, words: ["A 5 text", "B 5 text", "SA0", "SB0"]),
  ]

  @Test(arguments: files) func reportsSayWhatChanged(_ files: Files) throws {
    let folder = try Folder()
    for step in files.steps {
      let place = step.name.split(separator: "/").dropLast().joined(separator: "/")
      if !place.isEmpty { try folder.makeFolder(place) }
      try folder.write(step.json, to: step.name)
      let outcome = try broker("import", step.name, "--store", "s.sqlite", "--format", "json", in: folder)
      #expect(outcome.status == step.status, "\(step.name): \(outcome.output) \(outcome.error)")
      let report = try outcome.report()
      let counts = [report.inserted, report.updated, report.deleted].map { $0.values.reduce(0, +) }
      #expect(counts == [step.inserted, step.updated, step.deleted], "\(step.name): \(outcome.output)")
    }
    let export = try broker("export", "--store", "s.sqlite", in: folder).output
    for word in files.words { #expect(export.contains(word), "\(word): \(export)") }
    // The same files once more change nothing that the last of each name said.
    let names = Set(files.steps.filter { $0.status == 0 }.map(\.name)).sorted()
    for name in names {
      let outcome = try broker("import", name, "--store", "s.sqlite", "--format", "json", in: folder)
      #expect(try outcome.status == 0 && outcome.report().deleted == [:], "\(name): \(outcome.output)")
      #expect(try outcome.report().inserted == [:], "\(name): \(outcome.output)")
    }
  }

  /// The addresses of planets lead to these once they came, also where no name says so.
  @Test func addressesLeadToWhatComesLater() throws {
    let folder = try Folder()
    for (name, place) in [
      ("people", #""homeworld": "https://x.example.org/planets/"#), ("planets", #""climate": "c"#),
    ] {
      let results = Self.list(1..<3) {
        #"{"name": "The \#($0)", \#(place)\#($0)/", "url": "https://x.example.org/\#(name)/\#($0)/"}"#
      }
      try folder.write(#"{"results": \#(results)}"#, to: "\(name).json")
    }
    for name in ["people", "planets", "people", "planets"] {
      let outcome = try broker("import", "\(name).json", "--store", "s.sqlite", in: folder)
      #expect(outcome.status == 0, "\(outcome.output)")
    }
    let people = try broker("model", "show", "s.sqlite", in: folder).output
    #expect(people.contains("homeworld  → Planet"), "\(people)")
  }

  /// Folders of one object a file, each with a list of what is in it under a key that says nothing: the folder tells of what kind that is.
  @Test func listsOfSeveralKindsUnderOneKeyAreToldApart() throws {
    let folder = try Folder()
    for (kind, key, names) in [
      ("ability", "main", ["stench", "drizzle"]), ("move", "power", ["pound", "chop"]),
    ] {
      for number in 1...2 {
        try folder.makeFolder("\(kind)/\(number)")
        try folder.write(
          #"{"id": \#(number), "name": "\#(names[number - 1])", "\#(key)": \#(number)}"#,
          to: "\(kind)/\(number)/index.json")
      }
      let results = Self.list(1..<3) {
        #"{"name": "\#(names[$0 - 1])", "url": "/api/v2/\#(kind)/\#($0)/"}"#
      }
      try folder.write(
        #"{"count": 2, "next": null, "results": \#(results)}"#, to: "\(kind)/index.json")
    }
    for (kind, inserted) in [
      ("ability", ["Ability": 2]), ("move", ["Move": 2]), ("ability", [:]), ("move", [:]),
    ] {
      let outcome = try broker("import", kind, "--store", "s.sqlite", "--format", "json", in: folder)
      #expect(outcome.status == 0, "\(outcome.output)")
      #expect(try outcome.report().inserted == inserted && outcome.report().updated == [:])
    }
    let moves = try broker("query", "Move", "--store", "s.sqlite", "--format", "json", in: folder).output
    #expect(moves.contains("/api/v2/move/2/") && !moves.contains("drizzle"), "\(moves)")
  }

  /// An error among the documents of a dialect is told, and the others are read as ever.
  @Test func anErrorAmongOthersIsLeftOut() throws {
    let folder = try Folder()
    try folder.makeFolder("in")
    try folder.write(
      #"{"data": [{"type": "articles", "id": "1", "attributes": {"title": "T"}, "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}], "included": [{"type": "people", "id": "9", "attributes": {"name": "Ann"}}]}"#,
      to: "in/articles.json")
    try folder.write(
      #"{"jsonapi": {"version": "1.0"}, "errors": [{"status": "403", "title": "Forbidden", "detail": "No access."}]}"#,
      to: "in/forbidden.json")
    for inserted in [2, 0] {
      let outcome = try broker("import", "in", "--store", "s.sqlite", "--format", "json", in: folder)
      #expect(outcome.status == 3, "\(outcome.output)")
      #expect(outcome.output.contains("file left out") && outcome.output.contains("in/forbidden.json"))
      #expect(try outcome.report().inserted.values.reduce(0, +) == inserted, "\(outcome.output)")
    }
    let model = try broker("model", "show", "s.sqlite", in: folder).output
    #expect(model.contains("→ Person") || model.contains("→ People"), "\(model)")
    // By itself it changes nothing, whatever the store holds.
    let alone = try broker("import", "in/forbidden.json", "--store", "s.sqlite", in: folder)
    #expect(alone.status == 3 && alone.output.contains("file left out"), "\(alone.output) \(alone.error)")
    #expect(try broker("model", "show", "s.sqlite", in: folder).output == model)
  }
}
