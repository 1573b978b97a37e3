#if PostgreSQL
  package import ObjectModel
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
        // An aggregate of an object that is not in the result may be one that cannot be told.
        if columns.contains(where: \.isAggregate) {
          return try cursor(asked(query), columns, isOrdered: isOrdered, isKept: false)
        }
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
        let keys = keyPlaces(columns, builder.entity)
        cursor.pageArrived = { [upcoming] page in try upcoming.arrived(page, of: table, keys: keys) }
      }
      return cursor
    }

    /// Where the key of the objects is among selected columns; nil where it is not, or nobody asks by keys.
    private func keyPlaces(_ columns: [SelectedColumn], _ entity: SchemaEntity) -> [Int]? {
      let table = layout.table(of: entity.index)
      guard asksByKeys(layout.entities[entity.index].table) else { return nil }
      var place = 0
      for column in columns {
        switch column {
        case .row, .targetRow, .ownerRow, .kind, .rank: place += 1
        case .key: return Array(place..<place + table.key.count)
        case .stored: return table.key.map { place + $0 }
        case .value(let path), .reference(let path): place += path.forms(layout, from: entity).count
        }
      }
      return nil
    }

    /// Whether what relationships of the objects of a table lead to is asked for by their keys: where tables are on several
    /// servers, the owners need not be read again then. Decimals and reals are equal in several forms.
    private func asksByKeys(_ table: Int) -> Bool {
      session.tables.distribution.isDistributed
        && layout.tables[table].key.allSatisfy { column in
          let form = session.tables.forms[table][column]
          return form != .decimal && form != .real
        }
    }

    /// The SQL of a query.
    func builder(_ query: Query) throws -> QueryBuilder {
      guard query.search.isEmpty, !query.sort.contains(.rank) else {
        throw UnsupportedOperation.error("full-text search")
      }
      let texts = ServerTextFilter(self)
      let builder = try QueryBuilder(query, layout, session.tables.dialect, texts: texts.texts)
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
      ServerCursor.Source(connection: session.link, portals: portals, sizes: upcoming.sizes) { [self] in
        try writeChanges()
      }
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
      if let texts = builder.furtherTexts {
        return try textCursor(query, &builder, texts, columns, isOrdered: isOrdered)
      }
      let hidden = try hiddenExpressions(&builder)
      let expressions = try hidden + builder.expressions(of: columns)
      let (entity, table) = (builder.entity, layout.entities[builder.entity.index].table)
      let rows = ServerCursor(
        cursorSource, builder.statement(selecting: expressions, isOrdered: isOrdered),
        columnCount: expressions.count, mixedColumns: mixed(Self.wholeObject + columns, entity), isPaged: true
      )
      // Objects that conditions lead to are read for a page, and forgotten with it.
      let keys = keyPlaces(Self.wholeObject, entity)
      rows.pageArrived = { [state, stored, upcoming] page in
        state.forgetAnswers()
        try stored.read(page, table, state.tables[table].keep)
        try upcoming.arrived(page, of: table, keys: keys)
      }
      let (conditions, memory) = (builder.furtherConditions, ScanMemory(now: builder.now))
      return FilteredCursor(rows, hiding: hidden.count, limit: query.limit, offset: query.offset ?? 0) {
        [self] rows in
        let scan = PredicateScan(state, memory)
        let start = PredicateScan.Start(
          entity: entity, place: RowLocation(table: table, row: rows.integer(0)))
        let holds = try conditions.allSatisfy { try scan.holds($0, [nil: .object(start)]) }
        try checkReading()
        return holds
      }
    }

    /// A cursor over the objects whose own texts fulfil conditions: only these texts are read to know that.
    private func textCursor(
      _ query: Query, _ builder: inout QueryBuilder, _ texts: [QueryBuilder.OwnText],
      _ columns: [SelectedColumn], isOrdered: Bool
    ) throws -> any Cursor {
      let (entity, table) = (builder.entity, layout.entities[builder.entity.index].table)
      let hidden = try hiddenExpressions(&builder)
      let expressions = try hidden + builder.expressions(of: columns)
      let rows = ServerCursor(
        cursorSource, builder.statement(selecting: expressions, isOrdered: isOrdered),
        columnCount: expressions.count, mixedColumns: mixed(columns, entity, from: hidden.count),
        isPaged: true)
      let keys = keyPlaces(columns, entity).map { $0.map { $0 + hidden.count } }
      if keys != nil || !asksByKeys(table) {
        rows.pageArrived = { [upcoming] page in try upcoming.arrived(page, of: table, keys: keys) }
      }
      let scan = PredicateScan(state, ScanMemory(now: builder.now))
      return FilteredCursor(rows, hiding: hidden.count, limit: query.limit, offset: query.offset ?? 0) {
        rows in
        for (index, text) in texts.enumerated() {
          guard !rows.isNull(1 + index), try scan.holds(text.condition, rows.string(1 + index)) else {
            return false
          }
        }
        return true
      }
    }

    /// The expressions that are read beside the selected columns, to know which objects fulfil the conditions that the
    /// server cannot be asked.
    private func hiddenExpressions(_ builder: inout QueryBuilder) throws -> [String] {
      guard !builder.furtherConditions.isEmpty else { return [] }
      if let texts = builder.furtherTexts { return try builder.expressions(of: [.row]) + texts.map(\.sql) }
      return try builder.expressions(of: Self.wholeObject)
    }

    /// The columns that are read of objects which conditions look at as a whole.
    private static let wholeObject: [SelectedColumn] = [.row, .kind, .stored]

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

    /// The tables that a query depends on.
    package func dependence(of query: Query, _ columns: [SelectedColumn]) throws -> QueryDependence {
      try QueryDependence(of: query, columns, layout)
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

    /// How the store answers a query, by the server's `EXPLAIN`.
    package func explanation(of query: Query, _ selection: QuerySelection) throws -> QueryExplanation {
      try writeChanges()
      var builder = try self.builder(query)
      let asked: BoundSQL
      switch selection {
      case .count where builder.furtherConditions.isEmpty: asked = builder.count()
      case .count: asked = builder.statement(selecting: try hiddenExpressions(&builder))
      case .columns(let columns):
        asked = builder.statement(
          selecting: try hiddenExpressions(&builder) + builder.expressions(of: columns))
      }
      let parameters = PostgreSQLParameters()
      for argument in asked.arguments.all { try ServerArgument.append(argument, to: parameters) }
      let types = asked.arguments.all.map(ServerArgument.type)
      let lines = try connection.query(connection.prepare("EXPLAIN " + asked.sql, types), parameters)
      return QueryExplanation(
        statement: SQLText.filled(asked, sign: "$", isShortened: true),
        conditionsOnRows: builder.furtherConditions.map { ObjectPredicate($0).description },
        plan: try (0..<lines.count).map { try lines.field($0, 0).string() })
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
      _ relationship: SchemaRelationship, _ sql: String, byKeys: String, _ forms: [SQLForm], isWhole: Bool
    ) -> any Cursor {
      let source = TargetCursor.Source(connection: session.link, upcoming: upcoming) { [self] in
        try writeChanges()
        return writeCount
      }
      let (owners, targets) = (
        layout.entities[relationship.owner].table, layout.entities[relationship.destination].table
      )
      var statements = TargetCursor.Statements(byRow: sql)
      if asksByKeys(owners) {
        let forms = session.tables.forms[owners]
        statements.byKey = (byKeys, layout.tables[owners].key.map { forms[$0] })
      }
      // Behind the row and the kind.
      let key = asksByKeys(targets) ? layout.tables[targets].key.map { 2 + $0 } : nil
      return TargetCursor(
        source, statements, from: owners, to: isWhole ? (targets, key) : nil, columnCount: forms.count,
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
        relationship, sql(relationship).targets(selecting: columns),
        byKeys: sql(relationship).targetsOfKnownOwners(selecting: columns), forms, isWhole: true)
    }

    package func targetKeys(of relationship: SchemaRelationship) throws -> any Cursor {
      let target = layout.table(of: relationship.destination)
      var forms = target.key.map { SQLForm(target.columns[$0]) }
      if case .inverse(_, _?) = layout.relationships[relationship.index] { forms.append(.integer) }
      return targetCursor(
        relationship, sql(relationship).keysAndPlaces,
        byKeys: sql(relationship).targetsOfKnownOwners(selecting: nil), forms, isWhole: false)
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
      return PendingTargetCursor(
        self, try cursor(BoundSQL(sql, arguments), columnCount: 2, isPaged: false))
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
        // A pending target has its place among those that are there.
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

  /// Finds the texts of a column that fulfil a condition which the server cannot say, by looking at each text once.
  final class ServerTextFilter {
    private let transaction: PostgreSQLTransaction
    private var known: [Question: [SQLValue]?] = [:]
    /// The error that came while the server was asked.
    private(set) var failure: (any Error)?

    /// More texts than these are not given to a statement.
    private static let most = 100_000

    private struct Question: Hashable {
      var table: String
      var column: String
      var condition: TextCondition
    }

    init(_ transaction: PostgreSQLTransaction) { self.transaction = transaction }

    func texts(_ column: Column, _ table: Table, _ condition: TextCondition) -> [SQLValue]? {
      let question = Question(table: table.sqlName, column: column.name, condition: condition)
      if let answer = known[question] { return answer }
      guard failure == nil else { return nil }
      do {
        let answer = try find(question)
        known[question] = .some(answer)
        return answer
      } catch {
        failure = error
        return nil
      }
    }

    private func find(_ question: Question) throws -> [SQLValue]? {
      let (name, condition) = ("t.\(SQL.quoted(question.column))", question.condition)
      var sql = "SELECT DISTINCT \(name) FROM \(question.table) t WHERE \(name) IS NOT NULL"
      let dialect = transaction.session.tables.dialect
      if condition.operation == .like,
        let narrowing = dialect.mayBeLike(name, condition.pattern, condition.options)
      {
        sql += " AND \(narrowing)"
      }
      try transaction.writeChanges()
      let scan = PredicateScan(transaction.state, ScanMemory(now: 0))
      let stream = try transaction.connection.stream(sql)
      var found: [SQLValue] = []
      while try stream.next() {
        let text = try stream.field(0).string()
        guard found.count <= Self.most, try scan.holds(condition, text) else { continue }
        found.append(.text(text))
      }
      return found.count <= Self.most ? found : nil
    }
  }

  extension SelectedColumn {
    /// Whether it is calculated of the values of many objects.
    fileprivate var isAggregate: Bool {
      switch self {
      case .value(let path), .reference(let path):
        if case .aggregate = path.end { return true }
        return false
      default: return false
      }
    }
  }
#endif
