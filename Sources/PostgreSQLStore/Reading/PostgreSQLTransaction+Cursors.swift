#if PostgreSQL
  import ObjectModel
  package import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// How the server answers queries.
  extension PostgreSQLTransaction {
    /// A cursor over the objects of a query. What the server cannot be asked exactly is evaluated on the rows that come.
    ///
    /// - Parameter isOrdered: Whether the order matters; it does not to a lone object.
    /// - Throws: ``StoreError`` if the query names what is not in the model; ``ObjectPredicateError`` if a condition does
    ///   not fit it.
    package func cursor(
      _ query: Query, _ columns: [SelectedColumn], isOrdered: Bool = true
    ) throws -> any Cursor {
      try cursor(query, columns, isOrdered: isOrdered, isKept: false)
    }

    /// As ``cursor(_:_:isOrdered:)``, by a statement that the connection keeps for the next time.
    package func keptCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor {
      try cursor(query, columns, isOrdered: false, isKept: true)
    }

    /// A cursor over the objects of a query as they are now, whatever is written while it goes on.
    package func snapshotCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor {
      // A cursor of the server does not see what is written after it was opened.
      try cursor(query, columns, isOrdered: true)
    }

    private func cursor(
      _ query: Query, _ columns: [SelectedColumn], isOrdered: Bool, isKept: Bool
    ) throws -> any Cursor {
      var builder = try self.builder(query)
      guard builder.furtherConditions.isEmpty else {
        return try filteredCursor(query, columns, isOrdered: isOrdered)
      }
      let expressions = try builder.expressions(of: columns)
      let statement = builder.statement(selecting: expressions, isOrdered: isOrdered)
      let isShort =
        isKept || query.isSingleObject || query.limit.map { $0 <= ServerCursor.greatestPage } ?? false
      let cursor = try self.cursor(
        statement, columnCount: expressions.count, mixed(columns, builder.entity), isPaged: !isShort)
      if case .row? = columns.first, !isShort, let cursor = cursor as? ServerCursor {
        let table = layout.entities[builder.entity.index].table
        cursor.pageArrived = { [upcoming] page in upcoming.arrived(page, of: table) }
      }
      return cursor
    }

    /// The SQL of a query.
    func builder(_ query: Query) throws -> QueryBuilder {
      guard query.search.isEmpty, !query.sort.contains(.rank) else {
        throw UnsupportedOperation.error("full-text search")
      }
      let texts = ServerTextFilter(self)
      let builder = try QueryBuilder(query, layout, session.tables.dialect, texts: texts)
      if let failure = texts.failure { throw failure }
      return builder
    }

    /// A cursor over the rows of a statement.
    func cursor(
      _ statement: BoundSQL, columnCount: Int, _ mixedColumns: Set<Int> = [], isPaged: Bool
    ) throws -> any Cursor {
      return ServerCursor(
        cursorSource, statement, columnCount: columnCount, mixedColumns: mixedColumns, isPaged: isPaged)
    }

    var cursorSource: ServerCursor.Source {
      ServerCursor.Source(connection: session.link, portals: portals) { [self] in try writeChanges() }
    }

    /// Which columns hold keys of objects some of which have an identity and some none.
    func mixed(_ columns: [SelectedColumn], _ entity: SchemaEntity, from first: Int = 0) -> Set<Int> {
      let table = layout.table(of: entity.index)
      var result: Set<Int> = []
      var place = first
      for column in columns {
        let forms: [SQLForm] =
          switch column {
          case .row, .targetRow, .ownerRow: [.integer]
          case .kind: [.text]
          case .rank: [.real]
          case .key: table.key.map { SQLForm(table.columns[$0]) }
          case .stored: table.columns.map { SQLForm($0) }
          case .value(let path), .reference(let path): path.forms(layout, from: entity)
          }
        for form in forms {
          if form == .mixedKey { result.insert(place) }
          place += 1
        }
      }
      return result
    }

    /// How many objects a query has.
    package func count(_ query: Query) throws -> Int {
      let builder = try builder(query)
      guard builder.furtherConditions.isEmpty else {
        let rows = try filteredCursor(query, [], isOrdered: query.limit != nil || query.offset != nil)
        var count = 0
        while try rows.step() { count += 1 }
        return count
      }
      let rows = try cursor(builder.count(), columnCount: 1, isPaged: false)
      guard try rows.step() else { return 0 }
      defer { rows.reset() }
      return Int(rows.integer(0))
    }

    /// The rows of the objects of a query.
    package func rows(of query: Query) throws -> [Int64] {
      let found = try cursor(query, [.row], isOrdered: true)
      var rows: [Int64] = []
      while try found.step() { rows.append(found.integer(0)) }
      return rows
    }

    // MARK: - What the server cannot be asked

    private func filteredCursor(
      _ query: Query, _ columns: [SelectedColumn], isOrdered: Bool
    ) throws -> any Cursor {
      var whole = query
      (whole.limit, whole.offset) = (nil, nil)
      var builder = try self.builder(whole)
      let hidden: [SelectedColumn] = [.row, .kind, .stored]
      let expressions = try builder.expressions(of: hidden + columns)
      let hiddenCount = try builder.expressions(of: hidden).count
      let (entity, table) = (builder.entity, layout.entities[builder.entity.index].table)
      let rows = ServerCursor(
        cursorSource, builder.statement(selecting: expressions, isOrdered: isOrdered),
        columnCount: expressions.count, mixedColumns: mixed(hidden + columns, entity), isPaged: true)
      // What the conditions lead to is read for a page, and forgotten with it.
      rows.pageArrived = { [stored, upcoming] page in
        stored.forget()
        try stored.keep(page, of: table)
        upcoming.arrived(page, of: table)
      }
      let (conditions, memory) = (builder.furtherConditions, ScanMemory(now: builder.now))
      return FilteredCursor(rows, hiding: hiddenCount, limit: query.limit, offset: query.offset ?? 0) {
        [self] rows in
        let scan = PredicateScan(state, memory)
        let start = PredicateScan.Start(
          entity: entity, place: RowLocation(table: table, row: rows.integer(0)))
        let holds = try conditions.allSatisfy { try scan.holds($0, [nil: .object(start)]) }
        try checkReading()
        return holds
      }
    }

    /// A query for the same objects that the server can be asked.
    private func asked(_ query: Query) throws -> Query {
      guard try !builder(query).furtherConditions.isEmpty else { return query }
      var named = query
      named.predicates = []
      (named.limit, named.offset) = (nil, nil)
      named.choices.append(.rows(try rows(of: query)))
      return named
    }

    // MARK: - Values of many objects

    /// A cursor over the combinations of values that the objects of a query have, each once, where the first object comes
    /// that has it. Limit and offset of the query count combinations.
    package func distinctCursor(_ query: Query, _ columns: [SelectedColumn]) throws -> any Cursor {
      var whole = query
      (whole.limit, whole.offset) = (nil, nil)
      var builder = try builder(asked(whole))
      let expressions = try builder.expressions(of: columns)
      let statement = builder.distinctStatement(
        selecting: expressions, limit: query.limit, offset: query.offset)
      return try cursor(
        statement, columnCount: expressions.count, mixed(columns, builder.entity), isPaged: true)
    }

    /// A cursor over what values of the objects of a query give together, for each combination of other values: these
    /// come first, then the result.
    ///
    /// - Parameter value: The values; nil to count objects.
    package func aggregateCursor(
      _ aggregation: Aggregation, of value: SelectedColumn?, for query: Query, by groups: [SelectedColumn]
    ) throws -> any Cursor {
      var builder = try builder(asked(query))
      let keys = try builder.expressions(of: groups)
      let values = try builder.expressions(of: value.map { [$0] } ?? [])
      var form = SQLForm.real
      switch value {
      case .value(let path)?, .reference(let path)?:
        form = path.forms(layout, from: builder.entity).first ?? .real
      default: break
      }
      let statement = builder.aggregateStatement(
        aggregation, selecting: keys + values, groupCount: keys.count, aggregation.isDecimal ? .decimal : form
      )
      return try cursor(
        statement, columnCount: keys.count + 1, mixed(groups, builder.entity), isPaged: !keys.isEmpty)
    }

    // MARK: - About queries

    /// What a query depends on.
    package func dependence(of query: Query, _ columns: [SelectedColumn]) throws -> QueryDependence {
      // SQLite's words say all of it, also what is evaluated on rows here.
      var builder = try QueryBuilder(query, layout)
      let expressions = try builder.expressions(of: columns)
      return QueryDependence(of: builder.statement(selecting: expressions).sql, builder.entity, layout)
    }

    /// The SQL that a query becomes, with its arguments put in, for people to look at. What is evaluated on the rows that
    /// come stands behind it.
    package func sql(of query: Query, _ columns: [SelectedColumn]) throws -> String {
      var builder = try QueryBuilder(query, layout, session.tables.dialect)
      let expressions = try builder.expressions(of: columns)
      let text = SQLText.filled(builder.statement(selecting: expressions), sign: "$")
      guard !builder.furtherConditions.isEmpty else { return text }
      let further = builder.furtherConditions.map { ObjectPredicate($0).description }
      return text + "\n-- evaluated on its rows, limits after it: \(further.joined(separator: " AND "))"
    }
  }

  extension Query {
    /// Whether it is about one object.
    fileprivate var isSingleObject: Bool {
      identity != nil
        || choices.contains { choice in
          switch choice {
          case .givenKey, .givenRow: true
          case .rows(let rows): rows.count <= ServerCursor.greatestPage
          case .identities(let all), .keys(let all): all.count <= ServerCursor.greatestPage
          }
        }
    }
  }
#endif
