#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// The rows of the server, as the identity map of a transaction reads them.
  ///
  /// The map keeps the answers; here is what holds for the whole transaction: which keys it wrote to tables that were empty, and
  /// the numbers of new rows.
  final class ServerRows: StoredRows {
    let session: ServerSession
    var tables: ServerTables { session.tables }
    var layout: Layout { tables.layout }
    /// The connection, for statements that look for rows of no table of the model.
    private var connection: PostgreSQLConnection { get throws { try session.idle() } }
    /// The first error of a read; the transaction fails with it.
    private(set) var failure: (any Error)?

    /// By table and by the columns that rows are looked for by, the key's first, the rows that were written to a table that was
    /// empty before.
    private var written: [[(columns: [Int], keys: WrittenKeyFilter)]]
    /// The links that were written, by join table and direction.
    private var writtenLinks: [[WrittenKeyFilter]]
    private var last: [Int64?]
    private var lastWaiting: Int64?
    private let kinds: [String: Int]

    init(_ session: ServerSession) {
      self.session = session
      let (layout, tables) = (session.tables.layout, session.tables)
      written = WorkingTable.lookups(layout).enumerated().map { table, lookups in
        // Values that have several forms the server alone can compare.
        lookups.filter { $0.allSatisfy { tables.forms[table][$0].hasOneForm } }.map {
          ($0, WrittenKeyFilter())
        }
      }
      writtenLinks = Array(repeating: [WrittenKeyFilter(), WrittenKeyFilter()], count: layout.joins.count)
      last = Array(repeating: nil, count: layout.tables.count)
      kinds = Dictionary(
        layout.schema.entities.map { ($0.name, $0.index) }, uniquingKeysWith: { first, _ in first })
    }

    var fetchesTogether: Bool { true }

    /// Whether rows that were read or written stay the server's until they are written again: others may not write them,
    /// and no bulk rows come.
    func mayKeepRows(of table: Int) -> Bool {
      session.isLocked(table) && !session.hasBulkRows(in: table)
        && layout.tables[table].key.allSatisfy { tables.forms[table][$0].hasOneForm }
    }

    /// Forgets the numbers of tables that others may have written until they were locked.
    func forgetNumbers(of tables: Set<Int>) {
      for table in tables { last[table] = nil }
    }

    func reading<Result>(_ otherwise: Result, _ body: () throws -> Result) -> Result {
      guard failure == nil else { return otherwise }
      do { return try body() } catch {
        failure = error
        return otherwise
      }
    }

    // MARK: - What was written

    /// Whether a table may have rows whose columns hold values.
    func mayHold(_ values: RowKey, _ columns: [Int], _ table: Int) -> Bool {
      guard session.hasOnlyWrittenRows(table) else { return true }
      for filter in written[table] where filter.columns == columns { return filter.keys.mayHold(values) }
      return true
    }

    func mayHoldLinks(_ key: RowKey, _ join: Int, _ direction: Int) -> Bool {
      guard session.hasOnlyWrittenLinks else { return true }
      let described = layout.joins[join]
      let columns = direction == 0 ? described.ownerColumns : described.targetColumns
      guard columns.map(ColumnForm.init).allSatisfy(\.hasOneForm) else { return true }
      return writtenLinks[join][direction].mayHold(key)
    }

    /// Notes changes of a table that are written now.
    func noteWritten(_ changes: ServerChanges.TableChanges, to table: Int) {
      noteWritten(changes.inserted, to: table)
      noteWritten(changes.updated.rows, to: table)
    }

    private func noteWritten(_ rows: some Sequence<(row: Int64, object: StoredRow)>, to table: Int) {
      guard session.hasOnlyWrittenRows(table) else { return }
      for index in written[table].indices {
        let columns = written[table][index].columns
        // Taken out, so that nothing is looked up or copied for each row.
        var keys = WrittenKeyFilter()
        swap(&keys, &written[table][index].keys)
        for row in rows { keys.insert(columns.lazy.map { row.object.values[$0] }) }
        swap(&keys, &written[table][index].keys)
      }
    }

    func noteWritten(_ rows: [(row: Int64, link: JoinLink)], toJoin join: Int) {
      guard session.hasOnlyWrittenLinks else { return }
      for direction in 0...1 {
        for row in rows { writtenLinks[join][direction].insert(row.link.keys[direction]) }
      }
    }

    // MARK: - Rows

    /// Reads the rows of an answer, whose columns begin as ``ServerTables/selection(_:)`` has them.
    func read(_ answer: PostgreSQLRows, _ table: Int, _ body: (Int64, StoredRow) -> Void) throws {
      let described = layout.tables[table]
      for index in 0..<answer.count {
        let row = try answer.field(index, 0).int8()
        let kind = answer.field(index, 1)
        var entity = described.root
        if !kind.isNull { entity = kinds[try kind.string()] ?? described.root }
        var values: [Value] = []
        values.reserveCapacity(described.columns.count)
        for (column, form) in tables.forms[table].enumerated() {
          values.append(try form.value(answer.field(index, column + 2)))
        }
        body(row, StoredRow(entity: entity, values: values))
      }
    }

    func readRows(_ rows: [Int64], of table: Int, _ body: (Int64, StoredRow) -> Void) {
      guard !session.isEmpty(table) else { return }
      reading(()) {
        let (column, connection) = (tables.rowColumn(table), try session.lookingUp(in: table))
        guard rows.count > 1 else {
          let sql = "SELECT \(tables.selection(table)) FROM \(tables.name(table)) WHERE \(column) = $1"
          for row in rows { try read(connection.query(prepared: sql, .int8(row)), table, body) }
          return
        }
        let asked = try KeyArrays(rows.map { [.integer($0)] }, in: [column], [ColumnForm(.integer64)])
        try read(connection.query(selection(table, asked), asked.parameters), table, body)
      }
    }

    func readRows(
      of table: Int, where columns: [Int], are keys: [RowKey], _ body: (Int64, StoredRow) -> Void
    ) -> [RowKey] {
      guard !session.isEmpty(table) else { return [] }
      return reading([]) {
        let forms = columns.map { tables.forms[table][$0] }
        let names = columns.map { SQL.quoted(layout.tables[table].columns[$0].name) }
        if keys.count == 1 {
          let beginning = "SELECT \(tables.selection(table)) FROM \(tables.name(table))"
          let answer = try rows(beginning, where: names, forms, are: keys[0]) {
            try session.lookingUp(in: table)
          }
          if let answer { try read(answer, table, body) }
          return keys
        }
        guard forms.allSatisfy(\.hasOneForm) else { return [] }
        let asked = try KeyArrays(keys, in: names, forms)
        let answer = try session.lookingUp(in: table).query(selection(table, asked), asked.parameters)
        try read(answer, table, body)
        return asked.keys
      }
    }

    private func selection(_ table: Int, _ keys: KeyArrays) -> String {
      keys.selection(
        tables.selection(table), from: tables.name(table), isDistributed: tables.distribution.isDistributed)
    }

    /// The rows whose columns hold the values of one key; nil if a column cannot hold its value, so that it is in no row.
    private func rows(
      _ beginning: String, where names: [String], _ forms: [ColumnForm], are key: RowKey,
      _ connection: () throws -> PostgreSQLConnection
    ) throws -> PostgreSQLRows? {
      let parameters = PostgreSQLParameters()
      for (form, value) in zip(forms, key) {
        do { try form.append(value, to: parameters) } catch { return nil }
      }
      let conditions = names.enumerated().map { "\($1) = $\($0 + 1)" }.joined(separator: " AND ")
      let connection = try connection()
      let statement = try connection.prepare("\(beginning) WHERE \(conditions)", forms.map(\.type))
      return try connection.query(statement, parameters)
    }

    func readAllRows(of table: Int, _ body: (Int64, StoredRow) -> Void) {
      guard !session.isEmpty(table) else { return }
      reading(()) {
        let sql = "SELECT \(tables.selection(table)) FROM \(tables.name(table))"
        try read(session.idle().query(sql), table, body)
      }
    }

    // MARK: - Numbers of rows

    func newRow(in table: Int, _ changes: [Int64: StoredRow?]) -> Int64 {
      let next = reading(1) { try nextNumber(in: table) }
      last[table] = next
      return next
    }

    /// A number that no row of a table has. It is not taken yet.
    func nextNumber(in table: Int) throws -> Int64 {
      if let known = last[table] { return known &+ 1 }
      let known =
        session.isEmpty(table)
        ? 0 : try maximum(tables.rowColumn(table), tables.name(table), session.idle())
      last[table] = known
      return known &+ 1
    }

    /// Takes the next number of a table.
    func useNumber(in table: Int) { last[table] = (last[table] ?? 0) &+ 1 }

    private func maximum(
      _ column: String, _ table: String, _ connection: PostgreSQLConnection
    ) throws -> Int64 {
      try connection.query("SELECT max(\(column)) FROM \(table)").value { $0.isNull ? 0 : try $0.int8() }
    }

    func newPendingLink() -> Int64 {
      // Transactions that lock other entities take numbers at the same time, so each takes some thousand at once.
      var next = (lastWaiting ?? 0) &+ 1
      if next % ServerTables.pendingStep == 1 {
        next = reading(next) {
          try session.idle().query("SELECT nextval(\(SQL.literal(tables.pendingNumbers)))").value {
            try $0.int8()
          }
        }
      }
      lastWaiting = next
      return next
    }

    // MARK: - Links

    /// The columns of a link, as ``readLinks(_:_:_:)`` takes them.
    private func linkColumns(_ join: Int) -> String {
      let described = layout.joins[join]
      var names = described.keyColumns.map { SQL.quoted($0.name) }
      names += [described.targetOrder, described.ownerOrder].compactMap { $0.map(SQL.quoted) }
      return names.joined(separator: ", ")
    }

    private func linkSelection(_ join: Int) -> String {
      "SELECT \(linkColumns(join)) FROM \(layout.joins[join].sqlName)"
    }

    private func readLinks(_ answer: PostgreSQLRows, _ join: Int, _ body: (JoinLink) -> Void) throws {
      let described = layout.joins[join]
      let (forms, owners) = (tables.joinForms[join], Array(described.ownerColumns.indices))
      let targets = Array(owners.count..<forms.count)
      for index in 0..<answer.count {
        func key(_ columns: [Int]) throws -> RowKey {
          try RowKey(columns) { try forms[$0].value(answer.field(index, $0)) }
        }
        var link = JoinLink(keys: Ends(try key(owners), try key(targets)), places: Ends(nil, nil))
        var column = forms.count
        for end in 0...1 where (end == 0 ? described.targetOrder : described.ownerOrder) != nil {
          let field = answer.field(index, column)
          if !field.isNull { link.places[end] = try field.int8() }
          column += 1
        }
        body(link)
      }
    }

    func readLinks(
      of join: Int, at keys: [RowKey], _ direction: Int, _ body: (JoinLink) -> Void
    ) -> [RowKey] {
      guard !session.isEmptyJoin(join) else { return [] }
      return reading([]) {
        let described = layout.joins[join]
        let columns = direction == 0 ? described.ownerColumns : described.targetColumns
        let (forms, names) = (columns.map(ColumnForm.init), columns.map { SQL.quoted($0.name) })
        if keys.count == 1 {
          let answer = try rows(linkSelection(join), where: names, forms, are: keys[0]) {
            try session.lookingUp(inJoin: join)
          }
          if let answer { try readLinks(answer, join, body) }
          return keys
        }
        guard forms.allSatisfy(\.hasOneForm) else { return [] }
        let asked = try KeyArrays(keys, in: names, forms)
        let sql = asked.selection(
          linkColumns(join), from: described.sqlName, isDistributed: tables.distribution.isDistributed)
        try readLinks(session.lookingUp(inJoin: join).query(sql, asked.parameters), join, body)
        return asked.keys
      }
    }

    func readAllLinks(of join: Int, _ body: (JoinLink) -> Void) {
      guard !session.isEmptyJoin(join) else { return }
      reading(()) { try readLinks(session.idle().query(linkSelection(join)), join, body) }
    }

    // MARK: - Links that wait

    static func name(of relationship: SchemaRelationship, _ layout: Layout) -> String {
      "\(layout.schema.entities[relationship.owner].name).\(relationship.name)"
    }

    func readPendingLinks(_ wanted: PendingLinkQuery, _ body: (Int64, PendingLink) -> Void) -> Bool {
      let selection =
        "SELECT broker_row, entity, relationship, owner, target, position FROM \(tables.pending)"
      return reading(true) {
        let answer: PostgreSQLRows
        switch wanted {
        case .all(let most):
          let limit = most < .max ? " ORDER BY broker_row LIMIT \(most + 1)" : ""
          answer = try connection.query("\(selection)\(limit)")
          if answer.count > most { return false }
        case .row(let row):
          answer = try connection.query(prepared: "\(selection) WHERE broker_row = $1", .int8(row))
        case .target(let target):
          answer = try connection.query(prepared: "\(selection) WHERE target = $1", .text(target))
        case .owner(let relationship, let owner):
          answer = try connection.query(
            prepared: "\(selection) WHERE relationship = $1 AND owner = $2",
            .text(Self.name(of: layout.schema.relationships[relationship], layout)), .text(owner))
        }
        try readPendingLinks(answer, body)
        return true
      }
    }

    private func readPendingLinks(_ answer: PostgreSQLRows, _ body: (Int64, PendingLink) -> Void) throws {
      if answer.count == 0 { return }
      let names = Dictionary(
        layout.schema.relationships.map { (Self.name(of: $0, layout), $0.index) },
        uniquingKeysWith: { first, _ in first })
      for index in 0..<answer.count {
        guard let relationship = names[try answer.field(index, 2).string()] else { continue }
        let place = answer.field(index, 5)
        let link = PendingLink(
          relationship: relationship, owner: try answer.field(index, 3).string(),
          target: try answer.field(index, 4).string(), place: place.isNull ? nil : try place.int8())
        body(try answer.field(index, 0).int8(), link)
      }
    }
  }

  /// Which values rows can be found by that a transaction wrote to a table which had none before: what is not among them
  /// need not be looked for on the server.
  struct WrittenKeyFilter {
    private var keys = KeySet()
    /// Whether there are too many to keep.
    private var isOverfull = false

    /// How many entries are kept.
    private static let most = 1 << 22

    mutating func insert(_ values: some Collection<Value>) {
      guard !isOverfull, let key = KeySet.Member(values) else { return }
      _ = keys.insert(key)
      if keys.size >= Self.most { (isOverfull, keys) = (true, KeySet()) }
    }

    /// False if no row was written with these values.
    func mayHold(_ values: RowKey) -> Bool {
      guard !isOverfull, let key = KeySet.Member(values) else { return true }
      return keys.contains(key)
    }
  }
#endif
