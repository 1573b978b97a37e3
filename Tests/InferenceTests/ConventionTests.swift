import Foundation
import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Ways in which services write keys, identities and kinds.
@Suite struct ConventionTests {
  /// Imports a document twice and its export into an empty store: nothing has an issue, the second import changes nothing, and the
  /// copy is the same.
  private func model(_ json: String, _ name: String = "doc.json") throws -> (model: Model, report: Report) {
    let folder = try TestFolder([name: json])
    let inferred = try InferredModel(from: folder.sources())
    let (store, report) = try imported(inferred, folder.sources())
    #expect(report.issues.map(\.description) == [])
    #expect(report.unmatchedKeys == [:])
    let again = try Importer(store, options(inferred)).run(folder.sources())
    #expect(again.inserted == [:] && again.updated == [:] && again.deleted == [:])
    let export = try Exporter(store).wholeText()
    let copy = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    #expect(try Importer(copy).run([.string(export)]).issues.map(\.description) == [])
    #expect(try Exporter(copy).wholeText() == export)
    return (inferred.model, report)
  }

  private func rows(_ count: Int, _ row: (Int) -> String) -> String {
    "[" + (0..<count).map(row).joined(separator: ", ") + "]"
  }

  /// `idBoard` is a key of a board, as `board_id` is, and the other end of the board's list.
  @Test func keysThatBeginWithID() throws {
    let lists = rows(3) { #"{"id": "l000\#($0)", "name": "n\#($0)", "idBoard": "b0001"}"# }
    let cards = rows(4) {
      #"{"id": "c000\#($0)", "idBoard": "b0001", "idList": "l000\#($0 % 3)", "idLabels": ["g0001"]}"#
    }
    let (model, _) = try model(
      #"{"id": "b0001", "name": "Plan", "lists": \#(lists), "cards": \#(cards), "labels": [{"id": "g0001", "color": "red"}]}"#,
      "board.json")
    #expect(model[entity: "List"]?[relationship: "board"]?.inverse == "lists")
    #expect(model[entity: "Card"]?[relationship: "board"]?.inverse == "cards")
    #expect(model[entity: "Card"]?[relationship: "list"]?.destination == "List")
    #expect(model[entity: "Card"]?[relationship: "labels"]?.isToMany == true)
  }

  @Test func identitiesThatBeginWithID() throws {
    let folder = try TestFolder([
      "clientes.json": rows(3) { #"{"id_cliente": \#($0 + 500), "nombre": "n\#($0)"}"# },
      "pedidos.json": rows(4) {
        #"{"id_pedido": \#($0 + 9000), "id_cliente": \#($0 % 3 + 500), "importe": 5}"#
      },
    ])
    let inferred = try InferredModel(from: folder.sources())
    #expect(inferred.model[entity: "Pedido"]?[relationship: "cliente"]?.destination == "Cliente")
    let (store, report) = try imported(inferred, folder.sources())
    #expect(report.inserted == ["Cliente": 3, "Pedido": 4])
    #expect(report.pendingCount == 0)
    let again = try Importer(store, options(inferred)).run(folder.sources())
    #expect(again.inserted == [:] && again.updated == [:])
  }

  /// Events of many types, each about objects of one kind: the objects are told apart by all events.
  @Test func kindsInsideOfObjectsOfManyTypes() throws {
    func event(_ number: Int, _ type: String, _ object: String) -> String {
      #"{"id": "evt_\#(number)", "type": "\#(type)", "created": \#(number), "data": {"object": \#(object)}}"#
    }
    let customer =
      #"{"id": "cus_1", "object": "customer", "email": "a@x.example", "name": "A", "balance": 0, "phone": "1"}"#
    let invoice =
      #"{"id": "in_1", "object": "invoice", "amount": 5, "status": "paid", "total": 7, "paid": true}"#
    let events = [
      event(1, "customer.created", customer), event(2, "customer.updated", customer),
      event(3, "invoice.paid", invoice), event(4, "invoice.sent", invoice),
    ]
    let (model, report) = try model("[\(events.joined(separator: ", "))]", "events.json")
    #expect(model[entity: "Customer"]?.parent == model[entity: "Invoice"]?.parent)
    #expect(model[entity: "Customer"]?.parent != nil)
    #expect(report.inserted == ["Event": 4, "Customer": 1, "Invoice": 1])
  }

  /// An identity that stands in an object twice leads to no other object.
  @Test func anIdentityThatIsSaidTwice() throws {
    let (model, _) = try model(
      rows(4) { #"{"eventID": "9fac\#($0)", "id": "9fac\#($0)", "title": "t"}"# }, "events.json")
    #expect(model[entity: "Event"]?.relationships.isEmpty == true)
  }

  @Test func aNumberUnderSourceNamesNoObjectOfItsKind() throws {
    let tickets = (1..<9).map { #"{"id": \#($0), "source": \#($0 % 3 + 1), "subject": "t\#($0)"}"# }
    let source = ImportSource.string("[\(tickets.joined(separator: ", "))]")
    let model = try InferredModel(from: [source]).model
    #expect(model.entities.map(\.relationships.isEmpty) == [true])
  }

  /// Values of dictionaries are compared with each other also where few keys show that they are data.
  @Test func identitiesInDictionaries() throws {
    func app(_ number: Int) -> String {
      #"""
      "\#(220 + number)": {"data": {"name": "G\#(number)", "genres": [{"id": "1", "label": "Action"}],
      "shots": [{"id": 0, "path": "/\#(number)/0"}, {"id": 1, "path": "/\#(number)/1"}]}}
      """#
    }
    let (model, report) = try model("{\((0..<3).map(app).joined(separator: ", "))}", "apps.json")
    #expect(report.inserted["Shot"] == 6)
    #expect(report.inserted["Genre"] == 1)
    #expect(model[entity: "Genre"] != nil)
  }

  /// An object in the dictionaries of two owners has several.
  @Test func dictionariesThatShareObjects() throws {
    let thing = { (number: Int) in
      #"{"id": "Q\#(number)", "claims": {"P31": [{"id": "s1", "rank": "a"}], "P27": [{"id": "t\#(number)", "rank": "b"}]}}"#
    }
    let (_, report) = try model(rows(3, thing), "things.json")
    #expect(report.inserted["Claim"] == 4)
  }

  /// Accounts are named after the key that most of them stand under, not the one with the most empty lists.
  @Test func namesCountObjects() throws {
    let (model, _) = try model(
      rows(12) {
        #"{"id": "s10\#($0)", "account": {"id": "a10\#($0 % 3)", "acct": "u\#($0 % 3)"}, "mentions": \#($0 == 2 ? #"[{"id": "a101", "acct": "u1"}]"# : "[]")}"#
      }, "statuses.json")
    #expect(model[entity: "Account"] != nil)
  }

  /// Who is mentioned has a role, as an author has.
  @Test func authorsAndMentionsAreUsers() throws {
    let (model, _) = try model(
      rows(4) {
        #"{"id": "m10\#($0)", "author": {"id": "u10\#($0 % 2)", "username": "u\#($0 % 2)"}, "mentions": [{"id": "u101", "username": "u1"}]}"#
      }, "messages.json")
    #expect(model[entity: "Message"]?[relationship: "mentions"]?.destination == "User")
  }

  /// Objects of one identity that differ in what they hold are no one object, be it only in which one that is.
  @Test func objectsThatHoldOthers() throws {
    let (model, report) = try model(
      rows(4) {
        #"{"id": "t10\#($0)", "fields": [{"gid": "55", "name": "Priority", "value": {"gid": "66\#($0 % 2)"}}]}"#
      }, "tasks.json")
    #expect(report.inserted["Field"] == 4)
    #expect(model[entity: "Field"]?.declaredIdentity == nil)
  }

  /// Terms of two taxonomies, of which posts have some, are two entities.
  @Test func termsOfTaxonomies() throws {
    let folder = try TestFolder([
      "categories.json": rows(3) {
        #"{"id": \#($0 + 5), "name": "c\#($0)", "slug": "c\#($0)", "count": 1, "link": "/c/\#($0)", "taxonomy": "category", "parent": 0}"#
      },
      "tags.json": rows(3) {
        #"{"id": \#($0 + 90), "name": "t\#($0)", "slug": "t\#($0)", "count": 1, "link": "/t/\#($0)", "taxonomy": "post_tag"}"#
      },
    ])
    let (_, report) = try imported(InferredModel(from: folder.sources()), folder.sources())
    #expect(report.inserted == ["Category": 3, "Tag": 3])
  }

  /// Members of a team are called so where they are people, though a member may be anything.
  @Test func membersThatArePeople() throws {
    let members = rows(3) { #"{"id": "5bfc\#($0)", "username": "u\#($0)"}"# }
    let actions = rows(4) {
      #"{"id": "6abb\#($0)", "memberCreator": {"id": "5bfc\#($0 % 3)", "username": "u\#($0 % 3)"}}"#
    }
    let (model, _) = try model(
      #"{"id": "b1", "name": "Plan", "members": \#(members), "actions": \#(actions)}"#, "board.json")
    #expect(model[entity: "Member"] != nil)
  }

  /// Objects under one key in two others are named by both.
  @Test func oneKeyInTwoObjects() throws {
    let (model, _) = try model(
      rows(4) {
        #"{"id": "g10\#($0)", "white": {"user": {"id": "ann\#($0)", "name": "A"}, "rating": 5}, "black": {"user": {"id": "bob", "name": "B"}, "rating": 4}}"#
      }, "games.json")
    let names = Set(model.entities.flatMap(\.relationships).map(\.name))
    #expect(names.isSuperset(of: ["whiteUser", "blackUser"]))
  }
}
