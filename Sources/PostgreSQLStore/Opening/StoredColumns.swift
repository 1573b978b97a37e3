#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// The columns that the tables of a store have on the server, which others may have changed.
  struct StoredColumns {
    private let memory: MetadataTable

    init(_ memory: MetadataTable) { self.memory = memory }

    private struct Place: Hashable {
      var table: String
      var column: String
    }

    /// A column that a store needs.
    private struct Need {
      var place: Place
      var form: ColumnForm
    }

    /// A difference that keeps the store from being used.
    private enum Difference {
      case noTable(String)
      case noColumn(Need)
      case otherType(Need, found: String)
    }

    /// Sees whether the tables of a store are as they were made.
    ///
    /// - Throws: ``StoreError`` that names a table or column that is missing or has another type, and what to do.
    func check(of description: StoreDescription) throws {
      guard let difference = try difference(of: description) else { return }
      // Another program may have given the store another version of its model between the two looks.
      guard let now = try memory.description(), try now.isSame(as: description),
        try self.difference(of: description) != nil
      else { return }
      throw error(difference)
    }

    private func difference(of description: StoreDescription) throws -> Difference? {
      let needs = try needs(of: description)
      let found = try found()
      let tables = Set(found.keys.map(\.table))
      for need in needs {
        guard tables.contains(need.place.table) else { return .noTable(need.place.table) }
        guard let type = found[need.place] else { return .noColumn(need) }
        guard type.type == need.form.type || need.form.type == .text && type.isText else {
          return .otherType(need, found: type.name)
        }
      }
      return nil
    }

    private func needs(of description: StoreDescription) throws -> [Need] {
      let layout = try description.layout(names: memory.address.names)
      var needs: [Need] = []
      for table in layout.tables {
        func add(_ name: String, _ form: ColumnForm) {
          needs.append(Need(place: Place(table: table.name, column: name), form: form))
        }
        if !table.keyIsRowID { add("broker_row", .integer) }
        if let kind = table.kindColumn { add(kind, .text) }
        for column in table.columns { add(column.name, ColumnForm(column)) }
      }
      for join in layout.joins {
        func add(_ name: String, _ form: ColumnForm) {
          needs.append(Need(place: Place(table: join.name, column: name), form: form))
        }
        for column in join.keyColumns { add(column.name, ColumnForm(column)) }
        for name in [join.targetOrder, join.ownerOrder].compactMap(\.self) { add(name, .integer) }
      }
      return needs
    }

    private struct Found {
      var type: PostgreSQLType
      var name: String
      /// Whether it is sent and taken as `text` is.
      var isText: Bool
    }

    private func found() throws -> [Place: Found] {
      let rows = try memory.connection.query(
        """
        SELECT c.relname, a.attname, a.atttypid::bigint, format_type(a.atttypid, NULL), t.typname = 'varchar'
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        JOIN pg_type t ON t.oid = a.atttypid
        WHERE n.nspname = $1 AND c.relkind NOT IN ('i', 'I', 'c', 'S')
        """, .text(memory.address.schema))
      var result: [Place: Found] = [:]
      for row in 0..<rows.count {
        let place = Place(table: try rows.field(row, 0).string(), column: try rows.field(row, 1).string())
        result[place] = Found(
          type: PostgreSQLType(rawValue: UInt32(clamping: try rows.field(row, 2).int8())),
          name: try rows.field(row, 3).string(), isText: try rows.field(row, 4).bool())
      }
      return result
    }

    private func error(_ difference: Difference) -> StoreError {
      let place = memory.address.shown
      let names = memory.address.names
      switch difference {
      case .noTable(let table):
        return .invalid(
          "The table \(names.sqlName(table)) of \(place) is missing: somebody has removed it or given it another name. Nothing"
            + " was changed. Get it back from a backup of the server, or import into a new schema.")
      case .noColumn(let need):
        let (table, column) = (names.sqlName(need.place.table), SQL.quoted(need.place.column))
        return .invalid(
          "The column \(column) of the table \(table) of \(place) is missing: somebody has removed it or given it another"
            + " name. Nothing was changed. Get it back from a backup of the server, or make it anew without its values: ALTER"
            + " TABLE \(table) ADD COLUMN \(column) \(need.form.declaration)")
      case .otherType(let need, let found):
        let (table, column) = (names.sqlName(need.place.table), SQL.quoted(need.place.column))
        return .invalid(
          "The column \(column) of the table \(table) of \(place) has the type \(found), and the store needs"
            + " \(need.form.typeName): somebody has changed it. Nothing was changed. Change it back: ALTER TABLE \(table) ALTER"
            + " COLUMN \(column) TYPE \(need.form.declaration) USING \(column)::\(need.form.typeName)")
      }
    }
  }
#endif
