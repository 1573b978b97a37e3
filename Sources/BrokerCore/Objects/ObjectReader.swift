import ObjectModel
import ObjectStore

/// Reads objects of an entity and its sub-entities from rows.
struct ObjectReader {
  private let layout: Layout
  private let entity: SchemaEntity
  private let table: Table
  /// What to select.
  private(set) var expressions: [String]
  /// The columns of each relationship to one object.
  private var links: [Int: Range<Int>] = [:]

  /// Where the table's columns begin: the row id and the kind come first.
  private static let firstColumn = 2

  /// - Parameter builder: Gets the joins that the columns need.
  init(_ builder: inout QueryBuilder) throws {
    layout = builder.layout
    entity = builder.entity
    table = layout.table(of: entity.index)
    expressions = ["t0.rowid", table.kindColumn.map { "t0.\(SQL.quoted($0))" } ?? "NULL"]
    expressions += table.columns.map { "t0.\(SQL.quoted($0.name))" }
    for member in layout.schema.family(of: entity.index).map({ layout.schema.entities[$0] }) {
      for index in member.relationships where links[index] == nil {
        let relationship = layout.schema.relationships[index]
        guard !relationship.isToMany else { continue }
        let columns = try builder.columns(of: try ResolvedPath(relationship.name, from: member, layout))
        links[index] = expressions.count..<expressions.count + columns.count
        expressions += columns
      }
    }
  }

  /// The object in the row that a statement stands on.
  func object(_ row: PreparedStatement) -> Object {
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
        parts.contains(.null) ? .null : .link(SQLText.key(parts))
    }
    let key = table.key.map { row.value(Self.firstColumn + $0) }
    let identity = SQLText.key(layout.identity(ofKey: key, of: entity))
    return Object(entity: entity.name, identity: identity, values: values)
  }
}
