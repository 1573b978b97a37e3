import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Identities that hold among the objects of one owner, one file or one kind only, and keys that name objects elsewhere.
@Suite struct KeyScopeTests {
  private func list(_ numbers: Range<Int>, _ object: (Int) -> String) -> String {
    "[" + numbers.map(object).joined(separator: ", ") + "]"
  }

  /// Imports files twice. Nothing has an issue, and the second time nothing changes.
  private func counts(_ files: [String: String]) throws -> (model: InferredModel, counts: [String: Int]) {
    let folder = try TestFolder(files)
    let inferred = try InferredModel(from: folder.sources())
    let (store, first) = try imported(inferred, folder.sources())
    #expect(first.issues.isEmpty, "\(first.issues.prefix(3))")
    let again = try Importer(store, options(inferred)).run(folder.sources())
    #expect(again.issues.isEmpty && again.inserted.isEmpty && again.deleted.isEmpty && again.updated.isEmpty)
    return (inferred, first.inserted)
  }

  // MARK: - One owner

  /// Owners that say of what type they are, and parts that do.
  @Test(arguments: [("solo", "group", "text"), ("group", "group", "text"), ("solo", "group", "photo")])
  func numbersThatBeginAnewInEachOwnerIdentifyNothing(_ one: String, _ other: String, _ kind: String) throws {
    func message(_ number: Int, _ chat: Int) -> String {
      let content =
        kind == "photo" && number % 2 == 0
        ? #""photo": "p", "width": 8, "height": 9"#
        : #""text": "t\#(number) of \#(chat)", "edited": false, "lang": "en""#
      let type = kind == "photo" && number % 2 == 0 ? "photo" : "text"
      return #"{"id": \#(number), "type": "\#(type)", "from": "u\#(chat)", \#(content)}"#
    }
    let (_, counts) = try counts([
      "chats.json": """
      {"chats": [{"id": 11, "type": "\(one)", "name": "Ada", "messages": \(list(1..<5) { message($0, 1) })},
       {"id": 12, "type": "\(other)", "name": "Fam", "messages": \(list(1..<6) { message($0, 2) })}]}
      """
    ])
    #expect(counts.filter { $0.key != "Chat" }.values.reduce(0, +) == 9, "\(counts)")
  }

  @Test func aValueUnderAKeyIsNoObjectOfItsOwn() throws {
    let (inferred, counts) = try counts([
      "refs.json": list(0..<6) {
        #"{"id": "r\#($0)x", "properties": [{"key": "Method", "value": "X-ray"}, {"key": "Chain", "value": "\#($0 % 2)"}]}"#
      }
    ])
    #expect(inferred.mapping["Property"].identity?.isEmpty ?? true)
    #expect(counts["Property"] == 12)
  }

  // MARK: - One kind

  @Test func numbersThatSeveralKindsHaveIdentifyNothing() throws {
    let (_, counts) = try counts([
      "elements.json": """
      {"elements": [
        \((100..<104).map { #"{"type": "node", "id": \#($0), "lat": 1.5, "lon": 2.5}"# }.joined(separator: ", ")),
        \((100..<103).map { #"{"type": "way", "id": \#($0), "nodes": [\#($0), 101], "closed": false}"# }.joined(separator: ", "))
      ]}
      """
    ])
    #expect(counts == ["Node": 4, "Way": 3])
  }

  // MARK: - One file

  @Test func datesOfADictionaryInEachFileIdentifyNothing() throws {
    func file(_ symbol: String, _ open: Int) -> String {
      let days = (3..<6).map {
        #""2024-04-0\#($0)": {"1. open": "\#(open + $0).59", "5. volume": "\#(open * 1000)"}"#
      }
      return #"{"Meta Data": {"2. Symbol": "\#(symbol)"}, "Time Series": {\#(days.joined(separator: ", "))}}"#
    }
    let (_, counts) = try counts(["daily_IBM.json": file("IBM", 183), "daily_MSFT.json": file("MSFT", 402)])
    #expect(counts.values.reduce(0, +) == 8, "\(counts)")
  }

  @Test func aDictionaryIsReadAsOneInAStoreOfOtherThings() throws {
    let champions = ["Aatrox", "Ahri", "Akali"].map {
      #""\#($0)": {"version": "13.1", "id": "\#($0)", "key": "26\#($0.count)", "name": "\#($0)"}"#
    }
    let (_, counts) = try counts([
      "champion.json":
        #"{"type": "champion", "format": "standAlone", "version": "13.1", "data": {\#(champions.joined(separator: ", "))}}"#,
      "match.json":
        #"{"metadata": {"matchId": "E1"}, "info": {"gameId": 1, "mode": "C", "participants": [{"puuid": "p0", "kills": 0}, {"puuid": "p1", "kills": 3}]}}"#,
    ])
    #expect(counts["Champion"] == 3)
  }

