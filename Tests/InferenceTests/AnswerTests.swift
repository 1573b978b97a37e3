import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Answers after real APIs whose objects are told apart, or are one, by what stands around and beside them. Each comes twice, and
/// its export comes back.
@Suite struct AnswerTests {
  /// Files by their names, and what is made of them.
  struct Answer: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let files: [String: String]
    /// How many objects each entity has.
    let objects: [String: Int]
    /// How many objects each import writes again, since the files say several things of them.
    var changed: [String: Int] = [:]
    /// To which entity relationships lead.
    var links: [String: String] = [:]
    /// Words that an export has.
    var words: [String] = []
    /// What identifies objects.
    var identities: [String: [String]] = [:]
  }

  static func list(_ numbers: Range<Int>, _ object: (Int) -> String) -> String {
    "[" + numbers.map(object).joined(separator: ", ") + "]"
  }

  private static func record(_ kind: String, _ number: Int, _ more: String) -> String {
    let id = "00\(kind.prefix(1))AbCdEfGhIj\(100 + number)"
    return
      #"{"attributes": {"type": "\#(kind)", "url": "/v1/\#(kind)/\#(id)"}, "Id": "\#(id)", "Name": "\#(kind) \#(number)"\#(more)}"#
  }

  private static func hal(_ number: Int, _ more: String) -> String {
    #"{"_links": {"self": {"href": "/orders/\#(120 + number)"}, "customer": {"href": "/customers/\#(number % 2)"}}\#(more)}"#
  }

  private static let answers = [
    Answer(
      testDescription: "the type and the address of objects under a key of their own",
      files: [
        "accounts.json": #"{"done": true, "records": "#
          + list(0..<3) {
            record(
              "Account", $0, #", "Industry": "I", "Site": "s", "Revenue": 5, "Rating": "A", "Owner": "o""#)
          } + #"}"#,
        "contacts.json": #"{"done": true, "records": "#
          + list(0..<4) {
            record(
              "Contact", $0,
              #", "AccountId": "00AAbCdEfGhIj\#(100 + $0 % 3)", "Account": {"attributes": {"type": "Account", "url": "/v1/Account/00AAbCdEfGhIj\#(100 + $0 % 3)"}}"#
            )
          } + #"}"#,
      ], objects: ["Account": 3, "Contact": 4], links: ["Contact.account": "Account"]),
    Answer(
      testDescription: "objects of two kinds under one key, with small numbers",
      files: [
        "members.json": #"{"kind": "m", "items": "#
          + list(1..<6) {
            #"{"value": {"id": \#($0 * 3), "nameListAs": "N\#($0)", "gender": "F", "house": 1, "party": {"id": \#($0 % 3), "name": "P\#($0 % 3)", "colour": "c"}}, "links": []}"#
          } + #"}"#,
        "parties.json": #"{"kind": "p", "items": "#
          + list(0..<3) {
            #"{"value": {"id": \#($0), "name": "P\#($0)", "colour": "c"}, "links": []}"#
          } + #"}"#,
      ], objects: ["Member": 5, "Value": 5, "PartyDocument": 3, "Party": 3],
      words: ["N1", "N5", "P0"]),
    Answer(
      testDescription: "an object inside another with its identity",
      files: [
        "a.json":
          #"{"label": "A", "extension": {"id": "PRC_A", "version": "1.0", "structure": {"id": "PRC_A", "version": "50.0"}}}"#,
        "b.json":
          #"{"label": "B", "extension": {"id": "UNE_B", "version": "1.0", "structure": {"id": "UNE_B", "version": "50.0"}}}"#,
      ], objects: ["Record": 2, "Extension": 2, "Structure": 2], words: [#""1.0""#, #""50.0""#]),
    Answer(
      testDescription: "lists that say something else of the same objects",
      files: [
        "contacts.json": #"{"results": "#
          + list(0..<3) {
            #"{"id": "30\#($0)", "email": "c\#($0)@example.org", "associations": {"companies": {"results": [{"id": "90000000\#($0)", "type": "contact_to_company"}]}}}"#
          } + #"}"#,
        "deals.json": #"{"results": "#
          + list(0..<3) {
            #"{"id": "70\#($0)", "amount": "\#($0)", "associations": {"companies": {"results": [{"id": "90000000\#($0)", "type": "deal_to_company"}]}}}"#
          } + #"}"#,
      ], objects: ["Contact": 3, "Deal": 3, "Company": 3, "ContactCompany": 3],
      words: ["contact_to_company", "deal_to_company"]),
    Answer(
      testDescription: "two lists in one document that count their objects",
      files: [
        "x.json":
          #"{"cpu": {"samples": [{"id": 1, "v": 1.5}, {"id": 2, "v": 2.5}]}, "mem": {"samples": [{"id": 1, "v": 100}, {"id": 2, "v": 200}]}}"#
      ], objects: ["X": 1, "Sample": 4], words: ["1.5", "2.5", "100", "200"]),
    Answer(
      testDescription: "edges with values",
      files: [
        "repos.json": #"{"data": {"repos": "#
          + list(1..<3) {
            #"{"id": \#($0), "name": "r\#($0)", "languages": {"edges": [{"size": \#($0 * 111), "node": {"id": "l1", "name": "C"}}]}}"#
          } + #"}}"#
      ], objects: ["Repo": 2, "LanguageEdge": 2, "Language": 1], links: ["LanguageEdge.node": "Language"],
      words: ["111", "222"]),
    Answer(
      testDescription: "nodes that nothing identifies, and values beside them",
      files: [
        "prs.json":
          #"{"data": {"repository": {"name": "r", "pullRequests": {"totalCount": 733, "pageInfo": {"hasNextPage": false}, "nodes": [{"title": "First", "checks": {"nodes": [{"state": "FAILED"}], "counts": [{"state": "PASSED", "count": 4}]}}, {"title": "Second", "checks": {"nodes": [], "counts": []}}]}}}}"#
      ], objects: ["Repository": 1, "PullRequest": 2, "Check": 1, "Count": 1],
      words: ["733", "First", "Second", "FAILED", "PASSED"]),
    Answer(
      testDescription: "nodes that hold an object of one of several kinds",
      files: [
        "requests.json":
          #"{"data": {"pr": {"number": 5, "requests": {"pageInfo": {"hasNextPage": false}, "nodes": [{"reviewer": {"__typename": "User", "login": "ann"}}, {"reviewer": {"__typename": "Team", "name": "T", "slug": "tea", "organization": {"login": "org"}}}, {"reviewer": {"__typename": "User", "login": "ben"}}]}}}}"#
      ], objects: ["Pr": 1, "Request": 3, "User": 2, "Team": 1], words: ["ann", "ben", "tea", "org"]),
    Answer(
      testDescription: "addresses of embedded objects",
      files: [
        "orders.json":
          #"{"_links": {"self": {"href": "/orders"}}, "_embedded": {"orders": "#
          + list(1..<4) { hal($0, #", "total": \#($0)"#) } + #"}}"#
      ], objects: ["Order": 3], words: ["/orders/121", "/customers/1"]),
    Answer(
      testDescription: "addresses of embedded objects that have identities",
      files: [
        "orders.json":
          #"{"_links": {"self": {"href": "/orders"}}, "_embedded": {"orders": "#
          + list(1..<4) { hal($0, #", "id": \#($0)"#) } + #"}}"#
      ], objects: ["Order": 3], words: ["/customers/1"]),
    Answer(
      testDescription: "objects in a dialect that nothing identifies",
      files: ["orders.json": #"{"_embedded": {"orders": [{"total": 30.5}, {"total": 20}]}}"#],
      objects: ["Order": 2]),
    Answer(
      testDescription: "rows, and whose they are",
      files: [
        "wl-1.json":
          #"{"metadata": {"id": "84540", "name": "Providence"}, "data": [{"t": "00:00", "v": "1.2"}, {"t": "01:00", "v": "1.3"}]}"#,
        "wl-2.json":
          #"{"metadata": {"id": "94142", "name": "San Francisco"}, "data": [{"t": "00:00", "v": "1.2"}, {"t": "01:00", "v": "1.3"}]}"#,
      ], objects: ["Wl": 2, "Data": 4], words: ["Providence", "94142"]),
    Answer(
      testDescription: "an answer with a code",
      files: [
        "tags.json":
          #"{"meta": {"code": 200}, "data": [{"label": "a", "uses": 3}, {"label": "b", "uses": 4}]}"#
      ],
      objects: ["Tag": 2]),
    Answer(
      testDescription: "a list beside the key of its owner",
      files: [
        "items.json":
          #"{"payload": {"AmazonOrderId": "902-31", "OrderItems": [{"OrderItemId": "688288", "SKU": "a"}, {"OrderItemId": "688289", "SKU": "b"}]}}"#
      ], objects: ["Record": 1, "OrderItem": 2], words: ["902-31"]),
    Answer(
      testDescription: "an object, a text or nothing in one place, and objects of that name in a file",
      files: [
        "dashboard.json":
          #"{"panels": [{"id": 1, "title": "A", "datasource": {"type": "sql", "uid": "ds1"}}, {"id": 2, "title": "B", "datasource": "-- Mixed --"}, {"id": 3, "title": "C", "datasource": null}]}"#,
        "datasources.json": list(1..<3) {
          #"{"id": \#($0), "uid": "ds\#($0)", "name": "D\#($0)", "type": "sql"}"#
        },
      ], objects: ["Panel": 3, "Datasource": 2]),
    Answer(
      testDescription: "keys that are paths in place of objects",
      files: [
        "authors.json": list(0..<6) { #"{"key": "/authors/OL\#($0)A", "name": "Author \#($0)"}"# },
        "editions.json": list(0..<12) {
          #"{"key": "/books/B\#($0)", "title": "T\#($0)", "authors": [{"key": "/authors/OL\#($0 % 6)A"}]}"#
        },
      ], objects: ["Author": 6, "Edition": 12], links: ["Edition.authors": "Author"]),
    Answer(
      testDescription: "objects that say to be of the type that a file is called like",
      files: [
        "logs.json": list(0..<6) {
          #"{"uuid": "a-\#($0)", "event": "x", "actor": {"id": "00u\#($0 % 3)", "type": "User", "label": "N\#($0 % 3)"}}"#
        },
        "users.json": list(0..<3) { #"{"id": "00u\#($0)", "login": "n\#($0)"}"# },
      ], objects: ["Log": 6, "User": 3], links: ["Log.actor": "User"]),
    Answer(
      testDescription: "objects that say of what kind another one is",
      files: [
        "cats.json": list(1..<3) {
          #"{"id": \#($0), "name": "C\#($0)", "owner": {"id": \#($0), "name": "O\#($0)", "kind": "cat"}}"#
        },
        "dogs.json": list(1..<3) {
          #"{"id": \#($0), "name": "D\#($0)", "breed": "x", "owner": {"id": \#($0), "name": "P\#($0)", "kind": "dog"}}"#
        },
      ], objects: ["Cat": 2, "Dog": 2, "Owner": 2, "CatOwner": 2], words: ["O1", "P2", "C1", "D2"]),
    Answer(
      testDescription: "a page of rows, and what it says",
      files: [
        "transactions.json":
          #"{"transactions": [{"info": {"amount": "1.00"}}, {"info": {"amount": "2.00"}}], "account_number": "ACC1", "page": 1, "total_items": 2}"#
      ], objects: ["Transaction": 2, "TransactionDocument": 1], words: ["ACC1"]),
    Answer(
      testDescription: "empty texts among keys",
      files: [
        "spans.json": list(0..<8) {
          let parent = $0 % 4 == 0 ? "" : "EEE19B7EC3C1B10\($0 - 1)"
          return #"{"spanId": "EEE19B7EC3C1B10\#($0)", "parentSpanId": "\#(parent)", "name": "n\#($0)"}"#
        }
      ], objects: ["Span": 8], links: ["Span.parentSpan": "Span"]),
    Answer(
      testDescription: "a key in one word",
      files: [
        "log.json": #"{"log": {"groups": "# + list(1..<4) { #"{"id": "page_\#($0)", "title": "P\#($0)"}"# }
          + #", "entries": "#
          + list(0..<9) {
            #"{"groupref": "page_\#(1 + $0 % 3)", "time": \#($0 * 7)}"#
          } + #"}}"#
      ], objects: ["Group": 3, "Entry": 9], links: ["Entry.group": "Group"]),
    Answer(
      testDescription: "identities with a sign inside of objects",
      files: [
        "games.json": #"{"games": "#
          + list(0..<6) {
            #"{"uuid": "g\#($0)", "white": {"@id": "https://c.example.org/p\#($0 % 3)", "rating": 15\#($0)0}, "black": {"@id": "https://c.example.org/p\#(($0 + 1) % 3)", "rating": 14\#($0)0}}"#
          } + #"}"#,
        "players.json": list(0..<3) { #"{"@id": "https://c.example.org/p\#($0)", "followers": \#($0)}"# },
      ], objects: ["Game": 6, "Player": 3], links: ["Game.white": "Player", "Game.black": "Player"]),
    Answer(
      testDescription: "keys of letters that a program chose",
      files: [
        "scenes.json":
          #"{"oNsphtBIvTi69bt": {"name": "A", "on": true}, "FslJL8mu9CDRjrm": {"name": "B", "on": true}, "whrMAcQ8nB9Ghza": {"name": "C", "on": false}}"#
      ], objects: ["Scene": 3]),
    Answer(
      testDescription: "texts of digits in place of objects",
      files: [
        "boards.json": list(0..<4) {
          #"{"id": "501\#($0)", "name": "B\#($0)", "creator": {"id": "4000000\#($0 % 2)"}}"#
        },
        "users.json": list(0..<3) {
          #"{"id": "4000000\#($0)", "name": "U\#($0)", "email": "u\#($0)@example.org"}"#
        },
      ], objects: ["Board": 4, "User": 3], links: ["Board.creator": "User"]),
    Answer(
      testDescription: "lists of people that count something of each",
      files: [
        "users.json": list(1..<5) {
          #"{"id": \#($0), "username": "k\#($0)", "name": "N\#($0)", "avatar": "/a/\#($0)"}"#
        },
        "topics.json": list(1..<4) { topic in
          #"{"id": 90\#(topic), "title": "T\#(topic)", "participants": "#
            + list(1..<3) {
              #"{"id": \#($0), "username": "k\#($0)", "name": "N\#($0)", "avatar": "/a/\#($0)", "post_count": \#(topic * 10 + $0)}"#
            } + #"}"#
        },
      ], objects: ["User": 4, "Topic": 3, "Participant": 6], words: ["11", "32"]),
    Answer(
      testDescription: "pages with a list that is empty",
      files: [
        "datasets.json":
          #"{"offset": 0, "limit": 2, "endOfRecords": false, "count": 10, "results": "#
          + list(1..<3) { #"{"key": "50c9509d-22c7-\#($0)", "title": "D"}"# } + #", "facets": []}"#,
        "occurrences.json":
          #"{"offset": 0, "limit": 5, "endOfRecords": false, "count": 10, "results": "#
          + list(1..<6) { #"{"key": 400000000\#($0), "name": "P\#($0)", "year": 2024}"# }
          + #", "facets": []}"#,
      ], objects: ["Dataset": 2, "Occurrence": 5]),
    Answer(
      testDescription: "files of one shape, each called after what is in it",
      files: [
        "in/player-ann.json": #"{"country": "DE", "rating": 1500}"#,
        "in/player-bob.json": #"{"country": "FR", "rating": 1600}"#,
      ], objects: ["Player": 2]),
    Answer(
      testDescription: "a detail in a file of one letter",
      files: [
        "latest.json": #"{"users": [{"id": 7, "login": "a"}], "topics": "#
          + list(1..<5) { #"{"id": 90\#($0), "title": "T\#($0)", "slug": "t-\#($0)", "views": \#($0)}"# }
          + #"}"#,
        "t_901.json": #"{"id": 901, "title": "T1", "slug": "t-1", "views": 1}"#,
      ], objects: ["Topic": 4, "User": 1]),
    Answer(
      testDescription: "the type of an object beside it, and the list inside",
      files: [
        "works.json":
          #"{"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": {"total-results": 6, "query": {"start-index": 0}, "items": "#
          + list(0..<6) { #"{"DOI": "10.1038/s000\#($0)", "title": "T\#($0)", "score": 1.5}"# } + "}}"
      ], objects: ["Work": 6]),
    Answer(
      testDescription: "years that differ by chance beside a key",
      files: [
        "movies.json": list(0..<8) {
          #"{"Title": "T\#($0)", "Year": "\#(1990 + $0)", "imdbID": "tt00\#(76759 + $0 * 31)", "Type": "movie"}"#
        }
      ], objects: ["Movie": 8], words: [#""imdbID":"tt0076759""#]),
    Answer(
      testDescription: "an object before the key that names it",
      files: [
        "accounts.json": #"{"done": true, "records": "#
          + list(0..<3) { record("Account", $0, #", "Industry": "I", "Site": "s", "Revenue": 5"#) } + "}",
        "contacts.json": #"{"done": true, "records": "#
          + list(0..<4) {
            record(
              "Contact", $0,
              #", "Account": {"attributes": {"type": "Account", "url": "/v1/Account/00AAbCdEfGhIj\#(100 + $0 % 3)"}, "Name": "Account \#($0 % 3)"}, "AccountId": "00AAbCdEfGhIj\#(100 + $0 % 3)""#
            )
          } + "}",
      ], objects: ["Account": 3, "Contact": 4], links: ["Contact.account": "Account"]),
    Answer(
      testDescription: "more pages than a mapping names files",
      files: Dictionary(
        uniqueKeysWithValues: (1..<11).map { number in
          (
            "people_page\(number).json",
            #"{"count": 20, "next": null, "results": "#
              + list(number * 2..<number * 2 + 2) {
                #"{"name": "P\#($0)", "url": "https://x.example.org/people/\#($0)/", "ships": ["https://x.example.org/ships/\#($0 % 3 + 1)/"]}"#
              } + "}"
          )
        } + [
          (
            "ships_page1.json",
            #"{"count": 3, "next": null, "results": "#
              + list(1..<4) {
                #"{"name": "S\#($0)", "length": \#($0), "url": "https://x.example.org/ships/\#($0)/"}"#
              }
              + "}"
          )
        ]), objects: ["Person": 20, "Ship": 3], links: ["Person.ships": "Ship"]),
    Answer(
      testDescription: "numbers at the end of addresses that are others than those of the objects",
      files: [
        "films.json": list(1..<7) {
          #"{"title": "F\#($0)", "episode_id": \#(7 - $0), "url": "https://x.example.org/films/\#($0)/"}"#
        },
        "people.json": list(1..<8) {
          #"{"name": "P\#($0)", "url": "https://x.example.org/people/\#($0)/", "films": ["https://x.example.org/films/\#($0 % 6 + 1)/"]}"#
        },
      ], objects: ["Film": 6, "Person": 7], links: ["Person.films": "Film"], identities: ["Film": ["url"]]),
    Answer(
      testDescription: "tables of a shop, with those who report to others and rows between two tables",
      files: [
        "Customer.json": list(1..<20) {
          #"{"CustomerId": \#($0), "FirstName": "F\#($0)", "SupportRepId": \#($0 % 3 + 3)}"#
        },
        "Employee.json": list(1..<9) {
          #"{"EmployeeId": \#($0), "LastName": "L\#($0)", "ReportsTo": \#($0 == 1 ? "null" : "\($0 / 2)")}"#
        },
        "Playlist.json": list(1..<5) { #"{"PlaylistId": \#($0), "Name": "L\#($0)"}"# },
        "PlaylistTrack.json": list(0..<12) { #"{"PlaylistId": \#($0 % 4 + 1), "TrackId": \#($0 / 4 + 1)}"# },
        "Track.json": list(1..<6) {
          #"{"TrackId": \#($0), "Name": "T\#($0)", "Milliseconds": \#($0 * 1000)}"#
        },
      ], objects: ["Customer": 19, "Employee": 8, "Playlist": 4, "PlaylistTrack": 12, "Track": 5],
      links: [
        "Employee.reportsTo": "Employee", "Customer.supportRep": "Employee", "PlaylistTrack.track": "Track",
      ],
      identities: ["PlaylistTrack": ["playlist", "track"]]),
    Answer(
      testDescription: "candles, of which one opens where another closed",
      files: [
        "BTC.json": list(0..<20) {
          #"[\#(1_700_000_000_000 + $0 * 3_600_000), "\#(36_988 + $0).23313197", "\#(37_900 + $0).5", "\#(36_989 + $0).23313197", "7.5"]"#
        }
      ], objects: ["Btc": 20], identities: ["Btc": ["source", "position"]]),
    Answer(
      testDescription: "objects with the keys of those that they stand in, and no identity of theirs",
      files: [
        "artists.json": list(1..<9) {
          #"{"id": "4d5447d7-c61c-4120-ba1b-d7f471d385b\#($0)", "name": "A\#($0)", "sort-name": "A", "disambiguation": "d\#($0)", "type": "Group", "area": {"id": "8a754a16-0027-3a29-b6d7-2b40ea0481e\#($0)", "name": "C\#($0)", "sort-name": "C", "disambiguation": "", "type": null}}"#
        }
      ], objects: ["Artist": 8, "Area": 8], links: ["Artist.area": "Area"]),
    Answer(
      testDescription: "elements of a map, each kind with numbers of its own",
      files: [
        "map.json":
          #"{"version": 0.6, "generator": "G", "osm3s": {"copyright": "c"}, "elements": [\#((1..<9).map { #"{"type": "node", "id": \#($0), "lat": 5\#($0).5, "lon": 1.5}"# }.joined(separator: ", ")), \#((1..<4).map { #"{"type": "way", "id": \#($0), "nodes": [\#($0), \#($0 + 1)], "tags": {"highway": "path"}}"# }.joined(separator: ", "))]}"#
      ], objects: ["Node": 8, "Way": 3], identities: ["Node": ["id"], "Way": ["id"]]),
    Answer(
      testDescription: "codes that hold in a system",
      files: [
        "observations.json": list(0..<8) {
          #"{"id": "o\#($0)", "coding": [{"system": "http://loinc.org", "code": "\#($0 % 3)", "display": "D\#($0 % 3)"}]}"#
        }
      ], objects: ["Observation": 8, "Coding": 3], identities: ["Coding": ["system", "code"]]),
    Answer(
      testDescription: "a page of changes with a word of its state",
      files: [
        "sync.json": #"{"added": "#
          + list(0..<8) {
            #"{"account_id": "a\#($0 % 2)", "transaction_id": "hL17n22GA39IkEJYqWCi\#($0)", "amount": \#($0).5}"#
          } + #", "modified": [], "next_cursor": "c1", "has_more": false, "update_status": "DONE"}"#
      ], objects: ["Added": 8], identities: ["Added": ["transactionId"]]),
    Answer(
      testDescription: "objects that are made of one object",
      files: [
        "like.json": list(0..<6) {
          #"{"like": {"tweetId": "10000000000000\#(7919 * $0 + 10_000)", "fullText": "t\#($0 % 2)"}}"#
        },
        "studies.json": list(0..<6) {
          #"{"protocolSection": {"identificationModule": {"nctId": "NCT0000\#(1000 + $0)", "briefTitle": "T"}, "statusModule": {"overallStatus": "DONE"}}}"#
        },
      ], objects: ["Like": 6, "Study": 6], identities: ["Like": ["tweetId"], "Study": ["nctId"]]),
    Answer(
      testDescription: "edits and answers, which are no two ends of one link",
      files: [
        "tweets.json": list(0..<8) {
          #"{"tweet": {"id": "120000257134046064\#($0)", "text": "t\#($0)", "edits": ["120000257134046064\#($0)"], "in_reply_to_status_id": \#($0 < 2 ? "null" : "\"120000257134046064\($0 - 2)\"")}}"#
        }
      ], objects: ["Tweet": 8]),
    Answer(
      testDescription: "objects that others name by a name and an address, each in a folder of its own",
      files: [
        "move/1/index.json":
          #"{"id": 1, "name": "cut", "power": 50, "type": {"name": "normal", "url": "/api/v2/type/1/"}, "chain": {"url": "/api/v2/chain/3/"}, "users": [{"name": "axew", "url": "/api/v2/monster/610/"}]}"#,
        "move/2/index.json":
          #"{"id": 2, "name": "surf", "power": 90, "type": {"name": "water", "url": "/api/v2/type/2/"}, "chain": {"url": "/api/v2/chain/3/"}, "users": []}"#,
        "move/index.json":
          #"{"count": 3, "next": null, "results": [{"name": "cut", "url": "/api/v2/move/1/"}, {"name": "surf", "url": "/api/v2/move/2/"}, {"name": "fly", "url": "/api/v2/move/3/"}]}"#,
        "type/1/index.json":
          #"{"id": 1, "name": "normal", "half_from": [], "half_to": [{"name": "water", "url": "/api/v2/type/2/"}]}"#,
        "type/2/index.json":
          #"{"id": 2, "name": "water", "half_from": [{"name": "normal", "url": "/api/v2/type/1/"}], "half_to": []}"#,
        "color/1/index.json": #"{"id": 1, "name": "red", "names": [{"text": "Rot"}]}"#,
        "color/2/index.json": #"{"id": 2, "name": "blue", "names": [{"text": "Blau"}]}"#,
        "shape/1/index.json": #"{"id": 1, "name": "ball", "names": [{"text": "Kugel"}]}"#,
        "shape/2/index.json": #"{"id": 2, "name": "wings", "names": [{"text": "Schwingen"}]}"#,
        "chain/3/index.json": #"{"id": 3, "length": 2}"#,
        "chain/4/index.json": #"{"id": 4, "length": 1}"#,
      ], objects: ["Move": 3, "Type": 2, "Monster": 1, "Color": 2, "Shape": 2, "Name": 4, "Chain": 2],
      links: [
        "Move.type": "Type", "Move.users": "Monster", "Move.chain": "Chain", "Type.halfFrom": "Type",
        "Type.halfTo": "Type",
      ],
      identities: [
        "Move": ["name"], "Type": ["name"], "Monster": ["name"], "Color": ["id"], "Chain": ["id"],
      ]),
    Answer(
      testDescription: "lists of one entity each, whose objects others name by their addresses",
      files: [
        "5e-Spells.json": list(0..<12) {
          #"{"index": "spell-\#($0)", "name": "Spell \#($0)", "level": \#($0 % 5), "school": {"index": "school-\#($0 % 3)", "name": "School \#($0 % 3)", "url": "/api/magic-schools/school-\#($0 % 3)"}, "classes": [{"index": "class-\#($0 % 2)", "name": "Class \#($0 % 2)", "url": "/api/classes/class-\#($0 % 2)"}], "url": "/api/spells/spell-\#($0)"}"#
        },
        "5e-Magic-Schools.json": list(0..<4) {
          #"{"index": "school-\#($0)", "name": "School \#($0)", "desc": "d\#($0)", "url": "/api/magic-schools/school-\#($0)"}"#
        },
        "5e-Damage-Types.json": list(0..<4) {
          #"{"index": "type-\#($0)", "name": "Type \#($0)", "desc": "t\#($0)", "url": "/api/damage-types/type-\#($0)"}"#
        },
      ], objects: ["Spell": 12, "MagicSchool": 4, "DamageType": 4, "Class": 2],
      links: ["Spell.school": "MagicSchool", "Spell.classes": "Class"],
      identities: ["Spell": ["url"], "MagicSchool": ["url"], "Class": ["url"]]),
    Answer(
      testDescription: "teams that come again in the file of each match, with other players",
      files: Dictionary(
        uniqueKeysWithValues: (1..<7).map { match in
          (
            "lineups/38\(match).json",
            list(0..<2) { side in
              #"{"team_id": \#(100 + (match + side) % 3), "team_name": "T\#((match + side) % 3)", "lineup": \#(list(0..<3) { #"{"player_name": "P\#(match * 10 + $0)", "jersey": \#($0)}"# })}"#
            }
          )
        }), objects: ["LineupDocument": 12, "Lineup": 36], words: ["P12", "P62"]),
    Answer(
      testDescription: "files that are called by the match whose events they hold",
      files: [
        "matches.json": list(1..<5) { #"{"match_id": 380000\#($0), "score": \#($0)}"# },
        "events/3800001.json": list(0..<4) {
          #"{"id": "1aa04c9e-0001-4b60-8c9e-00000000000\#($0)", "minute": \#($0)}"#
        },
        "events/3800002.json": list(0..<3) {
          #"{"id": "2aa04c9e-0002-4b60-8c9e-00000000000\#($0)", "minute": \#($0)}"#
        },
        "events/3800004.json": list(0..<2) {
          #"{"id": "4aa04c9e-0004-4b60-8c9e-00000000000\#($0)", "minute": \#($0)}"#
        },
      ], objects: ["Match": 4, "Event": 9], links: ["Event.match": "Match"], words: [#""@file":3800004"#]),
    Answer(
      testDescription: "files that are called by years, which are numbers of others by chance",
      files: [
        "parts.json": list(2019..<2023) { #"{"id": \#($0), "name": "P\#($0)"}"# },
        "sums/2019.json": list(0..<4) {
          #"{"id": "1aa04c9e-0001-4b60-8c9e-00000000000\#($0)", "sum": \#($0)}"#
        },
        "sums/2020.json": list(0..<3) {
          #"{"id": "2aa04c9e-0002-4b60-8c9e-00000000000\#($0)", "sum": \#($0)}"#
        },
        "sums/2021.json": list(0..<2) {
          #"{"id": "4aa04c9e-0004-4b60-8c9e-00000000000\#($0)", "sum": \#($0)}"#
        },
      ], objects: ["Part": 4, "Sum": 9], identities: ["Part": ["id"]]),
    Answer(
      testDescription: "lists in files with numbers, in folders with numbers",
      files: [
        "matches/2/27.json": list(1..<4) { #"{"match_id": 380000\#($0), "score": \#($0)}"# },
        "matches/11/1.json": list(4..<7) { #"{"match_id": 380000\#($0), "score": \#($0)}"# },
      ], objects: ["Match": 6], identities: ["Match": ["matchId"]]),
    Answer(
      testDescription: "lists of one document whose objects have numbers in common, and no type",
      files: [
        "telegram.json":
          #"{"about": "x", "frequent_contacts": {"about": "f", "list": [{"id": 913880279, "type": "user", "name": "Uwe", "rating": 12.5}]}, "chats": {"about": "c", "list": [{"id": 913880279, "type": "personal_chat", "name": "Uwe"}, {"id": 1500003885, "type": "group", "name": "G"}]}}"#
      ], objects: ["Telegram": 1, "FrequentContact": 1, "Chat": 2], words: [#""type":"user""#]),
    Answer(
      testDescription: "a file for each champion, under its name",
      files: [
        "champion.json":
          #"{"type": "champion", "version": "13.1", "data": {"Ahri": {"id": "Ahri", "key": "103", "title": "the Fox"}, "Annie": {"id": "Annie", "key": "1", "title": "the Child"}}}"#,
        "champion/Ahri.json":
          #"{"type": "champion", "version": "13.1", "data": {"Ahri": {"id": "Ahri", "key": "103", "title": "the Fox", "skins": [{"id": "103000", "num": 0}]}}}"#,
        "champion/Annie.json":
          #"{"type": "champion", "version": "13.1", "data": {"Annie": {"id": "Annie", "key": "1", "title": "the Child", "skins": [{"id": "1000", "num": 0}]}}}"#,
      ], objects: ["Champion": 2, "Skin": 2], words: ["the Fox", "1000"]),
    Answer(
      testDescription: "the number 0 for no customer and no parent",
      files: [
        "customers.json": list(1..<4) { #"{"id": \#($0), "name": "C\#($0)"}"# },
        "orders.json": list(1..<9) {
          #"{"id": \#($0 + 100), "customer_id": \#($0 % 4), "parent_id": \#($0 < 5 ? 0 : $0 + 98)}"#
        },
      ], objects: ["Customer": 3, "Order": 8],
      links: ["Order.customer": "Customer", "Order.parent": "Order"],
      words: [#""customer_id":0"#, #""parent_id":0"#]),
    Answer(
      testDescription: "matches whose number stands in what describes them",
      files: Dictionary(
        uniqueKeysWithValues: (0..<4).map { number in
          (
            "matches/EUW1_690012\(number)5.json",
            #"{"metadata": {"version": "2", "matchId": "EUW1_690012\#(number)5", "participants": ["a", "b"]}, "info": {"gameId": 690012\#(number)5, "mode": "CLASSIC", "teams": [{"win": true}, {"win": false}]}}"#
          )
        }), objects: ["Match": 4, "Team": 8],
      identities: ["Match": ["matchId"]]),
    Answer(
      testDescription: "people whom others name by a name that is none for programs, and an address",
      files: [
        "users-1.json": #"{"id": 1, "name": "Ann", "age": 30, "born": 1990}"#,
        "users-2.json": #"{"id": 2, "name": "Bob", "age": 31, "born": 1991}"#,
        "posts.json": list(1..<5) {
          #"{"id": \#($0), "text": "t", "author": {"name": "\#($0 % 2 == 0 ? "Ann" : "Bob")", "url": "https://x.example/users/\#(2 - ($0 + 1) % 2)"}}"#
        },
      ], objects: ["User": 2, "Post": 4, "PostUser": 2],
      identities: ["User": ["id"], "PostUser": ["url"]]),
    Answer(
      testDescription: "notebooks with their cells",
      files: [
        "one.ipynb.json":
          #"{"cells": [{"id": "a1b2c3d4", "cell_type": "code", "source": ["x"]}], "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}"#,
        "two.ipynb.json":
          #"{"cells": [{"id": "b1b2c3d4", "cell_type": "code", "source": ["y"]}], "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4, "nbformat_minor": 5}"#,
      ], objects: ["Ipynb": 2, "Cell": 2], words: ["python3", "one.ipynb"]),
  ]

  @Test(
    arguments: answers + ofFewObjects + aboutOthers + inPieces + inPlaces + recorded + withDictionaries
      + withLinkValues
      + withLocalKeys + withShortForms)
  func objectsAreWhatTheySayToBe(_ answer: Answer) throws {
    let folder = try TestFolder(answer.files)
    let inferred = try InferredModel(from: folder.sources())
    let store = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    var counts: [String: Int] = [:]
    for round in 0..<2 {
      let report = try Importer(store, options(inferred)).run(folder.sources())
      #expect(report.issues.map(\.description) == [])
      #expect(report.unmatchedKeys == [:])
      #expect(report.deleted == [:])
      guard round > 0 else {
        counts = report.inserted
        continue
      }
      #expect(report.inserted == [:])
      #expect(report.updated == answer.changed)
    }
    #expect(counts == answer.objects)
    for (entity, identity) in answer.identities {
      let found =
        inferred.mapping[entity].identity ?? inferred.model[entity: entity]?.declaredIdentity?.properties
      #expect(found == identity, "\(entity)")
    }
    for (link, target) in answer.links {
      let names = link.split(separator: ".").map(String.init)
      #expect(inferred.model[entity: names[0]]?[relationship: names[1]]?.destination == target, "\(link)")
    }
    var known = InferenceOptions()
    known.read(as: inferred.mapping)
    let again = try InferredModel(from: folder.sources(), options: known)
      .refining(inferred.model, mapping: inferred.mapping)
    #expect(again.model == inferred.model, "\(again.guesses.map { "\($0.entity) \($0.choice)" })")
    let export = try Exporter(store).wholeText()
    for word in answer.words { #expect(export.contains(word), "\(word): \(export)") }
    let copy = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    _ = try Importer(copy).run([.string(export)])
    #expect(try Exporter(copy).wholeText() == export)
  }

  /// A place that is told apart by kinds and one that is not become one, though a kind of the one holds the other.
  @Test func aFolderThatSaysNoKindMayStandInOneThatDoes() throws {
    let source = ImportSource.string(
      #"{"id": 1, "type": "folder", "children": [{"id": 3, "type": "folder", "children": [{"children": [{"id": 47, "type": "folder", "children": []}, {"type": "place"}]}]}]}"#
    )
    let inferred = try InferredModel(from: [source])
    #expect(inferred.model.entities.map(\.name) == ["Record", "Child"])
    #expect(try imported(inferred, [source]).1.inserted == ["Record": 1, "Child": 4])
  }

  /// Objects that turn out to be of one place may lead to themselves: what stands in them becomes attributes so many times only.
  @Test func anObjectMayLeadToItsLikeWithoutEnd() throws {
    let source = ImportSource.string(
      #"{"id": {"id": 6, "Xy": {"id": [], "value": {"list": {"id": {}, "value": []}}}}}"#)
    let inferred = try InferredModel(from: [source])
    #expect(inferred.model.entities.count == 3)
    #expect(try imported(inferred, [source]).1.inserted == ["Record": 1, "Xy": 2, "Value": 1])
  }

  /// A reserved word behind an entity's name stays the key that came.
  @Test func keysThatLookQualifiedStay() throws {
    let source = ImportSource.string(
      #"{"sessions": [{"id": 1, "sessionType": "A"}, {"id": 2, "sessionType": "B"}]}"#)
    let inferred = try InferredModel(from: [source])
    let (store, _) = try imported(inferred, [source])
    #expect(try Exporter(store).wholeText().contains(#""sessionType":"A""#))
  }

  /// Lists of a document whose objects name their owners add to what is there, where others name these too.
  @Test func listsThatLackObjectsAdd() throws {
    let tracks = #"[{"id": 10, "name": "a", "albumId": 1}]"#
    let others = Self.list(11..<14) { #"{"id": \#($0), "name": "t\#($0)", "albumId": 1}"# }
    let partial = try inferred(
      #"{"albums": [{"id": 1, "title": "A", "tracks": \#(tracks)}], "tracks": \#(others)}"#)
    #expect(partial.mapping["Album"].toMany == ["tracks": .merge])
    let whole = try inferred(
      #"{"albums": [{"id": 1, "title": "A", "tracks": \#(others)}], "tracks": \#(others)}"#)
    #expect(whole.mapping["Album"].toMany == [:])
  }

  /// Of 20,000 different identities none has several meanings, though some are the same in the bits that are kept.
  @Test func manyIdentitiesMeanOneObjectEach() throws {
    let posts = Self.list(1..<20_000) { #"{"id": \#($0), "title": "t\#($0)"}"# }
    let first = try inferred(#"{"posts": \#(posts)}"#)
    let again = first.refining(first.model, mapping: first.mapping)
    #expect(again.guesses.map(\.evidence) == [])
  }

  /// What is only in one key of texts, and a hash that is a number, identify nothing.
  @Test(arguments: ["text", "subject", "phone", "hash"]) func wordsThatPeopleWriteAreNoIdentities(
    _ key: String
  ) throws {
    let rows = Self.list(0..<8) {
      key == "hash" ? #"{"hash": \#($0 * 7919 - 20000), "port": 80}"# : #"{"\#(key)": "w\#($0)", "rank": 80}"#
    }
    let inferred = try inferred(#"{"comments": \#(rows)}"#)
    #expect(inferred.mapping["Comment"].identity ?? [] == [])
  }
}
