/// After sets of data, as people keep them.
extension SampleFolder {
  static let dataSets = [
    SampleFolder(
      testDescription: "kinds that their source identifies",
      files: [
        "marks.json":
          #"{"links": [{"type": "folder", "parent": 4, "data": true}, {"id": "i4", "type": "link", "node": "x", "right": true}, {"type": "link", "node": "y", "right": false}], "things": [{"id": 2, "value": "link", "title": true, "name": 7}]}"#
      ], together: [2, 1, 1]),
    SampleFolder(
      testDescription: "questions in parts",
      files: [
        "dev-v2.0.json":
          #"{"version": "v2.0", "data": [{"title": "Normans", "paragraphs": [{"context": "They came from France.", "qas": [{"id": "56ddde6b9a695914005b9628", "question": "Where?"}]}]}]}"#,
        "train-v2.0.json":
          #"{"version": "v2.0", "data": [{"title": "Beyonce", "paragraphs": [{"context": "She was born in 1981.", "qas": [{"id": "56be85543aeaaa14008c9063", "question": "When?"}]}]}, {"title": "IPod", "paragraphs": [{"context": "Made by Apple.", "qas": [{"id": "56cc55856d243a140015ef0a", "question": "Who?"}]}]}]}"#,
      ], together: [3, 3, 3]),
    SampleFolder(
      testDescription: "committees",
      files: [
        "committee-membership.json":
          #"{"HSAG": [{"name": "N1", "party": "minority", "rank": 1, "bioguide": "A001"}, {"name": "N2", "party": "majority", "rank": 2, "bioguide": "A002"}], "HSAG01": [{"name": "N2", "party": "majority", "rank": 1, "bioguide": "A002"}], "SSAF": [{"name": "N3", "party": "minority", "rank": 1, "bioguide": "A003"}, {"name": "N4", "party": "majority", "rank": 2, "bioguide": "A004"}], "SSAF13": [{"name": "N4", "party": "majority", "rank": 1, "bioguide": "A004"}]}"#
      ], together: [6]),
    SampleFolder(
      testDescription: "cases by country",
      files: [
        "timeseries.json":
          #"{"France": [{"date": "2020-3-1", "confirmed": 130, "deaths": 2}, {"date": "2020-3-2", "confirmed": 260, "deaths": 4}], "US": [{"date": "2020-3-1", "confirmed": 74, "deaths": 1}, {"date": "2020-3-2", "confirmed": 148, "deaths": 2}], "Cote d'Ivoire": [{"date": "2020-3-1", "confirmed": 1, "deaths": 0}, {"date": "2020-3-2", "confirmed": 2, "deaths": 0}]}"#
      ], together: [6]),
    SampleFolder(
      testDescription: "emoji",
      files: [
        "data.json":
          #"{"😀": {"name": "grinning face", "group": "Smileys", "skin": false}, "🐶": {"name": "dog face", "group": "Animals", "skin": false}, "👋": {"name": "waving hand", "group": "People", "skin": true}}"#,
        "keywords.json":
          #"{"😀": ["grin", "smile"], "🐶": ["dog", "pet"], "🍎": ["apple", "fruit"], "🚗": ["car"]}"#,
      ], together: [4, 3]),
    SampleFolder(
      testDescription: "languages of repositories",
      files: [
        "stats.json":
          #"{"rails/rails": {"Ruby": 900, "JavaScript": 80}, "golang/go": {"Go": 800, "Assembly": 40}, "rust-lang/rust": {"Rust": 950, "Python": 20, "C++": 5}}"#
      ], together: [3]),
    SampleFolder(
      testDescription: "prices by term",
      files: [
        "offers.json":
          #"{"offerCode": "S3", "products": {"NYJT619RZWBMB58Y": {"sku": "NYJT619RZWBMB58Y", "productFamily": "Storage"}, "KRNB1K384B9GQDHB": {"sku": "KRNB1K384B9GQDHB", "productFamily": "Storage"}, "ZTE84B0XRFQAR04N": {"sku": "ZTE84B0XRFQAR04N", "productFamily": "Storage"}}, "terms": {"OnDemand": {"NYJT619RZWBMB58Y": {"NYJT619RZWBMB58Y.JRTC": {"offerTermCode": "JRTC", "price": "0.1"}}, "KRNB1K384B9GQDHB": {"KRNB1K384B9GQDHB.JRTC": {"offerTermCode": "JRTC", "price": "0.2"}}, "ZTE84B0XRFQAR04N": {"ZTE84B0XRFQAR04N.JRTC": {"offerTermCode": "JRTC", "price": "0.3"}}}}}"#
      ], together: [3, 3, 1]),
    SampleFolder(
      testDescription: "labels and aliases",
      files: [
        "entities.json":
          #"{"entities": {"Q5": {"id": "Q5", "labels": {"en": {"language": "en", "value": "human"}, "de": {"language": "de", "value": "Mensch"}}, "aliases": {"en": [{"language": "en", "value": "person"}, {"language": "en", "value": "people"}]}}, "Q6": {"id": "Q6", "labels": {"en": {"language": "en", "value": "six"}, "fr": {"language": "fr", "value": "sixième"}}, "aliases": {"fr": [{"language": "fr", "value": "6e"}], "en": [{"language": "en", "value": "6"}]}}}}"#
      ], together: [4, 4, 2]),
    SampleFolder(
      testDescription: "bookmarks",
      files: [
        "Bookmarks.json":
          #"{"version": 1, "roots": {"bookmark_bar": {"id": "1", "name": "bar", "type": "folder", "children": [{"id": "4", "name": "dev", "type": "folder", "date_modified": "5", "children": [{"id": "5", "name": "n5", "type": "url", "url": "https://x/5"}, {"id": "6", "name": "deep", "type": "folder", "date_modified": "7", "children": [{"id": "7", "name": "n7", "type": "url", "url": "https://x/7"}]}]}, {"id": "8", "name": "n8", "type": "url", "url": "https://x/8"}]}, "other": {"id": "2", "name": "other", "type": "folder", "children": [{"id": "9", "name": "n9", "type": "url", "url": "https://x/9"}]}}}"#
      ], together: [4, 4, 1]),
    SampleFolder(
      testDescription: "stories and comments",
      files: [
        "items.json":
          #"[{"by": "ada", "id": 8860, "time": 1700008860, "type": "story", "title": "T8860", "score": 5, "descendants": 0, "kids": [8862]}, {"by": "ada", "id": 8861, "time": 1700008861, "type": "story", "title": "T8861", "score": 6, "descendants": 0}, {"by": "ben", "id": 8862, "time": 1700008862, "type": "comment", "text": "x8862", "parent": 8860, "kids": [8863]}, {"by": "ben", "id": 8863, "time": 1700008863, "type": "comment", "text": "x8863", "parent": 8862}]"#,
        "more.json":
          #"[{"by": "ben", "id": 8864, "time": 1700008864, "type": "comment", "text": "x8864", "parent": 8862}, {"by": "ben", "id": 8865, "time": 1700008865, "type": "comment", "text": "x8865", "parent": 8860}, {"by": "ben", "id": 8867, "time": 1700008867, "type": "comment", "text": "x8867", "parent": 8865}]"#,
      ], together: [5, 2], reversed: [3, 2, 2]),
    SampleFolder(
      testDescription: "a kind by itself",
      files: [
        "8866.json":
          #"{"by": "eve", "id": 8866, "time": 1700000009, "type": "job", "title": "J", "score": 1}"#,
        "items.json":
          #"[{"by": "ada", "id": 8860, "time": 1700008860, "type": "story", "title": "T8860", "score": 5, "descendants": 0, "kids": [8862]}, {"by": "ada", "id": 8861, "time": 1700008861, "type": "story", "title": "T8861", "score": 6, "descendants": 0}, {"by": "ben", "id": 8862, "time": 1700008862, "type": "comment", "text": "x8862", "parent": 8860, "kids": [8863]}, {"by": "ben", "id": 8863, "time": 1700008863, "type": "comment", "text": "x8863", "parent": 8862}]"#,
      ], together: [2, 2, 1], isUpdated: true),
    SampleFolder(
      testDescription: "events about objects",
      files: [
        "customers.json":
          #"{"object": "list", "has_more": false, "data": [{"id": "cus_UHgXg1", "object": "customer", "balance": 1, "email": "c1@x.org", "name": "C1", "created": 1690000001}, {"id": "cus_UHgXg2", "object": "customer", "balance": 2, "email": "c2@x.org", "name": "C2", "created": 1690000002}, {"id": "cus_UHgXg3", "object": "customer", "balance": 3, "email": "c3@x.org", "name": "C3", "created": 1690000003}]}"#,
        "events.json":
          #"{"object": "list", "has_more": false, "data": [{"id": "evt_1IKRB1", "object": "event", "type": "customer.created", "data": {"object": {"id": "cus_UHgXg1", "object": "customer", "balance": 1, "email": "c1@x.org", "name": "C1", "created": 1690000001}}, "created": 1710000001}, {"id": "evt_1IKRB2", "object": "event", "type": "invoice.created", "data": {"object": {"id": "in_1cIOq1", "object": "invoice", "amount_due": 100, "customer": "cus_UHgXg1", "number": "N-1", "status": "paid", "created": 1700000001}}, "created": 1710000002}, {"id": "evt_1IKRB3", "object": "event", "type": "customer.created", "data": {"object": {"id": "cus_UHgXg2", "object": "customer", "balance": 2, "email": "c2@x.org", "name": "C2", "created": 1690000002}}, "created": 1710000003}, {"id": "evt_1IKRB4", "object": "event", "type": "invoice.created", "data": {"object": {"id": "in_1cIOq3", "object": "invoice", "amount_due": 300, "customer": "cus_UHgXg2", "number": "N-3", "status": "paid", "created": 1700000003}}, "created": 1710000004}]}"#,
        "invoices.json":
          #"{"object": "list", "has_more": false, "data": [{"id": "in_1cIOq1", "object": "invoice", "amount_due": 100, "customer": "cus_UHgXg1", "number": "N-1", "status": "paid", "created": 1700000001}, {"id": "in_1cIOq2", "object": "invoice", "amount_due": 200, "customer": "cus_UHgXg1", "number": "N-2", "status": "paid", "created": 1700000002}, {"id": "in_1cIOq3", "object": "invoice", "amount_due": 300, "customer": "cus_UHgXg2", "number": "N-3", "status": "paid", "created": 1700000003}, {"id": "in_1cIOq4", "object": "invoice", "amount_due": 400, "customer": "cus_UHgXg3", "number": "N-4", "status": "paid", "created": 1700000004}]}"#,
      ], together: [4, 4, 3], isUpdated: true),
    SampleFolder(
      testDescription: "members of boards",
      files: [
        "board.json":
          #"{"id": "ce33dbfa53f98d08bf9d60fa", "name": "Board", "members": [{"id": "acf6e4f422bf503dd902b921", "fullName": "Ada"}, {"id": "acf6e4f422bf503dd902b922", "fullName": "Ben"}]}"#,
        "board2.json":
          #"{"id": "ce33dbfa53f98d08bf9d60fb", "name": "Other", "members": [{"id": "acf6e4f422bf503dd902b921", "fullName": "Ada"}]}"#,
        "members.json":
          #"[{"id": "acf6e4f422bf503dd902b921", "fullName": "Ada", "idBoards": ["ce33dbfa53f98d08bf9d60fa"]}, {"id": "acf6e4f422bf503dd902b922", "fullName": "Ben", "idBoards": ["ce33dbfa53f98d08bf9d60fa"]}]"#,
      ], together: [2, 2]),
    SampleFolder(
      testDescription: "stations",
      files: [
        "station_information.json":
          #"{"last_updated": 1, "ttl": 60, "data": {"stations": [{"station_id": "100", "name": "S100", "capacity": 100, "lat": 1.5, "lon": 2.5}, {"station_id": "101", "name": "S101", "capacity": 101, "lat": 1.5, "lon": 2.5}, {"station_id": "102", "name": "S102", "capacity": 102, "lat": 1.5, "lon": 2.5}]}}"#,
        "station_status.json":
          #"{"last_updated": 2, "ttl": 60, "data": {"stations": [{"station_id": "100", "num_bikes_available": 10, "num_docks_available": 3, "is_renting": 1}, {"station_id": "101", "num_bikes_available": 11, "num_docks_available": 3, "is_renting": 1}, {"station_id": "102", "num_bikes_available": 12, "num_docks_available": 3, "is_renting": 1}]}}"#,
      ], together: [3]),
    SampleFolder(
      testDescription: "tables",
      files: [
        "races.json":
          #"{"MRData": {"url": "http://e.org/races.json", "total": "2", "RaceTable": {"season": "2008", "Races": [{"season": "2008", "round": "1", "url": "http://w.org/2008_1", "raceName": "R1", "time": "10:00"}, {"season": "2008", "round": "2", "url": "http://w.org/2008_2", "raceName": "R2", "time": "11:00"}]}}}"#,
        "results_1.json":
          #"{"MRData": {"url": "http://e.org/1/results.json", "total": "1", "RaceTable": {"season": "2008", "round": "1", "Races": [{"season": "2008", "round": "1", "url": "http://w.org/2008_1", "raceName": "R1", "Results": [{"position": "1", "Driver": {"driverId": "alonso", "givenName": "F"}}, {"position": "2", "Driver": {"driverId": "massa", "givenName": "P"}}]}]}}}"#,
      ], together: [3, 2, 2, 2]),
    SampleFolder(
      testDescription: "policies",
      files: [
        "policy0.json":
          #"{"Id": "p0", "Statement": [{"Resource": "*"}]}"#,
        "stack1.json":
          #"{"Resources": {"Bucket1": {}, "Role": {"Properties": {"AssumeRolePolicyDocument": {"Statement": [{"Action": "sts:AssumeRole"}]}}}}, "Outputs": {"Arn": {}}}"#,
      ], together: [1, 1, 1, 1], alone: [2, 1, 1], reversed: [2, 1, 1]),
    SampleFolder(
      testDescription: "games",
      files: [
        "owned.json":
          #"{"response": {"games": [{"appid": 10, "name": "Portal", "minutes": 5}, {"appid": 20, "name": "Half-Life", "minutes": 7}, {"appid": 30, "name": "Doom", "minutes": 0}]}}"#,
        "owned2.json":
          #"{"response": {"games": [{"appid": 40, "name": "Doom", "minutes": 9}, {"appid": 50, "name": "Quake", "minutes": 1}, {"appid": 60, "name": "Myst", "minutes": 1}]}}"#,
      ], together: [6]),
    SampleFolder(
      testDescription: "packages",
      files: [
        "attrs.json":
          #"{"info": {"name": "attrs"}, "releases": {"1.0.0": [{"filename": "p-1.tar.gz", "packagetype": "sdist", "size": 1, "url": "https://files.x.org/1ab1/p-1.tar.gz"}], "1.1.0": [{"filename": "p-2.tar.gz", "packagetype": "sdist", "size": 2, "url": "https://files.x.org/2ab2/p-2.tar.gz"}], "1.2.0": []}, "urls": [{"filename": "p-2.tar.gz", "packagetype": "sdist", "size": 2, "url": "https://files.x.org/2ab2/p-2.tar.gz"}]}"#,
        "click.json":
          #"{"info": {"name": "click"}, "releases": {"1.0.0": [{"filename": "p-3.tar.gz", "packagetype": "sdist", "size": 3, "url": "https://files.x.org/3ab3/p-3.tar.gz"}], "1.1.0": [], "1.2.0": [{"filename": "p-4.tar.gz", "packagetype": "sdist", "size": 4, "url": "https://files.x.org/4ab4/p-4.tar.gz"}]}, "urls": [{"filename": "p-4.tar.gz", "packagetype": "sdist", "size": 4, "url": "https://files.x.org/4ab4/p-4.tar.gz"}]}"#,
      ], together: [4, 2]),
    SampleFolder(
      testDescription: "installs",
      files: [
        "formulas.json":
          #"[{"name": "f1", "desc": "d1", "analytics": {"install": {"30d": {"f1": 7}}}}, {"name": "f2", "desc": "d2", "analytics": {"install": {"30d": {"f2": 14}}}}, {"name": "f3", "desc": "d3", "analytics": {"install": {"30d": {"f3": 21}}}}, {"name": "f4", "desc": "d4", "analytics": {"install": {"30d": {"f4": 28}}}}, {"name": "f5", "desc": "d5", "analytics": {"install": {"30d": {"f5": 35}}}}, {"name": "f6", "desc": "d6", "analytics": {"install": {"30d": {"f6": 42}}}}, {"name": "f7", "desc": "d7", "analytics": {"install": {"30d": {"f7": 49}}}}, {"name": "f8", "desc": "d8", "analytics": {"install": {"30d": {"f8": 56}}}}, {"name": "f9", "desc": "d9", "analytics": {"install": {"30d": {"f9": 63}}}}]"#
      ], together: [9, 9]),
  ]
}
