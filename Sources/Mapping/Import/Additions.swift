import Foundation
import JSONStream
import ObjectModel

/// The values that the objects of a source get, as far as they are known.
struct Additions {
  struct Value {
    var key: String
    var value: JSONValue
    /// How many steps of the root path lead to what it was taken from; it counts as long as the reader is inside.
    var level: Int
  }

  /// What has to be looked up, by the number of steps to the object that it is looked up in.
  private var lookups: [Int: [(key: String, path: JSONKeyPath)]] = [:]
  private(set) var values: [Value] = []
  /// The keys that some entity has taken.
  var taken: Set<String> = []

  init() {}

  /// The keys of values that count the objects.
  private var positionKeys: [String] = []
  /// How many objects of each entity came.
  private var positions: [Int: Int64] = [:]
  /// Whether an object with keys of its entity came from the source.
  var hasObjects = false
  /// The key that objects get the name of their source under, and that name.
  private(set) var source: (key: String, name: String)?

  /// - Parameter isNew: Whether what the source identifies is added beside what came of it before.
  init(
    _ added: [String: AddedValue], _ root: RootPath, _ source: ImportSource, isNew: Bool
  ) throws(ImportError) {
    for (key, value) in added.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .value(let value): values.append(Value(key: key, value: value, level: -1))
      case .fileName: add(key, source.fileName)
      case .folderName: add(key, source.folderName)
      case .source:
        let name = (isNew ? nil : source.uniqueName) ?? Self.newName()
        self.source = (key, name)
        add(key, name)
      case .position: positionKeys.append(key)
      case .document(let text): try look(up: text, as: key, at: 0)
      case .enclosing(let level, let text):
        try look(up: text, as: key, at: root.level(level))
      }
    }
  }

  /// A name that no other source has.
  private static func newName() -> String { "-/\(UUID().uuidString.lowercased())" }

  /// Gives the next object of an entity its position among those.
  mutating func beginObject(of entity: Int) {
    guard !positionKeys.isEmpty else { return }
    let position = positions[entity, default: 0]
    for key in positionKeys {
      values.removeAll { $0.key == key }
      set(key, .integer(position), level: -1)
    }
    positions[entity] = position + 1
  }

  private mutating func add(_ key: String, _ text: String?) {
    if let text { values.append(Value(key: key, value: .string(text), level: -1)) }
  }

  private mutating func look(up text: String, as key: String, at level: Int) throws(ImportError) {
    do throws(JSONKeyPathError) {
      lookups[level, default: []].append((key, try JSONKeyPath(text)))
    } catch {
      throw ImportError(.noKeyPath(text, error.message))
    }
  }

  /// The paths that lead to values from what a number of steps lead to.
  func paths(at level: Int) -> [(key: String, path: JSONKeyPath)] { lookups[level] ?? [] }

  /// Sets a value that was found after some steps of the root path.
  mutating func set(_ key: String, _ value: JSONValue, level: Int) {
    values.append(Value(key: key, value: value, level: level))
  }

  /// Forgets what was found after this many steps or more.
  mutating func leave(_ level: Int) { values.removeAll { $0.level >= level } }

  var isEmpty: Bool { values.isEmpty && positionKeys.isEmpty }
}
