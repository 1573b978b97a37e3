/// Files that come one after another, of which a later one has less around its objects, or objects of other kinds, than the first.
extension SequenceTests {
  private static func map(_ elements: String) -> String {
    #"{"version": 0.6, "osm3s": {"copyright": "c"}, "elements": [\#(elements)]}"#
  }

  private static func bundle(_ number: Int, _ objects: String) -> String {
    #"{"type": "bundle", "id": "bundle--d98057b9-65b1-585d-9946-5f84cbdc768\#(number)", "objects": [\#(objects)]}"#
  }

  private static let malware =
    #"{"type": "malware", "id": "malware--43e0ac28-ff07-5e67-b72c-554ee3a8df84", "name": "M", "is_family": true}"#
  private static let relation =
    #"{"type": "relationship", "id": "relationship--63628224-d55c-5bd4-b1f8-965aec0f8867", "relationship_type": "uses", "source_ref": "malware--43e0ac28-ff07-5e67-b72c-554ee3a8df84"}"#

  static let ofPages = [
    Sequence(
      testDescription: "a last page with one object, and without the key for the next page",
      files: [
        (
          "files.json",
          #"{"kind": "x#fileList", "incompleteSearch": false, "nextPageToken": "~!!", "files": [{"id": "1sTWaJ", "name": "R"}, {"id": "1tTWaJ", "name": "P"}]}"#
        ),
        (
          "files_2.json",
          #"{"kind": "x#fileList", "incompleteSearch": false, "files": [{"id": "1zTWaJ", "name": "N"}]}"#
        ),
      ], objects: ["File": 3]),
    Sequence(
      testDescription: "tables of an answer, each in a file",
      files: [
        (
          "results.json",
          #"{"MRData": {"limit": "30", "offset": "0", "total": "2", "RaceTable": {"season": "2023", "Races": [{"round": "1", "date": "2023-03-05", "Results": [{"position": "1", "Driver": {"driverId": "max_v"}}]}]}}}"#
        ),
        (
          "drivers.json",
          #"{"MRData": {"limit": "30", "offset": "0", "total": "2", "DriverTable": {"Drivers": [{"driverId": "max_v"}, {"driverId": "perez"}]}}}"#
        ),
      ], objects: ["Race": 1, "Result": 1, "Driver": 2]),
    Sequence(
      testDescription: "elements of a map of one kind first",
      files: [
        (
          "m-1.json",
          map(
            #"{"type": "node", "id": 240090001, "lat": 50.7, "lon": 7.1}, {"type": "node", "id": 240090002, "lat": 50.8, "lon": 7.2}"#
          )
        ),
        ("m-2.json", map(#"{"type": "way", "id": 4000001, "nodes": [240090001, 240090002]}"#)),
        (
          "m-3.json",
          map(
            #"{"type": "node", "id": 240090003, "lat": 50.9, "lon": 7.3}, {"type": "way", "id": 4000002, "nodes": [240090002, 240090003]}"#
          )
        ),
      ], objects: ["Node": 3, "Way": 2], links: ["Way.nodes": "Node"]),
    Sequence(
      testDescription: "bundles of objects of one kind first",
      files: [
        ("malware.json", bundle(1, malware)), ("relations.json", bundle(2, relation)),
        ("all.json", bundle(3, "\(malware), \(relation)")),
      ], objects: ["Malware": 1, "Relationship": 1]),
    Sequence(
      testDescription: "pages of an archive that each file counts anew",
      files: ["a", "b"].map { site in
        (
          "\(site).har.json",
          #"{"log": {"version": "1.2", "pages": [{"id": "page_1", "title": "https://\#(site).example/"}], "entries": [{"pageref": "page_1", "time": 50.1, "request": {"url": "https://\#(site).example/"}}]}}"#
        )
      }, objects: ["Page": 2, "Entry": 2]),
    Sequence(
      testDescription: "links of a page after those of its objects",
      files: [
        (
          "laureate.json",
          #"[{"id": "6", "name": "Ann", "links": [{"rel": "self", "href": "https://x.org/6"}], "prizes": [{"year": "1911", "links": [{"rel": "prize", "href": "https://x.org/p/1"}]}]}]"#
        ),
        (
          "laureates.json",
          #"{"laureates": [{"id": "5", "name": "Bob", "links": [{"rel": "self", "href": "https://x.org/5"}], "prizes": [{"year": "1903", "links": [{"rel": "prize", "href": "https://x.org/p/2"}]}]}], "meta": {"offset": 0, "count": 2}, "links": {"first": "https://x.org/?offset=0", "self": "https://x.org/?offset=0"}}"#
        ),
      ], objects: ["Laureate": 2, "Prize": 2, "Link": 4]),
    Sequence(
      testDescription: "one object of a dictionary, then more",
      files: [
        ("quote-1.json", #"{"RELIANCE.NS": {"symbol": "RELIANCE.NS", "price": 1.5}}"#),
        (
          "quote-2.json",
          #"{"RELIANCE.NS": {"symbol": "RELIANCE.NS", "price": 1.5}, "TCS.NS": {"symbol": "TCS.NS", "price": 2.5}}"#
        ),
      ], objects: ["Quote": 2]),
    Sequence(
      testDescription: "a file that is called like a key of a dictionary",
      files: [
        (
          "champion.json",
          #"{"data": {"Aatrox": {"id": "Aatrox", "key": "266"}, "Zed": {"id": "Zed", "key": "238"}}}"#
        ), ("champion/Aatrox.json", #"{"data": {"Aatrox": {"id": "Aatrox", "key": "266", "lore": "Once"}}}"#),
        (
          "champions.json",
          #"{"data": {"Aatrox": {"id": "Aatrox", "key": "266"}, "Zed": {"id": "Zed", "key": "238"}, "Ahri": {"id": "Ahri", "key": "103"}}}"#
        ),
      ], objects: ["Champion": 3]),
    Sequence(
      testDescription: "kinds without an identity, in an envelope each",
      files: [
        (
          "comments.json",
          #"[{"kind": "Listing", "data": {"children": [{"kind": "t1", "data": {"id": "c3", "link_id": "t3_abc1", "body": "meh"}}, {"kind": "more", "data": {"count": 2, "id": "c9"}}], "before": null}}]"#
        ),
        (
          "comments-2.json",
          #"[{"kind": "Listing", "data": {"children": [{"kind": "t3", "data": {"id": "abd1"}}]}}, {"kind": "Listing", "data": {"children": [{"kind": "t1", "data": {"id": "d3", "edited": false}}]}}]"#
        ),
      ], objects: ["Comment": 3, "T1": 2, "T3": 1, "More": 1]),
    Sequence(
      testDescription: "values of fields that several objects have",
      files: ["High", "Low"].enumerated().map { number, value in
        (
          "task-\(number).json",
          #"{"data": {"gid": "1200030000\#(number)", "name": "T\#(number)", "custom_fields": [{"gid": "12000500001", "name": "Priority", "type": "enum", "display_value": "\#(value)"}]}}"#
        )
      }, objects: ["Task": 2, "CustomField": 2], fulfilled: ["CustomField": ("displayValue == 'High'", 1)]),
    Sequence(
      testDescription: "an identity of all documents of a format",
      files: ["app", "lib"].map { name in
        (
          "\(name).spdx.json",
          #"{"spdxVersion": "SPDX-2.3", "SPDXID": "SPDXRef-DOCUMENT", "name": "\#(name)", "packages": [{"SPDXID": "SPDXRef-x", "name": "\#(name)", "versionInfo": "1"}]}"#
        )
      }, objects: ["Spdx": 2, "Package": 2]),
    Sequence(
      testDescription: "scores of sides that come again later",
      files: [
        (
          "games.json",
          #"{"games": [{"id": 2023020204, "awayTeam": {"id": 20, "abbrev": "CGY", "score": 4}, "homeTeam": {"id": 10, "abbrev": "TOR", "score": 5}}]}"#
        ),
        (
          "games-2.json",
          #"{"games": [{"id": 2023020304, "awayTeam": {"id": 10, "abbrev": "TOR", "score": 9}, "homeTeam": {"id": 17, "abbrev": "DET", "score": 7}}]}"#
        ),
      ], objects: ["Game": 2, "Team": 3],
      fulfilled: ["Game": ("homeTeamScore >= 5 AND awayTeamScore >= 4", 2)]),
    Sequence(
      testDescription: "names of people under a key for accounts",
      files: [
        (
          "events.json",
          #"{"collection": [{"uri": "https://x.org/e/1", "members": [{"user": "https://x.org/u/1", "user_name": "John Smith"}]}, {"uri": "https://x.org/e/2", "members": [{"user": "https://x.org/u/1", "user_name": "John Smith"}, {"user": "https://x.org/u/2", "user_name": "X"}]}]}"#
        ),
        (
          "events-2.json",
          #"{"collection": [{"uri": "https://x.org/e/3", "members": [{"user": "https://x.org/u/3", "user_name": "John Smith"}]}]}"#
        ),
      ], objects: ["Event": 3, "Member": 4]),
    Sequence(
      testDescription: "a dictionary with one object after one with two",
      files: [
        (
          "coverage.json",
          #"{"meta": {"version": "7.4.0"}, "files": {"src/a.py": {"executed": [1, 2], "missing": [5]}, "src/b.py": {"executed": [], "missing": [1]}}, "totals": {"covered": 3, "statements": 6}}"#
        ),
        (
          "coverage_2.json",
          #"{"meta": {"version": "7.4.0"}, "files": {"src/a.py": {"executed": [1, 2, 4], "missing": []}}, "totals": {"covered": 4, "statements": 4}}"#
        ),
      ], objects: ["Coverage": 2, "File": 3], fulfilled: ["Coverage": ("totalsStatements == 4", 1)]),
    Sequence(
      testDescription: "keys with dots, then none",
      files: [
        ("containers.json", #"[{"Id": "a1b2c3d4e5f6", "Labels": {"com.docker.compose.service": "web"}}]"#),
        ("containers_2.json", #"[{"Id": "b1b2c3d4e5f6", "Labels": {}}]"#),
      ], objects: ["Container": 2]),
    Sequence(
      testDescription: "addresses of links, of which the first is that of the object",
      files: [
        (
          "order.json",
          #"{"id": "5O190127TN364715T", "links": [{"href": "https://x.example/orders/5O190127TN364715T", "rel": "self"}]}"#
        ),
        (
          "order_2.json",
          #"{"id": "6O190127TN364715T", "links": [{"href": "https://x.example/orders/6O190127TN364715T", "rel": "self"}, {"href": "https://y.example/now?token=6O", "rel": "approve"}]}"#
        ),
      ], objects: ["Order": 2, "Link": 3]),
    Sequence(
      testDescription: "where people are named in a text",
      files: [1, 2].map { page in
        (
          "tweets-\(page).json",
          #"{"data": [{"id": "12120926280296986\#(page)8", "text": "A", "author_id": "2244994945", "entities": {"mentions": [{"start": \#(page), "end": 51, "username": "suhem", "id": "1294469100"}]}}, {"id": "12120926271782873\#(page)4", "text": "B", "author_id": "2244994945"}], "includes": {"users": [{"id": "2244994945", "name": "Dev", "username": "dev"}, {"id": "1294469100", "name": "Su", "username": "suhem"}]}, "meta": {"newest_id": "1", "result_count": 2}}"#
        )
      }, objects: ["Tweet": 2, "Data": 4, "User": 2, "Mention": 2]),
  ]
}
