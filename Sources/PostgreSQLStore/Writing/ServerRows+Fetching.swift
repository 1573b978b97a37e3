#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// Fetching what a batch is about with one statement for each table. Of what is not there, that is remembered too.
  extension ServerRows {
    func fetch(_ needed: PrefetchRequest) { reading(()) { try fetchAll(needed) } }

    private func fetchAll(_ needed: PrefetchRequest) throws {
      var parts: [Int: [Int64]] = [:]
      for table in layout.tables.indices {
        for (columns, keys) in needed.children[table] {
          parts[table, default: []] += try fetch(keys, columns, table)
        }
      }
      // Most of these are children that have just come.
      for table in layout.tables.indices {
        _ = try fetch(needed.keys[table], layout.tables[table].key, table)
        try fetch(needed.rows[table], table)
      }
      for join in layout.joins.indices {
        for direction in 0...1 {
          for target in try fetchLinks(needed.links[join][direction], join, direction) {
            parts[target.table, default: []].append(target.row)
          }
        }
      }
      try fetchParts(parts, needed.listed)
    }

    /// Fetches what hangs on parts, whose keys show only once they are fetched.
    private func fetchParts(_ found: [Int: [Int64]], _ listed: Set<Int>) throws {
      var found = found
      // Parts may have parts, as deep as the model nests them; what lies deeper is fetched one by one.
      for _ in 0..<8 where !found.isEmpty {
        var next: [Int: [Int64]] = [:]
        for relationship in layout.schema.relationships where listed.contains(relationship.index) {
          let table = layout.entities[relationship.owner].table
          guard !layout.schema.entities[relationship.owner].hasIdentity,
            case .inverse(let columns, _) = layout.relationships[relationship.index], let rows = found[table]
          else { continue }
          let target = layout.entities[relationship.destination].table
          let keys = Set(rows.map { RowKey(.integer($0)) })
          next[target, default: []] += try fetch(keys, columns, target)
        }
        found = next
      }
    }

    /// Fetches the rows whose columns hold one of some keys, and returns those that were not known.
    private func fetch(_ keys: Set<RowKey>, _ columns: [Int], _ table: Int) throws -> [Int64] {
      let forms = columns.map { tables.forms[table][$0] }
      let lookup = lookup(columns, in: table)
      let unknown = keys.filter { found[table][lookup].rows[$0] == nil && mayHold($0, columns, table) }
      guard !unknown.isEmpty, !session.isEmpty(table), forms.allSatisfy(\.hasOneForm) else { return [] }
      let names = columns.map { SQL.quoted(layout.tables[table].columns[$0].name) }
      let asked = try KeyArrays(unknown, in: names, forms)
      let sql = asked.selection(
        tables.selection(table), from: tables.name(table), isDistributed: tables.distribution.isDistributed)
      let result = try read(session.lookingUp(in: table).query(sql, asked.parameters), table)
      guard lookup > 0 else {
        // Whoever was read is found by its key.
        for key in asked.keys where found[table][0].rows[key] == nil { found[table][0].rows[key] = [] }
        return result
      }
      for key in asked.keys { found[table][lookup].rows[key] = [] }
      for row in result {
        guard let object = rows[table][row] ?? nil else { continue }
        found[table][lookup].rows[RowKey(columns) { object.values[$0] }, default: []].append(row)
      }
      for key in asked.keys where (found[table][lookup].rows[key]?.count ?? 0) > 1 {
        found[table][lookup].rows[key]?.sort()
      }
      return result
    }

    /// Fetches rows by their numbers.
    private func fetch(_ numbers: Set<Int64>, _ table: Int) throws {
      let unknown = numbers.filter { rows[table][$0] == nil }
      guard !unknown.isEmpty, !session.isEmpty(table) else { return }
      let asked = try KeyArrays(
        unknown.map { [.integer($0)] }, in: [tables.rowColumn(table)], [ColumnForm(.integer64)])
      let sql = asked.selection(
        tables.selection(table), from: tables.name(table), isDistributed: tables.distribution.isDistributed)
      _ = try read(session.lookingUp(in: table).query(sql, asked.parameters), table)
      for number in unknown where rows[table][number] == nil { rows[table].updateValue(nil, forKey: number) }
    }

    /// Fetches the links that begin at keys, and returns the parts that they lead to.
    private func fetchLinks(_ keys: Set<RowKey>, _ join: Int, _ direction: Int) throws -> [RowLocation] {
      let described = layout.joins[join]
      let columns = direction == 0 ? described.ownerColumns : described.targetColumns
      let forms = columns.map(ColumnForm.init)
      let unknown = keys.filter {
        !links[join].isKnown($0, direction) && mayHoldLinks($0, join, direction)
      }
      guard !unknown.isEmpty, !session.isEmptyJoin(join), forms.allSatisfy(\.hasOneForm) else { return [] }
      let asked = try KeyArrays(unknown, in: columns.map { SQL.quoted($0.name) }, forms)
      let sql = asked.selection(
        linkColumns(join), from: described.sqlName, isDistributed: tables.distribution.isDistributed)
      let answer = try session.lookingUp(inJoin: join).query(sql, asked.parameters)
      let relationship = layout.schema.relationships[described.relationship]
      let entity = direction == 0 ? relationship.destination : relationship.owner
      let leadsToParts = !layout.schema.entities[entity].hasIdentity
      var targets: Set<RowKey> = []
      links[join].begin(asked.keys, direction)
      try readLinks(answer, join) { link in
        links[join].add(link, under: link.keys[direction], direction)
        if leadsToParts { targets.insert(link.keys[1 - direction]) }
      }
      let table = layout.entities[entity].table
      return try fetch(targets, layout.tables[table].key, table).map { RowLocation(table: table, row: $0) }
    }
  }
#endif
