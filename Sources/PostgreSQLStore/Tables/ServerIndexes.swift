#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// The indexes of the store's tables beside their keys.
  ///
  /// An index of texts has an order, unless one of them is too long for that: then it keeps hashes of the first column, which
  /// serve to find a value and not to sort.
  struct ServerIndexes {
    let tables: ServerTables
    let connection: PostgreSQLConnection

    /// Makes an index of a table that may have rows.
    func make(_ index: TableIndex, of table: Int) throws {
      try make(index, of: table, keepsHashes: hasLongTexts(index, of: table))
    }

    private func make(_ index: TableIndex, of table: Int, keepsHashes: Bool) throws {
      let names = tables.layout.tables[table].columns.map { SQL.quoted($0.name) }
      let columns = index.columns.map { names[$0.column] + ($0.isAscending ? "" : " DESC") }
      let place = "\(SQL.quoted(index.name)) ON \(tables.name(table))"
      let first = index.columns.first.map { names[$0.column] } ?? ""
      _ = try connection.execute(
        keepsHashes
          ? "CREATE INDEX \(place) USING hash (\(first))"
          : "CREATE INDEX \(place) (\(columns.joined(separator: ", ")))")
    }

    /// Has an index keep hashes from now on, since a text comes that is too long for another.
    func keepHashes(_ index: TableIndex, of table: Int) throws {
      let kind = try connection.query(
        "SELECT m.amname::text FROM pg_class c JOIN pg_am m ON m.oid = c.relam WHERE c.oid = to_regclass($1)",
        .text(tables.layout.names.sqlName(index.name))
      ).value { $0.isNull ? "" : try $0.string() }
      guard kind == "btree" else { return }
      _ = try connection.execute("DROP INDEX \(tables.layout.names.sqlName(index.name))")
      try make(index, of: table, keepsHashes: true)
    }

    private func hasLongTexts(_ index: TableIndex, of table: Int) throws -> Bool {
      let columns = tables.texts(in: index, of: table)
      guard !columns.isEmpty else { return false }
      let described = tables.layout.tables[table]
      let lengths = columns.map { "coalesce(octet_length(\(SQL.quoted(described.columns[$0].name))), 0)" }
      let rows = try connection.query(
        """
        SELECT 1 FROM \(tables.name(table)) WHERE \(lengths.joined(separator: " + ")) > \(ValueLimit.longestIdentity)
        LIMIT 1
        """)
      return rows.count > 0
    }
  }

  extension ServerTables {
    /// The columns of an index whose values may be of any length. Keys are short, those of other objects too.
    func texts(in index: TableIndex, of table: Int) -> [Int] {
      textIndexes[table].first { $0.index.name == index.name }?.columns ?? []
    }

    /// By table, the indexes with such columns, and these.
    static func textIndexes(
      _ layout: Layout, _ forms: [[ColumnForm]]
    ) -> [[(index: TableIndex, columns: [Int])]] {
      var links = [Set<Int>](repeating: [], count: layout.tables.count)
      for relationship in layout.schema.relationships {
        guard case .foreignKey(let columns) = layout.relationships[relationship.index] else { continue }
        links[layout.entities[relationship.owner].table].formUnion(columns)
      }
      return layout.tables.indices.map { table in
        layout.tables[table].indexes.compactMap { index in
          let columns = index.columns.map(\.column).filter { column in
            !links[table].contains(column) && !layout.tables[table].columns[column].isKey
              && (forms[table][column] == .text || forms[table][column] == .blob)
          }
          return columns.isEmpty ? nil : (index, columns)
        }
      }
    }
  }
#endif