  @Test func listsUnderOneKeyTellOfTheSameObjects() throws {
    func file(_ rest: (Int) -> String) -> String {
      #"{"last_updated": 1700000000, "data": {"stations": \#(list(0..<6) { #"{"station_id": "s\#($0)", \#(rest($0))}"# })}}"#
    }
    let (inferred, counts) = try counts([
      "station_information.json": file { #""name": "St\#($0)", "capacity": \#($0 + 10)"# },
      "station_status.json": file { #""bikes": \#($0), "is_renting": true"# },
    ])
    #expect(counts == ["Station": 6])
    #expect(inferred.model[entity: "Station"]?[attribute: "capacity"] != nil)
  }

  // MARK: - Keys that name objects elsewhere

  @Test func objectsWithNothingButAnIdentityNameOthers() throws {
    let (inferred, counts) = try counts([
      "contacts.json": list(0..<12) {
        #"{"id": \#($0 * 50 + 151), "email": "h\#($0)@x.org", "lastname": "L\#($0)"}"#
      },
      "deals.json": list(0..<5) {
        #"{"id": \#($0 + 9000), "name": "D\#($0)", "contacts": [{"id": \#($0 * 50 + 151)}, {"id": \#($0 * 50 + 251)}]}"#
      },
    ])
    #expect(counts == ["Contact": 12, "Deal": 5])
    #expect(inferred.model[entity: "Deal"]?[relationship: "contacts"]?.destination == "Contact")
  }

  @Test func valuesInAnotherFormAreKeysAndIdentities() throws {
    let (inferred, counts) = try counts([
      "users.json": list(0..<8) {
        #"{"_id": {"$oid": "668fd1be6943e9de264f9c\#($0 + 10)"}, "name": "N\#($0 % 3)"}"#
      },
      "orders.json": list(0..<8) {
        #"{"_id": {"$oid": "bb1f5708da13e987fd8a10\#($0 + 10)"}, "user_id": {"$oid": "668fd1be6943e9de264f9c\#(($0 * 3) % 8 + 10)"}, "placedAt": {"$date": "2024-01-0\#($0 + 1)T00:00:00Z"}}"#
      },
    ])
    #expect(counts == ["Order": 8, "User": 8])
    let order = inferred.model[entity: "Order"]
    #expect(order?[relationship: "user"]?.destination == "User")
    #expect(order?[attribute: "placedAt"]?.type == .date)
  }

  @Test func whatTellsOfAnObjectIsAPartOfIt() throws {
    func thing(_ id: String, _ type: String, _ rest: String) -> String {
      #"{"sys": {"id": "\#(id)", "type": "\#(type)", "createdAt": "2024-01-01T00:00:00Z"}, "fields": {\#(rest)}}"#
    }
    func link(_ id: String) -> String { #"{"sys": {"type": "Link", "linkType": "Asset", "id": "\#(id)"}}"# }
    let (inferred, counts) = try counts([
      "assets.json":
        #"{"sys": {"type": "Array"}, "total": 3, "items": \#(list(0..<3) { thing("a1b2c3d4e5f\($0)", "Asset", #""title": "A\#($0)""#) })}"#,
      "entries.json":
        #"{"sys": {"type": "Array"}, "total": 5, "items": \#(list(0..<5) { thing("e1b2c3d4e5f\($0)", "Entry", #""title": "T\#($0)", "slug": "s\#($0)", "hero": \#(link("a1b2c3d4e5f\($0 % 3)"))"#) })}"#,
    ])
    #expect(counts == ["Asset": 3, "Entry": 5])
    #expect(inferred.model[entity: "Entry"]?.relationships.first?.destination == "Asset")
  }

  @Test func aDocumentIsNoObjectOfTheEntityInIt() throws {
    let (_, counts) = try counts([
      "constructors.json": """
      {"MRData": {"series": "f1", "total": "2", "ConstructorTable": {"season": "2023", "Constructors": [
        {"constructorId": "mclaren", "name": "McLaren"}, {"constructorId": "ferrari", "name": "Ferrari"}]}}}
      """
    ])
    #expect(counts == ["Constructor": 2, "MrData": 1])
  }

  @Test func amountsInATextOfFixedDigitsStayTexts() throws {
    let prices = ["179.41", "12.35", "9.99", "104.27"]
    let fixed = try inferred(list(0..<4) { #"{"id": \#($0), "price": "\#(prices[$0])"}"# })
    #expect(fixed.model.entities.first?[attribute: "price"]?.type == .string)
    let trimmed = try inferred(list(0..<4) { #"{"id": \#($0), "price": "\#(prices[$0].dropLast($0 % 2))"}"# })
    #expect(trimmed.model.entities.first?[attribute: "price"]?.type == .decimal)
  }

  /// Objects that do not say of which kind they are, and those of a kind with a key that another kind has.
  @Test func aLaterFileLeavesKindsUsable() throws {
    let folder = try TestFolder([
      "1.json":
        #"{"id": 7, "geometry": "point", "fields": [{"name": "A", "type": "text", "alias": "a", "length": 256}, {"name": "B", "type": "int", "alias": "b", "domain": "d", "step": 2}]}"#,
      "2.json":
        #"{"id": 8, "geometry": "area", "fields": [{"name": "C", "type": "text", "alias": "c", "length": 9}]}"#,
    ])
    let inferred = try widened(["1.json", "2.json"].map(folder.source))
    #expect(inferred.model[entity: "Field"]?[attribute: "length"] == nil)
    #expect(inferred.model[entity: "Field"]?[attribute: "type"] == nil)
    let store = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    let report = try Importer(store, options(inferred)).run(folder.sources())
    #expect(report.issues.isEmpty, "\(report.issues)")
  }
}
