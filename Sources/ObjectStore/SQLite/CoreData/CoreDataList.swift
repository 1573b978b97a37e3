import Bytes
import ObjectModel

/// The links of a many-to-many relationship, in the order of their owners' keys, read beside the owners.
final class CoreDataList {
  private let relationship: Int
  private let name: String
  private let statement: PreparedStatement
  private let key: CoreDataKey?
  private var isOnRow = false
  private var hasEnded = false

  /// - Parameters:
  ///   - target: The relationship, in the schema of the store that is imported into.
  ///   - source: The same, in the schema of the source.
  init(
    _ target: SchemaRelationship, _ source: SchemaRelationship, _ join: CoreDataBinding.Join,
    _ shared: CoreDataSelection.Shared, _ layout: Layout, _ handle: OpaquePointer
  ) throws {
    relationship = target.index
    name = target.name
    var query = CoreDataQuery(table: join.table)
    key = CoreDataKey(
      to: source.destination, "t.\(SQL.quoted(join.target))", shared,
      layout.schema.entities[target.destination], &query)
    statement = try PreparedStatement(query.links(join, isSymmetric: source.isItsOwnInverse), on: handle)
  }

  /// Adds the links of an owner to its row. Owners must come in the order of their keys.
  func read(
    ofOwner owner: Int64, _ row: Int, _ batch: inout RowBatch, note: (String, String, String) -> Void
  ) throws {
    guard let key else { return }
    let first = batch.targets.count
    var count = 0
    var isIncomplete = false
    while try advance(to: owner) {
      switch key.append(from: statement, &batch) {
      case .nothing: break
      case .one(let cell):
        batch.targets.append(cell)
        count += 1
      case .several(let cells):
        for cell in cells { batch.targets.append(cell) }
        count += 1
      case .unusable(let expected, let found):
        isIncomplete = true
        note(name, expected, found)
      }
      isOnRow = false
    }
    batch.addList(
      relationship, to: row, firstTarget: first, count: count, isIncomplete: isIncomplete)
  }

  /// Goes on to the next link of an owner. False if it has no more.
  private func advance(to owner: Int64) throws -> Bool {
    while true {
      if !isOnRow {
        guard !hasEnded, try statement.step() else {
          hasEnded = true
          return false
        }
        isOnRow = true
      }
      let next = statement.integer(0)
      if next == owner { return true }
      if next > owner { return false }
      isOnRow = false
    }
  }
}

extension CoreDataQuery {
  /// The links of a table, by owner, and in the owner's order where there is one.
  ///
  /// - Parameter isSymmetric: Whether each link holds in both directions, whichever of them the table has.
  func links(_ join: CoreDataBinding.Join, isSymmetric: Bool) -> String {
    let (owner, target) = (SQL.quoted(join.owner), SQL.quoted(join.target))
    let columns = (["t.\(owner)"] + selected.dropFirst()).joined(separator: ", ")
    var from = SQL.quoted(join.table)
    var order = ["t.\(owner)"]
    if isSymmetric {
      from = "(SELECT \(owner), \(target) FROM \(from) UNION SELECT \(target), \(owner) FROM \(from))"
    } else {
      if let place = join.order { order.append("t.\(SQL.quoted(place)) NULLS FIRST") }
    }
    order.append("t.\(target)")
    return """
      SELECT \(columns) FROM \(from) t
      WHERE typeof(t.\(owner)) = 'integer' ORDER BY \(order.joined(separator: ", "))
      """
  }
}
