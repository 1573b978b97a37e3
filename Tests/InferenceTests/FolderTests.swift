import Foundation
import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Folders of files of several shapes: what is one entity, and what the same files do when they come again.
@Suite struct FolderTests {
  private func list(_ count: Int, _ object: (Int) -> String) -> String {
    "[" + (0..<count).map(object).joined(separator: ", ") + "]"
  }

  /// Imports a folder twice. Nothing has an issue, and the second time nothing changes.
  ///
  /// - Returns: The model, and how many objects of each entity there are.
  @discardableResult
  private func importedTwice(_ folder: TestFolder) throws -> (model: InferredModel, counts: [String: Int]) {
    let inferred = try InferredModel(from: folder.sources())
    let (store, first) = try imported(inferred, folder.sources())
    #expect(first.issues.isEmpty, "\(first.issues.prefix(3))")
    let again = try Importer(store, options(inferred)).run(folder.sources())
    #expect(again.issues.isEmpty && again.inserted.isEmpty && again.deleted.isEmpty, "\(again.inserted)")
    #expect(again.updated.isEmpty, "\(again.updated)")
    return (inferred, first.inserted)
  }

  @Test func filesOfOneShapeAreOfOneEntityWhateverTheirNames() throws {
    var files: [String: String] = [:]
    for number in 0..<20 {
      files["cities/\(["ulm", "jena", "bonn"][number % 3])-\(number).json"] = list(3) {
        #"{"stop": "S\#($0)", "line": \#(number), "kind": "tram", "note": "n\#($0)"}"#
      }
    }
    let (inferred, counts) = try importedTwice(TestFolder(files))
    #expect(inferred.model.entities.map(\.name) == ["City"])
    #expect(counts == ["City": 60])
  }

