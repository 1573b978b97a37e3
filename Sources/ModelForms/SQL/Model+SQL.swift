package import ObjectModel
import ObjectStore

extension Model {
  /// The tables of a store of this model in SQLite's SQL, as `.schema` shows them.
  ///
  /// - Throws: ``SchemaError`` if the model cannot be used.
  package func sql() throws(SchemaError) -> String {
    TableSQL.statements(of: try Schema(self)).map { $0 + ";\n" }.joined()
  }
}
