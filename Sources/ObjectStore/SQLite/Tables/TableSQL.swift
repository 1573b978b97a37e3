package import ObjectModel

/// The SQL of a model's tables, as a new store has them.
package enum TableSQL {
  /// The statements that make the tables of entities, with their indexes and triggers; without the tables that a store
  /// keeps for itself.
  package static func statements(of schema: Schema) -> [String] {
    let definitions = TableDefinitions(layout: Layout(schema))
    let own = [StoreTable.metadata, StoreTable.pending].map(SQL.quoted)
    return definitions.statements.filter { statement in
      // Names stand before the first parenthesis.
      let head = statement.prefix { $0 != "(" }
      return !own.contains { head.hasPrefix("CREATE TABLE \($0)") || head.hasSuffix("ON \($0) ") }
    }
  }
}