  @Test func aFileIsCalledLikeAKeyOfItsObjectWhateverTheKeyIsCalled() throws {
    var files: [String: String] = [:]
    for (number, name) in ["bk_09f8a1", "bk_19f2c7", "bk_77aa01"].enumerated() {
      files["bookings/\(name).json"] =
        #"{"reference": "\#(name)", "nights": \#(number + 2), "guest": {"name": "G\#(number)"}}"#
    }
    let (inferred, counts) = try importedTwice(TestFolder(files))
    #expect(counts == ["Booking": 3])
    #expect(inferred.mapping["Booking"].identity == ["reference"])
    // What happened is no identity, though the files are called like it.
    let events = ["created", "deleted"].map { ("\($0).json", #"{"action": "\#($0)", "sum": \#($0.count)}"#) }
    let other = try importedTwice(TestFolder(Dictionary(uniqueKeysWithValues: events)))
    #expect(other.model.mapping[other.model.model.entities[0].name].identity != ["action"])
  }

  @Test func anObjectThatOnlyAnotherFileNamesIsNotAddedAgain() throws {
    let (inferred, counts) = try importedTwice(
      TestFolder([
        "author.json": #"{"key": "/authors/OL1A", "name": "Ann", "birth_date": "1950"}"#,
        "work.json":
          #"{"key": "/works/OL1W", "title": "A", "authors": [{"author": {"key": "/authors/OL1A"}}]}"#,
      ]))
    #expect(inferred.mapping["Author"].identity ?? ["key"] == ["key"])
    #expect(counts["Author"] == 1)
  }

  @Test func filesOfSeveralShapesGoInOneCommand() throws {
    let (inferred, counts) = try importedTwice(
      TestFolder([
        "posts.json":
          #"{"data": {"region": "x", "posts": [{"id": "p1", "title": "a"}, {"id": "p2", "title": "b"}]}}"#,
        "users.json": #"{"data": [{"id": 1, "name": "u"}, {"id": 2, "name": "v"}]}"#,
        "quakes.geojson": """
        {"type": "FeatureCollection", "features": [{"type": "Feature", "id": "a", "geometry": {"type": "Point",
         "coordinates": [1, 2]}, "properties": {"mag": 1.5, "felt": 3}}]}
        """,
      ]))
    #expect(Set(inferred.model.entities.map(\.name)) == ["Post", "User", "Quake"])
    #expect(counts == ["Post": 2, "User": 2, "Quake": 1])
  }

  @Test func filesOfOneNameInSeveralFoldersAreToldApartByTheirShape() throws {
    let user = #"{"id": 7, "login": "ann", "url": "https://x.org/ann"}"#
    let (inferred, counts) = try importedTwice(
      TestFolder([
        "create/payload.json": #"{"ref": "main", "master": "main", "pusher": "a", "sender": \#(user)}"#,
        "delete/payload.json": #"{"gone": "old", "why": "done", "at": 3, "sender": \#(user)}"#,
      ]))
    #expect(counts["Sender"] == 1)
    #expect(counts.values.reduce(0, +) == 3)
    let identities = inferred.model.entities.filter { $0.name != "Sender" }.map {
      inferred.mapping[$0.name].identity
    }
    #expect(identities == [["source", "position"], ["source", "position"]])
  }

  @Test func theNameOfAFileIsAValueOfItsObject() throws {
    let folder = try TestFolder(
      Dictionary(
        uniqueKeysWithValues: ["a.org", "b.org", "c.org"].map {
          ("\($0).json", #"{"license": "MIT", "spec": "gtfs", "name": "feed of a town"}"#)
        }))
    let (inferred, counts) = try importedTwice(folder)
    #expect(Array(counts.values) == [3])
    let text = try Exporter(imported(inferred, folder.sources()).store).wholeText()
    for name in ["a.org", "b.org", "c.org"] { #expect(text.contains("\"\(name)\"")) }
  }

  @Test func theSameFileAgainReplacesWhatCameOfIt() throws {
    let row = { (amount: Int) in #"{"amount": \#(amount), "note": "n"}"# }
    let folder = try TestFolder([
      "doses.json": "[\(row(1)), \(row(1)), \(row(2))]", "more.json": "[\(row(1))]",
    ])
    let (inferred, counts) = try importedTwice(folder)
    #expect(counts.values.reduce(0, +) == 4)
    let (store, _) = try imported(inferred, folder.sources())
    try folder.add(["doses.json": "[\(row(1)), \(row(5))]"])
    let again = try Importer(store, options(inferred)).run([folder.source("doses.json")])
    #expect(again.inserted.isEmpty)
    #expect(again.updated.values.reduce(0, +) == 1)
    #expect(again.deleted.values.reduce(0, +) == 1)
    var appending = options(inferred)
    appending.appendsToSources = true
    let added = try Importer(store, appending).run([folder.source("doses.json")])
    #expect(added.inserted.values.reduce(0, +) == 2)
    #expect(added.deleted.isEmpty)
  }

  @Test func whatNothingIdentifiesComesBackFromItsExport() throws {
    let folder = try TestFolder(["rows.json": list(3) { #"{"amount": \#($0 / 2), "note": "n"}"# }])
    let inferred = try InferredModel(from: folder.sources())
    let (store, first) = try imported(inferred, folder.sources())
    let export = try Exporter(store).wholeText()
    let (copy, second) = try imported(inferred, [.string(export)])
    #expect(first.inserted == second.inserted)
    #expect(try Exporter(copy).wholeText() == export)
  }

  @Test func aMessageInPlaceOfObjectsLeavesTheModelAsItWas() throws {
    let folder = try TestFolder(["posts.json": list(12) { #"{"id": \#($0), "title": "t\#($0)"}"# }])
    let known = try InferredModel(from: folder.sources())
    try folder.add(["error.json": #"{"code": 401, "message": "no", "error": "unauthorized"}"#])
    let widened = try InferredModel(from: [folder.source("error.json")])
      .refining(known.model, mapping: known.mapping)
    #expect(widened.model == known.model)
    let (store, _) = try imported(widened, [folder.source("posts.json")])
    let report = try Importer(store, options(widened)).run([folder.source("error.json")])
    #expect(report.inserted.isEmpty)
  }

  @Test func aSecondServiceHasItsOwnForm() throws {
    let folder = try TestFolder([
      "users.json": #"{"data": [{"id": 1, "name": "u"}, {"id": 2, "name": "v"}], "total": 2}"#
    ])
    let known = try InferredModel(from: folder.sources())
    try folder.add([
      "orders.json":
        #"{"response": {"items": [{"number": "A1", "sum": 3, "paid": true}, {"number": "A2", "sum": 4, "paid": true}]}}"#
    ])
    let widened = try InferredModel(from: [folder.source("orders.json")])
      .refining(known.model, mapping: known.mapping)
    let (store, report) = try imported(widened, folder.sources())
    #expect(report.issues.isEmpty)
    #expect(report.inserted == ["User": 2, "Order": 2])
    #expect(try Importer(store).run(folder.sources()).inserted.isEmpty)
  }

  /// A folder that is called like an object of its documents says nothing of the lists beside it, in whatever order they come.
  @Test(arguments: ["crates/oven.json", "things/crate.json", "things/oven.json"])
  func documentsInAFolderCalledLikeOneOfTheirObjects(_ name: String) throws {
    let folder = try TestFolder([
      name: #"""
      {"categories": [{"id": "parsing", "size": 1}, {"id": "baking", "size": 2}],
      "crate": {"id": "oven", "name": "Oven", "categories": ["parsing", "baking"]}, "keywords": [{"id": "k", "size": 4}]}
      """#
    ])
    let inferred = try InferredModel(from: folder.sources())
    let (store, report) = try imported(inferred, folder.sources())
    #expect(report.issues.map(\.description) == [])
    #expect(report.inserted == ["Category": 2, "Crate": 1, "Keyword": 1])
    #expect(report.pendingCount == 0)
    let export = try Exporter(store).wholeText()
    let copy = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    #expect(try Importer(copy).run([.string(export)]).issues.map(\.description) == [])
    #expect(try Exporter(copy).wholeText() == export)
  }

  /// Takes a model from the first of some files, and widens it by the others, one after another. A second round changes nothing
  /// more. All files go into a store of the model without an issue.
  ///
  /// - Returns: The model, and how many objects of each entity there are.
  @discardableResult
  private func importedInTurn(
    _ folder: TestFolder, _ names: [String]
  ) throws -> (model: InferredModel, counts: [String: Int]) {
    var known = try InferredModel(from: [folder.source(names[0])])
    for name in names.dropFirst() {
      known = try InferredModel(from: [folder.source(name)]).refining(known.model, mapping: known.mapping)
    }
    for name in names {
      let again = try InferredModel(from: [folder.source(name)])
        .refining(known.model, mapping: known.mapping)
      #expect(again.model == known.model)
      #expect(again.guesses.map { "\($0.property) \($0.choice)" } == [], "\(name)")
    }
    let store = try Store(path: ":memory:", model: known.model, mapping: known.mapping)
    var counts: [String: Int] = [:]
    for name in names {
      let report = try Importer(store).run([folder.source(name)])
      #expect(report.issues.map(\.description) == [])
      counts.merge(report.inserted, uniquingKeysWith: +)
    }
    return (known, counts)
  }

  /// Objects inside of others that are attributes count as one key each, as where a null came in their place.
  @Test func laterFilesWithTheKeysOfAKnownEntity() throws {
    func issue(_ number: Int, _ creator: String, _ key: String = "title") -> String {
      #"{"id": \#(number), "key": "OPS-\#(number)", "\#(key)": "t\#(number)", "created": "2024-01-01T00:00:0\#(number)Z", "creator": \#(creator), "rights": {"push": true, "pull": \#(number < 4)}}"#
    }
    let creator = #"{"email": "a@x.org", "self": true}"#
    let folder = try TestFolder([
      "issues.json": list(8) { issue($0, creator) }, "OPS-3.json": issue(3, creator),
      "search_results.json": #"{"total": 2, "items": [\#(issue(8, creator)), \#(issue(9, "null"))]}"#,
      "WEB.json": issue(7, "null"),
    ])
    let (inferred, counts) = try importedInTurn(
      folder, ["issues.json", "OPS-3.json", "search_results.json", "WEB.json"])
    #expect(inferred.model.entities.map(\.name) == ["Issue"])
    #expect(counts == ["Issue": 10])
    #expect(
      inferred.model[entity: "Issue"]?.attributes.map(\.name) == [
        "id", "key", "title", "created", "creatorEmail", "creatorSelf", "rightsPush", "rightsPull",
      ])
  }

  /// A null in place of an object has no attribute of its own, be it the first or the last that came.
  @Test(arguments: ["customers.json", "customer_9.json"])
  func nullsInPlaceOfObjects(_ first: String) throws {
    func customer(_ number: Int, _ address: String) -> String {
      #"{"id": "cus_\#(number)", "object": "customer", "email": "\#(number)@x.org", "name": "n\#(number)", "created": 17\#(number), "address": \#(address)}"#
    }
    let folder = try TestFolder([
      "customers.json": list(8) { customer($0, #"{"city": "c\#($0)", "zip": "\#($0)"}"#) },
      "customer_9.json": customer(9, "null"),
    ])
    let (inferred, counts) = try importedInTurn(
      folder, [first, "customers.json", "customer_9.json"])
    #expect(counts == ["Customer": 9])
    let names: Set = ["id", "object", "email", "name", "created", "addressCity", "addressZip"]
    let entity = try #require(inferred.model[entity: "Customer"])
    #expect(Set(entity.attributes.map(\.name)) == names)
  }

  /// What the object in a known relationship has more is of the entity that this leads to.
  @Test func laterObjectsInAKnownRelationship() throws {
    func event(_ number: Int, _ creator: String) -> String {
      #"{"id": \#(number), "title": "t\#(number)", "creator": \#(creator)}"#
    }
    let folder = try TestFolder([
      "events.json": list(20) {
        event($0, #"{"email": "e\#($0 % 3)@x.org", "displayName": "D\#($0 % 3)", "site": "s\#($0 % 3)"}"#)
      },
      "event_21.json": event(
        21, #"{"email": "me@x.org", "site": "z", "self": true, "place": {"city_name": "Ulm"}}"#),
      "event_22.json": event(22, "null"),
    ])
    let (inferred, counts) = try importedInTurn(folder, ["events.json", "event_21.json", "event_22.json"])
    #expect(inferred.model[entity: "Event"]?.attributes.map(\.name) == ["id", "title"])
    let creator = try #require(inferred.model[entity: "Creator"])
    #expect(creator.attributes.map(\.name) == ["email", "displayName", "site", "self", "placeCityName"])
    #expect(creator.attributes.map(\.isOptional) == [false, true, false, true, true])
    #expect(inferred.mapping["Creator"].keys["placeCityName"] == ["place.city_name"])
    #expect(counts == ["Event": 22, "Creator": 4])
  }

  /// Values that say again which object they stand in name no other one, also where the store has the objects.
  @Test func identitiesThatCameTwiceInAnObject() throws {
    func identity(_ number: Int) -> String { "0000\(number * 7919)ab" }
    let folder = try TestFolder([
      "events.json": list(12) {
        #"{"id": "\#(identity($0))", "eventID": "\#(identity($0))", "self": "https://x.org/events/\#(identity($0))", "title": "t\#($0)"}"#
      }
    ])
    let first = try InferredModel(from: folder.sources())
    let identities = Set((0..<12).map(identity))
    var options = InferenceOptions()
    options.known = first.model.entities.map {
      KnownEntity($0, mapping: first.mapping[$0.name], stored: identities.intersection) { _ in [] }
    }
    let again = try InferredModel(from: folder.sources(), options: options)
    #expect(again.model[entity: "Event"]?.relationships == [])
    let refined = again.refining(first.model, mapping: first.mapping)
    #expect(refined.guesses.map(\.choice) == [])
    #expect(refined.model == first.model)
    // A link to an object of the same entity stays an attribute of a model that knows it as one.
    try folder.add([
      "events.json": list(12) {
        #"{"id": "\#(identity($0))", "eventID": "\#(identity($0 / 2))", "self": "https://x.org/events/\#(identity($0))", "title": "t\#($0)"}"#
      }
    ])
    let other = try InferredModel(from: folder.sources(), options: options)
    #expect(other.refining(first.model, mapping: first.mapping).model == first.model)
  }

  /// A key that a list of later objects turns out to lead back by is a relationship, and no attribute beside it.
  @Test func keysThatLeadBackFromLaterLists() throws {
    let answer = { (number: Int) in
      #"{"answer_id": \#(1000 + number), "question_id": \#(100 + number), "score": \#(number)}"#
    }
    let folder = try TestFolder([
      "answers.json": list(9, answer),
      "questions.json": list(12) {
        #"{"question_id": \#(100 + $0), "title": "t\#($0)", "answers": [\#(answer($0))]}"#
      },
    ])
    let (inferred, counts) = try importedInTurn(folder, ["answers.json", "questions.json"])
    let entity = try #require(inferred.model[entity: "Answer"])
    #expect(entity.attributes.map(\.name) == ["answerId", "score"])
    #expect(entity.relationships.map(\.name) == ["question"])
    #expect(entity[relationship: "question"]?.renamingIdentifier == "questionId")
    #expect(inferred.mapping["Answer"].keys["question"] == ["question_id"])
    #expect(inferred.model[entity: "Question"]?[relationship: "answers"]?.inverse == "question")
    #expect(counts == ["Answer": 12, "Question": 12])
    // Text that is no key stays one.
    try folder.add(["answers.json": list(9) { #"{"answer_id": \#(1000 + $0), "question_id": "q\#($0)"}"# }])
    let (other, _) = try importedInTurn(folder, ["answers.json", "questions.json"])
    #expect(other.model[entity: "Answer"]?.attributes.map(\.name).contains("questionId") == true)
    #expect(other.mapping["Answer"].keys["question"] == nil)
  }

  /// The name of a file says whose identity a key is, as the key around objects does.
  @Test(arguments: ["id", "answer_id"])
  func objectsOfAFileInsideOfThoseOfAnother(_ key: String) throws {
    let answer = { (number: Int) in
      #"{"\#(key)": \#(70_000_000 + number * 7919), "question_id": \#(7_000_000 + number * 7919), "score": \#(number), "body": "b\#(number)"}"#
    }
    let questions = list(26) {
      #"{"question_id": \#(7_000_000 + $0 * 7919), "title": "t\#($0)", "answers": [\#(answer($0))]}"#
    }
    let (inferred, counts) = try importedTwice(
      TestFolder([
        "answers.json": #"{"items": \#(list(20, answer))}"#,
        "questions.json": #"{"items": \#(questions)}"#,
      ]))
    #expect(counts == ["Answer": 26, "Question": 26])
    #expect(inferred.model[entity: "Answer"]?[relationship: "question"]?.destination == "Question")
  }

  /// Equal numbers under such keys are no objects where all else differs.
  @Test func objectsOfTwoFilesWithEqualNumbersAndOtherTexts() throws {
    let (_, counts) = try importedTwice(
      TestFolder([
        "answers.json": list(20) { #"{"answer_id": \#(1000 + $0), "body": "x\#($0)", "by": "c\#($0)"}"# },
        "surveys.json": list(20) {
          #"{"id": "s\#($0)", "topic": "t\#($0)", "answers": [{"answer_id": \#(1000 + $0), "body": "y\#($0)", "by": "d\#($0)"}]}"#
        },
      ]))
    #expect(counts.values.reduce(0, +) == 60)
  }

  /// A short form of an object is of its entity, if identities of many digits and names are those of objects there.
  @Test(arguments: ["gid", "id"])
  func shortFormsOfObjectsOfAnotherFile(_ key: String) throws {
    func user(_ number: Int) -> String {
      #""\#(key)": "\#(1_200_000_000_000_000 + number * 7919)", "resource_type": "user", "name": "Name \#(number)""#
    }
    let (inferred, counts) = try importedTwice(
      TestFolder([
        "users.json": list(12) { #"{\#(user($0)), "email": "u\#($0)@x.org"}"# },
        "tasks.json": list(40) {
          #"{"\#(key)": "\#(1_300_000_000_000_000 + $0 * 7919)", "resource_type": "task", "title": "T\#($0)", "assignee": {\#(user($0 % 12))}}"#
        },
      ]))
    #expect(counts == ["User": 12, "Task": 40])
    #expect(inferred.model[entity: "Task"]?[relationship: "assignee"]?.destination == "User")
  }

  /// Other names under the same numbers are those of other things.
  @Test func shortFormsWithOtherNames() throws {
    let (_, counts) = try importedTwice(
      TestFolder([
        "users.json": list(12) {
          #"{"id": \#(1_200_000 + $0), "name": "Name \#($0)", "email": "u\#($0)@x.org"}"#
        },
        "tasks.json": list(40) {
          #"{"id": \#(1_300_000 + $0), "title": "T\#($0)", "region": {"id": \#(1_200_000 + $0 % 12), "name": "Land \#($0 % 12)"}}"#
        },
      ]))
    #expect(counts == ["User": 12, "Task": 40, "Region": 12])
  }

  /// Objects that the store has under another name are its own, be their identities numbers or the same as texts.
  @Test(arguments: ["120001", #""120001""#])
  func laterObjectsThatTheStoreHasUnderAnotherName(_ identity: String) throws {
    let folder = try TestFolder([
      "projects.json":
        #"[{"gid": "p1", "archived": true, "owner": {"gid": \#(identity), "name": "U", "kind": "user"}}]"#,
      "users.json": #"[{"gid": \#(identity), "name": "U", "kind": "user", "email": "u@x.org"}]"#,
    ])
    let first = try InferredModel(from: [folder.source("projects.json")])
    #expect(first.model.entities.map(\.name) == ["Project", "Owner"])
    var options = InferenceOptions()
    options.known = first.model.entities.map { entity in
      KnownEntity(
        entity, mapping: first.mapping[entity.name],
        stored: { Set($0.filter { entity.name == "Owner" && $0 == "120001" }) }
      ) { _ in [] }
    }
    let refined = try InferredModel(from: [folder.source("users.json")], options: options)
      .refining(first.model, mapping: first.mapping)
    #expect(refined.model.entities.map(\.name) == ["Project", "Owner"])
    #expect(refined.model[entity: "Owner"]?.attributes.map(\.name) == ["gid", "name", "kind", "email"])
  }

  /// A key that is called like the objects, or that others name, identifies them, whatever other ones come before it.
  @Test(arguments: ["user", "member"])
  func identitiesThatAreCalledLikeTheirObjects(_ name: String) throws {
    let (inferred, counts) = try importedTwice(
      TestFolder([
        "users.json": list(9) {
          #"{"account_id": \#(5000 + $0 * 7), "\#(name)_id": \#(900 + $0), "display_name": "U\#($0)"}"#
        },
        "posts.json": list(12) {
          #"{"post_id": \#($0), "owner_\#(name)_id": \#(900 + $0 % 9), "t": "x\#($0)"}"#
        },
      ]))
    #expect(counts == ["User": 9, "Post": 12])
    #expect(inferred.model[entity: "Post"]?.relationships.map(\.destination) == ["User"])
    #expect(inferred.model[entity: "User"]?.attributes.first?.name == "\(name)Id")
  }

  /// Where the object in a known relationship does not say which it is, what it says is kept beside.
  @Test func laterObjectsWithoutIdentityInAKnownRelationship() throws {
    let folder = try TestFolder([
      "events.json": list(20) {
        #"{"id": \#($0), "title": "t\#($0)", "creator": {"email": "e\#($0 % 3)@x.org", "nick": "D\#($0 % 3)"}}"#
      },
      "event_21.json": #"{"id": 21, "title": "t", "creator": {"self": true}}"#,
    ])
    let known = try InferredModel(from: [folder.source("events.json")])
    let refined = try InferredModel(from: [folder.source("event_21.json")])
      .refining(known.model, mapping: known.mapping)
    #expect(
      refined.model[entity: "Event"]?.attributes.map(\.name) == ["id", "title", "creatorSelf"])
    #expect(refined.model[entity: "Creator"] == known.model[entity: "Creator"])
  }

  /// Numbers that count from one and names that are the same in another order are those of two kinds of things.
  @Test func shortFormsWithTheSameNumbersAndNamesInAnotherOrder() throws {
    let (_, counts) = try importedTwice(
      TestFolder([
        "countries.json": list(12) {
          #"{"id": \#($0 + 1), "name": "Land \#($0)", "continent": "c\#($0 % 3)"}"#
        },
        "games.json": list(40) {
          #"{"id": \#($0 + 1000), "day": "d\#($0)", "winner": {"id": \#(12 - $0 % 12), "name": "Land \#($0 % 12)"}}"#
        },
      ]))
    #expect(counts == ["Country": 12, "Game": 40, "Winner": 12])
  }
}

extension FolderTests {
  /// Documents that two forms know: the name of the file itself chooses, and that of its folder does not.
  @Test(arguments: [
    ("shop/assets.json", "Asset", 2), ("shop/page-1.json", "Shop", 1), ("assets/page-1.json", "Shop", 1),
  ])
  func theNameOfTheFileItselfChoosesAmongForms(_ file: String, _ entity: String, _ count: Int) throws {
    let folder = try TestFolder([
      file:
        #"{"sys": {"type": "Array"}, "total": 2, "items": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]}"#
    ])
    let shop = Entity(
      name: "Shop",
      attributes: [Attribute(name: "total", type: .integer64), Attribute(name: "kind", type: .string)],
      relationships: [Relationship(name: "items", destination: "Item", inverse: "shop", isToMany: true)])
    let item = Entity(
      name: "Item",
      attributes: [Attribute(name: "id", type: .integer64), Attribute(name: "title", type: .string)],
      relationships: [Relationship(name: "shop", destination: "Shop", inverse: "items", isOptional: true)])
    let asset = Entity(
      name: "Asset",
      attributes: [Attribute(name: "id", type: .integer64), Attribute(name: "title", type: .string)])
    let mapping = try JSONMapping(
      text: """
        document:
          forms:
            - {at: items, entity: Asset, keys: [id, title]}
            - {at: "$", entity: Shop, keys: [sys, total, items]}
        Shop: {identity: none, keys: {kind: sys.type}}
        """)
    let store = try Store(path: ":memory:", model: Model(entities: [shop, item, asset]), mapping: mapping)
    let report = try Importer(store).run(folder.sources())
    #expect(report.issues.isEmpty, "\(report.issues)")
    #expect(report.inserted[entity] == count, "\(report.inserted)")
  }
}
