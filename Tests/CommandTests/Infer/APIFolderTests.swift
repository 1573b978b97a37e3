import Foundation
import Testing

/// Folders of files after real APIs and sets of data, imported at once and one by one in both orders, and then again: at once, and one by one.
@Suite struct APIFolderTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// How many objects there are of each entity that has any, the greatest number first.
  private func counts(_ store: String) throws -> [Int] {
    let outcome = try broker("info", store, "--format", "json", in: folder)
    let info = try JSONDecoder().decode(Info.self, from: Data(outcome.output.utf8))
    return info.model.entities.map(\.objects).filter { $0 > 0 }.sorted(by: >)
  }

  private struct Info: Decodable {
    struct Entity: Decodable {
      var objects: Int
    }
    struct Model: Decodable {
      var entities: [Entity]
    }
    var model: Model
  }

  /// Imports files, or the whole folder, into a new store, and then what has to be there already.
  private func imported(_ names: [String], again: [String], _ files: SampleFolder) throws -> [Int] {
    let store = "\(UUID()).sqlite"
    for (round, names) in [names, again].enumerated() {
      for name in names {
        let outcome = try broker("import", name, "--store", store, "--format", "json", in: folder)
        #expect(outcome.status == 0, "\(name): \(outcome.output) \(outcome.error)")
        guard outcome.status == 0 else { return [] }
        let report = try outcome.report()
        #expect(report.deleted == [:], "\(name): \(outcome.output)")
        guard round > 0, !files.isUpdated else { continue }
        #expect(report.inserted == [:] && report.updated == [:], "\(names) \(name): \(outcome.output)")
      }
    }
    let check = try broker("model", "check", store, in: folder)
    #expect(check.status == 0, "\(check.output)")
    return try counts(store)
  }

  @Test(arguments: SampleFolder.apis + SampleFolder.dataSets + SampleFolder.refuted + SampleFolder.documents)
  func theSameObjectsComeHoweverTheyAreImported(
    _ files: SampleFolder
  ) throws {
    let names = files.files.keys.sorted()
    try folder.makeFolder("in")
    for (name, text) in files.files {
      if let slash = name.firstIndex(of: "/") { try folder.makeFolder("in/\(name[..<slash])") }
      try folder.write(text, to: "in/\(name)")
    }
    let paths = names.map { "in/\($0)" }
    let together = try imported(["in"], again: ["in"] + paths, files)
    #expect(together == files.together)
    guard !files.comesAtOnce else { return }
    let alone = try imported(paths, again: ["in"], files)
    #expect(alone == files.alone ?? files.together)
    let reversed = try imported(paths.reversed(), again: ["in"], files)
    #expect(reversed == files.reversed ?? files.together)
  }

  /// The values of a dictionary of texts, of what is inside of objects and of headers are there.
  @Test func nothingIsLostOnTheWay() throws {
    try folder.makeFolder("in")
    for (name, text) in SampleFolder.apis.flatMap(\.files) where !name.contains("/") {
      guard ["currencies.json", "latest.json", "match-1.json", "match-2.json"].contains(name) else {
        continue
      }
      try folder.write(text, to: "in/\(name)")
    }
    #expect(try broker("import", "in", "--store", "s.sqlite", in: folder).status == 0)
    let export = try broker("export", "--store", "s.sqlite", in: folder).output
    for word in ["EUW_69001", "EUW_69002", "Franc", "0.93"] { #expect(export.contains(word), "\(export)") }
  }

  /// A folder for each channel, with a file for each day, is one whole.
  @Test func whatIsAttachedToAMessageIsThere() throws {
    let files = [
      "dev-ops/2024-01-04.json":
        #"[{"type": "message", "text": "hi", "user": "U1", "ts": "a1704326400.3", "team": "T1", "thread_ts": "a1704326400.3"}]"#,
      "general/2024-01-01.json":
        #"[{"type": "message", "ts": "a1704067200.3", "user": "U2", "text": "joined"}]"#,
      "random/2024-01-02.json":
        #"[{"text": "yo", "user": "U3", "ts": "a1704153600.9", "team": "T1", "thread_ts": "a1704153600.9"}]"#,
      "random/2024-01-03.json":
        #"[{"type": "message", "ts": "a1704240600.6", "user": "U2", "text": "joined"}, {"ts": "a1704241200.5", "files": [{"id": "F05LE"}]}]"#,
    ]
    for (name, text) in files {
      try folder.makeFolder("in/\(name.prefix { $0 != "/" })")
      try folder.write(text, to: "in/\(name)")
    }
    let outcome = try broker("import", "in", "--store", "s.sqlite", "--format", "json", in: folder)
    #expect(outcome.status == 0)
    #expect(try outcome.report().inserted.values.sorted() == [1, 5])
  }

  /// The ids of audits, of which each report has others, are values where a list of keys names them.
  @Test func keysOfObjectsThatLostTheirIdentityAreValues() throws {
    let audits = ["first-contentful-paint", "total-blocking-time", "uses-http2", "image-alt", "is-on-https"]
    try folder.makeFolder("reports")
    for page in ["about", "home"] {
      let all = audits.map {
        #""\#($0)": {"id": "\#($0)", "title": "T", "score": 0.\#(page.count * $0.count)}"#
      }
      let keys = audits.map { "\"\($0)\"" }.joined(separator: ", ")
      try folder.write(
        #"{"requestedUrl": "https://x.example/\#(page)", "audits": {\#(all.joined(separator: ", "))}, "categories": {"seo": {"id": "seo", "title": "SEO", "auditIds": [\#(keys)]}}}"#,
        to: "reports/report-\(page).json")
    }
    for expected in [13, 0] {
      let outcome = try broker("import", "reports", "--store", "s.sqlite", "--format", "json", in: folder)
      #expect(outcome.status == 0, "\(outcome.output)")
      let report = try outcome.report()
      #expect(report.inserted.values.reduce(0, +) == expected && report.updated == [:], "\(outcome.output)")
    }
    let export = try broker("export", "--store", "s.sqlite", in: folder).output
    #expect(export.contains(#""auditIds":["first-contentful-paint""#), "\(export)")
  }

  /// The messages of two chats have numbers of their own, and are of several kinds.
  @Test func messagesOfChatsAreApart() throws {
    let files = [
      "channel.json":
        #"{"name": "News", "type": "public_channel", "id": 66666, "messages": [{"id": 1, "type": "message", "date": "2023-02-01T10:00:00", "from": "Ada", "from_id": "uAda", "text": "one"}, {"id": 2, "type": "service", "date": "2023-01-02T10:00:00", "actor": "Ben", "actor_id": "u2", "action": "pin_message", "message_id": 1, "text": ""}]}"#,
      "group.json":
        #"{"name": "Fam", "type": "private_group", "id": 55555, "messages": [{"id": 1, "type": "message", "date": "2023-02-01T10:00:00", "from": "Cleo", "from_id": "uCleo", "text": "three"}, {"id": 2, "type": "message", "date": "2023-02-02T10:00:00", "from": "Dan", "from_id": "uDan", "text": "four", "reply_to_message_id": 1}]}"#,
    ]
    try folder.makeFolder("chats")
    for (name, text) in files { try folder.write(text, to: "chats/\(name)") }
    let outcome = try broker("import", "chats", "--store", "s.sqlite", "--format", "json", in: folder)
    #expect(outcome.status == 0)
    #expect(try outcome.report().inserted.values.sorted() == [1, 1, 1, 1, 2])
    let export = try broker("export", "--store", "s.sqlite", in: folder).output
    for word in ["one", "pin_message", "three", "four"] { #expect(export.contains("\"\(word)\"")) }
  }

  /// The keys of lists that are names are there: `Cote d'Ivoire`.
  @Test func keysOfListsAreKept() throws {
    let text =
      #"{"France": [{"date": "2020-3-1", "cases": 1, "deaths": 2}], "US": [{"date": "2020-3-1", "cases": 3, "deaths": 4}], "Cote d'Ivoire": [{"date": "2020-3-1", "cases": 5, "deaths": 6}]}"#
    try folder.write(text, to: "cases.json")
    #expect(try broker("import", "cases.json", "--store", "s.sqlite", in: folder).status == 0)
    let export = try broker("export", "--store", "s.sqlite", in: folder).output
    for word in ["France", "US", "Cote d'Ivoire"] { #expect(export.contains(word), "\(export)") }
  }
}
