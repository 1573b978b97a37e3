/// Answers whose objects say something of the objects around them, come again in a short form, or have another one's keys.
extension AnswerTests {
  static let withShortForms = [
    Answer(
      testDescription: "repositories that events call by another of their names",
      files: [
        "repos.json": list(1..<4) {
          #"{"id": 129626\#($0), "name": "Hello\#($0)", "full_name": "ann/Hello\#($0)", "private": false, "url": "https://api.example.org/repos/ann/Hello\#($0)"}"#
        },
        "events.json": list(1..<4) {
          #"{"id": "2224908494\#($0)", "type": "WatchEvent", "repo": {"id": 129626\#($0), "name": "ann/Hello\#($0)", "url": "https://api.example.org/repos/ann/Hello\#($0)"}}"#
        },
      ], objects: ["Repo": 3, "Event": 3], links: ["Event.repo": "Repo"], words: [#""name":"Hello1""#]),
    Answer(
      testDescription: "places of events, each of which says in its own way where that is",
      files: [
        "events.json":
          #"{"collection": [{"uri": "https://api.example.org/e/1", "name": "M", "location": {"type": "physical", "location": "Main St"}}, {"uri": "https://api.example.org/e/2", "name": "N", "location": {"type": "zoom", "join_url": "https://z.example.org/1", "status": "ok"}}]}"#
      ], objects: ["Event": 2], words: ["physical", "Main St", "zoom"]),
    Answer(
      testDescription: "what is needed by packages, in two lists of one kind",
      files: [
        "lock.json":
          #"{"hash": "d1", "packages": [{"name": "a/p", "version": "1.0.1", "url": "https://a.example.org/p", "reference": "r1", "type": "library", "license": ["MIT"], "description": "P", "shasum": "s1", "require": {"php": ">=7.2", "a/q": "^1.0"}, "autoload": {"A\\P\\": "src/"}}, {"name": "a/q", "version": "1.1.0", "url": "https://a.example.org/q", "reference": "r2", "type": "library", "license": ["MIT"], "description": "Q", "shasum": "s2", "require": {"php": ">=7.3"}, "autoload": {"A\\Q\\": "src/"}}], "packages-dev": [{"name": "t/unit", "version": "9.6.1", "url": "https://t.example.org/unit", "reference": "r3", "type": "library", "license": ["BSD"], "description": "U", "shasum": "s3", "require": {"a/q": "~1.0"}}]}"#
      ], objects: ["Lock": 1, "Package": 3, "Require": 4, "Autoload": 2], words: ["~1.0"]),
    Answer(
      testDescription: "a tree of folders under several roots, of which one has something in it",
      files: [
        "bookmarks.json":
          #"{"version": 1, "roots": {"bar": {"id": "1", "name": "Bar", "added": "10", "type": "folder", "changed": "11", "children": [{"id": "5", "name": "A", "added": "12", "type": "url", "url": "https://a.example.org"}, {"id": "6", "name": "F", "added": "13", "type": "folder", "changed": "14", "children": [{"id": "7", "name": "B", "added": "15", "type": "url", "url": "https://b.example.org"}]}]}, "other": {"id": "2", "name": "Other", "added": "16", "type": "folder", "changed": "17", "children": []}}}"#
      ], objects: ["Root": 1, "Folder": 3, "Url": 2], links: ["Folder.children": "Bar"]),
    Answer(
      testDescription: "a way that ends where it begins",
      files: [
        "map.json":
          #"{"elements": [{"type": "node", "id": 2, "lat": 2.5, "lon": 2.25}, {"type": "node", "id": 3, "lat": 3.5, "lon": 3.25}, {"type": "node", "id": 4, "lat": 4.5, "lon": 4.25}, {"type": "way", "id": 10, "nodes": [2, 3, 4, 2]}, {"type": "way", "id": 11, "nodes": [2, 4]}]}"#
      ], objects: ["Node": 3, "Way": 2], words: ["[2,3,4,2]"]),
    Answer(
      testDescription: "addresses that bills are sent to, of one person",
      files: [
        "orders.json": list(0..<3) {
          #"{"id": \#(727 + $0), "total": "9.50", "billing": {"first_name": "John", "address_1": "\#($0 % 2) Market", "email": "j\#($0 % 2)@example.org"}}"#
        }
      ], objects: ["Order": 3]),
    Answer(
      testDescription: "a guest of whom only the address of mail came",
      files: [
        "events.json":
          #"{"items": [{"id": "e1", "creator": {"email": "ann@example.org", "self": true}}, {"id": "e2", "creator": {"email": "ann@example.org", "self": true}}, {"id": "e3", "creator": {"email": "bob@example.org"}}]}"#
      ], objects: ["Event": 3, "Creator": 2], identities: ["Creator": ["email"]]),
    Answer(
      testDescription: "texts where objects stand elsewhere",
      files: [
        "claims.json":
          #"{"claims": [{"id": "c1", "value": {"kind": "item", "id": "Q5"}}, {"id": "c2", "value": "Guide"}, {"id": "c3", "value": {"kind": "item", "id": "Q9"}}]}"#
      ], objects: ["Claim": 3], words: ["Guide", "Q5"]),
    Answer(
      testDescription: "a number beside the name of the same thing",
      files: [
        "products.json":
          #"{"value": \#(list(1..<4) { #"{"Stock": \#($0 * 2), "ProductID": \#($0), "ProductName": "P\#($0)", "Category": {"CategoryID": \#($0 % 2 + 1), "CategoryName": "C\#($0 % 2)"}}"# })}"#
      ], objects: ["Product": 3, "Category": 2], identities: ["Product": ["productId"]]),
    Answer(
      testDescription: "an address that ends with a key of the same object",
      files: [
        "enrollments.json": list(0..<3) {
          #"{"id": 1401\#($0), "user_id": 330\#($0), "html_url": "https://school.example.org/courses/1401/users/330\#($0)", "user": {"id": 330\#($0), "name": "U\#($0)"}}"#
        }
      ], objects: ["Enrollment": 3, "User": 3], links: ["Enrollment.user": "User"], words: ["courses/1401"]),
    Answer(
      testDescription: "objects of two kinds under two keys, each counted from 1",
      files: [
        "addresses.json": list(1..<4) {
          #"{"id": \#($0), "vrf": {"id": \#($0), "url": "https://net.example.org/vrfs/\#($0)/", "name": "V\#($0)", "description": "d\#($0)", "rd": "65000:\#($0)"}, "port": {"id": \#($0), "url": "https://net.example.org/ports/\#($0)/", "name": "G\#($0)", "description": "d\#($0)", "cable": "c\#($0)"}}"#
        }
      ], objects: ["Address": 3, "Vrf": 3, "Port": 3], identities: ["Vrf": ["id"], "Port": ["id"]]),
    Answer(
      testDescription: "one object of a list by itself",
      files: [
        "molecules.json":
          #"{"molecules": \#(list(1..<4) { #"{"molecule_chembl_id": "CHEMBL\#($0)", "pref_name": "N\#($0)", "max_phase": "\#($0)"}"# }), "page_meta": {"limit": 3, "offset": 0, "total_count": 3}}"#,
        "molecule_CHEMBL2.json":
          #"{"molecule_chembl_id": "CHEMBL2", "pref_name": "N2", "max_phase": "2", "chirality": 1}"#,
      ], objects: ["Molecule": 3], identities: ["Molecule": ["moleculeChemblId"]]),
    Answer(
      testDescription: "networks and services of a project, which lists of services name",
      files: [
        "compose.json":
          #"{"services": {"web": {"image": "nginx", "depends_on": ["api"], "networks": ["front"]}, "api": {"image": "api", "depends_on": ["db"], "networks": ["front", "back"]}, "db": {"image": "postgres", "networks": ["back"]}}, "networks": {"front": {"driver": "bridge"}, "back": {"driver": "overlay"}}}"#
      ], objects: ["Service": 3, "Network": 2], words: ["front", "overlay", "web"]),
    Answer(
      testDescription: "numbers of ships, by which voyages name them",
      files: [
        "vessels.json":
          #"{"page": 1, "results": \#(list(0..<5) { #"{"imo": \#(9_300_000 + $0 * 7), "name": "MV \#($0)", "flag": "PA"}"# })}"#,
        "voyages.json":
          #"{"page": 1, "results": \#(list(0..<6) { #"{"voyage_id": "V-10\#($0)", "vessel_imo": \#(9_300_000 + $0 % 5 * 7), "days": \#($0 % 2)}"# })}"#,
      ], objects: ["Vessel": 5, "Voyage": 6], links: ["Voyage.vesselImo": "Vessel"],
      identities: ["Vessel": ["imo"]]),
    Answer(
      testDescription: "officers by the addresses of their appointments, not by their names",
      files: [
        "officers.json":
          #"{"active_count": 3, "items": \#(list(0..<4) { #"{"name": "KHAN, N\#($0)", "role": "r\#($0 % 2)", "links": {"self": "/company/0044/appointments/e8b\#($0)", "officer": {"appointments": "/officers/bec\#($0)/appointments"}}}"# })}"#
      ], objects: ["Officer": 4], identities: ["Officer": ["self"]]),
    Answer(
      testDescription: "lines of one game for two players",
      files: [
        "player_8470000.json":
          #"{"playerId": 8470000, "name": "E", "last5Games": [{"gameId": 2023020100, "goals": 1, "toi": "20:12"}, {"gameId": 2023020113, "goals": 2, "toi": "21:12"}]}"#,
        "player_8471037.json":
          #"{"playerId": 8471037, "name": "G", "last5Games": [{"gameId": 2023020100, "goals": 0, "toi": "10:12"}, {"gameId": 2023020139, "goals": 3, "toi": "11:12"}]}"#,
      ], objects: ["Player": 2, "Last5Game": 4]),
    Answer(
      testDescription: "users of whom a list of tasks does not say the names",
      files: [
        "files.json":
          #"{"value": \#(list(0..<2) { #"{"id": "01F\#($0)", "name": "F \#($0)", "createdBy": {"user": {"email": "u\#($0)@example.org", "id": "8b081ef6-4792-4def-b2c9-c363a1bf41d\#($0)", "displayName": "Emma \#($0)"}}}"# })}"#,
        "tasks.json":
          #"{"value": \#(list(0..<2) { #"{"id": "01gzSlKkIUSUl6DF_EilrmQAKDh\#($0)", "title": "A", "createdBy": {"user": {"displayName": null, "id": "8b081ef6-4792-4def-b2c9-c363a1bf41d\#($0)"}}}"# })}"#,
      ], objects: ["File": 2, "Task": 2, "User": 2], words: ["Emma 0", "Emma 1"]),
  ]
}
