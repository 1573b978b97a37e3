import Broker
import Foundation
import Testing

enum Noise: String, CaseIterable, Sendable {
  case calm, loud, other
}

/// Without a list of its cases.
enum Level: Int, Sendable {
  case none = 0
  case high = 9
}

@Entity @Kinds("type", unknown: .skip) struct Activity {
  var id: Int
  @Attribute(unknown: Noise.other) var mood: Noise
  @Attribute(unknown: Level.none) var level: Level?
}

@Entity @Kind("PushEvent", "push") struct Push {
  @Inherited var activity: Activity
  var size: Int?
}

@Entity @Kinds("kind", unknown: .entity(OtherShape.self)) struct Shape {
  var id: Int
  var area: Double?
}

@Entity struct Circle {
  @Inherited var shape: Shape
  var radius: Double?
}

@Entity struct OtherShape {
  @Inherited var shape: Shape
  @Key("kind") var word: String?
}

/// Kinds and cases that a program does not know.
@Suite struct UnknownKindTests {
  private func activities() async throws -> Store { try await Store(at: .scratch, for: Push.self) }

  @Test("an unknown kind is left out without an issue, where that was said")
  func skipping() async throws {
    let store = try await activities()
    let report = try await store.import(
      #"[{"id": 1, "type": "PushEvent", "mood": "calm", "size": 3}, {"id": 2, "type": "Fork", "mood": "calm"}]"#,
      as: Activity.self)
    #expect(report.issues.isEmpty && report.inserted == ["Push": 1] && report.skipped == ["Activity": 1])
    var strict = ImportOptions()
    strict.isStrict = true
    let again = try await store.import(
      #"[{"id": 2, "type": "Fork", "mood": "calm"}]"#, as: Activity.self, options: strict)
    #expect(again.issues.isEmpty)
  }

  @Test("it becomes another entity, where that was said, and comes back as it came")
  func otherEntities() async throws {
    let store = try await Store(at: .scratch, for: Circle.self, Shape.self)
    let report = try await store.import(
      #"[{"id": 1, "kind": "circle", "radius": 2}, {"id": 2, "kind": "hexagon", "area": 5}]"#, as: Shape.self)
    #expect(report.issues.isEmpty && report.inserted == ["Circle": 1, "OtherShape": 1])
    let other = try #require(try await store.fetch(OtherShape.all).first)
    #expect(other.shape.area == 5 && other.word == "hexagon")
  }

  @Test("an unknown case becomes the one that was named for it")
  func cases() async throws {
    let store = try await activities()
    let json =
      #"[{"id": 1, "mood": "furious", "level": 7}, {"id": 2, "mood": "loud", "level": 9}, {"id": 3, "mood": "x"}]"#
    let report = try await store.import(json, as: Activity.self)
    #expect(report.issues.isEmpty)
    let all = try await store.fetch(Activity.all.sorted(by: \.id))
    #expect(all.map(\.mood) == [.other, .loud, .other])
    #expect(all.map(\.level) == [Level.none, .high, nil])
    let unusable = try await store.import(#"[{"id": 4, "mood": "calm", "level": "high"}]"#, as: Activity.self)
    #expect(unusable.issues.count == 1, "a text is no number, known or not")
  }

  @Test("a base object is read as its sub-entity")
  func asSubEntity() async throws {
    let store = try await activities()
    let json = #"[{"id": 1, "type": "push", "mood": "calm", "size": 3}, {"id": 2, "mood": "calm"}]"#
    try await store.import(json, as: Activity.self)
    let all = try await store.fetch(Activity.all.sorted(by: \.id))
    #expect(try await store.first(all[0].as(Push.self))?.size == 3)
    #expect(try await store.count(all[1].as(Push.self)) == 0)
  }

  // MARK: - Mappings

  @Test func mappingsByKeyPaths() async throws {
    var mapping = JSONMapping()
    try mapping.map(Shape.self) { shape in
      shape.keys(\.area, "size.area")
      shape.kinds(.key("what", values: ["round": "Circle"]), unknown: .skip)
    }
    try mapping.map(Activity.self) { $0.unknown(\.mood, .loud) }
    let store = try await Store(at: .scratch, for: Circle.self, Shape.self, Activity.self, mapping: mapping)
    let report = try await store.import(
      #"[{"id": 1, "what": "round", "size": {"area": 7}}, {"id": 2, "what": "odd"}]"#, as: Shape.self)
    #expect(report.issues.isEmpty && report.inserted == ["Circle": 1])
    #expect(try await store.find(Circle.self, 1).shape.area == 7)
    try await store.import(#"[{"id": 1, "mood": "odd"}]"#, as: Activity.self)
    #expect(try await store.find(Activity.self, 1).mood == .loud)
    #expect(throws: TypeError.self) { try mapping.map(Circle.self) { $0.keys(\.id, "number") } }
  }

  @Test(arguments: [
    ("Activity: {unknown: {mood: nonsense}}", "Activity.mood has nonsense for values that are not known"),
    ("Activity: {unknown: {id: 5}}", "Activity.id has 5 for values that are not known"),
    ("Activity: {unknown: {moood: calm}}", "there is no property “moood”"),
    ("Activity: {discriminator: {key: type, unknown: Circle}}", "“Circle” is no sub-entity of “Activity”"),
  ])
  func mistakes(_ text: String, _ message: String) async throws {
    do {
      let mapping = try JSONMapping(text: text)
      let store = try await Store(at: .scratch, for: Push.self, mapping: mapping)
      try await store.import("[]", as: Activity.self)
      Issue.record("It is no mistake.")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
    }
  }
}
