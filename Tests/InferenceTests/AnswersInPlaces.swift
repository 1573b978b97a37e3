/// Answers in which objects say something that holds only where they stand, or are named by keys that say little.
extension AnswerTests {
  static let inPlaces = [
    Answer(
      testDescription: "rows of tables that were texts once, by their owner and a number",
      files: [
        "trips.json": list(0..<4) { #"{"trip_id": "t_00\#($0)", "headsign": "H\#($0 % 2)"}"# },
        "stop_times.json": list(0..<12) {
          #"{"trip_id": "t_00\#($0 / 3)", "stop_sequence": "\#($0 % 3 + 1)", "pickup": "0"}"#
        },
        "shapes.json": list(0..<12) {
          #"{"shape_id": "s\#($0 / 4)", "lat": "40.\#($0 % 3)", "pt_sequence": "\#($0 % 4)"}"#
        },
      ], objects: ["Trip": 4, "StopTime": 12, "Shape": 12], links: ["StopTime.trip": "Trip"],
      identities: ["StopTime": ["trip", "stopSequence"], "Shape": ["shapeId", "ptSequence"]]),
    Answer(
      testDescription: "two people who came in one role each",
      files: [
        "issues.json":
          #"{"issues": \#(list(1..<4) { #"{"id": "1000\#($0)", "fields": {"summary": "S\#($0)", "assignee": {"accountId": "557058:f581", "displayName": "Bob", "active": true}, "reporter": {"accountId": "5b10a2844c", "displayName": "Ann", "active": true}}}"# })}"#
      ], objects: ["Issue": 3, "User": 2],
      links: ["Issue.assignee": "User", "Issue.reporter": "User"], identities: ["User": ["accountId"]]),
    Answer(
      testDescription: "invoices that name customers, and events about objects of any kind",
      files: [
        "customers.json":
          #"{"object": "list", "data": \#(list(1..<4) { #"{"id": "cus_\#($0)", "object": "customer", "email": "e\#($0)@x.example.org", "created": 1600000000}"# })}"#,
        "invoices.json":
          #"{"object": "list", "data": \#(list(1..<4) { #"{"id": "in_\#($0)", "object": "invoice", "customer": "cus_\#($0)", "total": 2000, "created": 1600000000}"# })}"#,
        "events.json":
          #"{"object": "list", "data": [{"id": "evt_1", "object": "event", "type": "invoice.paid", "created": 1600000000, "data": {"object": {"id": "in_1", "object": "invoice", "customer": "cus_1", "total": 2000, "created": 1600000000}}}, {"id": "evt_2", "object": "event", "type": "customer.created", "created": 1600000000, "data": {"object": {"id": "cus_1", "object": "customer", "email": "e1@x.example.org", "created": 1600000000}}}]}"#,
      ], objects: ["Customer": 3, "Invoice": 3, "Event": 2], links: ["Invoice.customer": "Customer"]),
    Answer(
      testDescription: "the one entity of a document, with lists by language",
      files: [
        "entity.json":
          #"{"entities": {"Q5": {"id": "Q5", "type": "item", "labels": {"de": {"language": "de", "value": "Mensch"}}, "aliases": {"de": [{"language": "de", "value": "Leute"}, {"language": "de", "value": "Person"}]}}}}"#
      ], objects: ["Entity": 1, "Label": 1, "Alias": 2], identities: ["Entity": ["id"]]),
    Answer(
      testDescription: "commits with their parents, one of which is that of two",
      files: [
        "commits.json": list(1..<5) { number in
          func said(_ number: Int) -> String {
            #""sha": "\#(number)fd1f8e4c3a2b1d", "url": "https://api.example.org/commits/\#(number)fd1f8e4c3a2b1d", "html_url": "https://example.org/commit/\#(number)fd1f8e4c3a2b1d""#
          }
          return
            #"{\#(said(number)), "message": "m\#(number)", "commit": {"tree": "t\#(number)", "url": "https://api.example.org/git/commits/\#(number)fd1f8e4c3a2b1d", "author": "A", "date": "2024-01-0\#(number)", "count": 0, "a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}, "parents": [{\#(said(number < 3 ? 3 : number + 1))}]}"#
        }
      ], objects: ["Commit": 5, "Commit2": 4], links: ["Commit.parents": "Commit"],
      identities: ["Commit": ["sha"]]),
    Answer(
      testDescription: "codings with a label and without one",
      files: [
        "bundle.json":
          #"{"resourceType": "Bundle", "entry": [{"resource": {"resourceType": "Condition", "id": "c1", "status": {"coding": [{"system": "http://x.example.org/status", "code": "active"}]}, "code": {"coding": [{"system": "http://x.example.org/sct", "code": "44054006", "display": "Diabetes"}]}, "class": {"system": "http://x.example.org/class", "code": "AMB"}}}, {"resource": {"resourceType": "Condition", "id": "c2", "status": {"coding": [{"system": "http://x.example.org/status", "code": "active"}]}, "code": {"coding": [{"system": "http://x.example.org/sct", "code": "38341003", "display": "Hypertension"}]}, "class": {"system": "http://x.example.org/class", "code": "AMB"}}}]}"#
      ], objects: ["Condition": 2, "Coding": 3], words: ["AMB", "active"]),
    Answer(
      testDescription: "characters that people play, who are none of these",
      files: [
        "people.json": list(1..<4) {
          #"{"id": \#($0), "name": "P\#($0)", "plays": {"character": "https://api.example.org/characters/\#($0)", "since": 200\#($0)}}"#
        }
      ], objects: ["Person": 3], words: ["characters/3"]),
    Answer(
      testDescription: "resources that name each other by URNs, and by a search for an identifier",
      files: [
        "bundle.json":
          #"{"resourceType": "Bundle", "type": "transaction", "entry": [{"fullUrl": "urn:uuid:8d2f527e-72da-40a5-8ef2-5c0707e33868", "resource": {"resourceType": "Patient", "id": "8d2f527e-72da-40a5-8ef2-5c0707e33868", "gender": "male"}}, {"fullUrl": "urn:uuid:d95bafc8-f2a4-427b-9cf4-bb99f4bea973", "resource": {"resourceType": "Organization", "id": "d95bafc8-f2a4-427b-9cf4-bb99f4bea973", "name": "Clinic"}}, {"fullUrl": "urn:uuid:1cf5192b-bf67-4a14-be11-d56ba0b4a296", "resource": {"resourceType": "Encounter", "id": "1cf5192b-bf67-4a14-be11-d56ba0b4a296", "status": "finished", "subject": {"reference": "urn:uuid:8d2f527e-72da-40a5-8ef2-5c0707e33868"}, "serviceProvider": {"reference": "Organization?identifier=https://example.org/synthea|d95bafc8-f2a4-427b-9cf4-bb99f4bea973"}}}]}"#
      ], objects: ["Patient": 1, "Organization": 1, "Encounter": 1],
      links: ["Encounter.subject": "Patient", "Encounter.serviceProvider": "Organization"],
      words: ["urn:uuid:8d2f", "Organization?identifier=https"]),
    Answer(
      testDescription: "films and series with numbers of their own",
      files: [
        "search.json":
          #"{"page": 1, "results": [{"media_type": "movie", "id": 550, "title": "Club"}, {"media_type": "tv", "id": 550, "name": "Show"}, {"media_type": "tv", "id": 1396, "name": "Bad"}]}"#
      ], objects: ["Search": 3], identities: ["Search": ["mediaType", "id"]]),
    Answer(
      testDescription: "a dictionary in which an object is missing",
      files: [
        "genes.json":
          #"{"ENSG00000248378": {"id": "ENSG00000248378", "label": "AC1"}, "ENSG00000157764": {"id": "ENSG00000157764", "label": "BRAF"}, "ENSG00000000001": null}"#
      ], objects: ["Gene": 2], identities: ["Gene": ["id"]]),
    Answer(
      testDescription: "players who have a rating in each game",
      files: [
        "games.json":
          #"{"games": [{"url": "https://x.org/g/1", "uuid": "ab01c5e0-0000-11ee-9f2a-000000000001", "white": {"rating": 1500, "result": "win", "username": "erik", "uuid": "11111111-0000-11de-0000-000000000001"}, "black": {"rating": 1490, "result": "resigned", "username": "anna", "uuid": "11111111-0000-11de-0000-000000000002"}}, {"url": "https://x.org/g/2", "uuid": "ab01c5e0-0000-11ee-9f2a-000000000002", "white": {"rating": 1480, "result": "timeout", "username": "anna", "uuid": "11111111-0000-11de-0000-000000000002"}, "black": {"rating": 1510, "result": "win", "username": "erik", "uuid": "11111111-0000-11de-0000-000000000001"}}]}"#
      ], objects: ["Game": 2, "White": 2], words: ["1500", "1490", "1480", "1510", "resigned", "timeout"]),
    Answer(
      testDescription: "lists of objects in features",
      files: [
        "forecast.json":
          #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [10.7, 59.9]}, "properties": {"meta": {"updated": "x"}, "timeseries": [{"time": "2024-05-01T11:00:00Z", "temp": 1}, {"time": "2024-05-01T12:00:00Z", "temp": 2}]}}"#
      ], objects: ["Forecast": 1, "Timeseries": 2], words: [#""temp":1}"#, #""temp":2}"#]),
    Answer(
      testDescription: "builds that each job numbers anew",
      files: [
        "job-build.json":
          #"{"_class":"FreeStyleProject","name":"build","url":"http://jenkins/job/build/","color":"blue","builds":[{"_class":"FreeStyleBuild","number":43,"url":"http://jenkins/job/build/43/"},{"_class":"FreeStyleBuild","number":42,"url":"http://jenkins/job/build/42/"}],"lastBuild":{"_class":"FreeStyleBuild","number":43,"url":"http://jenkins/job/build/43/"}}"#,
        "job-test.json":
          #"{"_class":"FreeStyleProject","name":"test","url":"http://jenkins/job/test/","color":"red","builds":[{"_class":"FreeStyleBuild","number":43,"url":"http://jenkins/job/test/43/"},{"_class":"FreeStyleBuild","number":42,"url":"http://jenkins/job/test/42/"},{"_class":"FreeStyleBuild","number":1,"url":"http://jenkins/job/test/1/"}],"lastBuild":{"_class":"FreeStyleBuild","number":43,"url":"http://jenkins/job/test/43/"}}"#,
      ], objects: ["Job": 2, "Build": 5], words: ["job/build/42/", "job/test/42/"]),
    Answer(
      testDescription: "fares of each traveller by segment",
      files: [
        "offers.json":
          #"{"data":[{"id":"1","price":"355","segments":[{"id":"1","carrierCode":"PR"}],"travelerPricings":[{"travelerId":"1","fareDetailsBySegment":[{"segmentId":"1","cabin":"ECONOMY","class":"E"}]},{"travelerId":"2","fareDetailsBySegment":[{"segmentId":"1","cabin":"BUSINESS","class":"C"}]}]}]}"#
      ], objects: ["Offer": 1, "Segment": 1, "TravelerPricing": 2, "FareDetailsBySegment": 2],
      links: ["FareDetailsBySegment.segment": "Segment"], words: ["ECONOMY", "BUSINESS"]),
    Answer(
      testDescription: "ratings with the number of another rating",
      files: [
        "games.json":
          #"{"results":[{"id":3498,"name":"GTA V","ratings":[{"id":5,"title":"exceptional","count":4000},{"id":4,"title":"recommended","count":2200}],"esrb_rating":{"id":4,"name":"Mature"}},{"id":3328,"name":"The Witcher 3","ratings":[{"id":5,"title":"exceptional","count":5000},{"id":4,"title":"recommended","count":1000}],"esrb_rating":{"id":4,"name":"Mature"}}]}"#
      ], objects: ["Game": 2, "Rating": 4, "EsrbRating": 1], words: [#""id":5"#]),
    Answer(
      testDescription: "a service under its own name",
      files: [
        "consul_services.json":
          #"{"web-1":{"ID":"web-1","Service":"web","Port":80},"web-2":{"ID":"web-2","Service":"web","Port":81},"redis":{"ID":"redis","Service":"redis","Port":6379}}"#
      ], objects: ["ConsulService": 3], words: [#""Service":"web""#]),
    Answer(
      testDescription: "collaborators by their numbers",
      files: [
        "tickets.json":
          #"{"tickets":[{"id":35436,"requester_id":20978392,"collaborator_ids":[35334,234]},{"id":35437,"requester_id":20978393,"collaborator_ids":[]},{"id":35440,"requester_id":20978392,"collaborator_ids":[234]}],"users":[{"id":20978392,"name":"Johnny"},{"id":20978393,"name":"Mia"},{"id":234,"name":"Coll"},{"id":35334,"name":"Dora"}]}"#
      ], objects: ["Ticket": 3, "User": 4], links: ["Ticket.collaborators": "User"]),
    Answer(
      testDescription: "owners by numbers that are texts elsewhere",
      files: [
        "admins.json":
          #"{"admins":[{"id":"127","name":"Hoban"},{"id":"128","name":"Zoe"}]}"#,
        "contacts.json":
          #"{"data":[{"id":"5ba4","email":"fantine@acme.org","owner_id":127},{"id":"5ba5","email":"jean@acme.org","owner_id":128}]}"#,
      ], objects: ["Admin": 2, "Contact": 2], links: ["Contact.owner": "Admin"]),
    Answer(
      testDescription: "users in files with their names",
      files: [
        "user-german11.json":
          #"{"id":"german11","username":"German11","perfs":{"bullet":{"games":11,"rating":1500},"blitz":{"games":5,"rating":1480}},"createdAt":1290415690000,"count":{"all":16,"win":8}}"#,
        "user-thibault.json":
          #"{"id":"thibault","username":"thibault","perfs":{"blitz":{"games":11000,"rating":1800},"rapid":{"games":900,"rating":1750}},"createdAt":1290415680000,"count":{"all":12000,"win":5000}}"#,
      ], objects: ["User": 2], identities: ["User": ["id"]]),
    Answer(
      testDescription: "venues in full and by their numbers",
      files: [
        "scoreboard.json":
          #"{"events":[{"id":"401","venue":{"id":"3622","fullName":"Arrowhead"},"competitors":[{"order":0,"team":{"id":"12","name":"Chiefs","venue":{"id":"3622"}}},{"order":1,"team":{"id":"33","name":"Ravens","venue":{"id":"3814"}}}]},{"id":"402","venue":{"id":"3883","fullName":"Highmark"},"competitors":[{"order":0,"team":{"id":"2","name":"Bills","venue":{"id":"3883"}}},{"order":1,"team":{"id":"12","name":"Chiefs","venue":{"id":"3622"}}}]}]}"#
      ], objects: ["Event": 2, "Venue": 2, "Competitor": 4, "Team": 3],
      links: ["Team.venue": "Venue", "Event.venue": "Venue"]),
    Answer(
      testDescription: "groups of counts that each job calls as it likes",
      files: [
        "jobs.json":
          #"[{"ID":"example","ParentID":"","Status":"running","Summary":{"cache":{"Queued":1,"Failed":0},"web":{"Queued":0,"Failed":1}}},{"ID":"batch","ParentID":"example","Status":"dead","Summary":{"run":{"Queued":0,"Failed":0}}},{"ID":"nightly","ParentID":"example","Status":"dead","Summary":{"dump":{"Queued":0,"Failed":0}}}]"#
      ], objects: ["Job": 3, "Summary": 4],
      links: ["Job.parent": "Job"], words: [#""run":{"#]),
    Answer(
      testDescription: "comics by their addresses",
      files: [
        "characters.json":
          #"{"results":[{"id":1011334,"name":"3-D Man","comics":{"available":12,"items":[{"resourceURI":"http://m/comics/21366","name":"A #14"},{"resourceURI":"http://m/comics/24571","name":"A #15"}]}},{"id":1017100,"name":"A-Bomb","comics":{"available":4,"items":[{"resourceURI":"http://m/comics/24571","name":"A #15"}]}}]}"#
      ], objects: ["Character": 2, "Comic": 2], identities: ["Comic": ["resourceURI"]]),
    Answer(
      testDescription: "builds of one job, some of which come again",
      files: [
        "job.json":
          #"{"name": "my-job", "url": "http://j/job/my-job/", "builds": [{"number": 43, "url": "http://j/job/my-job/43/"}, {"number": 42, "url": "http://j/job/my-job/42/"}], "firstBuild": {"number": 42, "url": "http://j/job/my-job/42/"}, "lastBuild": {"number": 43, "url": "http://j/job/my-job/43/"}}"#
      ], objects: ["Job": 1, "Build": 2], identities: ["Build": ["url"]]),
    Answer(
      testDescription: "messages and edited ones",
      files: [
        "updates.json":
          #"{"result": [{"update_id": 10000, "message": {"message_id": 11, "date": 1441645532, "text": "/start"}}, {"update_id": 10001, "message": {"message_id": 12, "date": 1441645540, "text": "hi"}}, {"update_id": 10002, "edited_message": {"message_id": 12, "date": 1441645550, "text": "hi!"}}]}"#
      ], objects: ["Update": 3, "Message": 2, "EditedMessage": 1],
      identities: ["EditedMessage": ["messageId"]]),
    Answer(
      testDescription: "roles and sites with the same keys",
      files: [
        "devices.json":
          #"{"results": [{"id": 107, "name": "sw1", "role": {"id": 2, "url": "https://nb/roles/2/", "display": "Access", "name": "Access", "slug": "access"}, "site": {"id": 21, "url": "https://nb/sites/21/", "display": "AMS", "name": "AMS", "slug": "ams"}, "tags": [{"id": 1, "url": "https://nb/tags/1/", "display": "core", "name": "core", "slug": "core", "color": "f00"}]}, {"id": 108, "name": "sw2", "role": {"id": 3, "url": "https://nb/roles/3/", "display": "Core", "name": "Core", "slug": "core"}, "site": {"id": 21, "url": "https://nb/sites/21/", "display": "AMS", "name": "AMS", "slug": "ams"}, "tags": []}]}"#,
        "page2.json":
          #"{"results": [{"id": 109, "name": "sw3", "role": {"id": 21, "url": "https://nb/roles/21/", "display": "Spine", "name": "Spine", "slug": "spine"}, "site": {"id": 4, "url": "https://nb/sites/4/", "display": "BER", "name": "BER", "slug": "ber"}, "tags": []}]}"#,
      ], objects: ["Device": 3, "Role": 3, "Site": 2, "Tag": 1], words: ["AMS", "Spine"]),
    Answer(
      testDescription: "codes of a state",
      files: [
        "page2.json":
          #"{"shipments": [{"id": "7777777772", "status": {"timestamp": "2024-03-09T07:00:00Z", "statusCode": "delivered", "description": "neighbour"}}]}"#,
        "shipments.json":
          #"{"shipments": [{"id": "7777777770", "status": {"timestamp": "2024-03-02T07:53:47Z", "statusCode": "delivered", "description": "left at door"}}, {"id": "7777777771", "status": {"timestamp": "2024-03-01T07:53:47Z", "statusCode": "transit", "description": "in Ulm"}}]}"#,
      ], objects: ["Shipment": 3], words: ["left at door", "neighbour"]),
    Answer(
      testDescription: "two shares of one company",
      files: [
        "tickers.json":
          #"{"results": [{"ticker": "GOOG", "name": "Alphabet C", "cik": "0001652044", "active": true}, {"ticker": "AA", "name": "Alcoa", "cik": "0001675149", "active": true}], "status": "OK"}"#,
        "tickers2.json":
          #"{"results": [{"ticker": "GOOGL", "name": "Alphabet A", "cik": "0001652044", "active": true}], "status": "OK"}"#,
      ], objects: ["Ticker": 3], identities: ["Ticker": ["ticker"]]),
    Answer(
      testDescription: "answers to calls by one number",
      files: [
        "block1.json":
          #"{"result": {"hash": "00000000000000000001aa", "height": 700000}, "error": null, "id": "curl"}"#,
        "block2.json":
          #"{"result": {"hash": "00000000000000000001ab", "height": 700001}, "error": null, "id": "curl"}"#,
      ], objects: ["Block": 2], identities: ["Block": ["hash"]]),
    Answer(
      testDescription: "logs that say twice which they are",
      files: [
        "auth0_logs.json":
          #"[{"_id": "90020200101", "log_id": "90020200101", "type": "s"}, {"_id": "90020200102", "log_id": "90020200102", "type": "fp"}]"#
      ], objects: ["Auth0Log": 2]),
    Answer(
      testDescription: "agents and customers with the same numbers",
      files: [
        "pets.json":
          #"{"agents": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}, {"id": 3, "name": "C"}], "customers": [{"id": 1, "name": "Cy"}, {"id": 2, "name": "Di"}, {"id": 3, "name": "Ed"}], "pets": [{"id": 101, "name": "Rex", "owner_id": 1}, {"id": 102, "name": "Tom", "owner_id": 2}, {"id": 103, "name": "Kit", "owner_id": 3}]}"#
      ], objects: ["Agent": 3, "Customer": 3, "Pet": 3], links: ["Pet.owner": "Customer"]),
    Answer(
      testDescription: "types of two kinds",
      files: [
        "types.json":
          #"{"orders": [{"id": "A1", "type": {"id": "1", "name": "retail"}}, {"id": "A2", "type": {"id": "2", "name": "bulk"}}], "shops": [{"id": "S1", "type": {"id": "1"}}, {"id": "S2", "type": {"id": "9"}}]}"#
      ], objects: ["Order": 2, "Shop": 2, "Type": 2, "OrderType": 2]),
  ]
}
