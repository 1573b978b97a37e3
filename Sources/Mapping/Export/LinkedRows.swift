import JSONStream
import ObjectModel
import ObjectStore

/// The rows that relationships lead to, and the keys of those rows.
final class LinkedRows {
  private let transaction: StoreTransaction
  private let layout: Layout
  private var statements: [Use: PreparedStatement] = [:]
  private let hasWaiting: Bool

  /// A statement can stand on one row only, so each level of nesting has its own.
  private struct Use: Hashable {
    var relationship: Int
    var isWhole: Bool
    var level: Int
  }

  init(_ transaction: StoreTransaction) {
    self.transaction = transaction
    layout = transaction.layout
    let look = try? transaction.prepare("SELECT 1 FROM \(SQL.quoted(StoreTable.pending)) LIMIT 1")
    hasWaiting = (try? look?.step()) ?? false
    look?.reset()
  }

  // MARK: - Rows

  /// A statement that gives the targets of a row's relationship: whole rows as ``ObjectRows`` has them, or keys.
  func targets(
    of relationship: SchemaRelationship, _ row: PreparedStatement, whole: Bool, level: Int
  ) throws -> PreparedStatement {
    let use = Use(relationship: relationship.index, isWhole: whole, level: level)
    let statement = try statements[use] ?? transaction.prepare(sql(relationship, whole: whole))
    statements[use] = statement
    statement.bind(row.integer(0), at: 1)
    return statement
  }

  private func sql(_ relationship: SchemaRelationship, whole: Bool) throws -> String {
    let target = layout.schema.entities[relationship.destination]
    let owner = layout.table(of: relationship.owner)
    let step = RelationshipSQL(layout: layout, relationship: relationship)
    if whole {
      let columns = ObjectRows.columns(of: target, layout, alias: "t").joined(separator: ", ")
      return "SELECT \(columns) FROM \(SQL.quoted(owner.name)) o \(step.joins(owner: "o", target: "t"))"
        + " WHERE o.rowid = ?1\(step.ordering(owner: "o", target: "t"))"
    }
    return step.keys
  }

  // MARK: - Keys

  /// Writes the key of a target, which is in columns of a statement's row.
  func writeKey(
    _ row: PreparedStatement, from column: Int, _ target: SchemaEntity, to writer: inout JSONWriter
  ) {
    if target.identity.count == 1, let only = target.identity.first {
      return write(row, column, target.attributes[only].type, to: &writer)
    }
    writer.beginObject()
    for (part, attribute) in target.identity.enumerated() {
      writer.key(target.attributes[attribute].name)
      write(row, column + part, target.attributes[attribute].type, to: &writer)
    }
    writer.endObject()
  }

  /// Writes the key of a target of which the statement has the whole row.
  func writeKey(_ row: PreparedStatement, wholeRowOf target: SchemaEntity, to writer: inout JSONWriter) {
    let table = layout.table(of: target.index)
    guard let first = table.key.first, target.identity.count == 1, let only = target.identity.first else {
      writer.beginObject()
      for (part, attribute) in target.identity.enumerated() {
        writer.key(target.attributes[attribute].name)
        write(row, ObjectRows.firstColumn + table.key[part], target.attributes[attribute].type, to: &writer)
      }
      return writer.endObject()
    }
    write(row, ObjectRows.firstColumn + first, target.attributes[only].type, to: &writer)
  }

  private func write(
    _ row: PreparedStatement, _ column: Int, _ type: AttributeType, to writer: inout JSONWriter
  ) {
    switch row.storage(column) {
    case nil, .blob: writer.null()
    case .integer:
      if type == .boolean {
        writer.bool(row.integer(column) != 0)
      } else {
        writer.integer(row.integer(column))
      }
    case .real: writer.double(row.double(column))
    case .text:
      if type == .decimal { writer.raw(row.text(column)) } else { writer.string(row.text(column)) }
    }
  }

  /// Writes the key that a foreign key of the row holds. False, and nothing written, if it holds none.
  func writeKey(
    of relationship: SchemaRelationship, _ row: PreparedStatement, key: [UInt8], to writer: inout JSONWriter
  ) throws -> Bool {
    guard case .foreignKey(let columns) = layout.relationships[relationship.index],
      let first = columns.first, !row.isNull(ObjectRows.firstColumn + first)
    else { return false }
    key.withUnsafeBufferPointer { writer.quotedKey($0) }
    let target = layout.schema.entities[relationship.destination]
    writeKey(row, from: ObjectRows.firstColumn + first, target, to: &writer)
    return true
  }

  // MARK: - Targets that have not arrived

  /// The keys that the store remembers for a relationship of a row, as texts; nil if it remembers none at all.
  func waiting(for relationship: SchemaRelationship, _ row: PreparedStatement) throws -> PreparedStatement? {
    guard hasWaiting, case .inverse = layout.relationships[relationship.index] else { return nil }
    let owner = layout.schema.entities[relationship.owner]
    let use = Use(relationship: relationship.index, isWhole: false, level: -1)
    let statement =
      try statements[use]
      ?? transaction.prepare(
        """
        SELECT "target" FROM \(SQL.quoted(StoreTable.pending))
        WHERE "relationship" = ?1 AND "owner" = ?2 ORDER BY "position", rowid
        """)
    statements[use] = statement
    statement.bind("\(owner.name).\(relationship.name)", at: 1)
    let key = layout.table(of: owner.index).key.map { row.string(ObjectRows.firstColumn + $0) }
    statement.bind(KeyText.joined(key), at: 2)
    return statement
  }

  /// A statement that gives the keys of a join table's targets that have not arrived; nil for other
  /// relationships.
  func missing(for relationship: SchemaRelationship, _ row: PreparedStatement) throws -> PreparedStatement? {
    guard case .join = layout.relationships[relationship.index] else { return nil }
    let use = Use(relationship: relationship.index, isWhole: true, level: -1)
    let sql = RelationshipSQL(layout: layout, relationship: relationship)
    let statement = try statements[use] ?? transaction.prepare(sql.missingKeys)
    statements[use] = statement
    statement.bind(row.integer(0), at: 1)
    return statement
  }

  func writeWaitingKey(_ text: String, _ target: SchemaEntity, to writer: inout JSONWriter) {
    guard let parts = KeyText.split(text, count: target.identity.count) else { return }
    func write(_ part: String, _ attribute: Int, to writer: inout JSONWriter) {
      switch StorageType(target.attributes[attribute].type) {
      case .integer, .real: writer.raw(part)
      default: writer.string(part)
      }
    }
    if parts.count == 1, let only = target.identity.first { return write(parts[0], only, to: &writer) }
    writer.beginObject()
    for (part, attribute) in zip(parts, target.identity) {
      writer.key(target.attributes[attribute].name)
      write(part, attribute, to: &writer)
    }
    writer.endObject()
  }
}
