import Foundation
import Testing

/// Guesses of a model after a first file that a later file refutes: they are taken back, and nothing is overwritten.
@Suite struct GuessTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Files, and how many objects of each entity there are in all of them.
  struct Files: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let files: [String]
    let counts: [String: Int]
  }

  private static let files = [
    Files(
      testDescription: "lists of local numbers",
      files: [
        #"[{"id": 71001, "name": "north", "shelves": [{"id": 1, "label": "tea"}, {"id": 2, "label": "rice"}]}]"#,
        #"[{"id": 71002, "name": "south", "shelves": [{"id": 1, "label": "salt"}, {"id": 2, "label": "oil"}]}]"#,
      ], counts: ["Store": 2, "Shelf": 4]),
    Files(
      testDescription: "lines of orders",
      files: [
        #"[{"id": "o-1", "lines": [{"sku": "A", "qty": 1}, {"sku": "B", "qty": 2}]}, {"id": "o-2", "lines": [{"sku": "C", "qty": 3}]}]"#,
        #"[{"id": "o-3", "lines": [{"sku": "A", "qty": 4}, {"sku": "C", "qty": 5}]}, {"id": "o-4", "lines": []}]"#,
      ], counts: ["Store": 4, "Line": 5]),
    Files(
      testDescription: "parts of objects without identity",
      files: [
        #"{"season": "a", "races": [{"round": "1", "results": [{"number": "1", "points": "25"}, {"number": "44", "points": "18"}]}]}"#,
        #"{"season": "a", "races": [{"round": "2", "results": [{"number": "44", "points": "25"}, {"number": "1", "points": "15"}]}]}"#,
      ], counts: ["Race": 2, "Result": 4]),
    Files(
      testDescription: "kinds of parts",
      files: [
        #"{"uid": "u-1", "panels": [{"id": 1, "type": "row", "collapsed": true, "span": 2}, {"id": 2, "type": "stat", "unit": "s", "color": "red"}]}"#,
        #"{"uid": "u-2", "panels": [{"id": 1, "type": "stat", "unit": "ms", "color": "blue"}, {"id": 2, "type": "row", "collapsed": false, "span": 4}]}"#,
      ], counts: ["Row": 2, "Stat": 2]),
    Files(
      testDescription: "objects that several lists hold",
      files: [
        #"[{"id": "f0", "directors": [{"id": "d0", "name": "A"}]}, {"id": "f1", "directors": [{"id": "d1", "name": "B"}]}]"#,
        #"[{"id": "f2", "directors": [{"id": "d1", "name": "B"}]}, {"id": "f3", "directors": [{"id": "d0", "name": "A"}]}]"#,
      ], counts: ["Store": 4, "Director": 2]),
  ]

  /// How many objects there are of each entity.
  private func counts() throws -> [String: Int] {
    let model = try broker("info", "s.sqlite", "--format", "json", in: folder)
    let info = try JSONDecoder().decode(Info.self, from: Data(model.output.utf8))
    return Dictionary(uniqueKeysWithValues: info.model.entities.map { ($0.name, $0.objects) })
  }

  private struct Info: Decodable {
    struct Entity: Decodable {
      var name: String
      var objects: Int
    }
    struct Model: Decodable {
      var entities: [Entity]
    }
    var model: Model
  }

  @Test(arguments: files, [[0, 1], [1, 0]])
  func whatALaterFileShowsToBeOtherwiseIsTakenBack(_ files: Files, _ order: [Int]) throws {
    for (index, text) in files.files.enumerated() {
      try folder.makeFolder("\(index)")
      try folder.write(text, to: "\(index)/stores.json")
    }
    for round in 0..<2 {
      for index in order {
        let outcome = try broker(
          "import", "\(index)/stores.json", "--store", "s.sqlite", "--format", "json", in: folder)
        #expect(outcome.status == 0, "\(outcome.error)")
        let report = try outcome.report()
        #expect(report.updated == [:] && report.deleted == [:], "\(report.updated) \(outcome.error)")
        #expect(round == 0 || report.inserted == [:], "\(report.inserted)")
      }
    }
    let counts = try counts()
    for (entity, count) in files.counts where entity != "Store" || counts[entity] != nil {
      #expect(counts[entity] == count, "\(counts)")
    }
    let model = try broker("model", "check", "s.sqlite", in: folder)
    #expect(model.status == 0, "\(model.output)")
  }

  private func imported(_ names: [String: String], _ order: [String]) throws -> [String: Int] {
    for (name, text) in names { try folder.write(text, to: name) }
    for name in order {
      let outcome = try broker("import", name, "--store", "s.sqlite", in: folder)
      #expect(outcome.status == 0, "\(outcome.output) \(outcome.error)")
    }
    return try counts()
  }

  /// Objects that come with more than they had may be the same; those that come with other values are others.
  @Test func objectsOfSeveralOwnersKeepTheirIdentity() throws {
    let counts = try imported(
      [
        "films-1.json": #"[{"id": "f0", "directors": [{"id": 1, "name": "A", "born": null}]}]"#,
        "films-2.json": #"[{"id": "f1", "directors": [{"id": 1, "name": "A", "born": 1970}]}]"#,
      ], ["films-1.json", "films-2.json"])
    #expect(counts["Director"] == 1)
    let films = try broker(
      "query", "Film", "--where", "directors.@count == 1", "--count", "--store", "s.sqlite", in: folder)
    #expect(films.output.contains("2"), "\(films.output) \(films.error)")
  }

  @Test(arguments: [["api-builds.json", "web-builds.json"], ["web-builds.json", "api-builds.json"]])
  func partsOfOwnersOfTwoKindsAreOthers(_ order: [String]) throws {
    func builds(_ job: String) -> String {
      let builds = (1...3).map {
        #"{"number": \#($0), "id": "\#($0)", "url": "https://ci/\#(job)/\#($0)/", "result": "OK"}"#
      }
      return #"{"_class": "job", "name": "\#(job)", "builds": [\#(builds.joined(separator: ", "))]}"#
    }
    let counts = try imported(
      ["api-builds.json": builds("api"), "web-builds.json": builds("web")], order + order)
    #expect(counts["Build"] == 6, "\(counts)")
  }

  /// Objects in lists of two relationships that surely are the same have an owner by each, however much their values change.
  @Test func objectsOfTwoRelationshipsStayThese() throws {
    func lines(_ quantity: Int) -> String {
      let lines = (1...4).map { #"{"id": \#(9_000_000 + $0), "sku": "s\#($0)", "quantity": \#(quantity)}"# }
      return "[\(lines.joined(separator: ", "))]"
    }
    let counts = try imported(
      [
        "orders.json": #"[{"id": 1, "total": 5, "lines": \#(lines(7))}, {"id": 2, "total": 6, "lines": []}]"#,
        "shipments.json":
          #"[{"id": 1, "carrier": "c", "lines": \#(lines(5))}, {"id": 2, "carrier": "d", "lines": []}]"#,
      ], ["orders.json", "shipments.json", "orders.json"])
    #expect(counts["Line"] == 4)
    let model = try broker("model", "show", "s.sqlite", in: folder).output
    #expect(model.contains("→ Order ") && model.contains("→ Shipment "), "\(model)")
  }

  /// The keys by which a list named objects that lose their identity are values of it, of the objects that are there too.
  @Test func keysOfObjectsWithoutIdentityAreValues() throws {
    func match(_ number: Int, _ other: String) -> String {
      #"{"metadata": {"matchId": "EUW1_\#(number)", "participants": ["pu-a", "\#(other)"]}, "info": {"mode": "m", "participants": [{"puuid": "pu-a", "kills": \#(number)}, {"puuid": "\#(other)", "kills": 5}]}}"#
    }
    let counts = try imported(
      ["m1.json": match(1, "pu-b"), "m2.json": match(2, "pu-c")], ["m1.json", "m2.json"])
    #expect(counts["Participant"] == 4)
    let export = try broker("export", "--store", "s.sqlite", in: folder).output
    #expect(export.contains(#"["pu-a","pu-b"]"#) && export.contains(#"["pu-a","pu-c"]"#), "\(export)")
  }

  @Test func anIdentityThatSomebodySaidIsNotTakenBack() throws {
    let texts = Self.files[0].files
    try folder.write(texts[0], to: "stores.json")
    try folder.write(texts[1], to: "stores-2.json")
    _ = try broker(
      "import", "stores.json", "--identity", "Shelf=id", "--store", "s.sqlite", in: folder)
    let outcome = try broker("import", "stores-2.json", "--store", "s.sqlite", "--format", "json", in: folder)
    #expect(outcome.status == 0)
    #expect(try outcome.report().updated == ["Shelf": 2])
    #expect(try counts()["Shelf"] == 2)
  }

  @Test(arguments: [["--dry-run"], ["--chunk", "1"]])
  func whatIsTakenBackIsSo(_ options: [String]) throws {
    let texts = Self.files[0].files
    try folder.write(texts[0], to: "stores.json")
    try folder.write(texts[1], to: "stores-2.json")
    _ = try broker("import", "stores.json", "--store", "s.sqlite", in: folder)
    let outcome = try broker(
      ["import", "stores-2.json", "--store", "s.sqlite", "--format", "json"] + options, in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.error.contains("Shelf.id: is no identity any more"))
    #expect(try outcome.report().inserted == ["Shelf": 2, "Store": 1])
    #expect(try counts()["Shelf"] == (options == ["--dry-run"] ? 2 : 4))
  }
}
