import Testing

/// Files by their names, and how many objects the store has in the end, the greatest numbers first.
struct SampleFolder: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let files: [String: String]
  /// At once.
  let together: [Int]
  /// One by one; as at once where there is none.
  var alone: [Int]?
  /// In the other order.
  var reversed: [Int]?
  /// Whether the files say different things of one object, so that each import changes it.
  var isUpdated = false
  /// Whether one of the files is refused by itself, so that they come at once first.
  var comesAtOnce = false
}

/// After the answers of web APIs.
extension SampleFolder {
  private static func list(_ numbers: Range<Int>, _ object: (Int) -> String) -> String {
    "[" + numbers.map(object).joined(separator: ", ") + "]"
  }

  private static func dictionary(_ numbers: Range<Int>, _ object: (Int) -> String) -> String {
    "{" + numbers.map { #""\#($0)": \#(object($0))"# }.joined(separator: ", ") + "}"
  }

  private static func paper(_ number: Int, _ more: String = "") -> String {
    let id = "a1b2c3d4e5f6a7b8c9d0\(number * 7919)"
    return #"{"paperId": "\#(id)", "url": "https://papers.example.org/paper/\#(id)"\#(more)}"#
  }

  private static func feature(_ number: Int, _ more: String = "") -> String {
    #"{"type": "Feature", "id": "us\#(number)00\#(number)", "properties": {"mag": \#(number).5, "title": "M \#(number)"\#(more)}, "geometry": {"type": "Point", "coordinates": [1.5, \#(number)]}}"#
  }

  private static func place(_ number: Int, _ more: String = "") -> String {
    #"{"place_id": "ChIJabcdefgh\#(number)xyz", "name": "P\#(number)", "rating": 4.\#(number)\#(more)}"#
  }

  private static func page(_ results: String) -> String {
    #"{"offset": 0, "limit": 5, "endOfRecords": false, "count": 10, "results": \#(results), "facets": []}"#
  }

  private static func film(_ number: Int, _ more: String = "") -> String {
    #"{"id": \#(number), "title": "F\#(number)", "language": "en", "year": \#(1950 + number), "adult": false\#(more)}"#
  }

  private static func topic(_ number: Int, _ more: String = "") -> String {
    #"{"id": 90\#(number), "title": "T\#(number)", "slug": "t\#(number)", "created_at": "2024-01-0\#(1 + number)T00:00:00Z", "views": \#(number), "closed": false\#(more)}"#
  }

  private static func candle(_ number: Int, _ price: Int) -> String {
    #"[\#(1_700_000_000_000 + number * 3_600_000), "\#(price + number).50", "\#(price + number).75", \#(number)]"#
  }

  private static func reference(_ kind: String, _ number: Int, _ name: String) -> String {
    #"{"name": "\#(name)", "url": "https://x.example/api/\#(kind)/\#(number)/"}"#
  }

  private static func coin(_ name: String, _ more: String = "") -> String {
    #"{"id": "\#(name)", "symbol": "\#(name.prefix(3))", "name": "\#(name.uppercased())"\#(more)}"#
  }

  private static func network(_ name: String, _ numbers: Range<Int>) -> String {
    let parts = numbers.map {
      #""\#(container($0))": {"Name": "app\#($0)", "IPv4Address": "1.1.1.\#($0)/16"}"#
    }
    return
      #"{"Name": "\#(name)", "Driver": "bridge", "Containers": {\#(parts.joined(separator: ", "))}}"#
  }

  private static func container(_ number: Int) -> String {
    "122c597083bd438b7f6d72af75d0259488996477\(number * 1111)"
  }

  private static func groups(_ number: Int) -> String {
    #"{"study": "N\#(number)", "enrolled": \#(number), "groups": [{"id": "FG000", "title": "Drug \#(number)"}, {"id": "FG001", "title": "Dose \#(number)"}], "rows": [{"count": 1, "groupId": "FG000"}, {"count": 2, "groupId": "FG001"}]}"#
  }

  private static func price(_ number: Int) -> String {
    #"{"1. open": "1\#(number).5", "5. volume": "8\#(number)"}"#
  }

  /// A plain list of objects beside an answer in a dialect, which has two objects too.
  private static func besideTrees(_ description: String, _ name: String, _ answer: String) -> SampleFolder {
    let trees = #"[{"id": 1, "name": "Oak", "height": 12}, {"id": 2, "name": "Elm", "height": 9}]"#
    return SampleFolder(
      testDescription: description, files: [name: answer, "trees.json": trees], together: [2, 2])
  }

  static let apis = [
    besideTrees(
      "a list beside an answer of GraphQL", "answer.json",
      #"{"data": {"repositories": {"nodes": [{"id": "R_kgDOAAA111", "name": "x"}, {"id": "R_kgDOAAA112", "name": "y"}], "pageInfo": {"hasNextPage": false}}}}"#
    ),
    besideTrees(
      "a list beside JSON:API", "articles.json",
      #"{"data": [{"type": "articles", "id": "1", "attributes": {"title": "T"}}, {"type": "articles", "id": "2", "attributes": {"title": "U"}}]}"#
    ),
    besideTrees(
      "a list beside FHIR", "bundle.json",
      #"{"resourceType": "Bundle", "type": "searchset", "entry": [{"resource": {"resourceType": "Patient", "id": "p1", "gender": "male"}}, {"resource": {"resourceType": "Patient", "id": "p2", "gender": "female"}}]}"#
    ),
    SampleFolder(
      testDescription: "groups that each file numbers anew, and what names them there",
      files: ["n1.json": groups(1), "n2.json": groups(2), "n3.json": groups(3)], together: [6, 6, 3]),
    SampleFolder(
      testDescription: "issues with links to other issues in them",
      files: [
        "issues.json": list(0..<4) {
          #"{"id": "10\#($0)", "key": "ED-\#($0)", "summary": "s\#($0)", "links": [\#($0 > 0 ? #"{"id": "90\#($0)", "outwardIssue": {"id": "100", "key": "ED-0", "summary": "s0"}}"# : "")]}"#
        }
      ], together: [4, 3]),
    SampleFolder(
      testDescription: "keys of objects that a store knows by their source alone",
      files: [
        "random/2024-01-04.json": #"[{"ts": "1704328200.7"}]"#,
        "random/2024-01-02.json": list(1..<6) {
          #"{"ts": "17041\#($0)4200.6"\#($0 == 5 ? #", "thread_ts": "1704144200.6""# : "")}"#
        },
      ], together: [6]),
    SampleFolder(
      testDescription: "a comment and a pull request of one number",
      files: [
        "pulls.json": list(1..<4) {
          #"{"id": 1600\#($0), "url": "https://api.x.org/repos/o/h/pulls/\#($0)", "state": "open", "title": "P\#($0)", "updated_at": "2024-01-0\#($0)T00:00:00Z"}"#
        },
        "events.json": list(1..<3) {
          #"{"id": "e\#($0)", "type": "IssueCommentEvent", "payload": {"comment": {"id": 1600\#($0), "url": "https://api.x.org/repos/o/h/issues/comments/\#($0)", "updated_at": "2024-02-0\#($0)T00:00:00Z"}}, "public": true}"#
        },
      ], together: [3, 2, 2]),
    SampleFolder(
      testDescription: "containers, and what a network calls those in it",
      files: [
        "containers.json": list(0..<4) {
          #"{"Id": "\#(container($0))", "Name": "/app\#($0)", "Path": "/bin/sh"}"#
        },
        "networks.json": "[\(network("front", 0..<2)), \(network("back", 2..<4))]",
      ], together: [4, 4, 2]),
    SampleFolder(
      testDescription: "a list, and wrapped objects under its name",
      files: [
        "coins.json": "[\(coin("bitcoin")), \(coin("xyo"))]",
        "trending.json": #"{"coins": "#
          + list(0..<3) { #"{"item": \#(coin(["bitcoin", "tether", "monero"][$0], #", "score": \#($0)"#))}"# }
          + "}",
      ], together: [4, 3]),
    SampleFolder(
      testDescription: "features of which some are in two files",
      files: [
        "all_day.json": #"{"type": "FeatureCollection", "features": [\#(feature(1)), \#(feature(2))]}"#,
        "significant_week.json":
          #"{"type": "FeatureCollection", "features": [\#(feature(2)), \#(feature(3))]}"#,
      ], together: [3]),
    SampleFolder(
      testDescription: "organizers, whom only several files tell by their address",
      files: [
        "e1.json": list(1..<3) {
          #"{"id": \#($0), "org": {"email": "o\#($0)@x.de", "displayName": "O\#($0)"}}"#
        },
        "e2.json": list(3..<5) {
          #"{"id": \#($0), "org": {"email": "o\#($0 - 2)@x.de", "displayName": "O\#($0 - 2)"}}"#
        },
      ], together: [4, 2], alone: [4], reversed: [4]),
    SampleFolder(
      testDescription: "prices by day, headed by what they are of",
      files: [
        "IBM.json":
          #"{"Meta Data": {"2. Symbol": "IBM", "5. Time Zone": "US"}, "Time Series (Daily)": {"2024-01-01": \#(price(1)), "2024-01-02": \#(price(2))}}"#,
        "MSFT.json":
          #"{"Meta Data": {"2. Symbol": "MSFT", "5. Time Zone": "US"}, "Time Series (Daily)": {"2024-01-01": \#(price(3)), "2024-01-02": \#(price(4))}}"#,
      ], together: [4, 2]),
    SampleFolder(
      testDescription: "dictionaries whose only key is empty, and others",
      files: [
        "bricks.json": #"{"variants": {"": {"model": "block/bricks"}}}"#,
        "dirt.json": #"{"variants": {"": {"model": "block/dirt"}}}"#,
        "stairs.json":
          #"{"variants": {"": {"model": "s"}, "facing=west,half=top": {"model": "s", "y": 180}}}"#,
      ], together: [4]),
    SampleFolder(
      testDescription: "texts by language, in a folder for each",
      files: Dictionary(
        uniqueKeysWithValues: ["de", "es", "fr"].flatMap { code in
          [("currencies", "EUR", "name"), ("territories", "DE", "label")].map { kind, key, word in
            (
              "\(code)/\(kind).json",
              #"{"main": {"\#(code)": {"identity": {"language": "\#(code)"}, "\#(kind)": {"\#(key)": {"\#(word)": "\#(code)1"}, "USD": {"\#(word)": "\#(code)2"}, "CHF": {"\#(word)": "\#(code)3"}}}}}"#
            )
          }
        }), together: [9, 9, 3], alone: [9, 9, 6], reversed: [9, 9, 6]),
    SampleFolder(
      testDescription: "objects that some name by a name and an address, and others by a number",
      files: [
        "type-1.json": #"{"id": 1, "name": "fire", "power": 3}"#,
        "type-2.json": #"{"id": 2, "name": "water", "power": 4}"#,
        "use-1.json": #"{"id": 71, "type_id": 1, "count": 8}"#,
        "use-2.json": #"{"id": 72, "type_id": 2, "count": 9}"#,
        "zap-1.json": #"{"id": 81, "charge": 5, "type": \#(reference("type", 1, "fire"))}"#,
      ], together: [2, 2, 1, 1], reversed: [2, 2, 1]),
    SampleFolder(
      testDescription: "laureates, whom each prize tells with a motivation of its own",
      files: [
        "laureate.json": #"{"laureates": "#
          + list(1..<5) {
            #"{"id": "\#($0)", "surname": "S\#($0)", "born": "190\#($0)-01-02", "prizes": [{"year": "190\#($0)", "motivation": "m\#($0)"}\#($0 == 1 ? #", {"year": "1911", "motivation": "m9"}"# : "")]}"#
          } + "}",
        "prize.json": #"{"prizes": "#
          + list(1..<6) {
            #"{"year": "\#($0 == 5 ? 1911 : 1900 + $0)", "category": "physics", "laureates": [{"id": "\#($0 == 5 ? 1 : $0)", "surname": "S\#($0 == 5 ? 1 : $0)", "motivation": "m\#($0 == 5 ? 9 : $0)"}]}"#
          } + "}",
      ], together: [5, 5, 5, 4]),
    SampleFolder(
      testDescription: "seasons of competitions, which matches name by the competition alone",
      files: [
        "competitions.json": list(0..<4) {
          #"{"competition_id": \#($0 / 2 + 2), "season_id": \#($0 + 27), "competition_name": "C\#($0 / 2)", "season_name": "201\#($0)"}"#
        },
        "matches.json": list(1..<4) {
          #"{"match_id": 380000\#($0), "competition": {"competition_id": \#($0 / 2 + 2), "competition_name": "C\#($0 / 2)"}, "score": \#($0)}"#
        },
      ], together: [4, 3, 2], alone: [4, 3, 3], reversed: [4, 3, 2]),
    SampleFolder(
      testDescription: "objects that others name by a name and an address",
      files: [
        "move-1.json":
          #"{"id": 1, "name": "cut", "power": 50, "type": \#(reference("type", 1, "normal")), "users": [\#(reference("monster", 7, "axew")), \#(reference("monster", 8, "ekans"))]}"#,
        "move-2.json":
          #"{"id": 2, "name": "surf", "power": 90, "type": \#(reference("type", 2, "water")), "users": [\#(reference("monster", 8, "ekans"))]}"#,
        "monster-7.json":
          #"{"id": 7, "name": "axew", "weight": 18, "slots": [{"slot": 1, "type": \#(reference("type", 1, "normal"))}], "best": \#(reference("move", 1, "cut"))}"#,
        "type-1.json":
          #"{"id": 1, "name": "normal", "moves": [\#(reference("move", 1, "cut"))], "beats": []}"#,
        "type-2.json":
          #"{"id": 2, "name": "water", "moves": [\#(reference("move", 2, "surf"))], "beats": [\#(reference("type", 1, "normal"))]}"#,
      ], together: [2, 2, 2, 1]),
    SampleFolder(
      testDescription: "candles of two symbols",
      files: [
        "AAA.json": list(0..<20) { candle($0, 100) }, "BBB.json": list(0..<20) { candle($0, 110) },
      ], together: [40]),
    SampleFolder(
      testDescription: "answers to questions of one number",
      files: [
        "receipt_1.json":
          #"{"jsonrpc": "2.0", "id": 1, "result": {"hash": "0x06cafb715350415275c8023cd44e712b", "size": "0x10"}}"#,
        "receipt_2.json":
          #"{"jsonrpc": "2.0", "id": 1, "result": {"hash": "0x173aa663c3b7161556efd98625047e3f", "size": "0x11"}}"#,
      ], together: [2]),
    SampleFolder(
      testDescription: "attributes that no product shares, all with the number 0",
      files: [
        "p1.json": list(700..<703) {
          #"{"id": \#($0), "name": "n\#($0)", "attributes": [{"id": 0, "name": "Size", "options": ["S", "M"]}]}"#
        },
        "p2.json": list(800..<803) {
          #"{"id": \#($0), "name": "n\#($0)", "attributes": [{"id": 0, "name": "Color", "options": ["Red"]}]}"#
        },
      ], together: [6, 6]),
    SampleFolder(
      testDescription: "taxes of lines by the number of their rate",
      files: [
        "o1.json": list(700..<703) {
          #"{"id": \#($0), "number": "a", "taxes": [{"id": 75, "total": "0.45"}]}"#
        },
        "o2.json": list(800..<803) {
          #"{"id": \#($0), "number": "b", "taxes": [{"id": 75, "total": "1.20"}]}"#
        },
      ], together: [6, 6]),
    SampleFolder(
      testDescription: "shows of several sorts, with episodes that name them by their address",
      files: Dictionary(
        uniqueKeysWithValues: [(18, "Scripted"), (32, "Animation"), (47, "Reality")].map { number, sort in
          (
            "shows/\(number).json",
            #"{"id": \#(number), "name": "S\#(number)", "type": "\#(sort)", "_links": {}, "_embedded": {"episodes": [{"id": \#(number * 100), "type": "regular", "_links": {"show": {"href": "https://x.example.org/shows/\#(number)"}}}]}}"#
          )
        }), together: [3, 3]),
    SampleFolder(
      testDescription: "files that are called like their objects",
      files: Dictionary(
        uniqueKeysWithValues: ["alpha", "beta", "gamma"].map { name in
          (
            "packages/\(name).json",
            #"{"name": "\#(name)", "license": "MIT", "size": 12, "tags": ["\#(name)"]}"#
          )
        }), together: [3]),
    SampleFolder(
      testDescription: "dictionaries by number, whose lists name objects by texts",
      files: [
        "groups.json": dictionary(1..<4) {
          #"{"name": "Room \#($0)", "lights": ["\#($0)"], "type": "Room", "state": {"on": true}}"#
        },
        "lights.json": dictionary(1..<5) {
          #"{"state": {"on": true}, "type": "Color light", "name": "Lamp \#($0)", "modelid": "L"}"#
        },
      ], together: [4, 3]),
    SampleFolder(
      testDescription: "a document called like one of its lists",
      files: [
        "members.json":
          #"{"members": [{"nick": "a", "n": 1}, {"nick": "b", "n": 2}], "messages": [{"id": 1, "text": "x"}, {"id": 2, "text": "y"}, {"id": 3, "text": "z"}]}"#
      ], together: [3, 2]),
    SampleFolder(
      testDescription: "a header with the identity beside the object",
      files: [
        "match-1.json":
          #"{"metadata": {"matchId": "EUW_69001", "dataVersion": "2"}, "info": {"mode": "A", "players": [{"puuid": "p1", "kills": 1}, {"puuid": "p2", "kills": 2}]}}"#,
        "match-2.json":
          #"{"metadata": {"matchId": "EUW_69002", "dataVersion": "2"}, "info": {"mode": "A", "players": [{"puuid": "p1", "kills": 3}, {"puuid": "p2", "kills": 4}]}}"#,
      ], together: [4, 2]),
    SampleFolder(
      testDescription: "identities in addresses",
      files: [
        "paper.json": paper(3, #", "title": "T3", "year": 2018"#),
        "search.json":
          #"{"data": [\#(paper(1)), \#(paper(2)), \#(paper(3, #", "title": "T3", "year": 2018"#))]}"#,
      ], together: [3]),
    SampleFolder(
      testDescription: "keys with a sign and without",
      files: [
        "lines.json": list(1..<3) { #"{"$type": "Tfl.Line", "id": "line-\#($0)", "name": "L\#($0)"}"# },
        "stops.json": list(1..<4) {
          #"{"id": "stop-\#($0)", "name": "S\#($0)", "lines": [{"id": "line-\#(1 + $0 % 2)", "name": "L\#(1 + $0 % 2)", "type": "Line"}]}"#
        },
      ], together: [3, 2]),
    SampleFolder(
      testDescription: "a dictionary of texts beside another document",
      files: [
        "currencies.json": #"{"AUD": "Dollar", "CHF": "Franc", "EUR": "Euro", "GBP": "Pound"}"#,
        "latest.json":
          #"{"amount": 1.0, "base": "EUR", "date": "2024-02-02", "rates": {"AUD": 1.64, "CHF": 0.93}}"#,
      ], together: [4, 2, 1]),
    SampleFolder(
      testDescription: "symbols as the keys of dictionaries, in answers of two kinds",
      files: [
        "pairs.json":
          #"{"error": [], "result": {"XXBTZUSD": {"name": "XBT", "lot": "unit", "min": "0.1"}, "XETHZUSD": {"name": "ETH", "lot": "unit", "min": "0.2"}, "SOLUSD": {"name": "SOL", "lot": "unit", "min": "0.3"}}}"#,
        "ticker.json":
          #"{"error": [], "result": {"XXBTZUSD": {"a": "1.5", "b": "1.4"}, "XETHZUSD": {"a": "2.5", "b": "2.4"}, "SOLUSD": {"a": "3.5", "b": "3.4"}}}"#,
      ], together: [3], alone: [3, 3], reversed: [3, 3]),
    SampleFolder(
      testDescription: "readings with a moment each",
      files: [
        "a/history.json": list(0..<6) {
          #"{"state": "v\#($0)", "last_changed": "2024-01-01T0\#($0):00:00Z"}"#
        },
        "b/history.json": list(0..<6) {
          #"{"state": "v\#($0)", "last_changed": "2024-01-02T0\#($0):00:00Z"}"#
        },
      ], together: [12]),
    SampleFolder(
      testDescription: "people under two keys, with more at one of them",
      files: [
        "tasks.json": list(0..<6) { number in
          let person = { (more: String) in
            #"{"id": \#(7_000_001 + number % 3), "username": "u\#(number % 3)", "color": "c\#(number % 3)", "picture": null\#(more)}"#
          }
          let creator = person("")
          let assignee = person(#", "email": "u\#(number % 3)@example.org""#)
          return
            #"{"id": "8abc\#(number)x", "name": "T\#(number)", "creator": \#(creator), "assignees": [\#(assignee)]}"#
        }
      ], together: [6, 3]),
    SampleFolder(
      testDescription: "a feature by itself beside a collection that has it",
      files: [
        "quakes.geojson":
          #"{"type": "FeatureCollection", "features": [\#((1..<7).map { feature($0) }.joined(separator: ", "))]}"#,
        "detail.geojson": feature(3, #", "felt": 12"#),
      ], together: [6], isUpdated: true),
    SampleFolder(
      testDescription: "the details of an object of a list",
      files: [
        "nearby.json": #"{"results": \#(list(1..<7) { place($0) }), "status": "OK"}"#,
        "details.json": #"{"result": \#(place(2, #", "website": "http://x.example.org""#)), "status": "OK"}"#,
      ], together: [6], alone: [6, 1]),
    SampleFolder(
      testDescription: "texts that are objects later",
      files: [
        "photos-1.json": list(1..<4) {
          #"{"id": "52\#($0)00\#($0)x", "owner": "o\#($0)", "title": "t\#($0)"}"#
        },
        "photos-2.json": list(4..<6) {
          #"{"id": "52\#($0)00\#($0)x", "owner": {"nsid": "o\#($0)", "name": "N"}, "title": {"_content": "t"}}"#
        },
      ], together: [5], isUpdated: true),
    SampleFolder(
      testDescription: "what stands in an object that had scalars only",
      files: [
        "timeline-1.json":
          #"{"feed": [{"post": {"record": {"$type": "app.post", "text": "one"}, "likeCount": 1, "indexedAt": "2024-01-11T19:19:58Z"}}]}"#,
        "timeline-2.json":
          #"{"feed": [{"post": {"record": {"reply": {"root": {"cid": "c1", "uri": "at://one/post/1"}, "parent": {"cid": "c2", "uri": "at://one/post/2"}}}}}]}"#,
      ], together: [2]),
    SampleFolder(
      testDescription: "lists that lack objects which name their owners",
      files: [
        "accounts.json": #"{"records": "#
          + list(0..<2) {
            #"{"Id": "001A\#($0)0000000000AA", "Name": "A\#($0)", "Contacts": {"records": [{"Id": "003Q\#($0)0000000000AA", "LastName": "L\#($0)", "AccountId": "001A\#($0)0000000000AA"}]}}"#
          } + "}",
        "contacts.json": #"{"records": "#
          + list(0..<3) {
            #"{"Id": "003R\#($0)0000000000AA", "LastName": "M\#($0)", "AccountId": "001A\#($0 % 2)0000000000AA"}"#
          } + "}",
      ], together: [5, 2]),
    SampleFolder(
      testDescription: "lists of keys at both ends of a link that do not say the same",
      files: [
        "films.json": #"{"results": "#
          + list(1..<3) {
            #"{"title": "F\#($0)", "planets": ["https://s.example.org/planets/1/"], "url": "https://s.example.org/films/\#($0)/"}"#
          } + "}",
        "planets.json":
          #"{"results": [{"name": "P1", "films": ["https://s.example.org/films/1/", "https://s.example.org/films/2/"], "url": "https://s.example.org/planets/1/"}, {"name": "P2", "films": ["https://s.example.org/films/1/"], "url": "https://s.example.org/planets/2/"}]}"#,
      ], together: [2, 2], isUpdated: true),
    SampleFolder(
      testDescription: "codes of two kinds of objects",
      files: [
        "cities.json": list(1..<4) {
          #"{"id": \#($0), "name": "C\#($0)", "country": {"code": "\#(["FR", "DE"][$0 % 2])", "name": "\#(["France", "Germany"][$0 % 2])"}}"#
        },
        "books.json": list(11..<15) {
          #"{"id": \#($0), "title": "B\#($0)", "language": {"code": "\#(["FR", "DE"][$0 % 2])", "name": "\#(["French", "German"][$0 % 2])"}}"#
        },
      ], together: [4, 3, 2, 2]),
    SampleFolder(
      testDescription: "kinds that come later",
      files: [
        "m1.json": list(1..<4) {
          #"{"id": "m\#($0)", "parts": [{"type": "text", "text": "t\#($0)"}]}"#
        },
        "m2.json": list(4..<7) {
          #"{"id": "m\#($0)", "parts": [{"type": "text", "text": "t\#($0)"}, {"type": "user", "user_id": "U0AAAA\#($0)"}]}"#
        },
        "users.json": list(4..<7) { #"{"id": "U0AAAA\#($0)", "name": "n\#($0)"}"# },
      ], together: [6, 6, 3, 3], isUpdated: true),
    SampleFolder(
      testDescription: "what references to posts are, which differs from file to file",
      files: [
        "posts-1.json": list(1..<4) {
          #"{"id": "100000000000000\#($0)", "text": "t\#($0)", "referenced": [{"type": "\#($0 < 3 ? "quoted" : "reply")", "id": "90000000000000\#($0 < 3 ? 1 : 2)"}]}"#
        },
        "posts-2.json": list(4..<6) {
          #"{"id": "100000000000000\#($0)", "text": "t\#($0)", "referenced": [{"type": "\#($0 < 5 ? "reply" : "quoted")", "id": "90000000000000\#($0 < 5 ? 1 : 2)"}]}"#
        },
      ], together: [5, 5], alone: [5, 4], reversed: [5, 4]),
    SampleFolder(
      testDescription: "players of matches, which say the match",
      files: Dictionary(
        uniqueKeysWithValues: (1..<3).map { match in
          let players = list(0..<4) {
            #"{"match_id": 700000000\#(match), "slot": \#($0), "account_id": \#(1_000 + $0), "hero_id": \#(match * 7 + $0), "kills": \#(match + $0)}"#
          }
          return (
            "game-\(match).json",
            #"{"match_id": 700000000\#(match), "duration": 900, "players": \#(players)}"#
          )
        }), together: [8, 2]),
    SampleFolder(
      testDescription: "messages that count in each chat",
      files: Dictionary(
        uniqueKeysWithValues: (1..<3).map { chat in
          let updates = list(0..<3) {
            #"{"update_id": \#(chat * 10 + $0), "message": {"message_id": 5\#($0), "from": {"id": 11111, "first_name": "A"}, "chat": {"id": -100100000000\#(chat), "title": "G\#(chat)"}, "date": 170000000\#(chat * 3 + $0), "text": "\#(chat) \#($0)"}}"#
          }
          return ("chat-\(chat).json", #"{"ok": true, "result": \#(updates)}"#)
        }), together: [6, 2, 1], alone: [6, 6, 2, 1], reversed: [6, 6, 2, 1]),
    SampleFolder(
      testDescription: "trades that count in each market",
      files: [
        "trades-1.json": list(0..<6) {
          #"{"trade_id": \#(600 + $0), "time": "2024-02-02T10:0\#($0):00Z", "price": "43\#($0).50", "side": "buy"}"#
        },
        "trades-2.json": list(0..<6) {
          #"{"trade_id": \#(603 + $0), "time": "2024-02-03T11:0\#($0):00Z", "price": "2\#($0).50", "side": "buy"}"#
        },
      ], together: [12]),
    SampleFolder(
      testDescription: "devices that change, and keep their names",
      files: [
        "devices-1.json": list(1..<6) {
          #"{"id": \#($0), "name": "D\#($0)", "time": "2024-02-02T10:0\#($0):00Z", "value": \#($0)}"#
        },
        "devices-2.json": list(1..<6) {
          #"{"id": \#($0), "name": "D\#($0)", "time": "2024-02-03T11:0\#($0):00Z", "value": 1\#($0)}"#
        },
      ], together: [5], isUpdated: true),
    SampleFolder(
      testDescription: "lists that cards name, with most of their keys",
      files: [
        "boards.json": list(1..<3) {
          #"{"id": "5f00000000000000000001\#($0)", "name": "B\#($0)", "desc": "d"}"#
        },
        "cards.json": list(1..<7) {
          #"{"id": "5f00000000000000000002\#($0)", "name": "C\#($0)", "closed": false, "idBoard": "5f00000000000000000001\#(1 + $0 % 2)", "idList": "5f00000000000000000003\#(1 + $0 % 3)", "pos": \#($0), "subscribed": false}"#
        },
        "lists.json": list(1..<4) {
          #"{"id": "5f00000000000000000003\#($0)", "name": "L\#($0)", "closed": false, "idBoard": "5f00000000000000000001\#(1 + $0 % 2)", "pos": \#($0), "subscribed": false, "limit": null, "status": null}"#
        },
      ], together: [6, 3, 2]),
    SampleFolder(
      testDescription: "a topic with more than the list of topics has, under a small number",
      files: [
        "newest.json":
          #"{"users": [{"id": 1, "username": "k1"}], "topic_list": {"per_page": 30, "topics": \#(list(0..<4) { topic($0) })}}"#,
        "t_900.json": topic(
          0, #", "post_stream": {"posts": [{"id": 5001, "topic_id": 900}], "stream": [5001]}, "words": 5"#),
      ], together: [4, 1, 1, 1], reversed: [4, 1, 1, 1]),
    SampleFolder(
      testDescription: "pages that say whose they are and nothing else",
      files: Dictionary(
        uniqueKeysWithValues: (1..<3).map { page in
          (
            "boards-\(page).json",
            #"{"data": {"boards": [{"id": "12345678\#(page)", "name": "B\#(page)"}]}, "account_id": 123}"#
          )
        }), together: [2, 2]),
    SampleFolder(
      testDescription: "pages with an empty list, and objects with keys",
      files: [
        "datasets.json": page(
          list(1..<3) { #"{"key": "50c9509d-22c7-4a22-a47d-8c48425ef4a\#($0)", "title": "D\#($0)"}"# }),
        "sightings-0.json": page(
          list(0..<5) { #"{"key": 400000000\#($0), "species": "P\#($0)", "year": 2024}"# }),
        "sightings-5.json": page(
          list(5..<9) { #"{"key": 400000000\#($0), "species": "P\#($0)", "year": 2024}"# }),
      ], together: [9, 2]),
    SampleFolder(
      testDescription: "kinds of links that are told in one folder",
      files: [
        "contacts.json": list(1..<6) {
          #"{"id": "10\#($0)", "name": "C\#($0)", "companies": {"results": [{"id": "90000000000\#($0 % 3)", "type": "contact_to_company"}]}}"#
        },
        "deals.json": list(1..<6) {
          #"{"id": "20\#($0)", "amount": "\#($0).50", "stage": "s", "companies": {"results": [{"id": "90000000000\#($0 % 3)", "type": "deal_to_company"}]}}"#
        },
      ], together: [5, 5, 3, 3]),
    SampleFolder(
      testDescription: "days of two series, which the objects do not name",
      files: Dictionary(
        uniqueKeysWithValues: (1..<3).map { symbol in
          let days = (3..<9).map {
            #""2024-04-0\#($0)": {"open": "\#(symbol)8\#($0).59", "close": "\#(symbol)9\#($0).48"}"#
          }
          return (
            "daily-\(symbol).json",
            #"{"meta": {"symbol": "S\#(symbol)"}, "series": {\#(days.joined(separator: ", "))}}"#
          )
        }), together: [12, 2]),
    SampleFolder(
      testDescription: "pages after the details of what is in the first",
      files: [
        "film_50.json": film(50, #", "budget": 7, "status": "Released", "runtime": 90, "tagline": "t""#),
        "popular_page1.json": #"{"page": 1, "results": \#(list(50..<56) { film($0) })}"#,
        "popular_page2.json": #"{"page": 2, "results": \#(list(56..<62) { film($0) })}"#,
      ], together: [12]),
    SampleFolder(
      testDescription: "a list of values, which name the objects of other files",
      files: [
        "a-stories.json": "[39000, 39001, 39002, 39003]",
        "item.json": list(0..<6) { #"{"id": \#(39000 + $0), "by": "u\#($0)", "title": "t\#($0)"}"# },
      ], together: [6, 4]),
    SampleFolder(
      testDescription: "lists of values with nulls among them",
      files: ["codes.json": #"["a", null, "b"]"#, "numbers.json": "[1, null, 2.5, 7]"], together: [4, 3]),
    SampleFolder(
      testDescription: "objects of other types, and nothing else, in JSON:API",
      files: Dictionary(
        uniqueKeysWithValues: ["articles", "items", "things", "users"].map { type in
          (
            "\(type).json",
            #"{"data": "#
              + list(0..<5) {
                #"{"type": "\#(type)", "id": "\#($0)", "attributes": {"name": "N\#($0)", "rev": \#($0)}}"#
              } + "}"
          )
        }), together: [5, 5, 5, 5]),
    SampleFolder(
      testDescription: "features, and collections under a key of their own",
      files: [
        "collections.json": #"{"collections": "# + list(0..<3) { #"{"id": "c\#($0)", "title": "C\#($0)"}"# }
          + "}",
        "items.json": #"{"type": "FeatureCollection", "features": "# + list(0..<4) { feature($0 + 1) } + "}",
      ], together: [4, 3]),
    SampleFolder(
      testDescription: "what is around a list says which page it is in an object of its own",
      files: [
        "dns_records.json":
          #"{"success": true, "errors": [], "result_info": {"page": 1, "per_page": 20, "count": 2}, "result": "#
          + list(0..<5) {
            #"{"id": "d\#($0)", "zone_id": "z\#($0 % 2)", "type": "A", "content": "1.2.3.\#($0)"}"#
          } + "}",
        "zones.json":
          #"{"success": true, "errors": [], "result_info": {"page": 1, "per_page": 20, "count": 2}, "result": "#
          + list(0..<2) { #"{"id": "z\#($0)", "name": "\#($0).com", "status": "active"}"# } + "}",
      ], together: [5, 2]),
    SampleFolder(
      testDescription: "lists at other depths, each under a key that names its objects",
      files: [
        "bikes.json": #"{"ttl": 60, "data": {"bikes": "#
          + list(0..<5) { #"{"bike_id": "b\#($0)", "lat": \#($0).5, "lon": 5.25}"# } + "}}",
        "feeds.json": #"{"ttl": 60, "data": {"en": {"feeds": "#
          + list(0..<3) { #"{"name": "f\#($0)", "url": "https://x.example/f\#($0).json"}"# } + "}}}",
      ], together: [5, 3]),
    SampleFolder(
      testDescription: "files that are called like what stands deep in an object around all",
      files: [
        "constructors.json":
          #"{"MRData": {"series": "f1", "limit": "30", "ConstructorTable": {"season": "2023", "Constructors": "#
          + list(0..<3) { #"{"constructorId": "c\#($0)", "name": "C\#($0)"}"# } + "}}}",
        "drivers.json":
          #"{"MRData": {"series": "f1", "limit": "30", "DriverTable": {"season": "2023", "Drivers": "#
          + list(0..<4) { #"{"driverId": "d\#($0)", "code": "D\#($0)"}"# } + "}}}",
      ], together: [4, 3, 2]),
    SampleFolder(
      testDescription: "objects that are called like others, and have none of their keys",
      files: [
        "playlists.json": #"{"playlists": "#
          + list(0..<2) {
            #"{"name": "P\#($0)", "items": "#
              + "["
              + [0, 1, 2].map {
                #"{"addedDate": "2023-01-01", "track": {"trackName": "S\#($0)", "artistName": "A", "trackUri": "spotify:track:000000000000000000000\#($0)"}}"#
              }
              .joined(separator: ", ") + "]}"
          } + "}",
        "library.json": #"{"tracks": "#
          + list(5..<9) {
            #"{"track": "S\#($0)", "artist": "A", "uri": "spotify:track:000000000000000000000\#($0)"}"#
          } + "}",
      ], together: [6, 4, 3, 2]),
    SampleFolder(
      testDescription: "objects of two reports by the same ids, which others name",
      files: Dictionary(
        uniqueKeysWithValues: ["about", "home"].map { page in
          let audits = [
            "first-contentful-paint", "total-blocking-time", "uses-http2", "image-alt", "is-on-https",
          ]
          return (
            "report-\(page).json",
            #"{"requestedUrl": "https://x.example/\#(page)", "fetchTime": "2023-11-14T22:13:20Z", "audits": {"#
              + audits.map {
                #""\#($0)": {"id": "\#($0)", "title": "T \#($0)", "score": 0.\#(page.count * $0.count)}"#
              }
              .joined(separator: ", ")
              + #"}, "categories": {"seo": {"id": "seo", "title": "SEO", "auditRefs": ["#
              + audits.map { #"{"id": "\#($0)", "weight": \#($0.count)}"# }.joined(separator: ", ") + "]}}}"
          )
        }), together: [10, 5, 2, 1], alone: [10, 5, 2], reversed: [10, 5, 2]),
  ]
}
