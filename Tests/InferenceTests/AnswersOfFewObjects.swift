/// Answers in which an object comes more than once, in full and in short, or says what it is where other objects say something else.
extension AnswerTests {
  static let ofFewObjects = [
    Answer(
      testDescription: "a key in capitals beside words that differ",
      files: [
        "properties.json": #"{"Table": {"Properties": "#
          + list(0..<6) {
            #"{"CID": \#(700 + $0 * 13), "Formula": "C\#($0 + 2)H\#($0 + 6)O", "Weight": "4\#($0 % 3).0\#($0 % 2)"}"#
          } + "}}"
      ], objects: ["Property": 6], identities: ["Property": ["cid"]]),
    Answer(
      testDescription: "messages under keys that a program made",
      files: [
        "firebase.json":
          #"{"users": {"OUJLpFx24gLm1GMtNwvz": {"name": "Ada", "mail": "a@x.org"}, "iiRsxrKsYJdPV4IajGkK": {"name": "Ben", "mail": "b@x.org"}}, "messages": {"-NTQchReBCOi6MLTPUPv": {"-NEBufQb4Od8TDsZ1SHY": {"uid": "OUJLpFx24gLm1GMtNwvz", "text": "Hello"}, "-NQOWHNUJuhXud4pFHBE": {"uid": "iiRsxrKsYJdPV4IajGkK", "text": "Hi"}}, "-NdlVrPCS5HGhvtwlseN": {"-N8DCQ5EtfytNCwiIMnX": {"uid": "OUJLpFx24gLm1GMtNwvz", "text": "Goal"}}}}"#
      ], objects: ["Firebase": 1, "User": 2, "Message": 3], links: ["Message.uid": "User"],
      words: ["Hello", "Goal", "-NdlVrPCS5HGhvtwlseN", "-N8DCQ5EtfytNCwiIMnX"]),
    Answer(
      testDescription: "an actor who directs",
      files: [
        "credits.json":
          #"{"id": 13223, "cast": [{"adult": false, "id": 190, "name": "C. E.", "original_name": "C. E.", "character": "Walt", "credit_id": "52fe457c9251416c75057549"}, {"adult": false, "id": 113732, "name": "B. V.", "original_name": "B. V.", "character": "Thao", "credit_id": "52fe457c9251416c7505754d"}], "crew": [{"adult": false, "id": 190, "name": "C. E.", "original_name": "C. E.", "job": "Director", "credit_id": "52fe457c9251416c75057545"}]}"#
      ], objects: ["Credit": 1, "Cast": 2, "Crew": 1], words: ["52fe457c9251416c75057549", "Director"],
      identities: ["Cast": ["creditId"]]),
    Answer(
      testDescription: "what objects are built on, which each says in its own way",
      files: [
        "listings.json":
          #"{"data": [{"id": 1027, "name": "Ethereum", "slug": "ethereum", "platform": null}, {"id": 825, "name": "Tether", "slug": "tether", "platform": {"id": 1027, "name": "Ethereum", "slug": "ethereum", "address": "0xdac1"}}, {"id": 3408, "name": "USDC", "slug": "usd-coin", "platform": {"id": 1027, "name": "Ethereum", "slug": "ethereum", "address": "0xa0b8"}}]}"#
      ], objects: ["Listing": 3], words: ["0xdac1", "0xa0b8"], identities: ["Listing": ["id"]]),
    Answer(
      testDescription: "the same under keys",
      files: [
        "tokens.json":
          #"{"data": {"1027": {"id": 1027, "name": "Ethereum", "slug": "ethereum", "platform": null}, "825": {"id": 825, "name": "Tether", "slug": "tether", "platform": {"id": 1027, "name": "Ethereum", "slug": "ethereum", "address": "0xdac1"}}, "3408": {"id": 3408, "name": "USDC", "slug": "usd-coin", "platform": {"id": 1027, "name": "Ethereum", "slug": "ethereum", "address": "0xa0b8"}}}}"#
      ], objects: ["Token": 3], words: ["0xdac1", "0xa0b8"], identities: ["Token": ["id"]]),
    Answer(
      testDescription: "attributes of JSON:API that are called type",
      files: [
        "routes.json":
          #"{"data": [{"type": "route", "id": "Red", "attributes": {"name": "Red Line", "type": 1}, "relationships": {"line": {"data": {"id": "line-Red", "type": "line"}}}}, {"type": "route", "id": "Blue", "attributes": {"name": "Blue Line", "type": 2}, "relationships": {"line": {"data": {"id": "line-Blue", "type": "line"}}}}], "jsonapi": {"version": "1.0"}}"#
      ], objects: ["Route": 2, "Line": 2], words: [#""type":2"#]),
    Answer(
      testDescription: "a list, and files with some of its objects in full",
      files: [
        "spells.json": #"{"results": "#
          + list(0..<3) {
            #"{"index": "s-\#($0)", "name": "S\#($0)", "level": \#($0 % 2), "url": "/api/spells/s-\#($0)"}"#
          } + "}",
        "spells/s-0.json":
          #"{"index": "s-0", "name": "S0", "level": 0, "url": "/api/spells/s-0", "desc": ["d"], "range": "90 feet"}"#,
        "spells/s-1.json":
          #"{"index": "s-1", "name": "S1", "level": 1, "url": "/api/spells/s-1", "desc": ["e"], "range": "30 feet"}"#,
      ], objects: ["Spell": 3], words: ["90 feet"], identities: ["Spell": ["url"]]),
    Answer(
      testDescription: "groups in a file that is called like what they hold",
      files: [
        "categories.json":
          #"{"data": {"category_groups": [{"id": "2f312cd8-1b6b-46f5-a8b9-f75b5da507bd", "name": "Bills", "categories": [{"id": "ae0cd157-bde7-48d4-a656-cc320f68e8bf", "category_group_id": "2f312cd8-1b6b-46f5-a8b9-f75b5da507bd", "name": "Rent"}]}, {"id": "3f312cd8-1b6b-46f5-a8b9-f75b5da507be", "name": "Fun", "categories": [{"id": "ce0cd157-bde7-48d4-a656-cc320f68e8b1", "category_group_id": "3f312cd8-1b6b-46f5-a8b9-f75b5da507be", "name": "Cinema"}]}]}}"#,
        "transactions.json":
          #"{"data": {"transactions": [{"id": "1c53c322-7bb7-458f-a950-8c4a5ac62d26", "amount": -85302, "category_id": "ae0cd157-bde7-48d4-a656-cc320f68e8bf"}, {"id": "2c53c322-7bb7-458f-a950-8c4a5ac62d27", "amount": -9000, "category_id": "ce0cd157-bde7-48d4-a656-cc320f68e8b1"}]}}"#,
      ], objects: ["CategoryGroup": 2, "Category": 2, "Transaction": 2],
      links: ["Category.categoryGroup": "CategoryGroup", "Transaction.category": "Category"]),
    Answer(
      testDescription: "short forms with a null where others have a value",
      files: [
        "measurements.json": #"{"results": "#
          + list(0..<2) {
            #"{"value": 9.\#($0), "parameter": {"id": 2, "name": "pm25", "units": "µg/m³", "displayName": null}}"#
          } + "}",
        "parameters.json":
          #"{"results": [{"id": 1, "name": "pm10", "units": "µg/m³", "displayName": "PM10", "description": "P"}, {"id": 2, "name": "pm25", "units": "µg/m³", "displayName": "PM2.5", "description": "F"}]}"#,
      ], objects: ["Measurement": 2, "Parameter": 2], links: ["Measurement.parameter": "Parameter"],
      words: ["PM2.5"]),
    Answer(
      testDescription: "rules by names, of which some have a hyphen",
      files: [
        "rules.json":
          #"{"cwd": "/ci", "rulesMeta": {"no-unused-vars": {"type": "problem", "fixable": false}, "semi": {"type": "layout", "fixable": true}, "eqeqeq": {"type": "suggestion", "fixable": false}, "react/prop-types": {"type": "suggestion", "fixable": false}}}"#
      ], objects: ["Rule": 1, "RulesMeta": 4], words: ["no-unused-vars", "react/prop-types"]),
    Answer(
      testDescription: "boxes of features",
      files: [
        "countries.geojson": #"{"type": "FeatureCollection", "features": "#
          + list(0..<2) {
            #"{"type": "Feature", "properties": {"code": "C\#($0)", "people": \#($0 + 5)}, "bbox": [-5.\#($0), 42.5, 9.5, 51.25], "geometry": {"type": "Point", "coordinates": [2.1, 46.5]}}"#
          } + "}"
      ], objects: ["Country": 2], words: [#""bbox":[-5.1,42.5,9.5,51.25]"#]),
    Answer(
      testDescription: "folders in folders that say of what kind they are, as files do",
      files: [
        "bookmarks.json":
          #"{"id": 1, "guid": "root________", "title": "", "type": "folder", "children": [{"id": 2, "guid": "menu________", "title": "Menu", "type": "folder", "children": [{"id": 4, "guid": "aB3dE6gH9jK2", "title": "A", "type": "place", "uri": "https://a.example/"}, {"id": 5, "guid": "bB3dE6gH9jK2", "title": "F", "type": "folder", "children": [{"id": 6, "guid": "cB3dE6gH9jK2", "title": "B", "type": "place", "uri": "https://b.example/"}]}]}, {"id": 3, "guid": "toolbar_____", "title": "Bar", "type": "folder", "children": [{"id": 7, "guid": "dB3dE6gH9jK2", "title": "C", "type": "place", "uri": "https://c.example/"}]}]}"#
      ], objects: ["Folder": 4, "Place": 3]),
    Answer(
      testDescription: "a tree of nodes that nothing identifies",
      files: [
        "tree.json":
          #"[{"type": "If", "start": 582, "elements": {"type": "Bin", "start": 130, "init": [{"type": "Block", "start": 659, "elements": {"type": "Block", "start": 423, "elements": {"type": "If", "start": 501, "body": {"type": "Obj", "start": 202, "right": [{"type": "Lit", "start": 314}]}, "right": {"type": "Fn", "start": 595, "elements": {"type": "Lit", "start": 692}, "test": {"type": "Member", "start": 431}, "args": {"type": "Bin", "start": 476}}}}}, {"type": "Obj", "start": 289}]}}]"#
      ], objects: ["Tree": 1, "Right": 2, "Init": 5]),
    Answer(
      testDescription: "a list of nodes under a key that is one node elsewhere",
      files: [
        "nodes.json":
          #"[{"update": {"start": 227, "left": [{"type": "Member", "right": {"update": {"start": 887, "left": [{"type": "Obj", "start": 610}]}}, "init": {"type": "Block", "start": 874, "body": {"type": "Prop", "start": 723, "init": {"type": "Bin", "start": 245}, "body": {"type": "Program", "start": 695}, "test": {"type": "Obj", "start": 901}}, "property": {"type": "For", "start": 619, "object": {"type": "Var", "start": 33}, "callee": {"type": "Program", "start": 581}, "args": []}}}, {"type": "Lit", "init": {"value": {"type": "Member", "start": 697, "callee": {"type": "Obj", "start": 664}, "test": {"type": "Var", "start": 404}, "value": []}}, "left": {}}]}, "init": {"type": "For", "start": 315, "init": [{"start": 257, "init": {"type": "Id", "start": 101}, "test": {}}]}}]"#
      ], objects: ["Record": 1, "Left": 3, "Init": 1]),
    Answer(
      testDescription: "kinds of which one has texts and one numbers for identities",
      files: [
        "k.json":
          #"[{"id": 3, "type": "link", "url": "a"}, {"id": "i4", "type": "folder", "left": 2, "kind": 1, "text": "aaaa"}, {"id": 12, "type": "link", "url": "b"}]"#
      ], objects: ["Link": 2, "Folder": 1]),
    Answer(
      testDescription: "a dictionary of objects that have a key of that name",
      files: [
        "k.json":
          #"[{"id": 1, "parts": {"K8xQ9zR4tP2m": {"key": "2024-01-05", "n": 1}, "K6xQ9zR4tP2n": {"key": "2024-01-06", "n": 2}}}, {"id": 2, "parts": {"K5xQ9zR4tP2o": {"key": "2024-01-07", "n": 3}}}]"#
      ], objects: ["K": 2, "Part": 3], words: ["K8xQ9zR4tP2m", "2024-01-05"]),
    Answer(
      testDescription: "sales of two years by one code",
      files: [
        "s.json":
          #"{"2023": {"x": 1}, "sales_2023": [{"code": "A", "sold": 5}, {"code": "B", "sold": 6}, {"code": "C", "sold": 7}], "sales_2024": [{"code": "A", "sold": 50}, {"code": "B", "sold": 60}, {"code": "C", "sold": 70}]}"#
      ], objects: ["Item2023": 1, "Sale": 6], words: [#""sold":5}"#, #""sold":50}"#]),
    Answer(
      testDescription: "players of two teams by one number",
      files: [
        "home.json":
          #"{"players": [{"number": 1, "name": "Ann", "goals": 1}, {"number": 2, "name": "Bob", "goals": 0}, {"number": 3, "name": "Cid", "goals": 2}]}"#,
        "away.json":
          #"{"team": "x", "players": [{"number": 1, "name": "Zoe", "goals": 3}, {"number": 2, "name": "Yan", "goals": 4}, {"number": 3, "name": "Xav", "goals": 5}]}"#,
      ], objects: ["Away": 1, "Player": 6], words: ["Ann", "Zoe"]),
    Answer(
      testDescription: "prices at two moments",
      files: [
        "q.json":
          #"{"open": [{"symbol": "AAPL", "name": "Apple", "price": 5}, {"symbol": "MSFT", "name": "Microsoft", "price": 6}], "close": [{"symbol": "AAPL", "name": "Apple", "price": 100}, {"symbol": "MSFT", "name": "Microsoft", "price": 200}]}"#
      ], objects: ["Open": 2, "Close": 2], words: [#""price":5"#, #""price":100"#]),
    Answer(
      testDescription: "payments that name a credit",
      files: [
        "payments.json": list(1..<4) { #"{"id": \#($0), "credit_id": \#($0 + 99), "amount": 5}"# },
        "credits.json": list(1..<4) { #"{"id": \#($0 + 99), "name": "C\#($0)"}"# },
      ], objects: ["Payment": 3, "Credit": 3], links: ["Payment.credit": "Credit"],
      identities: ["Payment": ["id"]]),
    Answer(
      testDescription: "addresses of people, of which one has a hyphen",
      files: [
        "people.json": list(0..<2) {
          #"{"home": {"street": "a\#($0)", "zip": "1"}, "work": {"street": "b\#($0)", "zip": "2"}, "mail": {"street": "c", "zip": "3"}, "bill-to": {"street": "d", "zip": "4"}}"#
        }
      ], objects: ["Person": 2], words: ["a0", "b1"]),
    Answer(
      testDescription: "answers in a wrapper with a name of several words",
      files: [
        "a.json": #"{"GetWeatherByCityV2Response": {"city": "Paris", "temp": 20}}"#,
        "b.json": #"{"GetWeatherByCityV2Response": {"city": "Rome", "temp": 30}}"#,
      ], objects: ["GetWeatherByCityV2Response": 2], words: ["Paris", "Rome"]),
    Answer(
      testDescription: "reports about the same files",
      files: [
        "unit.json":
          #"{"meta": {"version": "7.2"}, "files": {"src/a.py": {"lines": [1, 2], "missing": 3}, "src/b.py": {"lines": [4], "missing": 0}}, "totals": {"covered_lines": 3, "percent_covered": 50.5}}"#,
        "e2e.json":
          #"{"meta": {"version": "7.2"}, "files": {"src/a.py": {"lines": [1], "missing": 7}, "src/b.py": {"lines": [], "missing": 9}}, "totals": {"covered_lines": 1, "percent_covered": 12.25}}"#,
      ], objects: ["Record": 2, "File": 4],
      words: [#""missing":3"#, #""missing":7"#, #""missing":9"#, "50.5", "12.25"]),
    Answer(
      testDescription: "a value on the way to an object, and a key of another object called so",
      files: [
        "parts.json":
          #"[{"id": 1, "kind": {"type": "a", "node": 3.5}, "code": {"kind": 4, "url": "x"}}, {"id": 2, "kind": {"type": "b", "node": 4.5}, "code": {"kind": 5, "url": "y"}}]"#,
        "kinds.json": list(4..<8) { #"{"id": \#($0), "name": "K\#($0)"}"# },
      ], objects: ["Part": 2, "Kind": 4], words: ["3.5", "4.5"]),
    Answer(
      testDescription: "two kinds of objects under one key that says nothing",
      files: [
        "articles.json": #"{"response": {"results": "#
          + list(0..<6) {
            #"{"id": "world/2024/\#($0)", "type": "article", "sectionName": "World", "webTitle": "t\#($0)", "webUrl": "https://x.org/w/\#($0)", "apiUrl": "https://a.org/w/\#($0)", "wordcount": \#($0 * 90 + 7)}"#
          } + "}}",
        "sections.json":
          #"{"response": {"results": [{"id": "world", "webTitle": "World", "webUrl": "https://x.org/world", "apiUrl": "https://a.org/world", "editions": 2}, {"id": "sport", "webTitle": "Sport", "webUrl": "https://x.org/sport", "apiUrl": "https://a.org/sport", "editions": 3}]}}"#,
      ], objects: ["Article": 6, "Section": 2], identities: ["Article": ["id"], "Section": ["id"]]),
    Answer(
      testDescription: "checks of several nodes by one word",
      files: [
        "services.json": list(0..<12) {
          #"{"ID": "s\#($0)", "Checks": [{"CheckID": "serf", "Node": "n\#($0 % 2)"}, {"CheckID": "c\#($0)", "Node": "n\#($0 % 2)"}]}"#
        }
      ], objects: ["Service": 12, "Check": 24], identities: ["Service": ["id"]]),
    Answer(
      testDescription: "versions by their addresses",
      files: [
        "versions.json": list(0..<3) {
          #"{"@id": "https://x.org/b/\#($0)", "id": "b\#($0 % 2)", "size": \#($0 + 5)}"#
        }
      ], objects: ["Version": 3], words: [#""size":5"#, #""size":7"#]),
    Answer(
      testDescription: "dishes and goods with the same short identities",
      files: [
        "menus.json":
          #"[{"id": 1, "chef": "c", "items": [{"id": "soup", "name": "Tomato soup", "spicy": true, "course": "1st"}, {"id": "tea", "name": "Green tea", "spicy": false, "course": "3rd"}]}, {"id": 2, "chef": "d", "items": [{"id": "soup", "name": "Tomato soup", "spicy": true, "course": "1st"}]}]"#,
        "orders.json":
          #"[{"id": 7, "total": 3, "items": [{"id": "soup", "name": "Soup spoon", "sku": "x1", "price": 2}, {"id": "tea", "name": "Tea pot", "sku": "x2", "price": 5}]}, {"id": 8, "total": 2, "items": [{"id": "soup", "name": "Soup spoon", "sku": "x1", "price": 2}]}]"#,
      ], objects: ["Menus": 2, "MenusItem": 2, "Order": 2, "Item": 2],
      words: ["Tomato soup", "Green tea", "Soup spoon", "Tea pot"]),
    Answer(
      testDescription: "books by numbers, which have addresses too",
      files: [
        "books.json":
          #"[{"@id": "https://x.org/b/1", "id": 1, "title": "a"}, {"@id": "https://x.org/b/2", "id": 2, "title": "b"}]"#,
        "reviews.json": #"[{"id": 5, "book_id": 1}, {"id": 6, "book_id": 2}, {"id": 7, "book_id": 1}]"#,
      ], objects: ["Book": 2, "Review": 3], links: ["Review.book": "Book"], identities: ["Book": ["id"]]),
  ]
}
