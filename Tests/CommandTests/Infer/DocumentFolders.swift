/// Folders of which each file by itself looks like something else than all of them together: a document or a page, a kind or an entity.
extension SampleFolder {
  private static func races(_ table: String) -> String {
    #"{"MRData": {"series": "f1", "limit": "30", "offset": "0", "total": "2", \#(table)}}"#
  }

  private static func owner(_ number: Int, _ more: String = "") -> String {
    #"{"account_id": \#(1000 + number), "reputation": \#(number)01, "user_id": 2260\#(number), "display_name": "U\#(number)", "link": "https://x.example/users/2260\#(number)/u\#(number)"\#(more)}"#
  }

  private static func charge(_ number: Int) -> String {
    #"{"id": "ch_3MmlLrLkdIwHu7ix0snN0B1\#(number)", "object": "charge", "amount": \#(number)099, "currency": "usd", "paid": true, "created": 167909053\#(number)}"#
  }

  private static func customer(_ number: Int) -> String {
    #"{"id": "cus_NffrFeUfNV2Hi\#(number)", "object": "customer", "email": "c\#(number)@example.com", "name": "C\#(number)", "created": 168089399\#(number)}"#
  }

  private static func page(_ kind: String, _ objects: [String]) -> String {
    #"{"object": "list", "url": "/v1/\#(kind)", "has_more": false, "data": [\#(objects.joined(separator: ", "))]}"#
  }

  private static func event(_ number: Int, _ type: String, _ object: String) -> String {
    #"{"id": "evt_1NG8Du2eZvKYlo2CUI79v\#(number)", "object": "event", "type": "\#(type)", "created": 168608997\#(number), "data": {"object": \#(object)}}"#
  }

  static let documents = [
    SampleFolder(
      testDescription: "answers with one table each",
      files: [
        "2023-1-results.json": races(
          #""RaceTable": {"season": "2023", "round": "1", "Races": [{"season": "2023", "round": "1", "date": "2023-03-05", "Results": [{"position": "1", "points": "25", "Driver": {"driverId": "max_v", "code": "VER"}}]}]}"#
        ),
        "2023.json": races(
          #""RaceTable": {"season": "2023", "Races": [{"season": "2023", "round": "1", "date": "2023-03-05"}, {"season": "2023", "round": "2", "date": "2023-03-19"}]}"#
        ),
        "drivers.json": races(
          #""DriverTable": {"season": "2023", "Drivers": [{"driverId": "max_v", "code": "VER"}, {"driverId": "perez", "code": "PER"}]}"#
        ),
      ], together: [3, 3, 2, 1], alone: [3, 2, 1], reversed: [3, 2, 1]),
    SampleFolder(
      testDescription: "lists of kinds beside an answer that failed",
      files: [
        "charges.json": page("charges", [charge(1), charge(2)]),
        "customers.json": page("customers", [customer(1), customer(2)]),
        "error.json":
          #"{"error": {"code": "resource_missing", "message": "No such customer", "param": "id", "type": "invalid_request_error"}}"#,
        "events.json": page(
          "events", [event(1, "customer.updated", customer(1)), event(2, "charge.succeeded", charge(1))]),
      ], together: [2, 2, 2, 1], comesAtOnce: true),
    SampleFolder(
      testDescription: "users who are owners elsewhere, with less of them",
      files: [
        "1-questions.json":
          #"{"items": [{"question_id": 11227801, "title": "Q1", "owner": \#(owner(1))}, {"question_id": 11227802, "title": "Q2", "owner": \#(owner(2))}], "has_more": false, "quota_max": 300}"#,
        "2-users.json":
          #"{"items": [\#(owner(1, #", "is_employee": false, "location": "Bonn""#)), \#(owner(2, #", "is_employee": true"#))], "has_more": false, "quota_max": 300}"#,
        "3-comments.json":
          #"{"items": [{"comment_id": 9000100, "score": 1, "owner": \#(owner(1)), "reply_to_user": \#(owner(2))}], "has_more": false, "quota_max": 300}"#,
      ], together: [2, 2, 1]),
    SampleFolder(
      testDescription: "dictionaries by number of two kinds",
      files: [
        "1-item.json":
          #"{"type": "item", "version": "13.24.1", "data": {"1001": {"name": "Boots", "gold": {"base": 300}, "maps": {"11": true, "12": true}}, "1042": {"name": "Dagger", "gold": {"base": 300}, "maps": {"11": true, "12": false}}}, "tree": [{"header": "TOOLS", "tags": ["GOLDPER"]}]}"#,
        "2-maps.json":
          #"{"type": "map", "version": "13.24.1", "data": {"11": {"MapName": "Rift", "MapId": "11"}, "12": {"MapName": "Abyss", "MapId": "12"}}}"#,
      ], together: [4, 2, 2, 1]),
    SampleFolder(
      testDescription: "meetings that have their id several times",
      files: [
        "meetings.json":
          #"{"meetings": [{"uuid": "gkABCDEnCkPuA1==", "id": 1100000, "topic": "A", "start_time": "2019-10-10T15:00:00Z"}, {"uuid": "J8H8eavweUcd321==", "id": 2001312, "topic": "B", "start_time": "2019-11-16T19:30:00Z"}]}"#,
        "meetings_2.json":
          #"{"meetings": [{"uuid": "K8H8eavweUcd322==", "id": 2001312, "topic": "B", "start_time": "2019-11-17T19:30:00Z"}, {"uuid": "L8H8eavweUcd323==", "id": 2001312, "topic": "B", "start_time": "2019-11-18T19:30:00Z"}]}"#,
      ], together: [4]),
    SampleFolder(
      testDescription: "players who did something else in the next match, and an empty list",
      files: Dictionary(
        uniqueKeysWithValues: [("LeeSin", #"{"selections": []}"#), ("MasterYi", "")].enumerated().map {
          match in
          (
            "match-\(match.offset).json",
            #"{"metadata": {"matchId": "EUW1_600\#(match.offset)"}, "info": {"participants": [{"puuid": "puuid-aaaaaaaaaaaa", "championName": "\#(match.element.0)", "perks": {"styles": [\#(match.element.1)]}}]}}"#
          )
        }), together: [2, 2, 1]),
    SampleFolder(
      testDescription: "stories and their comments by number",
      files: [
        "8863.json":
          #"{"by": "dho", "descendants": 2, "id": 8863, "kids": [8952, 9224], "score": 111, "time": 1175714200, "title": "My app", "type": "story", "url": "http://www.example.com/u/2/a.html"}"#,
        "8952.json":
          #"{"by": "nor", "id": 8952, "parent": 8863, "text": "Aw shucks", "time": 1175727286, "type": "comment"}"#,
        "9224.json":
          #"{"by": "pg", "id": 9224, "parent": 8863, "text": "Genius", "time": 1175816820, "type": "comment"}"#,
      ], together: [3]),
  ]
}
