import Foundation
import ObjectModel
import ObjectStore
import Testing

/// A model with all that matters for changes: sub-entities, keys of each form, join tables of each form.
enum Zoo {
  static let model = #"""
    {"entities": [
      {"name": "Animal", "attributes": [{"name": "id", "type": "integer64"}, {"name": "name", "type": "string", "optional": true}],
       "relationships": [
         {"name": "tags", "destination": "Tag", "toMany": true, "ordered": true, "inverse": "animals"},
         {"name": "friends", "destination": "Animal", "toMany": true, "inverse": "friends"}]},
      {"name": "Dog", "parent": "Animal", "attributes": [{"name": "size", "type": "integer16", "optional": true}]},
      {"name": "Tag", "attributes": [
         {"name": "label", "type": "string", "userInfo": {"broker.identity": "true"}},
         {"name": "color", "type": "string", "optional": true}],
       "relationships": [{"name": "animals", "destination": "Animal", "toMany": true, "inverse": "tags"}]},
      {"name": "Seat", "userInfo": {"identityAttributes": "row,number"}, "attributes": [
         {"name": "row", "type": "string"}, {"name": "number", "type": "integer16"},
         {"name": "price", "type": "double", "optional": true}],
       "relationships": [{"name": "viewers", "destination": "Animal", "toMany": true}]},
      {"name": "Note", "attributes": [{"name": "text", "type": "string", "optional": true}],
       "relationships": [{"name": "animal", "destination": "Animal"}]}]}
    """#

  /// The changes of a model's tables, as the objects' entities and keys: `+Dog 1`, `~Tag red`, `-Seat A,1`.
  static func lines(_ changes: ObjectChanges, _ store: Store) -> [String] {
    guard changes.isComplete else { return ["?"] }
    let names = store.layout.schema.entities.map(\.name)
    var lines: [String] = []
    for (table, inTable) in changes.tables {
      for (sign, objects) in [("+", inTable.inserted), ("~", inTable.updated), ("-", inTable.deleted)] {
        for object in objects {
          #expect(store.layout.entities[object.entity].table == table)
          lines.append("\(sign)\(names[object.entity]) \(object.key.text)")
        }
      }
    }
    return lines.sorted()
  }
}

extension ObjectKey {
  var text: String {
    parts.map { part in
      switch part {
      case .null: "-"
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      case .text(let value): value
      case .blob(let value): "\(value)"
      }
    }.joined(separator: ",")
  }
}

/// The changes that an observer receives.
final class ReceivedChanges: Sendable {
  private let list = Locked<[ObjectChanges]>([])

  func add(_ changes: ObjectChanges) { list.withLock { $0.append(changes) } }

  /// The changes since the last call.
  func take() -> [ObjectChanges] {
    list.withLock { list in
      defer { list = [] }
      return list
    }
  }

  /// The changes since the last call as lines, an element for each commit.
  func lines(_ store: Store) -> [String] {
    take().map { Zoo.lines($0, store).joined(separator: " ") }
  }
}
