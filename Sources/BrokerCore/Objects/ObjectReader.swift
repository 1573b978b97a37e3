import ObjectModel
import ObjectStore

/// Reads objects of an entity and its sub-entities from rows.
struct ObjectReader {
  private let layout: Layout
  private let entity: SchemaEntity
  private let table: Table
  /// The columns to select.
  private(set) var selected: [SelectedColumn] = [.row, .kind, .stored]
  /// The columns of each relationship to one object.
  private var links: [Int: Range<Int>] = [:]

  /// The first of the table's columns. The row id and the kind come before it.
  private static let firstColumn = 2

  init(of entity: SchemaEntity, _ layout: Layout) throws {
    self.layout = layout
    self.entity = entity
    table = layout.table(of: entity.index)
    var width = Self.firstColumn + table.columns.count
    for member in layout.schema.family(of: entity.index).map({ layout.schema.entities[$0] }) {
      for index in member.relationships where links[index] == nil {
        let relationship = layout.schema.relationships[index]
        guard !relationship.isToMany else { continue }
        let column = SelectedColumn.value(try ResolvedPath(relationship.name, from: member, layout))
        let count = column.width(layout, of: entity)
        links[index] = width..<width + count
        width += count
        selected.append(column)
      }
    }
  }

  /// The object in the row that a cursor stands on.
  func object(_ row: any Cursor) -> Object {
    let kind = row.isNull(1) ? nil : layout.schema.entity(row.string(1))
    let entity = kind ?? entity
    var values: [String: Object.Value] = [:]
    let whole = layout.entities[entity.index]
    for (index, attribute) in entity.attributes.enumerated() {
      let column = Self.firstColumn + whole.slots[whole.attributeSlots[index]]
      values[attribute.name] = Object.Value(row.value(column), attribute.type)
    }
    for index in entity.relationships {
      guard let columns = links[index] else { continue }
      let parts = columns.map { row.value($0) }
      values[layout.schema.relationships[index].name] =
        parts.contains(.null) ? .null : .link(KeyText.text(of: parts))
    }
    let key = table.key.map { row.value(Self.firstColumn + $0) }
    let identity = KeyText.text(of: layout.identity(ofKey: key, of: entity))
    return Object(entity: entity.name, identity: identity, values: values)
  }
}
