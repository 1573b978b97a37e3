import Broker
import Foundation

// MappingJSON.md

@Entity struct Station {
  var id: Int
  @Key("title", "name") var name: String
  @Key("location.lat") var latitude: Double?
  @Key("location.lon") var longitude: Double?
  @Attribute(dateFormat: "dd.MM.yyyy") var opened: Date?
  @Attribute(dateFormat: "milliseconds") var checked: Date?
  @Attribute(transformers: ["trimmed", "emptyIsNull"]) var note: String?
  @Attribute(transformers: ["yesNo"]) var isOpen: Bool?
  @Attribute(exported: false) var secret: String?
  @Version var revision: Int?
}

enum Kind: RawRepresentable, Sendable, Hashable {
  case live, studio, other(String)

  init(rawValue: String) {
    switch rawValue {
    case "live": self = .live
    case "studio": self = .studio
    default: self = .other(rawValue)
    }
  }

  var rawValue: String {
    switch self {
    case .live: "live"
    case .studio: "studio"
    case .other(let word): word
    }
  }
}

@Entity struct Recording {
  var id: Int
  var kind: Kind
}

@Entity struct Film {
  var id: Int
  @Attribute(transformers: [.table(["A": "active", "I": "inactive"], otherwise: .keep)]) var status: String?
  @Relationship(transformers: [.regex(#"/people/(\d+)/"#, write: "https://swapi.dev/api/people/$1/")])
  var actors: ToMany<Actor>
  @Relationship(transformers: [.prefix("Person/")]) var director: ToOne<Actor>?
}

@Entity struct Actor {
  var id: Int
  var name: String?
}

func importingStations(_ store: Store) async throws -> Report {
  let report = try await store.import(
    #"""
    [{"id": "7", "title": "Gare", "location": {"lat": 48.84, "lon": 2.37}, "opened": "01.07.1849",
      "checked": 1700000000000, "note": "  ", "is_open": "yes", "platforms": 22}]
    """#, as: Station.self)
  print(report.unmatchedKeys)  // ["Station": ["platforms": 1]]
  return report
}

func importingAnUnknownCase(_ store: Store) async throws -> Report {
  let report = try await store.import(#"[{"name": "Rush", "genre": "polka"}]"#, as: Band.self)
  print(report.issues[0].path, report.issues[0].expected)  // $[0].genre one of "rock", "pop", "ambient"
  return report
}

func cents() -> JSONMapping {
  var mapping = JSONMapping()
  mapping.functions.transformers["cents"] = Transformer(
    read: { value in
      if value == .null { return .null }
      guard let cents = value.integerValue else { throw TransformerError(expected: "cents") }
      return .double(Double(cents) / 100)
    },
    write: { value in
      value.doubleValue.map { .integer(Int64(($0 * 100).rounded())) } ?? value
    })
  return mapping
}

func mappingApart() async throws -> Store {
  var mapping = JSONMapping()
  mapping["Band"].names = ["acts"]
  mapping["Band"].keys = ["formed": ["details.founded", "started"]]
  mapping["Band"].toMany = ["albums": .prune]
  mapping["Band"].references = ["label": .stub]
  let store = try await Store(at: .memory, for: Band.self, mapping: mapping)
  return store
}
