#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// The rows of the server, as the working copy of a transaction asks for them. Answers are kept until something is
  /// written.
  ///
  /// Rows that were fetched together are answered at once; the rest is fetched row by row.
  final class ServerRows: StoredRows {
    let session: ServerSession
    var tables: ServerTables { session.tables }
    var layout: Layout { tables.layout }
    /// The connection, for statements that look for rows of no table of the model.
    var connection: PostgreSQLConnection { get throws { try session.idle() } }
    /// The first error of a read; the transaction fails with it.
    private(set) var failure: (any Error)?

    var rows: [[Int64: StoredRow?]]
    /// By table, the rows by the values of the columns that they are looked for by; the key comes first.
    var found: [[RowCache]]
    var links: [LinkCache]
    /// The links that were written, by join table and direction.
    private var writtenLinks: [[WrittenKeyFilter]]
    /// The links that wait, if there are not too many to keep; nil while nobody has asked.
    var waiting: ServerPendingLinks?
    private var last: [Int64?]
    private var lastLink = ServerRows.firstNewLink
    private var lastWaiting: Int64?
    private let kinds: [String: Int]

    init(_ session: ServerSession) {
      self.session = session
      let layout = session.tables.layout
      rows = Array(repeating: [:], count: layout.tables.count)
      links = Array(repeating: LinkCache(), count: layout.joins.count)
      let tables = session.tables
      found = WorkingTable.lookups(layout).enumerated().map { table, lookups in
        lookups.map { columns in
          let isKnown = columns.allSatisfy { tables.forms[table][$0].hasOneForm }
          return RowCache(columns: columns, written: isKnown ? WrittenKeyFilter() : nil)
        }
      }
      writtenLinks = Array(repeating: [WrittenKeyFilter(), WrittenKeyFilter()], count: layout.joins.count)
      last = Array(repeating: nil, count: layout.tables.count)
      kinds = Dictionary(
        layout.schema.entities.map { ($0.name, $0.index) }, uniquingKeysWith: { first, _ in first })
    }

    /// Forgets all answers, since something was written or undone, or to give their memory back. Numbers are not used again.
    func forget() {
      for table in rows.indices {
        rows[table] = [:]
        for lookup in found[table].indices { found[table][lookup].rows = [:] }
      }
      for index in links.indices { links[index].forget() }
    }

    /// How many rows of a table are kept from one batch to the next.
    private static let mostKept = 4_096

    /// Forgets the answers for one batch, but for the rows of small tables, which the next batches probably ask for too.
    func forgetBatch() {
      for table in rows.indices {
        let isSmall = max(rows[table].count, found[table][0].rows.count) <= Self.mostKept
        if !isSmall || !mayKeepRows(of: table) {
          rows[table] = [:]
          found[table][0].rows = [:]
        }
        for lookup in found[table].indices.dropFirst() { found[table][lookup].rows = [:] }
      }
      for index in links.indices { links[index].forget() }
    }

    /// Whether rows that were read or written stay the server's until they are written again: others may not write them,
    /// and no bulk rows come.
    private func mayKeepRows(of table: Int) -> Bool {
      session.isLocked(table) && !session.hasBulkRows(in: table) && found[table][0].hasOneForm
    }

    /// Forgets the rows of a table, since bulk rows come.
    func forgetRows(of table: Int) {
      rows[table] = [:]
      for lookup in found[table].indices { found[table][lookup].rows = [:] }
    }

    /// Keeps rows as they are written now.
    private func keep(_ changes: ServerChanges.TableChanges, of table: Int) {
      let count = changes.deleted.count + changes.inserted.count + changes.updated.count
      guard mayKeepRows(of: table), rows[table].count + count <= Self.mostKept else {
        rows[table] = [:]
        found[table][0].rows = [:]
        return
      }
      let key = layout.tables[table].key
      func set(_ row: Int64, _ object: StoredRow, isThere: Bool) {
        rows[table].updateValue(isThere ? object : nil, forKey: row)
        found[table][0].rows[RowKey(key) { object.values[$0] }] = isThere ? [row] : []
      }
      for (row, object) in changes.deleted { set(row, object, isThere: false) }
      for (row, object) in changes.inserted + changes.updated.rows { set(row, object, isThere: true) }
    }

    /// The place in ``found`` of what is known by columns.
    func lookup(_ columns: [Int], in table: Int) -> Int {
      for index in found[table].indices where found[table][index].columns == columns { return index }
      found[table].append(RowCache(columns: columns))
      return found[table].count - 1
    }

    /// Keeps rows that were read, whose columns begin as ``ServerTables/selection(_:)`` has them.
    func keep(_ answer: PostgreSQLRows, of table: Int) throws { _ = try read(answer, table) }

    /// Forgets all answers, and the numbers of tables that others may have written until they were locked.
    func forget(numbersOf tables: Set<Int>) {
      forget()
      forgetPendingLinks()
      for table in tables { last[table] = nil }
    }

    /// Forgets the links that wait, since some were written or undone.
    func forgetPendingLinks() { waiting = nil }

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
      return found[table][lookup(columns, in: table)].written?.mayHold(values) ?? true
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
      keep(changes, of: table)
      noteWritten(changes.inserted, to: table)
      noteWritten(changes.updated.rows, to: table)
    }

    private func noteWritten(_ rows: some Sequence<(row: Int64, object: StoredRow)>, to table: Int) {
      guard session.hasOnlyWrittenRows(table) else { return }
      for lookup in found[table].indices {
        let columns = found[table][lookup].columns
        // Taken out, so that nothing is looked up or copied for each row.
        guard var written = found[table][lookup].written.take() else { continue }
        for row in rows { written.insert(columns.lazy.map { row.object.values[$0] }) }
        found[table][lookup].written = written
      }
    }

    func noteWritten(_ rows: [(row: Int64, link: JoinLink)], toJoin join: Int) {
      guard session.hasOnlyWrittenLinks else { return }
      for direction in 0...1 {
        for row in rows { writtenLinks[join][direction].insert(row.link.keys[direction]) }
      }
    }

    // MARK: - Rows

    /// Reads rows and keeps them, also as answers to the question for their keys.
    func read(_ answer: PostgreSQLRows, _ table: Int) throws -> [Int64] {
      var result: [Int64] = []
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
        rows[table].updateValue(StoredRow(entity: entity, values: values), forKey: row)
        found[table][0].rows[RowKey(described.key) { values[$0] }] = [row]
        result.append(row)
      }
      return result
    }

    func row(_ row: Int64, of table: Int) -> StoredRow? {
      if let known = rows[table][row] { return known }
      guard !session.isEmpty(table) else { return nil }
      return reading(nil) {
        let sql =
          "SELECT \(tables.selection(table)) FROM \(tables.name(table)) WHERE \(tables.rowColumn(table)) = $1"
        if try read(session.lookingUp(in: table).query(prepared: sql, .int8(row)), table).isEmpty {
          rows[table].updateValue(nil, forKey: row)
        }
        return rows[table][row] ?? nil
      }
    }

    func find(_ key: RowKey, in table: Int) -> Int64? {
      rows(of: table, where: layout.tables[table].key, are: key).first
    }

    func rows(of table: Int, where columns: [Int], are values: RowKey) -> [Int64] {
      let lookup = lookup(columns, in: table)
      if let known = found[table][lookup].rows[values] { return known }
      guard !session.isEmpty(table), mayHold(values, columns, table) else { return [] }
      return reading([]) {
        let described = layout.tables[table]
        let conditions = columns.enumerated().map { "\(SQL.quoted(described.columns[$1].name)) = $\($0 + 1)" }
        let sql =
          "SELECT \(tables.selection(table)) FROM \(tables.name(table)) WHERE \(conditions.joined(separator: " AND "))"
        let parameters = PostgreSQLParameters()
        for (column, value) in zip(columns, values) {
          // A value that the column cannot hold is in no row.
          do { try tables.forms[table][column].append(value, to: parameters) } catch { return [] }
        }
        let connection = try session.lookingUp(in: table)
        let statement = try connection.prepare(sql, columns.map { tables.forms[table][$0].type })
        let result = try read(connection.query(statement, parameters), table).sorted()
        found[table][lookup].rows[values] = result
        return result
      }
    }

    func allRows(of table: Int) -> [Int64] {
      guard !session.isEmpty(table) else { return [] }
      return reading([]) {
        try read(
          session.idle().query("SELECT \(tables.selection(table)) FROM \(tables.name(table))"), table)
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

    /// The numbers of new links, which are those of no link that was read.
    private static let firstNewLink: Int64 = 1 << 62

    func newLink(in join: Int) -> Int64 {
      lastLink += 1
      return lastLink
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
    func linkColumns(_ join: Int) -> String {
      let described = layout.joins[join]
      var names = described.keyColumns.map { SQL.quoted($0.name) }
      names += [described.targetOrder, described.ownerOrder].compactMap { $0.map(SQL.quoted) }
      return names.joined(separator: ", ")
    }

    private func linkSelection(_ join: Int) -> String {
      "SELECT \(linkColumns(join)) FROM \(layout.joins[join].sqlName)"
    }

    func readLinks(_ answer: PostgreSQLRows, _ join: Int, _ body: (JoinLink) -> Void) throws {
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

    func link(_ row: Int64, of join: Int) -> JoinLink? { links[join][row] }

    func links(of join: Int, _ key: RowKey, _ direction: Int) -> [(row: Int64, link: JoinLink)] {
      if let known = links[join].links(of: key, direction) { return known }
      guard !session.isEmptyJoin(join), mayHoldLinks(key, join, direction) else { return [] }
      return reading([]) {
        let described = layout.joins[join]
        let columns = direction == 0 ? described.ownerColumns : described.targetColumns
        let forms = columns.map(ColumnForm.init)
        let conditions = columns.enumerated().map { "\(SQL.quoted($1.name)) = $\($0 + 1)" }
        let parameters = PostgreSQLParameters()
        for (form, value) in zip(forms, key) {
          do { try form.append(value, to: parameters) } catch { return [] }
        }
        let sql = "\(linkSelection(join)) WHERE \(conditions.joined(separator: " AND "))"
        let connection = try session.lookingUp(inJoin: join)
        let statement = try connection.prepare(sql, forms.map(\.type))
        let answer = try connection.query(statement, parameters)
        links[join].begin([key], direction, hasForms: !forms.allSatisfy(\.hasOneForm))
        try readLinks(answer, join) { links[join].add($0, under: key, direction) }
        return links[join].links(of: key, direction) ?? []
      }
    }

    func allLinks(of join: Int) -> [Int64] {
      guard !session.isEmptyJoin(join) else { return [] }
      return reading([]) {
        var result: [Int64] = []
        try readLinks(session.idle().query(linkSelection(join)), join) { link in
          result.append(links[join].addAlone(link))
        }
        return result
      }
    }
  }

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
