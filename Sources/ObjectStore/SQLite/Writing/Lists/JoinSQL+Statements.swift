import ObjectModel

/// The statements of ``JoinLists``.
extension JoinSQL {
  private var name: String { SQL.quoted(join.name) }

  /// The row id, the target and its place, of an owner's links in their order.
  var existing: String {
    let columns = ["rowid"] + (target + (order.map { [$0] } ?? [])).map(SQL.quoted)
    // As exports have it.
    let sorting = (order.map { [SQL.place(SQL.quoted($0))] } ?? []) + target.map(SQL.quoted)
    return "SELECT \(columns.joined(separator: ", ")) FROM \(name) WHERE \(SQL.equal(owner))"
      + " ORDER BY \(sorting.joined(separator: ", "))"
  }

  var insertion: String {
    let columns = owner + target + (order.map { [$0] } ?? [])
    return "INSERT INTO \(name) (\(SQL.list(columns))) VALUES (\(SQL.parameters(columns.count)))"
      + " ON CONFLICT (\(SQL.list(join.keyColumns.map(\.name)))) DO NOTHING"
  }

  /// The row id of a link.
  var find: String { "SELECT rowid FROM \(name) WHERE \(SQL.equal(owner + target))" }

  var removal: String { "DELETE FROM \(name) WHERE rowid = ?1" }

  var reordering: String? {
    order.map { "UPDATE \(name) SET \(SQL.quoted($0)) = ?1 WHERE rowid = ?2" }
  }

  /// Deletes the other direction of the link with a row id.
  var reverseRemoval: String {
    let pairs =
      zip(join.ownerColumns, join.targetColumns).map { ($0.name, $1.name) }
      + zip(join.targetColumns, join.ownerColumns).map { ($0.name, $1.name) }
    let conditions = pairs.map { column, other in
      "\(SQL.quoted(column)) = (SELECT \(SQL.quoted(other)) FROM \(name) WHERE rowid = ?1)"
    }
    return "DELETE FROM \(name) WHERE rowid <> ?1 AND \(conditions.joined(separator: " AND "))"
  }

  /// The row id of the target of the link with a row id.
  func targetRow(of table: Table) -> String {
    let conditions = zip(target, table.key).map { column, key in
      "t.\(SQL.quoted(table.columns[key].name)) = j.\(SQL.quoted(column))"
    }
    return "SELECT t.rowid FROM \(name) j JOIN \(SQL.quoted(table.name)) t"
      + " ON \(conditions.joined(separator: " AND ")) WHERE j.rowid = ?1"
  }
}
