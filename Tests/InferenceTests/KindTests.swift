import Foundation
import Inference
import Mapping
import ObjectModel
import Testing

/// Objects of several kinds, in several places, and keys that end as identities do.
@Suite struct KindTests {
  private func list(_ count: Int, _ object: (Int) -> String) -> String {
    "[" + (0..<count).map(object).joined(separator: ", ") + "]"
  }

  private func lines(_ json: String) throws -> [String] { try ModelSummary(inferred(json)).lines }

  private func model(_ files: [String: String]) throws -> Model {
    let folder = try TestFolder(files)
    return try InferredModel(from: folder.sources()).model
  }

  // MARK: - Kinds

  private let objects =
    #"[{"id": "malware--1", "type": "malware", "family": true, "name": "M", "created": 1}, {"id": "group--0001", "type": "group", "aliases": ["A"], "name": "G", "created": 2}, {"id": "group--0002", "type": "group", "aliases": [], "name": "H", "created": 2}, {"id": "link--00001", "type": "link", "source_ref": "group--0001", "target_ref": "malware--1", "created": 3}, {"id": "link--00002", "type": "link", "source_ref": "group--0002", "target_ref": "group--0001", "created": 3}]"#

  /// A key of one kind names objects of any, and a list of one kind elsewhere is of that kind.
  @Test func kindsNameEachOther() throws {
    let model = try model([
      "objects.json": objects,
      "groups.json":
        #"[{"id": "group--0003", "type": "group", "aliases": [], "name": "I", "created": 2}, {"id": "group--0001", "type": "group", "aliases": ["A"], "name": "G", "created": 2}]"#,
    ])
    let link = try #require(model[entity: "Link"])
    #expect(Set(link.relationships.map(\.destination)) == [try #require(link.parent)])
    #expect(Set(link.relationships.map(\.name)) == ["source", "target"])
    #expect(
      model.entities.filter { $0.parent == link.parent }.map(\.name).sorted() == ["Group", "Link", "Malware"])
    #expect(model.entities.count == 4)
  }

  /// What only says to be of a kind, and is something else, stays apart.
  @Test func othersOfOneWordAreApart() throws {
    let model = try model([
      "objects.json": objects,
      "people.json":
        #"[{"id": "group--0001", "type": "group", "size": 4, "place": "Bern"}, {"id": "group--0009", "type": "group", "size": 5, "place": "Rome"}]"#,
    ])
    #expect(model.entities.contains { $0.attributes.contains { $0.name == "place" } && $0.parent == nil })
  }

  /// A tree of folders and files has one entity for each kind, however deep it is.
  @Test func treesOfKinds() throws {
    let deep =
      #"{"id": 1, "name": "a", "type": "folder", "size": 2, "children": [{"id": 2, "name": "b", "type": "folder", "size": 2, "children": [{"id": 3, "name": "c", "type": "file", "url": "x"}]}, {"id": 4, "name": "d", "type": "file", "url": "y"}]}"#
    let model = try model([
      "tree.json": "[\(deep), {\"id\": 5, \"name\": \"e\", \"type\": \"file\", \"url\": \"z\"}]"
    ])
    #expect(model.entities.count == 3)
    #expect(model.entities.filter { $0.parent != nil }.map(\.name).sorted() == ["File", "Folder"])
  }

  /// A list with the numbers of other kinds is of none of them.
  @Test func numbersOfOtherKindsAreApart() throws {
    let model = try inferred(
      #"{"events": [{"type": "a", "id": 1, "name": "n", "created": 5, "owner": "o", "x": 1, "z": 2}, {"type": "b", "id": 2, "name": "m", "created": 6, "owner": "p", "y": 1, "w": 2}], "users": [{"type": "user", "id": 1, "name": "q", "created": 7, "owner": "r"}]}"#
    ).model
    #expect(model[entity: "User"]?.parent == nil && model[entity: "User"] != nil)
    #expect(model[entity: "Event"] != nil)
  }

  /// Under one key, kinds may hold different things.
  @Test func whatKindsHoldIsNotMixed() throws {
    let model = try inferred(
      #"[{"type": "a", "id": 1, "x": 1, "y": 2, "tags": ["t"]}, {"type": "a", "id": 2, "x": 1, "y": 2, "tags": ["u"]}, {"type": "b", "id": 3, "v": 1, "w": 2, "tags": [{"id": 9, "name": "n"}]}, {"type": "c", "id": 4, "p": 1, "q": 2}]"#
    ).model
    #expect(
      model.entities.contains { $0.relationships.contains { $0.name.hasPrefix("tags") && $0.isToMany } })
  }

  // MARK: - Identities

  @Test func firstKeysThatEndAsIdentities() throws {
    #expect(try lines(list(3) { #"{"appid": \#($0 * 10), "name": "N", "minutes": 5}"# }) == ["Record: appid"])
    #expect(try lines(list(3) { #"{"thing_id": "t\#($0)", "name": "N"}"# }) == ["Record: thingId"])
    // Two objects differ by chance, `valid` is a word, and a key in another place may name something.
    for json in [
      list(2) { #"{"appid": \#($0 * 10), "name": "N", "minutes": 5}"# },
      list(3) { #"{"valid": "v\#($0)", "name": "N"}"# },
      list(3) { #"{"name": "N", "team_id": \#($0)}"# },
    ] {
      #expect(
        !(try lines(json)).contains { $0.hasSuffix("Id") || $0.hasSuffix("appid") || $0.hasSuffix("valid") })
    }
  }

  @Test func uuidsUnderNamesThatSaySo() throws {
    let json = list(2) {
      #"{"type": "Deck", "deck_uuid": "9b1d3c52-1111-4222-8333-44445555666\#($0)", "title": "T"}"#
    }
    #expect(try lines(json) == ["Record: deckUuid"])
  }

  /// A message has what all that came have, and the next one may lack it.
  @Test func keysOfMessagesMayBeMissing() throws {
    let json = list(4) {
      #"{"client_msg_id": "m\#($0)", "text": "x", "created_at": "2024-01-01T00:00:0\#($0)Z"}"#
    }
    #expect(!(try lines(json)).contains("Record: clientMsgId"))
  }

  @Test func identitiesInsideOfAnID() throws {
    let json = list(3) { #"{"id": {"bioguide": "B00\#($0)", "govtrack": 4000\#($0)}, "name": "N"}"# }
    #expect(try lines(json).contains { $0.lowercased().hasSuffix("bioguide") })
  }

  /// Of many objects, the only key that ends so may stand anywhere; of a few, or under another name, it may name something else.
  @Test func keysInOtherPlaces() throws {
    func cities(_ count: Int, _ more: String = "") -> String {
      list(count) { #"{"name": "C", "country": "DE", "geonameid": \#(3_000_000 + $0)\#(more)}"# }
    }
    #expect(try lines(cities(6)) == ["Record: geonameid"])
    for json in [cities(4), cities(6, #", "owner_id": 7"#)] {
      #expect(!(try lines(json)).contains("Record: geonameid"))
    }
  }

  /// Currencies of several countries have one sign.
  @Test func signsIdentifyNothing() throws {
    let signs = ["€", "Fr.", "kr", "£"]
    let json = list(4) {
      #"{"cca3": "C\#($0)X", "currencies": {"C\#($0)R": {"name": "N\#($0)", "symbol": "\#(signs[$0])"}}}"#
    }
    #expect(!(try lines(json)).contains { $0.hasSuffix("symbol") })
  }

  /// The first key of a line in an order names something else.
  @Test func keysOfPartsNameOthers() throws {
    let json =
      #"{"orders": [{"id": 1, "lines": [{"product_id": "A-1", "qty": 2}, {"product_id": "B-7", "qty": 1}]}, {"id": 2, "lines": [{"product_id": "C-3", "qty": 5}]}]}"#
    #expect(!(try lines(json)).contains { $0.hasSuffix("productId") })
  }

  /// Parts of an identity are none.
  @Test func partsOfAnIdentity() throws {
    let json = list(4) { #"{"_id": {"year": 202\#($0), "month": 1}, "count": 5}"# }
    #expect(!(try lines(json)).contains { $0.lowercased().hasSuffix("year") })
  }

  /// Names of packages are no names of properties, where each object has a few of many; words may be some, unless each has a version.
  @Test(arguments: [("-", "w", true), ("x", "w", false), ("x", "^1.", true)]) func namesOfPackages(
    _ separator: String, _ version: String, _ areData: Bool
  ) throws {
    let json = list(8) { number in
      let names = (0..<3).map { place in
        #""p\#(separator)\#(Array("abcdefghijklmnopq")[number * 2 + place])": "\#(version)\#(place)""#
      }
      return #"{"id": \#(number), "dependencies": {\#(names.joined(separator: ", "))}}"#
    }
    let attributes = try inferred(json).model.entities.flatMap(\.attributes).map(\.name)
    #expect(attributes.contains("key") == areData)
  }

  // MARK: - Documents

  /// A document with two lists of parts is an object, if a part beside them says which one.
  @Test func documentsThatSayWhichTheyAre() throws {
    let items = #"[{"name": "a", "request": {"method": "GET"}}, {"name": "b", "request": {"method": "PUT"}}]"#
    let model = try model([
      "one.json":
        #"{"info": {"_postman_id": "00000001-aaaa", "name": "One"}, "item": \#(items), "variable": [{"key": "k", "value": "1"}]}"#,
      "two.json":
        #"{"info": {"_postman_id": "00000002-aaaa", "name": "Two"}, "item": \#(items), "variable": [{"key": "k", "value": "2"}]}"#,
    ])
    #expect(
      model.entities.contains { $0.attributes.contains { $0.name.lowercased().hasSuffix("postmanid") } })
  }

  // MARK: - Dictionaries

  @Test func listsUnderNames() throws {
    let rows =
      #"[{"date": "2020-3-1", "cases": 1, "deaths": 0}, {"date": "2020-3-2", "cases": 2, "deaths": 1}]"#
    let model = try inferred(#"{"France": \#(rows), "US": \#(rows), "Chad": \#(rows)}"#).model
    #expect(model.entities.count == 1)
    #expect(model.entities[0].attributes.contains { $0.name == "key" })
    // Tables of a database have rows of their own.
    let tables =
      #"{"Artist": [{"Id": 1, "Name": "A", "Born": 1}], "Genre": [{"Id": 1, "Name": "B", "Born": 2}], "Label": [{"Id": 1, "Name": "C", "Born": 3}]}"#
    #expect(try inferred(tables).model.entities.count == 3)
  }

  @Test func keysOfADictionaryElsewhere() throws {
    let json =
      #"{"products": {"NYJT619RZWBMB58Y": {"sku": "NYJT619RZWBMB58Y", "family": "S"}, "KRNB1K384B9GQDHB": {"sku": "KRNB1K384B9GQDHB", "family": "S"}, "ZTE84B0XRFQAR04N": {"sku": "ZTE84B0XRFQAR04N", "family": "T"}}, "terms": {"NYJT619RZWBMB58Y": {"price": 1}, "ZTE84B0XRFQAR04N": {"price": 2}}}"#
    let model = try inferred(json).model
    #expect(model.entities.flatMap(\.attributes).count { $0.name.lowercased().contains("price") } == 1)
  }

  /// Names of tables are no data, and one list that is filled says nothing of empty ones.
  @Test func namesOfTablesAndOfEmptyLists() throws {
    let tables =
      #"{"tables": {"users": {"name": "users", "pk": "id"}, "orders": {"name": "orders", "pk": "id"}, "items": {"name": "items", "pk": "id"}}, "data": {"users": [{"id": 1, "email": "a@b.c"}], "orders": [{"id": 1, "total": 5}]}}"#
    let model = try inferred(tables).model
    #expect(
      !model.entities.contains {
        $0.attributes.map(\.name).contains("email") && $0.attributes.map(\.name).contains("total")
      })
    let answer = #"{"Results": [{"Name": "n", "Price": 1, "Qty": 2}], "Errors": [], "Warnings": []}"#
    #expect(!(try inferred(answer).model.entities.flatMap(\.attributes)).contains { $0.name == "key" })
  }
}
