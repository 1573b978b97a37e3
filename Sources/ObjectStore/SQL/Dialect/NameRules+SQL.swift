extension NameRules {
  /// The name of a table as statements have it: with the schema, so that nothing else of that name is meant.
  package func sqlName(_ table: String) -> String {
    let name = SQL.quoted(table)
    return schema.map { "\(SQL.quoted($0)).\(name)" } ?? name
  }
}
