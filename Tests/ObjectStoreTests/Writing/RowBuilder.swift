import Bytes
import ObjectModel
public import ObjectStore

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral {
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(nilLiteral: ()) { self = .null }
}

/// A batch that is filled by hand. A root comes before the rows that it nests.
struct RowBuilder: ~Copyable {
  private let layout: Layout
  var batch = RowBatch()

  init(_ layout: Layout) {
    self.layout = layout
  }

  /// What a row leads to.
  enum Target {
    /// Another row of the batch.
    case row(Int)
    /// An object by its key.
    case key(SQLValue)
    case none
  }

  /// Adds a row with values of attributes and returns its index. Without a row that nests it, it is a root.
  @discardableResult
  mutating func add(
    _ entity: String, in parent: Int? = nil, state: Row.State = .object, _ values: [String: SQLValue]
  ) -> Int {
    let entity = self.entity(entity)
    let row = batch.addRow(entity: entity.entity.index, slots: entity.slots.count, parent: parent ?? -1)
    batch.rows[row].state = state
    if parent == nil { batch.roots.append(row) }
    for (index, attribute) in entity.entity.attributes.enumerated() {
      guard let value = values[attribute.name] else { continue }
      let cell = cell(of: value)
      batch[row, entity.attributeSlots[index]] = cell
    }
    return row
  }

  /// Sets a relationship that is kept in the row itself.
  mutating func link(_ row: Int, _ name: String, to target: Target) {
    let entity = layout.entities[batch.rows[row].entity]
    guard case .foreignKey(let columns) = layout.relationships[relationship(name, of: row)] else { return }
    for (part, slot) in entity.slots(of: columns).enumerated() {
      switch target {
      case .row(let target): batch[row, slot] = .row(target, part: part)
      case .key(let value):
        let cell = cell(of: value)
        batch[row, slot] = cell
      case .none: batch[row, slot] = .null
      }
    }
  }

  /// Adds a list of a row.
  mutating func list(_ row: Int, _ name: String, _ targets: [Target], isIncomplete: Bool = false) {
    let first = batch.targets.count
    for target in targets {
      switch target {
      case .row(let target): batch.targets.append(.row(target, part: 0))
      case .key(let value):
        let cell = cell(of: value)
        batch.targets.append(cell)
      case .none: break
      }
    }
    batch.addList(
      relationship(name, of: row), to: row, firstTarget: first, count: targets.count,
      isIncomplete: isIncomplete)
  }

  private func entity(_ name: String) -> EntityLayout {
    layout.entities[layout.schema.index(of: name) ?? 0]
  }

  private func relationship(_ name: String, of row: Int) -> Int {
    let relationships = layout.entities[batch.rows[row].entity].entity.relationships
    return relationships.first { layout.schema.relationships[$0].name == name } ?? -1
  }

  private mutating func cell(of value: SQLValue) -> Cell {
    switch value {
    case .null: return .null
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .text(var text): return text.withUTF8 { batch.text($0) }
    case .blob(let bytes):
      let text = bytes.withUnsafeBufferPointer { batch.text($0) }
      return .blob(at: text.offset, count: bytes.count)
    }
  }
}
