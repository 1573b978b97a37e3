#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// The staging tables of a transaction: rows are copied to them, and from there go to a table of the store.
  ///
  /// For a local table, they are temporary. Of a table on several servers, the rows have to lie where those of the table
  /// do, which those of a temporary table cannot: then it is an unlogged one that the transaction drops before its end.
  struct StagingTables {
    /// A column of a staging table.
    struct Column {
      let name: String
      let form: ColumnForm
      /// The column of the store's table that it holds values of.
      var matching: String?
    }

    /// By what they are for, the names of those that are there.
    private var names: [String: String] = [:]
    private var unlogged: [String] = []
    private static let prefix = "broker_stage"

    /// The statements that make a staging table for a purpose, and its name; no statements if it is there.
    ///
    /// - Parameters:
    ///   - number: A number that no other staging table of the transaction has.
    ///   - process: The process of the server, since an unlogged table has a name among those of all sessions.
    mutating func make(
      for purpose: String, _ columns: [Column], beside table: String, _ placement: TablePlacement,
      number: Int, process: Int32, in layout: Layout
    ) -> (name: String, statements: [String]) {
      if let known = names[purpose] { return (known, []) }
      let name =
        placement == .local
        ? "pg_temp.\(Self.prefix)_\(number)"
        : layout.names.sqlName(layout.freeName("\(Self.prefix)_\(process)_\(number)"))
      names[purpose] = name
      let list = columns.map { "\(SQL.quoted($0.name)) \($0.form.declaration)" }.joined(separator: ", ")
      switch placement {
      case .local: return (name, ["CREATE TEMP TABLE \(name) (\(list)) ON COMMIT DROP"])
      case .reference:
        unlogged.append(name)
        return (name, ["CREATE UNLOGGED TABLE \(name) (\(list))", CitusStatements.makeReference(name)])
      case .distributed(let column):
        unlogged.append(name)
        let own = columns.first { $0.matching == column }?.name ?? column
        return (
          name,
          [
            "CREATE UNLOGGED TABLE \(name) (\(list))",
            CitusStatements.distribute(name, by: own, with: table),
          ]
        )
      }
    }

    /// The statement that drops those that do not go by themselves; nil if there are none.
    mutating func drop() -> String? {
      guard !unlogged.isEmpty else { return nil }
      defer { self = StagingTables() }
      return "DROP TABLE \(unlogged.joined(separator: ", "))"
    }
  }
#endif
