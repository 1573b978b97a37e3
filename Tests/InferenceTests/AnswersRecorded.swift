/// Answers as tests of programs record them: objects alone beside lists of them, what a service says of its documents, and objects under
/// names that somebody gave.
extension AnswerTests {
  private static func resource(_ kind: String, _ number: Int, named: Bool) -> String {
    let says = named ? #""kind": "\#(kind)", "apiVersion": "v1", "# : ""
    return
      #"{\#(says)"metadata": {"name": "\#(kind)-\#(number)", "uid": "43e99cf9-b99d-11e5-8d53-00505681570\#(number)", "labels": {"k8s-app": "a", "example.org/role": "r\#(number)"}}, "status": {"phase": "Active"}}"#
  }

  private static func compute(_ kind: String, _ number: Int) -> String {
    #"{"kind": "compute#\#(kind)", "id": "\#(kind.count)51251529859040907\#(number)", "name": "\#(kind)-\#(number)", "creationTimestamp": "2016-03-25T05:34:1\#(number)Z", "description": "\#(kind) \#(number)", "selfLink": "https://compute.example.org/v1/\#(kind)s/\#(kind)-\#(number)"}"#
  }

  static let recorded = [
    Answer(
      testDescription: "resources of a cluster, in lists and alone",
      files: [
        "api_namespaces.json":
          #"{"kind": "NamespaceList", "apiVersion": "v1", "metadata": {"resourceVersion": "443"}, "items": \#(list(1..<4) { resource("Namespace", $0, named: false) })}"#,
        "api_namespaces_default.json": resource("Namespace", 1, named: true),
        "api_nodes.json":
          #"{"kind": "NodeList", "apiVersion": "v1", "metadata": {"resourceVersion": "24"}, "items": \#(list(5..<7) { resource("Node", $0, named: false) })}"#,
        "api_nodes_5.json": resource("Node", 5, named: true),
      ], objects: ["Namespace": 3, "NamespaceLabel": 6, "Node": 2, "Label": 4],
      identities: ["Namespace": ["uid"], "Node": ["uid"]]),
    Answer(
      testDescription: "resources of a cloud that say their kind, in pages with an identity and alone",
      files: [
        "global_networks.json":
          #"{"kind": "compute#networkList", "id": "projects/p/global/networks", "items": \#(list(1..<4) { compute("network", $0) })}"#,
        "global_networks_one.json": compute("network", 4),
        "global_routes.json":
          #"{"kind": "compute#routeList", "id": "projects/p/global/routes", "items": \#(list(1..<4) { compute("route", $0) })}"#,
        "global_routes_one.json": compute("route", 1),
        "snapshots.json":
          #"{"id": "projects/p/global/snapshots", "items": \#(list(1..<3) { compute("snapshot", $0) })}"#,
      ], objects: ["Network": 4, "Route": 3, "Snapshot": 2],
      identities: ["Network": ["id"], "Route": ["id"], "Snapshot": ["id"]]),
    Answer(
      testDescription: "a list of objects under their names, beside an error",
      files: [
        "list_zones.json": list(1..<4) { #"{"dns_zone": {"id": \#($0), "name": "z\#($0).example.org"}}"# },
        "get_zone.json": #"{"dns_zone": {"id": 1, "name": "z1.example.org"}}"#,
        "not_found.json": #"{"errors": ["Zone not found"]}"#,
      ], objects: ["Zone": 3, "Error": 1], identities: ["Zone": ["id"]]),
    Answer(
      testDescription: "films and episodes in one history, and films alone in another",
      files: [
        "me/history.json":
          #"[{"id": 1982346, "watched_at": "2014-03-31T09:28:53Z", "type": "movie", "movie": {"title": "T"}}, {"id": 1982347, "watched_at": "2014-02-27T09:28:53Z", "type": "episode", "episode": {"season": 2, "number": 1}, "show": {"title": "S"}}]"#,
        "sync/history/movies.json": list(1..<6) {
          #"{"id": \#($0), "watched_at": "2014-03-31T09:28:53Z", "type": "movie", "movie": {"title": "T\#($0)"}}"#
        },
      ], objects: ["Episode": 1, "MovieHistory": 1, "Movie": 5], words: ["S", "T5"]),
    Answer(
      testDescription: "vendors and platforms, one of which is called alike",
      files: [
        "manufacturers.json":
          #"{"count": 3, "results": [{"id": 1, "name": "Juniper", "slug": "juniper"}, {"id": 2, "name": "Opengear", "slug": "opengear"}, {"id": 3, "name": "Tech", "slug": "tech"}]}"#,
        "platforms.json":
          #"{"count": 2, "results": [{"id": 1, "name": "Junos", "slug": "junos", "rpc": "junos"}, {"id": 2, "name": "Opengear", "slug": "opengear", "rpc": "opengear"}]}"#,
        "regions.json":
          #"{"count": 1, "results": [{"id": 1, "name": "Test", "slug": "test", "parent": null}]}"#,
        "providers.json":
          #"{"count": 1, "results": [{"id": 1, "name": "Test", "slug": "test", "asn": 65000, "account": ""}]}"#,
      ], objects: ["Manufacturer": 3, "Platform": 2, "Region": 1, "Provider": 1], words: ["Juniper", "Junos"]),
    Answer(
      testDescription: "disks and firewalls in pages that say how many results there are",
      files: [
        "disks.json":
          #"{"page": 1, "pages": 1, "results": 2, "data": \#(list(1..<3) { #"{"id": 1234\#($0), "label": "disk \#($0)", "status": "ready", "size": 512, "filesystem": "ext4", "created": "2017-01-01T00:00:00"}"# })}"#,
        "firewalls.json":
          #"{"page": 1, "pages": 1, "results": 1, "data": [{"id": 123, "label": "fw", "status": "enabled", "rules": {"inbound": "DROP"}, "tags": [], "created": "2018-01-01T00:01:01"}]}"#,
      ], objects: ["Disk": 2, "Firewall": 1], identities: ["Disk": ["id"], "Firewall": ["id"]]),
    Answer(
      testDescription: "what has a tag, of whatever kind it is",
      files: [
        "domains.json":
          #"{"data": [{"domain": "example.org", "type": "master", "id": 123, "ttl_sec": 300, "status": "active", "soa_email": "a@example.org"}]}"#,
        "tags_red.json":
          #"{"data": [{"type": "linode", "data": {"id": 123, "status": "running", "label": "l", "created": "2017-01-01T00:00:00", "image": "u"}}, {"type": "domain", "data": {"domain": "example.org", "type": "master", "id": 123, "ttl_sec": 300, "status": "active", "soa_email": "a@example.org"}}]}"#,
      ], objects: ["Domain": 1, "Data": 1, "Linode": 1, "DomainTagsRed": 1], words: ["running", "active"]),
    Answer(
      testDescription: "a thing with a name, alone and in a list",
      files: [
        "tags/all.json":
          #"{"tags": [{"name": "test", "resources": {"count": 0, "droplets": {"count": 0}, "images": {"count": 0}}}]}"#,
        "tags/one.json":
          #"{"tag": {"name": "awesome", "resources": {"count": 1, "droplets": {"count": 1}, "images": {"count": 0}}}}"#,
      ], objects: ["Tag": 2], words: ["awesome", "test"]),
    Answer(
      testDescription: "the state of a car beside what is about the file",
      files: [
        "car.json":
          #"{"fixture": {"vehicle": "V", "brand": "B"}, "status": {"engine": false, "temperature": {"value": 10, "unit": 0}, "battery": {"charge": 91}, "doors": {"left": 0, "right": 1}, "ranges": [{"mode": 2, "distance": 310}]}}"#
      ], objects: ["Car": 1, "Range": 1], words: ["V", "91"]),
    Answer(
      testDescription: "groups and what is in them under one key",
      files: [
        "bluez.json":
          #"{"Version": "5.62", "Api": \#(list(1..<4) { #"{"FileName": "a\#($0).txt", "Description": "D", "Api": [{"Title": "T\#($0)", "Interface": "I"}]}"# })}"#
      ], objects: ["Bluez": 3, "Api": 3], words: ["T2", "a3.txt"]),
    Answer(
      testDescription: "comments and places for more of them, deep inside",
      files: [
        "more.json":
          #"{"json": {"errors": [], "data": {"things": [{"kind": "t1", "data": {"id": "cu5x1", "name": "t1_cu5x1", "body": "b1", "score": 1}}, {"kind": "t1", "data": {"id": "cu5x2", "name": "t1_cu5x2", "body": "b2", "score": 2}}, {"kind": "more", "data": {"id": "cu5x9", "name": "t1_cu5x9", "children": ["a"], "depth": 3}}]}}}"#
      ], objects: ["T1": 2, "More": 1], words: ["b1", "b2"]),
    Answer(
      testDescription: "lists of rows under the names of networks",
      files: [
        "servers.json":
          #"{"servers": [{"id": 12063, "name": "a", "addresses": {"public": [{"version": 4, "addr": "50.57.94.35"}], "private": [{"version": 4, "addr": "10.182.64.34"}]}}, {"id": 12064, "name": "b", "addresses": {"public": [{"version": 4, "addr": "50.57.94.30"}], "mynet": [{"version": 4, "addr": "12.16.18.28"}]}}, {"id": 12065, "name": "c", "addresses": {"pubnet": [{"version": 4, "addr": "50.57.94.31"}], "db-net": [{"version": 4, "addr": "10.1.1.2"}]}}]}"#
      ], objects: ["Server": 3, "Address": 6], words: ["mynet", "db-net"]),
    Answer(
      testDescription:
        "rules under the names of files, contracts under their own, resources under those of their types",
      files: [
        "set.json":
          #"{"about": "x", "rules": {"acm-certificate.json": [{"enabled": true, "level": "warning"}], "cloudtrail-no-logging.json": [{"enabled": true, "level": "danger"}], "ec2-ami-public.json": [{"enabled": false, "level": "warning"}]}, "contracts": {"ENS": {"abi": "a", "bytecode": "b"}, "Registry": {"abi": "c", "bytecode": "d"}, "TestRegistrar": {"abi": "e", "bytecode": "f"}}, "types": {"AWS::SNS::Topic": {"policy": "p"}, "AWS::SQS::Queue": {"policy": "q"}}}"#
      ], objects: ["Set": 1, "Rule": 3, "Contract": 3, "Type": 2],
      words: ["acm-certificate.json", "TestRegistrar", "AWS::SQS::Queue"]),
    Answer(
      testDescription: "counts by day beside an entity of values",
      files: [
        "terms.json":
          #"{"results": \#(list(1..<4) { #"{"id": \#($0), "label": "L\#($0)", "values": [{"id": \#($0 + 1), "label": "v\#($0)"}]}"# })}"#,
        "histogram.json":
          #"{"results": {"day": {"2020-01-01": 2, "2020-01-02": 3, "2020-01-03": 4, "2020-01-04": 7}}}"#,
      ], objects: ["Term": 3, "Value": 3, "Day": 4], links: ["Term.values": "Value"]),
    Answer(
      testDescription: "films by one of the identities that each says, alone and inside others",
      files: [
        "movies/popular.json": list(1..<5) {
          #"{"title": "T\#($0)", "year": 2000, "ids": {"trakt": 10\#($0), "slug": "t-\#($0)", "imdb": "tt000010\#($0)"}}"#
        },
        "movies/trending.json": list(1..<4) {
          #"{"watchers": \#($0), "movie": {"title": "T\#($0)", "year": 2000, "ids": {"trakt": 10\#($0), "slug": "t-\#($0)", "imdb": "tt000010\#($0)"}}}"#
        },
      ], objects: ["Popular": 4, "Trending": 3], links: ["Trending.movie": "Popular"],
      identities: ["Popular": ["trakt"]]),
    Answer(
      testDescription: "authors who are accounts at one place, and names at another",
      files: [
        "branches.json": list(1..<4) {
          #"{"name": "b\#($0)", "commit": {"sha": "\#($0)fd1f8e4c3a2b1d", "url": "https://api.example.org/commits/\#($0)fd1f8e4c3a2b1d", "author": {"login": "l\#($0)", "id": 5832\#($0)}}}"#
        },
        "update.json":
          #"{"content": {"name": "a.txt", "size": 3}, "commit": {"sha": "4fd1f8e4c3a2b1d", "url": "https://api.example.org/git/4fd1f8e4c3a2b1d", "author": {"name": "Ann", "email": "a@example.org"}}}"#,
        "comments.json": list(1..<4) {
          #"{"id": 9000\#($0), "user": {"login": "l\#($0)", "id": 5832\#($0)}}"#
        },
      ],
      objects: ["Branch": 3, "Update": 1, "Comment": 3, "User": 3],
      links: ["Comment.user": "User"], words: ["a@example.org"], identities: ["User": ["id"]]),
    Answer(
      testDescription: "modules of several kinds in rooms",
      files: [
        "home.json":
          #"{"rooms": \#(list(1..<4) { #"{"id": "r\#($0)a1b2c3d4", "name": "R\#($0)"}"# }), "modules": [{"id": "m1", "type": "plug", "name": "a", "setup": 1, "bridged": ["m2"]}, {"id": "m2", "type": "therm", "name": "b", "room_id": "r1a1b2c3d4", "battery": 1, "boiler": true}, {"id": "m3", "type": "valve", "name": "c", "room_id": "r2a1b2c3d4", "heating": 4, "reach": true}, {"id": "m4", "type": "camera", "name": "d", "room_id": "r3a1b2c3d4", "alim": "on", "sd": "off"}]}"#
      ], objects: ["Room": 3, "Plug": 1, "Therm": 1, "Valve": 1, "Camera": 1], links: ["Module.room": "Room"]),
    Answer(
      testDescription: "what is there before a change and after it",
      files: [
        "plan.json":
          #"{"resource_changes": [{"address": "a.x", "change": {"actions": ["update"], "before": {"id": "705267318028962447", "size": 1, "tag": "old"}, "after": {"id": "705267318028962447", "size": 2, "tag": "new"}}}, {"address": "a.y", "change": {"actions": ["update"], "before": {"id": "434722015630492662", "size": 1, "tag": "x"}, "after": {"id": "434722015630492662", "size": 3, "tag": "y"}}}]}"#
      ], objects: ["ResourceChange": 2], words: ["old", "new"]),
    Answer(
      testDescription: "keys that name fields of others, and no value",
      files: [
        "pods.json": list(1..<4) {
          #"{"id": \#($0), "managed": [{"manager": "m", "fields": {"f:spec": {"f:replicas": {}, "k:{\"name\":\"c\#($0)\"}": {".": {}}}}}]}"#
        }
      ], objects: ["Pod": 3, "Managed": 3], words: ["f:replicas"]),
    Answer(
      testDescription: "bodies of answers that have nothing in common",
      files: [
        "getmeasure.json":
          #"{"status": "ok", "time_server": 1559292041, "body": {"1544558433": [1.5], "1544558463": [2.5], "1544558493": [3.5]}}"#,
        "home.json":
          #"{"status": "ok", "time_server": 1559292041, "body": {"home": {"id": "91763b24c43d3e344f424e8b", "rooms": [{"id": "2746182631", "reachable": true}]}}}"#,
        "stations.json":
          #"{"status": "ok", "time_server": 1559292041, "body": {"devices": [{"_id": "12:34:56:03:1b:e4", "station": "x"}], "user": {"mail": "a@example.org"}}}"#,
      ],
      objects: [
        "Getmeasure": 1, "Body": 3, "HomeDocument": 1, "Home": 1, "Room": 1, "Station": 1, "Device": 1,
      ], words: ["a@example.org"]),
    Answer(
      testDescription: "users, roles and projects that their own addresses tell apart",
      files: Dictionary(
        uniqueKeysWithValues: ["users", "roles", "projects"].map { kind in
          (
            "\(kind).json",
            #"{"\#(kind)": \#(list(1..<3) { #"{"id": "k\#($0)", "name": "\#(kind) \#($0)", "links": {"self": "http://id.example.org/v3/\#(kind)/k\#($0)"}}"# })}"#
          )
        }), objects: ["User": 2, "Role": 2, "Project": 2]),
    Answer(
      testDescription: "machines and interfaces with types of a service",
      files: [
        "machines.json":
          #"{"value": \#(list(1..<3) { #"{"id": "/s/0000/machines/vm\#($0)", "name": "vm\#($0)", "type": "Example.Compute/machines", "location": "eu", "tags": {}, "properties": {"vmId": "v\#($0)", "os": "linux", "size": "A\#($0)"}}"# })}"#,
        "interfaces.json":
          #"{"value": \#(list(1..<3) { #"{"id": "/s/0000/interfaces/nic\#($0)", "name": "nic\#($0)", "type": "Example.Network/interfaces", "location": "eu", "tags": {}, "properties": {"mac": "00-0\#($0)", "primary": true, "speed": \#($0)}}"# })}"#,
      ], objects: ["Machine": 2, "Interface": 2]),
    Answer(
      testDescription: "networks of containers by their names",
      files: [
        "containers.json": list(1..<5) { number in
          let network =
            #"{"id": "n\#(number)", "gateway": "172.1.0.\#(number)", "address": "172.1.0.2", "prefix": 16, "mac": "02:42", "links": null, "aliases": null, "endpoint": "e\#(number)"}"#
          return
            #"{"id": "c\#(number)0a1b2c3d4e5f", "image": "i", "networks": {"\#(["bridge", "host", "shop_default", "shop_private"][number - 1])": \#(network)}}"#
        }
      ], objects: ["Container": 4, "Network": 4], words: ["shop_private"]),
    Answer(
      testDescription: "members of images, which have two keys",
      files: [
        "images_1_members.json":
          #"{"status": "accepted", "image_id": "8af1a54e-a1b2-4df8-b747-4bec97abc799", "member_id": "e2151b1fe02d4a8a2d1f5fc331522c0a"}"#,
        "images_2_members.json":
          #"{"status": "pending", "image_id": "9af1a54e-a1b2-4df8-b747-4bec97abc799", "member_id": "e2151b1fe02d4a8a2d1f5fc331522c0a"}"#,
      ], objects: ["ImagesMember": 2], words: ["accepted", "pending"]),
  ]
}
