#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient

  /// The tables that a migration writes anew, as long as the server has an idea how large they are.
  struct RewrittenTables {
    private let sources: MigrationSources
    private let connection: PostgreSQLConnection

    init(_ sources: MigrationSources, _ connection: PostgreSQLConnection) {
      (self.sources, self.connection) = (sources, connection)
    }

    func all() throws -> [MigrationPlan.RewrittenTable] {
      let moves = sources.moves()
      var names: [String] = []
      for case .rebuild(let parts) in moves {
        for part in parts { names.append(sources.oldLayout.tables[part.oldTable].name) }
      }
      for (index, move) in sources.joinMoves(moves).enumerated() {
        guard case .rebuild = move else { continue }
        let name = sources.newLayout.joins[index].name
        if sources.oldLayout.joins.contains(where: { $0.name == name }) { names.append(name) }
      }
      var seen: Set<String> = []
      return try names.filter { seen.insert($0).inserted }.map(described)
    }

    private func described(_ name: String) throws -> MigrationPlan.RewrittenTable {
      // Before the first ANALYZE the server has no idea of the rows.
      let rows = try connection.query(
        """
        SELECT CASE WHEN reltuples < 0 THEN (SELECT count(*) FROM \(sources.oldLayout.names.sqlName(name))) ELSE reltuples::bigint END,
          pg_total_relation_size(oid) FROM pg_class WHERE oid = $1::regclass
        """, .text(sources.oldLayout.names.sqlName(name)))
      return MigrationPlan.RewrittenTable(
        name: name, rows: Int(try rows.field(0, 0).int8()), bytes: Int(try rows.field(0, 1).int8()))
    }
  }
#endif
