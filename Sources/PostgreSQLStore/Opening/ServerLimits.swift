#if PostgreSQL
  import ObjectModel
  import ObjectStore

  extension DatabaseAddress {
    /// The rules of the server for names, and the schema that the store's tables are in.
    var names: NameRules { .server(in: schema) }
  }

  extension NameRules {
    /// Names have at most 63 bytes, the rest would be cut off; some columns are the server's own.
    ///
    /// - Parameter schema: The schema that the tables are in.
    static func server(in schema: String) -> NameRules {
      var rules = NameRules()
      rules.schema = schema
      rules.reservedTables = [ServerTables.pendingNumbersName, ServerJournalNames.revisionsName]
      rules.longest = 63
      rules.reservedColumns = ["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "oid", "broker_row"]
      return rules
    }
  }

  /// What the server has no room for, said before it says so in its own words.
  extension Layout {
    /// The server has room for 1,600 columns of a table, two of which may be the store's own.
    private static var columns: Int { 1_598 }
    /// A row fits into a page of 8,160 bytes, long texts aside.
    private static var rowLength: Int { 8_000 }

    /// - Throws: ``StoreError`` for an entity that a table has no room for.
    func checkServerLimits() throws(StoreError) {
      for table in tables {
        let name = schema.entities[table.root].name
        let family = schema.family(of: table.root).count > 1 ? " with its sub-entities" : ""
        guard table.columns.count <= Self.columns else {
          throw StoreError.invalid(
            "\(name)\(family) has \(table.columns.count) attributes and to-one relationships. A PostgreSQL server has"
              + " room for \(Self.columns). Split the entity.")
        }
        let length = table.columns.reduce(0) { $0 + Self.length(ColumnForm($1)) }
        guard length <= Self.rowLength else {
          throw StoreError.invalid(
            "An object of \(name)\(family) can need \(length) bytes of numbers, dates and the like. A PostgreSQL server"
              + " has room for \(Self.rowLength). Split the entity.")
        }
      }
    }

    /// The bytes of a value whose length does not change.
    private static func length(_ form: ColumnForm) -> Int {
      switch form {
      case .boolean: 1
      case .integer, .real, .date: 8
      case .uuid: 16
      case .text, .mixed, .decimal, .blob: 0
      }
    }
  }
#endif
