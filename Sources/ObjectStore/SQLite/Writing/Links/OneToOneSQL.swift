/// The statements of ``OneToOneLinks``.
struct OneToOneSQL {
  let table: Table
  let foreignKey: [Int]
  let target: Table

  private var name: String { SQL.quoted(table.name) }
  private var foreignKeyNames: [String] { foreignKey.map { table.columns[$0].name } }
  private var keyNames: [String] { table.key.map { table.columns[$0].name } }

  /// The row ids of those that point to a target, but for the row whose row id is the last argument.
  var rivals: String {
    "SELECT rowid FROM \(name) WHERE \(SQL.equal(foreignKeyNames)) AND rowid <> ?\(foreignKey.count + 1)"
  }

  var unlinking: String {
    let settings = foreignKeyNames.map { "\(SQL.quoted($0)) = NULL" }.joined(separator: ", ")
    return "UPDATE \(name) SET \(settings) WHERE rowid = ?1"
  }

  var find: String { "SELECT rowid FROM \(name) WHERE \(SQL.equal(keyNames))" }

  var findTarget: String {
    "SELECT rowid FROM \(SQL.quoted(target.name)) WHERE \(SQL.equal(target.key.map { target.columns[$0].name }))"
  }

  var key: String { "SELECT \(SQL.list(keyNames)) FROM \(name) WHERE rowid = ?1" }

  /// Makes the row with row id `?1` point to a key, if it does not yet.
  var pointing: String {
    let settings = foreignKeyNames.enumerated().map { "\(SQL.quoted($1)) = ?\($0 + 2)" }
    let differences = foreignKeyNames.enumerated().map { "\(SQL.quoted($1)) IS NOT ?\($0 + 2)" }
    return "UPDATE \(name) SET \(settings.joined(separator: ", ")) WHERE rowid = ?1"
      + " AND (\(differences.joined(separator: " OR ")))"
  }
}
