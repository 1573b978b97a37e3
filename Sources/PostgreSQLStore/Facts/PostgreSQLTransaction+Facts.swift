#if PostgreSQL
  import ObjectModel
  package import ObjectStore
  import PostgreSQLClient

  /// What there is in a store, for people who look at it.
  extension PostgreSQLTransaction {
    package func objectCounts() throws -> [String: Int] {
      try writeChanges()
      var counts: [String: Int] = [:]
      for (index, table) in layout.tables.enumerated() {
        let root = layout.schema.entities[table.root].name
        let kind = table.kindColumn.map(SQL.quoted)
        let rows = try connection.query(
          "SELECT count(*)\(kind.map { ", " + $0 } ?? "") FROM \(session.tables.name(index))"
            + (kind.map { " GROUP BY " + $0 } ?? ""))
        for row in 0..<rows.count {
          let count = Int(try rows.field(row, 0).int8())
          if count > 0 { counts[kind == nil ? root : try rows.field(row, 1).string()] = count }
        }
      }
      return counts
    }

    package func pendingReferenceCounts() throws -> [String: Int] {
      try writeChanges()
      var counts: [String: Int] = [:]
      for relationship in layout.schema.relationships {
        let rows = try connection.query(MissingTargets(relationship, session.tables).count)
        let count = try rows.field(0, 0).int8()
        guard count > 0 else { continue }
        counts[layout.schema.entities[relationship.destination].name, default: 0] += Int(count)
      }
      return counts
    }

    /// A server knows no free pages without an extension of its own.
    package func pageBytes() throws -> (all: Int, free: Int) {
      let schema = SQL.literal(layout.names.schema ?? "")
      let rows = try connection.query(
        """
        SELECT coalesce(sum(\(TableSizes.whole(session.tables.distribution))), 0)::bigint FROM pg_class c
        WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = \(schema)) AND c.relkind IN ('r', 'p')
        """)
      return (Int(try rows.field(0, 0).int8()), 0)
    }

    package func storedParts() throws -> [DatabaseObject] {
      let schema = SQL.literal(layout.names.schema ?? "")
      let rows = try connection.query(
        """
        SELECT c.relname, coalesce(t.relname, c.relname), c.relkind IN ('i', 'I'), coalesce(i.indisunique, false),
          (SELECT string_agg(a.attname, E'\\x1F' ORDER BY k.place) FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number),
          \(TableSizes.own(session.tables.distribution))
        FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_class t ON t.oid = i.indrelid
        WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = \(schema)) AND c.relkind IN ('r', 'p', 'i', 'I')
        ORDER BY 2, 3, 1
        """)
      return try (0..<rows.count).map { row in
        let isIndex = try rows.field(row, 2).bool()
        let columns = rows.field(row, 4)
        return DatabaseObject(
          name: try rows.field(row, 0).string(),
          kind: try !isIndex ? .table : rows.field(row, 3).bool() ? .uniqueIndex : .index,
          table: try rows.field(row, 1).string(),
          columns: try columns.isNull
            ? [] : columns.string().split(separator: "\u{1F}").map(String.init),
          bytes: Int(try rows.field(row, 5).int8()))
      }
    }
  }
#endif
