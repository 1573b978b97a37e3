/// Answers in which objects say something that holds only where they stand, or are named by keys that say little.
extension AnswerTests {
  static let inPlaces = [
    Answer(
      testDescription: "players who have a rating in each game",
      files: [
        "games.json":
          #"{"games": [{"url": "https://x.org/g/1", "uuid": "ab01c5e0-0000-11ee-9f2a-000000000001", "white": {"rating": 1500, "result": "win", "username": "erik", "uuid": "11111111-0000-11de-0000-000000000001"}, "black": {"rating": 1490, "result": "resigned", "username": "anna", "uuid": "11111111-0000-11de-0000-000000000002"}}, {"url": "https://x.org/g/2", "uuid": "ab01c5e0-0000-11ee-9f2a-000000000002", "white": {"rating": 1480, "result": "timeout", "username": "anna", "uuid": "11111111-0000-11de-0000-000000000002"}, "black": {"rating": 1510, "result": "win", "username": "erik", "uuid": "11111111-0000-11de-0000-000000000001"}}]}"#
      ], objects: ["Game": 2], words: ["1500", "1490", "1480", "1510", "resigned", "timeout"]),
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
  ]
}
