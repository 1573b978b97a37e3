/// Answers of which each has a part of the objects: pages, lists and single objects, short forms, and documents that say nothing.
extension AnswerTests {
  private static func track(_ number: Int) -> String {
    #"{"id": "3n3Ppam7vgaVa1iaRUc9L\#(number)", "name": "T\#(number)", "href": "https://x.org/v1/tracks/\#(number)", "type": "track", "duration_ms": 100\#(number), "popularity": \#(number)}"#
  }

  private static func tracks(_ items: String) -> String {
    #"{"href": "https://x.org/v1/tracks", "items": \#(items), "limit": 20, "next": null, "offset": 0, "total": 3}"#
  }

  private static func charges(_ objects: String) -> String {
    #"{"object": "list", "url": "/v1/x", "has_more": false, "data": [\#(objects)]}"#
  }

  private static func customer(_ number: Int) -> String {
    #"{"id": "cus_Nffr\#(number)GnV", "object": "customer", "email": "u\#(number)@x.com", "name": "N\#(number)"}"#
  }

  static let inPieces = [
    Answer(
      testDescription: "values of pages that have the number of their column, on two days",
      files: [
        "pages-1.json": list(1..<4) {
          #"{"id": "5983378\#($0)", "properties": {"name": "P\#($0)", "due": {"id": "M3BBw", "type": "date", "date": null}}}"#
        },
        "pages-2.json": list(2..<5) {
          #"{"id": "5983378\#($0)", "properties": {"name": "P\#($0)", "due": {"id": "M3BBw", "type": "date", "date": \#($0 == 2 ? #"{"start": "2024-05-01", "zone": null}"# : "null")}}}"#
        },
      ], objects: ["Page": 4], changed: ["Page": 1], words: ["M3BBw"]),
    Answer(
      testDescription: "a list on two days, of which some objects changed",
      files: [
        "films-1.json": list(0..<4) {
          #"{"id": "f\#($0)", "views": \#(10 + $0), "released": "2001-01-0\#($0 + 1)", "rated": "PG-\#($0)"}"#
        },
        "films-2.json": list(2..<6) {
          #"{"id": "f\#($0)", "views": \#(90 + $0), "released": "2001-01-0\#($0 + 1)", "rated": "PG-\#($0)"}"#
        },
      ], objects: ["Film": 6], changed: ["Film": 2], identities: ["Film": ["id"]]),
    Answer(
      testDescription: "a list on two days, whose objects a program identified and all of which changed",
      files: [
        "views-1.json": list(0..<3) { #"{"key": 45076843\#($0), "views": \#(10 + $0)}"# },
        "views-2.json": list(1..<4) { #"{"key": 45076843\#($0), "views": \#(90 + $0)}"# },
      ], objects: ["View": 4], changed: ["View": 2], identities: ["View": ["key"]]),
    Answer(
      testDescription: "a table on two days, whose first key ends as identities do",
      files: [
        "compounds-1.json": list(0..<3) {
          #"{"CID": 22\#($0), "formula": "C\#($0)H", "weight": "18\#($0).16", "level": 1}"#
        },
        "compounds-2.json": list(1..<4) {
          #"{"CID": 22\#($0), "formula": "C\#($0)H", "weight": "18\#($0).16", "level": 2}"#
        },
      ], objects: ["Compound": 4], changed: ["Compound": 2], identities: ["Compound": ["cid"]]),
    Answer(
      testDescription: "objects with another name on another day, which may be others",
      files: [
        "users-1.json": list(1..<4) { #"{"id": "u\#($0)", "name": "N\#($0)", "city": "Rome"}"# },
        "users-2.json": list(2..<5) { #"{"id": "u\#($0)", "name": "M\#($0)", "city": "Oslo"}"# },
      ], objects: ["User": 6], identities: ["User": ["source", "position"]]),
    Answer(
      testDescription: "layers that each map counts, some of which have one name",
      files: [
        "map-1.json": list(1..<5) { #"{"id": \#($0), "name": "Layer \#($0)", "width": 1\#($0)}"# },
        "map-2.json": list(1..<5) {
          #"{"id": \#($0), "name": "\#(["Layer 1", "Trees", "Layer 3", "Layer 4"][$0 - 1])", "width": 2\#($0)}"#
        },
      ], objects: ["Map": 8], identities: ["Map": ["source", "position"]]),
    Answer(
      testDescription: "an export of a database on two days",
      files: [
        "people-1.json": list(1..<4) {
          #"{"_id": {"$oid": "5f43a1b2c3d4e5f60718293\#($0)"}, "name": "N\#($0)", "logins": \#($0)}"#
        },
        "people-2.json": list(2..<5) {
          #"{"_id": {"$oid": "5f43a1b2c3d4e5f60718293\#($0)"}, "name": "N\#($0)", "logins": \#($0 + 7)}"#
        },
      ], objects: ["Person": 4], changed: ["Person": 2], identities: ["Person": ["id"]]),
    Answer(
      testDescription: "objects that say less the second time",
      files: [
        "users.json": list(1..<7) {
          #"{"id": \#($0), "name": "N\#($0)", "email": "e\#($0)@x.org", "role": "r"}"#
        },
        "users2.json": list(4..<9) { #"{"id": \#($0), "name": "N\#($0)"}"# },
      ], objects: ["User": 8], identities: ["User": ["id"]]),
    Answer(
      testDescription: "an offer of support beside a page",
      files: [
        "users.json": #"{"page": 1, "per_page": 2, "total": 4, "total_pages": 2, "data": "#
          + list(1..<3) { #"{"id": \#($0), "email": "a\#($0)@x.org", "first_name": "F\#($0)"}"# }
          + #", "support": {"url": "https://x.org/#support", "text": "Contributions are welcome"}}"#
      ], objects: ["User": 2], identities: ["User": ["id"]]),
    Answer(
      testDescription: "an empty page before others",
      files: [
        "books.json": #"{"data": [], "total": 0, "page": 1}"#,
        "books2.json":
          #"{"data": \#(list(1..<4) { #"{"id": \#($0), "title": "B\#($0)"}"# }), "total": 3, "page": 1}"#,
      ], objects: ["Book": 3], identities: ["Book": ["id"]]),
    Answer(
      testDescription: "an empty document beside a list",
      files: [
        "books.json": "{}",
        "books2.json": list(1..<4) { #"{"id": \#($0), "title": "B\#($0)", "year": 199\#($0)}"# },
      ], objects: ["Book": 3], identities: ["Book": ["id"]]),
    Answer(
      testDescription: "the second file of a name of two words",
      files: [
        "lines/order_lines.json": list(0..<4) {
          #"{"order_id": \#(3001 + $0 / 2), "line_no": \#($0 % 2 + 1), "sku": "S3001\#($0)", "qty": \#($0)}"#
        },
        "lines/order_lines2.json": list(0..<4) {
          #"{"order_id": \#(3003 + $0 / 2), "line_no": \#($0 % 2 + 1), "sku": "S3002\#($0)", "qty": \#($0)}"#
        },
        "orders.json": list(3001..<3005) { #"{"id": \#($0), "placed": "2024-01-01"}"# },
      ], objects: ["OrderLine": 8, "Order": 4], links: ["OrderLine.order": "Order"]),
    Answer(
      testDescription: "tracks of a playlist, and those that a search found",
      files: [
        "playlist.json":
          #"{"id": "37i9dQZF1DXcBWIGoYBM5M", "type": "playlist", "name": "Motorik", "tracks": "#
          + tracks(
            list(1..<4) {
              #"{"added_at": "2024-01-0\#($0)T10:00:00Z", "is_local": false, "track": \#(track($0))}"#
            }) + "}",
        "search.json": #"{"tracks": \#(tracks(list(2..<5, track)))}"#,
      ], objects: ["Playlist": 1, "PlaylistTrack": 3, "Track": 4],
      links: ["Playlist.tracks": "PlaylistTrack", "PlaylistTrack.track": "Track"],
      identities: ["Track": ["id"]]),
    Answer(
      testDescription: "lists of charges with customers and with their keys, and a list of customers",
      files: [
        "charges.json": charges(
          [1, 2].map {
            #"{"id": "ch_3Nabc\#($0)Xyz", "object": "charge", "amount": \#($0)00, "customer": \#(customer($0))}"#
          }.joined(separator: ", ")),
        "charges2.json": charges(
          #"{"id": "ch_3Nabc3Xyz", "object": "charge", "amount": 300, "customer": "cus_Nffr1GnV"}"#),
        "customers.json": charges([1, 2, 3].map(customer).joined(separator: ", ")),
      ], objects: ["Charge": 3, "Customer": 3], links: ["Charge.customer": "Customer"]),
    Answer(
      testDescription: "a work by itself and in a list, with its identities inside",
      files: [
        "works/W2741809800.json":
          #"{"id": "https://x.org/W2741809800", "doi": "https://doi.org/10.1/0", "ids": {"work": "https://x.org/W2741809800", "doi": "https://doi.org/10.1/0"}}"#,
        "works.json": #"{"meta": {"count": 4, "page": 1}, "results": "#
          + list(0..<4) {
            #"{"id": "https://x.org/W274180980\#($0)", "doi": "https://doi.org/10.1/\#($0)", "ids": {"work": "https://x.org/W274180980\#($0)", "doi": "https://doi.org/10.1/\#($0)"}}"#
          } + "}",
      ], objects: ["Work": 4], words: [#""ids":{"work":"#]),
    Answer(
      testDescription: "objects that name those which their lists are called like",
      files: [
        "companies.json":
          #"{"results": \#(list(101..<105) { #"{"id": "\#($0)", "domain": "d\#($0).org"}"# })}"#,
        "contacts.json": #"{"results": "#
          + list(201..<205) {
            #"{"id": "\#($0)", "firstname": "F\#($0)", "associations": {"companies": {"results": [{"id": "\#($0 - 100)", "type": "contact_to_company"}]}}}"#
          } + "}",
      ], objects: ["Company": 4, "Contact": 4, "ContactCompany": 4],
      links: ["ContactCompany.company": "Company"]),
    Answer(
      testDescription: "owners of two kinds under one key",
      files: [
        "devices.json": list(0..<3) {
          #"{"id": "00000000-0000-4000-a000-00000000000\#($0)", "type": "device", "model": "m\#($0)"}"#
        },
        "rooms.json": list(3..<6) {
          #"{"id": "00000000-0000-4000-a000-00000000000\#($0)", "type": "room", "children": []}"#
        },
        "lights.json": list(0..<3) {
          #"{"id": "00000000-0000-4000-a000-00000000001\#($0)", "owner": {"rid": "00000000-0000-4000-a000-00000000000\#($0)", "rtype": "device"}, "on": true}"#
        },
        "grouped_lights.json": list(3..<6) {
          #"{"id": "00000000-0000-4000-a000-00000000001\#($0)", "owner": {"rid": "00000000-0000-4000-a000-00000000000\#($0)", "rtype": "room"}, "on": false, "signal": 1}"#
        },
      ], objects: ["Device": 3, "Room": 3, "Light": 3, "GroupedLight": 3],
      links: ["Light.rid": "Device", "GroupedLight.rid": "Room"]),
    Answer(
      testDescription: "objects that are nothing but an identity",
      files: [
        "issues.json": list(0..<3) {
          #"{"id": "i\#($0)a1b2c3d4e5", "title": "T\#($0)", "team": {"id": "00000000-0000-4000-a000-00000000000\#($0 % 2)", "name": "N\#($0 % 2)", "key": "K\#($0 % 2)"}}"#
        },
        "projects.json": list(0..<2) {
          #"{"id": "p\#($0)a1b2c3d4e5", "state": "S\#($0)", "teams": [{"id": "00000000-0000-4000-a000-000000000001"}]}"#
        },
      ], objects: ["Issue": 3, "Project": 2, "Team": 2],
      links: ["Issue.team": "Team", "Project.teams": "Team"]),
    Answer(
      testDescription: "emojis of a server, and one that everybody has",
      files: [
        "emojis.json": list(1..<3) {
          #"{"id": "4177198342314300\#($0)", "name": "e\#($0)", "animated": false}"#
        },
        "messages.json":
          #"[{"id": "51771983423143001", "content": "a", "reactions": [{"emoji": {"id": "41771983423143001", "name": "e1"}, "count": 1}, {"emoji": {"id": null, "name": "👍"}, "count": 2}]}, {"id": "51771983423143002", "content": "b", "reactions": []}]"#,
      ], objects: ["Emojis": 2, "Message": 2, "Reaction": 2], words: ["👍"], identities: ["Emojis": ["id"]]),
    Answer(
      testDescription: "answers with an identity of their own, and a status in words",
      files: [
        "parts.json":
          #"{"Id": "a0000000-0000-4000-a000-000000000001", "Status": "OK", "ProviderName": "App", "Parts": [{"PartID": "b0000000-0000-4000-a000-000000000001", "Code": "BOOK"}, {"PartID": "b0000000-0000-4000-a000-000000000002", "Code": "MUG"}]}"#,
        "directions.json":
          #"{"destination_addresses": ["A", "B"], "origin_addresses": ["C"], "rows": [{"elements": [{"status": "OK", "meters": 1228}, {"status": "OK", "meters": 1734}]}], "status": "OK"}"#,
      ], objects: ["Part": 2, "Direction": 1, "Row": 1, "Element": 2], words: [#"["A","B"]"#],
      identities: ["Part": ["partId"]]),
    Answer(
      testDescription: "the sides of a match",
      files: [
        "matches.json": #"{"matches": "#
          + list(1..<3) {
            #"{"id": 40000\#($0), "homeTeam": {"id": 57, "name": "A", "tla": "AAA"}, "awayTeam": {"id": 6\#($0), "name": "T\#($0)", "tla": "T0\#($0)"}}"#
          } + "}"
      ], objects: ["Match": 2, "Team": 3], links: ["Match.homeTeam": "Team", "Match.awayTeam": "Team"]),
    Answer(
      testDescription: "keys of a species, of which one is that of another",
      files: [
        "species.json": #"{"offset": 0, "limit": 20, "endOfRecords": true, "results": "#
          + list(1..<4) {
            #"{"key": 524\#($0)118, "nubKey": 524\#($0)118, "speciesKey": 524\#($0)118, "scientificName": "S\#($0)", "rank": "SPECIES"}"#
          } + "}"
      ], objects: ["Species": 3], identities: ["Species": ["key"]]),
    Answer(
      testDescription: "a document around a list with a key of its objects",
      files: [
        "artists.json":
          #"{"response": {"status": "ok", "artists": [{"id": "art_e317646556a299", "status": "draft", "color": "red"}]}}"#
      ], objects: ["Artist": 1]),
    Answer(
      testDescription: "files that are called by a value of their objects",
      files: [
        "events/58213.json": #"{"slug": 58213, "title": "Fepe", "code": "DATU", "tags": ["a"]}"#,
        "events/58214.json": #"{"slug": 58214, "title": "Cobe", "code": "LEPI", "tags": ["b"]}"#,
      ], objects: ["Event": 2], identities: ["Event": ["slug"]]),
    Answer(
      testDescription: "moments as numbers and as texts",
      files: [
        "events.json": list(1..<3) { #"{"id": \#($0), "name": "a\#($0)", "created_at": 170000000\#($0)}"# },
        "events2.json": #"[{"id": 3, "name": "c", "created_at": "2024-03-03T10:00:00Z"}]"#,
      ], objects: ["Event": 3], words: ["2023-11-14T22:13:21Z", "2024-03-03T10:00:00Z"]),
    Answer(
      testDescription: "references of FHIR beside what they show",
      files: [
        "bundle.json":
          #"{"resourceType": "Bundle", "type": "searchset", "entry": [{"resource": {"resourceType": "Patient", "id": "f201", "gender": "male"}}, {"resource": {"resourceType": "Observation", "id": "o1", "status": "final", "subject": {"reference": "Patient/f201", "display": "R"}, "performer": [{"reference": "Practitioner/f202", "display": "D"}]}}, {"resource": {"resourceType": "Practitioner", "id": "f202", "gender": "female"}}]}"#
      ], objects: ["Patient": 1, "Observation": 1, "Performer": 1, "Practitioner": 1],
      links: ["Observation.subject": "Patient", "Performer.reference": "Practitioner"],
      words: [
        #""subject":{"display":"R","reference":"Patient/f201"}"#,
        #""performer":[{"display":"D","reference":"Practitioner/f202"}]"#,
      ]),
  ]
}
