import ObjectModel

/// The statements of ``ChildLists``.
struct ChildSQL {
  let table: Table
  let foreignKey: [Int]
  let order: Int?
  /// The condition that a row is of the targets' entity.
  let kind: String?
  /// The foreign keys to owners of parts that come before the list's own.
  let precedingOwners: [Int]

  private var name: String { SQL.quoted(table.name) }
  private func names(_ columns: [Int]) -> [String] { columns.map { table.columns[$0].name } }

  /// The row id, the key and the place of an owner's children, and the keys of their preceding owners, in order.
  var existing: String {
    let places = order.map { [SQL.quoted(table.columns[$0].name)] } ?? []
    let columns =
      ["rowid"] + names(table.key).map(SQL.quoted) + places + names(precedingOwners).map(SQL.quoted)
    // As exports have it.
    let order = places.map(SQL.place) + names(table.key).map(SQL.quoted)
    return "SELECT \(columns.joined(separator: ", ")) FROM \(name) WHERE \(SQL.equal(names(foreignKey)))"
      + " ORDER BY \(order.joined(separator: ", "))"
  }

  /// The row id and the owner of the child with a key.
  var find: String {
    "SELECT rowid, \(SQL.list(names(foreignKey))) FROM \(name) WHERE \(SQL.equal(names(table.key)))"
      + (kind.map { " AND \($0)" } ?? "")
  }

  /// Sets the owner and the place of a child, given by its row id, if they differ.
  var link: String {
    let columns = names(foreignKey + (order.map { [$0] } ?? []))
    let settings = columns.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 1)" }
    let differences = columns.enumerated().map { "\(SQL.quoted($1)) IS NOT ?\($0 + 1)" }
    return "UPDATE \(name) SET \(settings.joined(separator: ", ")) WHERE rowid = ?\(columns.count + 1)"
      + " AND (\(differences.joined(separator: " OR ")))"
  }

  var unlink: String {
    let settings = names(foreignKey + (order.map { [$0] } ?? [])).map { "\(SQL.quoted($0)) = NULL" }
    return "UPDATE \(name) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1"
  }
}
