#if PostgreSQL
  package import ObjectModel
  package import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// How the server answers what relationships of a row lead to.
  extension PostgreSQLTransaction {
    private func sql(_ relationship: SchemaRelationship) -> RelationshipSQL {
      var sql = RelationshipSQL(layout: layout, relationship: relationship, session.tables.dialect)
      sql.hasManyOwners = true
      return sql
    }

    /// A cursor over what a relationship leads to.
    ///
    /// - Parameter isWhole: Whether the rows of the targets are in the first column.
    private func targetCursor(
      _ relationship: SchemaRelationship, _ sql: String, _ forms: [SQLForm], isWhole: Bool
    ) -> any Cursor {
      let source = TargetCursor.Source(connection: session.link, upcoming: upcoming) { [self] in
        try writeChanges()
        return writeCount
      }
      return TargetCursor(
        source, sql, from: layout.entities[relationship.owner].table,
        to: isWhole ? layout.entities[relationship.destination].table : nil, columnCount: forms.count,
        mixedColumns: mixed(forms))
    }

    /// A statement about the object in a row that is told later.
    private func aboutRow(_ sql: String) -> BoundSQL {
      var arguments = SQLArguments()
      arguments.append(.null, .integer)
      return BoundSQL(sql, arguments)
    }

    package func targets(of relationship: SchemaRelationship) throws -> any Cursor {
      let table = layout.table(of: relationship.destination)
      let kind = table.kindColumn.map { "t.\(SQL.quoted($0))" } ?? "NULL"
      let row = "t.\(session.tables.dialect.rowColumn(of: table))"
      let columns = [row, kind] + table.columns.map { "t.\(SQL.quoted($0.name))" }
      let link = linkColumns(of: relationship)
      let forms = [.integer, .text] + table.columns.map { SQLForm($0) } + link
      return targetCursor(
        relationship, sql(relationship).targets(selecting: columns), forms, isWhole: true)
    }

    package func targetKeys(of relationship: SchemaRelationship) throws -> any Cursor {
      let target = layout.table(of: relationship.destination)
      var forms = target.key.map { SQLForm(target.columns[$0]) }
      if case .inverse(_, _?) = layout.relationships[relationship.index] { forms.append(.integer) }
      return targetCursor(relationship, sql(relationship).keysAndPlaces, forms, isWhole: false)
    }

    /// How the columns are kept that say what the link knows of each target.
    private func linkColumns(of relationship: SchemaRelationship) -> [SQLForm] {
      switch layout.relationships[relationship.index] {
      case .foreignKey, .inverse(_, nil): []
      case .inverse: [.integer]
      case .join:
        layout.table(of: relationship.destination).key.map {
          SQLForm(layout.table(of: relationship.destination).columns[$0])
        }
      }
    }

    private func mixed(_ forms: [SQLForm]) -> Set<Int> {
      Set(forms.indices.filter { forms[$0] == .mixedKey })
    }

    package func hasPendingTargets() throws -> Bool {
      let rows = try cursor(
        BoundSQL("SELECT 1 FROM \(session.tables.pending) LIMIT 1"), columnCount: 1, isPaged: false)
      defer { rows.reset() }
      return try rows.step()
    }

    package func pendingTargets() throws -> any Cursor {
      var arguments = SQLArguments()
      arguments.append(.null, .text)
      arguments.append(.null, .text)
      let sql = """
        SELECT target, position FROM \(session.tables.pending)
        WHERE relationship = $1 AND owner = $2 ORDER BY position NULLS LAST, target
        """
      return try cursor(BoundSQL(sql, arguments), columnCount: 2, isPaged: false)
    }

    /// The key of the object in a row, as reports write it; nil if there is none.
    package func key(ofRow row: Int64, in table: Table) throws -> String? {
      let names = table.key.map { SQL.quoted(table.columns[$0].name) }.joined(separator: ", ")
      let forms = table.key.map { SQLForm(table.columns[$0]) }
      let statement = aboutRow(
        "SELECT \(names) FROM \(table.sqlName) WHERE \(session.tables.dialect.rowColumn(of: table)) = $1"
      )
      let found = try cursor(statement, columnCount: forms.count, mixed(forms), isPaged: false)
      found.bind(row, at: 1)
      guard try found.step() else { return nil }
      defer { found.reset() }
      return KeyText.ofColumns(0..<forms.count, found)
    }

    /// Whether a relationship of the object in a row leads to an object that is there.
    package func hasTarget(of relationship: SchemaRelationship, row: Int64) throws -> Bool {
      let sql = RelationshipSQL(layout: layout, relationship: relationship, session.tables.dialect)
        .targetRows(
          from: layout.table(of: relationship.owner), to: layout.table(of: relationship.destination))
      let found = try cursor(aboutRow(sql), columnCount: 1, isPaged: false)
      found.bind(row, at: 1)
      defer { found.reset() }
      return try found.step()
    }

    /// The keys that a relationship of the object in a row leads to, be their objects there or not.
    package func linkedKeys(of relationship: SchemaRelationship, row: Int64) throws -> [[SQLValue]] {
      let target = layout.table(of: relationship.destination)
      let width = target.key.count
      var links: [(key: [SQLValue], place: Int64?)] = []
      let found = try targetKeys(of: relationship)
      found.bind(row, at: 1)
      while try found.step() {
        let place = found.columnCount > width && !found.isNull(width) ? found.integer(width) : nil
        links.append(((0..<width).map { found.value($0) }, place))
      }
      guard case .inverse(_, let order) = layout.relationships[relationship.index],
        let owner = try key(ofRow: row, in: layout.table(of: relationship.owner))
      else { return links.map(\.key) }
      let waiting = try pendingTargets()
      waiting.bind(.text(ServerRows.name(of: relationship, layout)), at: 1)
      waiting.bind(.text(owner), at: 2)
      while try waiting.step() {
        guard let parts = KeyText.split(waiting.string(0), count: width) else { continue }
        let key = zip(target.key, parts).map { Value(stored: $1, in: target.columns[$0]).sql }
        let place = waiting.isNull(1) ? nil : waiting.integer(1)
        // What waits has its place among those that are there.
        let next = place.flatMap { place in links.firstIndex { $0.place ?? .max > place } }
        links.insert((key, place), at: order == nil ? links.count : next ?? links.count)
      }
      return links.map(\.key)
    }

    /// A cursor over what a path that passes a relationship to many gives of the object whose row it is told, in the
    /// order of the lists.
    package func elements(of path: ResolvedPath, _ entity: SchemaEntity) throws -> any Cursor {
      let forms = path.forms(layout, from: entity)
      return try cursor(
        aboutRow(path.elementsSQL(of: entity, layout, session.tables.dialect)), columnCount: forms.count,
        mixed(forms), isPaged: false)
    }
  }
#endif
