/// Answers whose keys hold in one place only, are data, or stand for the objects around them.
extension AnswerTests {
  static let withLocalKeys = [
    Answer(
      testDescription: "fixtures of an application, each with its model",
      files: [
        "data.json":
          #"[{"model": "shop.customer", "pk": 1, "fields": {"name": "Ann", "mail": "ann@example.org"}}, {"model": "shop.customer", "pk": 2, "fields": {"name": "Bo", "mail": "bo@example.org"}}, {"model": "shop.order", "pk": 1, "fields": {"customer": 2, "total": "9.50", "paid": true}}, {"model": "shop.order", "pk": 2, "fields": {"customer": 1, "total": "7.00", "paid": false}}]"#
      ], objects: ["Customer": 2, "Order": 2], links: ["Order.customer": "Customer"],
      identities: ["Customer": ["pk"], "Order": ["pk"]]),
    Answer(
      testDescription: "objects behind a key of their own, each in a list",
      files: [
        "posts.json":
          #"{"kind": "Listing", "data": {"children": [{"kind": "t3", "data": {"id": "x1", "title": "One"}}, {"kind": "t3", "data": {"id": "x2", "title": "Two"}}], "before": null}}"#
      ], objects: ["Post": 2], identities: ["Post": ["id"]]),
    Answer(
      testDescription: "trees of two files with the same numbers",
      files: [
        "a.json":
          #"{"id": 1, "title": "r", "children": [{"id": 2, "title": "m", "children": [{"id": 6, "title": "a6", "uri": "https://a.org/6"}]}]}"#,
        "b.json":
          #"{"id": 1, "title": "r", "children": [{"id": 2, "title": "m", "children": [{"id": 6, "title": "b6", "uri": "https://b.org/6"}]}]}"#,
      ], objects: ["A": 2, "Child": 4], words: ["a6", "b6"]),
    Answer(
      testDescription: "lists under codes, with one person in two of them",
      files: [
        "members.json":
          #"{"SSAF": [{"name": "Ann", "rank": 1}, {"name": "Bob", "rank": 2}], "SSAF13": [{"name": "Ann", "rank": 1}], "HSAG": [{"name": "Eve", "rank": 1}]}"#,
        "committees.json":
          #"[{"type": "senate", "name": "Agriculture", "code": "SSAF"}, {"type": "house", "name": "House", "code": "HSAG"}]"#,
      ], objects: ["Member": 4, "Committee": 2], words: ["SSAF13"]),
    Answer(
      testDescription: "an empty text that says yes",
      files: [
        "pages.json":
          #"[{"id": 1001, "title": "A", "missing": ""}, {"id": 1002, "title": "B"}, {"id": 1003, "title": "C"}]"#
      ], objects: ["Page": 3], words: [#""title":"A","missing":"""#, #""title":"B","missing":null"#]),
    Answer(
      testDescription: "a number of wins in a row that all have",
      files: [
        "records.json":
          #"[{"team": "OAK", "streak": {"streakType": "wins", "streakNumber": 2}}, {"team": "PIT", "streak": {"streakType": "wins", "streakNumber": 2}}]"#
      ], objects: ["Record": 2]),
    Answer(
      testDescription: "logs with a key of their own, each of another user",
      files: [
        "users.json": list(0..<5) { #"{"id": "U0\#($0)ABC\#($0)", "name": "u\#($0)"}"# },
        "integration_logs.json": list(0..<5) {
          #"{"service_id": "31176\#($0)4", "service_type": "GitHub", "user_id": "U0\#($0)ABC\#($0)"}"#
        },
      ], objects: ["User": 5, "IntegrationLog": 5], links: ["IntegrationLog.user": "User"],
      identities: ["IntegrationLog": ["serviceId"]]),
    Answer(
      testDescription: "ways from one stop to another",
      files: [
        "stops.json": list(0..<6) { #"{"stop_id": "S\#($0)", "stop_name": "Stop \#($0)"}"# },
        "transfers.json": list(0..<5) {
          #"{"from_stop_id": "S\#($0)", "to_stop_id": "S\#($0 + 1)", "min_transfer_time": "180"}"#
        },
      ], objects: ["Stop": 6, "Transfer": 5],
      links: ["Transfer.fromStop": "Stop", "Transfer.toStop": "Stop"],
      identities: ["Transfer": ["source", "position"]]),
    Answer(
      testDescription: "texts by language in objects of one kind and of another",
      files: [
        "manifest.json":
          #"{"requiredStatement": {"label": {"en": ["A"]}}, "items": [{"id": "https://x.org/c1", "type": "Canvas", "label": {"none": ["f. 1"]}}, {"id": "https://x.org/c2", "type": "Canvas", "label": {"none": ["f. 2"]}}], "structures": [{"id": "https://x.org/r0", "type": "Range", "label": {"en": ["T"]}, "items": [{"id": "https://x.org/r1", "type": "Range", "label": {"en": ["I"]}, "items": [{"id": "https://x.org/c2", "type": "Canvas"}]}]}]}"#
      ], objects: ["RequiredStatement": 1, "Item": 4], words: ["f. 1", "f. 2"]),
    Answer(
      testDescription: "builds of the only job, with its name in their addresses",
      files: [
        "job.json":
          #"{"name": "main", "color": "blue", "builds": [{"id": "12", "url": "https://ci.io/job/main/12/"}, {"id": "11", "url": "https://ci.io/job/main/11/"}], "lastBuild": {"number": 12, "url": "https://ci.io/job/main/12/"}}"#
      ], objects: ["Job": 1, "Build": 2], links: ["Job.lastBuild": "Build"],
      identities: ["Build": ["url"]]),
    Answer(
      testDescription: "attributes of features that are numbered in each layer",
      files: [
        "trees.json":
          #"{"objectIdFieldName": "OBJECTID", "features": [{"attributes": {"OBJECTID": 1, "NAME": "oak"}, "geometry": {"x": 1.5}}, {"attributes": {"OBJECTID": 2, "NAME": "elm"}, "geometry": {"x": 2.5}}]}"#
      ], objects: ["Tree": 1, "Feature": 2], words: ["oak", "elm"]),
    Answer(
      testDescription: "extensions of patients",
      files: [
        "patient.json":
          #"{"resourceType": "Bundle", "type": "transaction", "entry": [{"resource": {"resourceType": "Patient", "id": "5b2a0000-0000-4000-8000-000000000001", "extension": [{"url": "http://x.org/maidenName", "valueString": "Rosa"}, {"url": "http://x.org/daly", "valueDecimal": 1.5}], "gender": "male"}}]}"#
      ], objects: ["Patient": 1, "Extension": 2], words: ["maidenName", "daly"]),
    Answer(
      testDescription: "packages by path, of which the first one is empty",
      files: [
        "package-lock.json":
          #"{"name": "app", "lockfileVersion": 3, "packages": {"": {"name": "app", "version": "1.0.0", "license": "MIT"}, "node_modules/a": {"version": "1.1.0", "license": "MIT"}, "node_modules/b": {"version": "1.2.0", "license": "MIT"}, "node_modules/c": {"version": "1.3.0", "license": "MIT"}}}"#
      ], objects: ["PackageLock": 1, "Package": 4], words: [#""packages":{"":{"name":"app""#]),
  ]
}
