#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import WorkingCopy

  /// What the server has, as the working copy of a transaction asks for it. Answers are kept until something is written.
  final class ServerRows: StoredRows {
    private let connection: PostgreSQLConnection
    private let tables: ServerTables
    private var layout: Layout { tables.layout }
    /// The first error of a read; the transaction fails with it.
    private(set) var failure: (any Error)?

    private var rows: [[Int64: StoredRow?]]
    private var found: [[[Int]: [[Value]: [Int64]]]]
    private var links: [[Int64: JoinLink?]]
    private var foundLinks: [[[[Value]: [Int64]]]]
    private var last: [Int64?]
    private var lastLink: [Int64?]
    private var lastWaiting: Int64?
    private let kinds: [String: Int]

    init(_ connection: PostgreSQLConnection, _ tables: ServerTables) {
      self.connection = connection
      self.tables = tables
      let layout = tables.layout
      rows = Array(repeating: [:], count: layout.tables.count)
      found = Array(repeating: [:], count: layout.tables.count)
      links = Array(repeating: [:], count: layout.joins.count)
      foundLinks = Array(repeating: [[:], [:]], count: layout.joins.count)
      last = Array(repeating: nil, count: layout.tables.count)
      lastLink = Array(repeating: nil, count: layout.joins.count)
      kinds = Dictionary(
        layout.schema.entities.map { ($0.name, $0.index) }, uniquingKeysWith: { first, _ in first })
    }

    /// Forgets all answers, since something was written or undone.
    func forget() {
      for index in rows.indices { (rows[index], found[index]) = ([:], [:]) }
      for index in links.indices { (links[index], foundLinks[index]) = ([:], [[:], [:]]) }
      last = last.map { _ in nil }
      lastLink = lastLink.map { _ in nil }
      lastWaiting = nil
    }

    /// Forgets what was read, so that it takes no memory any more.
    func forgetAnswers() {
      for index in rows.indices { (rows[index], found[index]) = ([:], [:]) }
      for index in links.indices { (links[index], foundLinks[index]) = ([:], [[:], [:]]) }
      waiting = [:]
    }

    /// Keeps rows that were read, whose columns begin as ``ServerTables/selection(_:)`` has them.
    func keep(_ answer: PostgreSQLRows, of table: Int) throws { _ = try read(answer, table) }

    private func reading<Result>(_ otherwise: Result, _ body: () throws -> Result) -> Result {
      guard failure == nil else { return otherwise }
      do { return try body() } catch {
        failure = error
        return otherwise
      }
    }

    // MARK: - Rows

    private func read(_ answer: PostgreSQLRows, _ table: Int) throws -> [Int64] {
      var result: [Int64] = []
      let described = layout.tables[table]
      for index in 0..<answer.count {
        let row = try answer.field(index, 0).int8()
        let kind = answer.field(index, 1)
        var entity = described.root
        if !kind.isNull { entity = kinds[try kind.string()] ?? described.root }
        var values: [Value] = []
        for (column, form) in tables.forms[table].enumerated() {
          values.append(try form.value(answer.field(index, column + 2)))
        }
        rows[table].updateValue(StoredRow(entity: entity, values: values), forKey: row)
        result.append(row)
      }
      return result
    }

    func row(_ row: Int64, of table: Int) -> StoredRow? {
      if let known = rows[table][row] { return known }
      return reading(nil) {
        let sql =
          "SELECT \(tables.selection(table)) FROM \(tables.name(table)) WHERE \(tables.rowColumn(table)) = $1"
        if try read(connection.query(prepared: sql, .int8(row)), table).isEmpty {
          rows[table].updateValue(nil, forKey: row)
        }
        return rows[table][row] ?? nil
      }
    }

    func find(_ key: [Value], in table: Int) -> Int64? {
      rows(of: table, where: layout.tables[table].key, are: key).first
    }

    func rows(of table: Int, where columns: [Int], are values: [Value]) -> [Int64] {
      if let known = found[table][columns]?[values] { return known }
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
        let statement = try connection.prepare(sql, columns.map { tables.forms[table][$0].type })
        let result = try read(connection.query(statement, parameters), table).sorted()
        found[table][columns, default: [:]][values] = result
        return result
      }
    }

    func allRows(of table: Int) -> [Int64] {
      reading([]) {
        try read(connection.query("SELECT \(tables.selection(table)) FROM \(tables.name(table))"), table)
      }
    }

    func newRow(in table: Int, _ changes: [Int64: StoredRow?]) -> Int64 {
      let known =
        last[table]
        ?? reading(0) { try maximum(tables.rowColumn(table), tables.name(table)) }
      let next = max(known, changes.keys.max() ?? 0) &+ 1
      last[table] = known
      return next
    }

    private func maximum(_ column: String, _ table: String) throws -> Int64 {
      let field = try connection.query("SELECT max(\(column)) FROM \(table)").field(0, 0)
      return field.isNull ? 0 : try field.int8()
    }

    // MARK: - Links

    private func linkSelection(_ join: Int) -> String {
      let described = layout.joins[join]
      var names = [ServerTables.rowName]
      names += (described.ownerColumns + described.targetColumns).map { SQL.quoted($0.name) }
      names += [described.targetOrder, described.ownerOrder].map { $0.map(SQL.quoted) ?? "NULL::bigint" }
      return "SELECT \(names.joined(separator: ", ")) FROM \(SQL.quoted(described.name))"
    }

    private func readLinks(_ answer: PostgreSQLRows, _ join: Int) throws -> [Int64] {
      let described = layout.joins[join]
      let (owners, targets) = (described.ownerColumns.count, described.targetColumns.count)
      var result: [Int64] = []
      for index in 0..<answer.count {
        let row = try answer.field(index, 0).int8()
        var values: [Value] = []
        for (column, form) in tables.joinForms[join].enumerated() {
          values.append(try form.value(answer.field(index, column + 1)))
        }
        let places = try [owners + targets + 1, owners + targets + 2].map { column in
          let field = answer.field(index, column)
          return field.isNull ? nil : try field.int8()
        }
        let link = JoinLink(keys: [Array(values[..<owners]), Array(values[owners...])], places: places)
        links[join].updateValue(link, forKey: row)
        result.append(row)
      }
      return result
    }

    func link(_ row: Int64, of join: Int) -> JoinLink? {
      if let known = links[join][row] { return known }
      return reading(nil) {
        let sql = "\(linkSelection(join)) WHERE \(ServerTables.rowName) = $1"
        if try readLinks(connection.query(prepared: sql, .int8(row)), join).isEmpty {
          links[join].updateValue(nil, forKey: row)
        }
        return links[join][row] ?? nil
      }
    }

    func links(of join: Int, _ key: [Value], _ direction: Int) -> [Int64] {
      if let known = foundLinks[join][direction][key] { return known }
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
        let statement = try connection.prepare(sql, forms.map(\.type))
        let result = try readLinks(connection.query(statement, parameters), join)
        foundLinks[join][direction][key] = result
        return result
      }
    }

    func allLinks(of join: Int) -> [Int64] {
      reading([]) { try readLinks(connection.query(linkSelection(join)), join) }
    }

    func newLink(in join: Int) -> Int64 {
      let known =
        lastLink[join]
        ?? reading(0) { try maximum(ServerTables.rowName, SQL.quoted(layout.joins[join].name)) }
      lastLink[join] = known &+ 1
      return known &+ 1
    }

    // MARK: - Links that wait

    private static let waitingSelection =
      "SELECT broker_row, entity, relationship, owner, target, position FROM \(ServerTables.pending)"
    private var waiting: [Int64: WaitingLink?] = [:]

    private func readWaiting(_ answer: PostgreSQLRows) throws -> [Int64] {
      var result: [Int64] = []
      for index in 0..<answer.count {
        let row = try answer.field(index, 0).int8()
        let name = try answer.field(index, 2).string()
        guard let relationship = relationship(named: name) else { continue }
        let place = answer.field(index, 5)
        waiting.updateValue(
          WaitingLink(
            relationship: relationship, owner: try answer.field(index, 3).string(),
            target: try answer.field(index, 4).string(), place: place.isNull ? nil : try place.int8()),
          forKey: row)
        result.append(row)
      }
      return result
    }

    static func name(of relationship: SchemaRelationship, _ layout: Layout) -> String {
      "\(layout.schema.entities[relationship.owner].name).\(relationship.name)"
    }

    private func relationship(named name: String) -> Int? {
      layout.schema.relationships.first { Self.name(of: $0, layout) == name }?.index
    }

    func waitingLink(_ row: Int64) -> WaitingLink? {
      reading(nil) {
        let answer = try connection.query(
          prepared: "\(Self.waitingSelection) WHERE broker_row = $1", .int8(row))
        return try readWaiting(answer).isEmpty ? nil : waiting[row] ?? nil
      }
    }

    func waitingLinks(for target: String) -> [Int64] {
      reading([]) {
        try readWaiting(
          connection.query(prepared: "\(Self.waitingSelection) WHERE target = $1", .text(target)))
      }
    }

    func waitingLinks(of relationship: Int, _ owner: String) -> [Int64] {
      let name = Self.name(of: layout.schema.relationships[relationship], layout)
      return reading([]) {
        try readWaiting(
          connection.query(
            prepared: "\(Self.waitingSelection) WHERE relationship = $1 AND owner = $2", .text(name),
            .text(owner)))
      }
    }

    func allWaitingLinks() -> [Int64] {
      reading([]) { try readWaiting(connection.query(Self.waitingSelection)) }
    }

    func newWaitingLink() -> Int64 {
      let known = lastWaiting ?? reading(0) { try maximum("broker_row", ServerTables.pending) }
      lastWaiting = known &+ 1
      return known &+ 1
    }
  }
#endif
