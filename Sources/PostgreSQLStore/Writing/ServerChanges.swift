#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// Writes what was changed in a working copy: what goes first, then what came, so that a key is free before it is taken.
  ///
  /// A few rows are written by prepared statements in a pipeline, many by one statement or COPY for each table.
  struct ServerChanges {
    let session: ServerSession
    let stored: ServerRows
    var tables: ServerTables { session.tables }
    var layout: Layout { tables.layout }

    /// The changes of a table's rows.
    struct TableChanges {
      var deleted: [(row: Int64, object: StoredRow)] = []
      var inserted: [(row: Int64, object: StoredRow)] = []
      var updated = RowUpdates()
    }

    struct JoinChanges {
      var deleted: [(row: Int64, link: JoinLink)] = []
      var inserted: [(row: Int64, link: JoinLink)] = []
    }

    struct WaitingChanges {
      var deleted: [Int64] = []
      var inserted: [(row: Int64, link: PendingLink)] = []
    }

    func write(_ state: IdentityMap) throws {
      let tableChanges = layout.tables.indices.map { changes(of: $0, state) }
      let joinChanges = layout.joins.indices.map { changes(ofJoin: $0, state) }
      let waiting = waitingChanges(state)
      let count =
        tableChanges.reduce(0) { $0 + $1.deleted.count + $1.inserted.count + $1.updated.count }
        + joinChanges.reduce(waiting.deleted.count + waiting.inserted.count) {
          $0 + $1.deleted.count + $1.inserted.count
        }
      guard count > 0 else { return }
      for (table, changes) in tableChanges.enumerated() where !tables.textIndexes[table].isEmpty {
        try session.makeRoom(inIndexesOf: table, for: changes.inserted + changes.updated.rows) {
          row, column in
          switch row.object.values[column] {
          case .text(let bytes), .blob(let bytes): bytes.count
          default: 0
          }
        }
      }
      // Noted before, since the thread that pushes works beside this one.
      for (table, changes) in tableChanges.enumerated() {
        note(changes, table)
        stored.noteWritten(changes, to: table)
        if !changes.inserted.isEmpty { session.noteRows(in: table) }
      }
      for (join, changes) in joinChanges.enumerated() {
        note(changes, state.joins[join], join)
        stored.noteWritten(changes.inserted, toJoin: join)
        if !changes.inserted.isEmpty { session.noteLinks(in: join) }
      }
      try push(tableChanges, joinChanges, waiting, count: count)
    }

    private func push(
      _ tableChanges: [TableChanges], _ joinChanges: [JoinChanges], _ waiting: WaitingChanges, count: Int
    ) throws {
      let session = session
      guard count >= session.sizes.changesTogether else {
        return try session.retrying(notes: false, setsSavepoint: false) {
          try ChangePipeline(session).write(tableChanges, joinChanges, waiting, isOneStep: true)
        }
      }
      let statements = {
        try session.retrying(notes: false) {
          try ChangeSets(session).write(tableChanges, joinChanges, waiting)
        }
      }
      if count < session.sizes.changesBeside { try statements() } else { try session.push(statements) }
    }

    // MARK: - For observers

    private func note(_ changes: TableChanges, _ table: Int) {
      let count = changes.deleted.count + changes.inserted.count + changes.updated.count
      guard session.changes.hasRoom(for: count) else {
        session.changes.add(.delete, times: changes.deleted.count, table: table)
        session.changes.add(.insert, times: changes.inserted.count, table: table)
        return session.changes.add(.update, times: changes.updated.count, table: table)
      }
      func note(_ operation: ChangeOperation, _ object: StoredRow) {
        let key = ObjectKey(layout.tables[table].key.map { object.values[$0].sql })
        session.changes.add(operation, key, entity: object.entity, table: table)
      }
      for change in changes.deleted { note(.delete, change.object) }
      for change in changes.inserted { note(.insert, change.object) }
      for change in changes.updated.rows { note(.update, change.object) }
    }

    /// A link is a matter of the object that its relationship starts at, and of the other one if there is an inverse. A place
    /// in a list is one of the list's owner only.
    private func note(_ changes: JoinChanges, _ links: WorkingJoin, _ join: Int) {
      let relationship = layout.schema.relationships[layout.joins[join].relationship]
      let entities = [relationship.owner, relationship.destination]
      guard session.changes.hasRoom(for: 2 * (changes.deleted.count + changes.inserted.count)) else {
        let touched = changes.deleted.count + changes.inserted.count
        for entity in Set(entities.prefix(relationship.inverse == nil ? 1 : 2)) {
          session.changes.add(.touch, times: touched, table: layout.entities[entity].table)
        }
        return
      }
      func touch(_ link: JoinLink, _ end: Int) {
        let table = layout.entities[entities[end]].table
        session.changes.add(.touch, ObjectKey(link.keys[end].map(\.sql)), entity: -1, table: table)
      }
      func touchBoth(_ link: JoinLink) {
        touch(link, 0)
        if relationship.inverse != nil { touch(link, 1) }
      }
      let inserted = Dictionary(changes.inserted.map { ($0.row, $0.link) }, uniquingKeysWith: { $1 })
      for (row, former) in changes.deleted where inserted[row]?.keys != former.keys { touchBoth(former) }
      for (row, link) in changes.inserted {
        guard let former = links.former(row), former.keys == link.keys else {
          touchBoth(link)
          continue
        }
        for end in 0...1 where former.places[end] != link.places[end] { touch(link, end) }
      }
    }

    // MARK: - What has changed

    /// The changes of a table's rows: a row that was read is updated, a row that was not is new.
    private func changes(of table: Int, _ state: IdentityMap) -> TableChanges {
      var changes = TableChanges()
      let key = layout.tables[table].key
      let (rows, changed) = (state.tables[table], state.tables[table].changes)
      for row in changed.keys.sorted() {
        guard let object = changed[row] else { continue }
        let former = rows.former(row)
        guard let object else {
          if let former { changes.deleted.append((row, former)) }
          continue
        }
        guard let former else {
          changes.inserted.append((row, object))
          continue
        }
        guard former != object else { continue }
        // A key may be another row's before.
        if former.entity == object.entity, key.allSatisfy({ former.values[$0] == object.values[$0] }) {
          changes.updated.add(row, object, formerly: former)
        } else {
          changes.deleted.append((row, former))
          changes.inserted.append((row, object))
        }
      }
      return changes
    }

    private func changes(ofJoin join: Int, _ state: IdentityMap) -> JoinChanges {
      var changes = JoinChanges()
      changes.inserted = state.joins[join].takeAppended()
      let changed = state.joins[join].changes
      for row in changed.keys.sorted() {
        guard let link = changed[row] else { continue }
        let former = state.joins[join].former(row)
        if former == link { continue }
        if let former { changes.deleted.append((row, former)) }
        if let link { changes.inserted.append((row, link)) }
      }
      return changes
    }

    private func waitingChanges(_ state: IdentityMap) -> WaitingChanges {
      var changes = WaitingChanges()
      for (row, link) in state.waiting.changes {
        changes.deleted.append(row)
        if let link { changes.inserted.append((row, link)) }
      }
      changes.deleted.sort()
      changes.inserted.sort { $0.row < $1.row }
      return changes
    }
  }

  /// The columns that rows are written with, and their values.
  struct ChangeColumns {
    let tables: ServerTables
    var layout: Layout { tables.layout }

    /// The columns of a table: those of the layout, its kind, the number of the row.
    func names(of table: Int) -> [String] {
      let described = layout.tables[table]
      return described.columns.map { SQL.quoted($0.name) }
        + (described.kindColumn.map { [SQL.quoted($0)] } ?? [])
        + (described.keyIsRowID ? [] : [ServerTables.rowName])
    }

    func types(of table: Int) -> [PostgreSQLType] {
      let described = layout.tables[table]
      return tables.forms[table].map(\.type) + (described.kindColumn == nil ? [] : [.text])
        + (described.keyIsRowID ? [] : [.int8])
    }

    /// The column that says on which server a row is, if statements about one row have to name it: they go to that server
    /// alone then.
    func shardColumn(of table: Int) -> Int? {
      let described = layout.tables[table]
      guard !described.keyIsRowID, let name = tables.distribution.column(of: described.name) else {
        return nil
      }
      return described.columns.firstIndex { $0.name == name }
    }

    func append(_ row: Int64, _ object: StoredRow, of table: Int, to values: some ValueSink) throws {
      let described = layout.tables[table]
      for (form, value) in zip(tables.forms[table], object.values) { try form.append(value, to: values) }
      if described.kindColumn != nil {
        try values.append(text: layout.schema.entities[object.entity].name)
      }
      if !described.keyIsRowID { values.append(int8: row) }
    }

    func names(ofJoin join: Int) -> [String] {
      let described = layout.joins[join]
      return described.keyColumns.map { SQL.quoted($0.name) }
        + [described.targetOrder, described.ownerOrder].compactMap { $0.map(SQL.quoted) }
    }

    func types(ofJoin join: Int) -> [PostgreSQLType] {
      let described = layout.joins[join]
      return tables.joinForms[join].map(\.type)
        + [described.targetOrder, described.ownerOrder].compactMap { $0 == nil ? nil : .int8 }
    }

    func append(_ link: JoinLink, of join: Int, to values: some ValueSink) throws {
      let described = layout.joins[join]
      var forms = tables.joinForms[join].makeIterator()
      for end in 0...1 {
        for value in link.keys[end] { try forms.next()?.append(value, to: values) }
      }
      for end in 0...1 where (end == 0 ? described.targetOrder : described.ownerOrder) != nil {
        if let place = link.places[end] { values.append(int8: place) } else { values.appendNull(of: .int8) }
      }
    }

    static let waitingNames = ["broker_row", "entity", "relationship", "owner", "target", "position"]
    static let waitingTypes: [PostgreSQLType] = [.int8, .text, .text, .text, .text, .int8]

    func append(_ row: Int64, _ link: PendingLink, to values: some ValueSink) throws {
      let relationship = layout.schema.relationships[link.relationship]
      values.append(int8: row)
      try values.append(text: layout.schema.entities[relationship.destination].name)
      try values.append(text: ServerRows.name(of: relationship, layout))
      try values.append(text: link.owner)
      try values.append(text: link.target)
      if let place = link.place { values.append(int8: place) } else { values.appendNull(of: .int8) }
    }
  }

  /// Writes many changes: what goes by one statement for each table, what is new by COPY, what is changed by COPY to a
  /// staging table and one statement.
  struct ChangeSets {
    let session: ServerSession
    let columns: ChangeColumns

    init(_ session: ServerSession) {
      (self.session, columns) = (session, ChangeColumns(tables: session.tables))
    }

    func write(
      _ tableChanges: [ServerChanges.TableChanges], _ joinChanges: [ServerChanges.JoinChanges],
      _ waiting: ServerChanges.WaitingChanges
    ) throws {
      let (tables, joins) = (session.tables, session.tables.layout.joins)
      for (table, changes) in tableChanges.enumerated() {
        try delete(changes.deleted.map(\.row), from: tables.name(table), tables.rowColumn(table))
      }
      try deleteLinks(joinChanges)
      try delete(waiting.deleted, from: session.tables.pending, "broker_row")
      for (table, changes) in tableChanges.enumerated() {
        for group in changes.updated.groups { try update(group, table) }
        try copy(changes.inserted, to: tables.name(table), columns.names(of: table)) {
          try columns.append($0.row, $0.object, of: table, to: $1)
        }
      }
      for (join, changes) in joinChanges.enumerated() {
        try copy(changes.inserted, to: joins[join].sqlName, columns.names(ofJoin: join)) {
          try columns.append($0.link, of: join, to: $1)
        }
      }
      try copy(waiting.inserted, to: session.tables.pending, ChangeColumns.waitingNames) {
        try columns.append($0.row, $0.link, to: $1)
      }
    }

    private func delete(_ rows: [Int64], from table: String, _ column: String) throws {
      guard !rows.isEmpty else { return }
      _ = try session.idle().query(
        "DELETE FROM \(table) WHERE \(column) = ANY ($1)", PostgreSQLParameters(array: rows))
    }

    private func deleteLinks(_ changes: [ServerChanges.JoinChanges]) throws {
      guard session.tables.distribution.isDistributed else {
        for (join, changes) in changes.enumerated() {
          try delete(changes.deleted.map(\.link), ofJoin: join)
        }
        return
      }
      // Each server is told of its own links, whose keys say where they are.
      guard changes.contains(where: { !$0.deleted.isEmpty }) else { return }
      let deletions = changes.map { ServerChanges.JoinChanges(deleted: $0.deleted) }
      try ChangePipeline(session).write([], deletions, ServerChanges.WaitingChanges())
    }

    private func delete(_ links: [JoinLink], ofJoin join: Int) throws {
      guard !links.isEmpty else { return }
      let (tables, described) = (session.tables, session.tables.layout.joins[join])
      let keys = try KeyArrays(
        links.lazy.map(\.key), in: described.keyColumns.map { SQL.quoted($0.name) }, tables.joinForms[join])
      _ = try session.idle().query(
        "DELETE FROM \(described.sqlName) WHERE \(keys.condition)", keys.parameters)
    }

    private func copy<Item>(
      _ items: [Item], to table: String, _ names: [String],
      _ append: (Item, PostgreSQLCopyWriter) throws -> Void
    ) throws {
      guard !items.isEmpty else { return }
      let writer = try session.idle().copyIn(
        "COPY \(table) (\(names.joined(separator: ", "))) FROM STDIN (FORMAT binary)")
      for item in items {
        writer.beginRow()
        try append(item, writer)
        try writer.endRow()
      }
      try InsertedRows(in: table).check(writer.finish(), of: items.count)
    }

    private func update(_ group: RowUpdates.Group, _ table: Int) throws {
      let (tables, described) = (session.tables, session.tables.layout.tables[table].columns)
      let staging = try session.staging(for: "changes \(table)", stagingColumns(table), beside: table)
      let shard = columns.shardColumn(of: table)
      let staged = group.columns + (shard.map { [$0] } ?? [])
      let replaced = group.columns.map { SQL.quoted(described[$0].name) }
      let same = [tables.rowColumn(table)] + (shard.map { [SQL.quoted(described[$0].name)] } ?? [])
      let names = [same[0]] + staged.map { SQL.quoted(described[$0].name) }
      let forms = tables.forms[table]
      try copy(group.rows, to: staging, names) { item, writer in
        writer.append(int8: item.row)
        for column in staged { try forms[column].append(item.object.values[column], to: writer) }
      }
      let values = replaced.map { "\($0) = s.\($0)" }.joined(separator: ", ")
      let condition = same.map { "t.\($0) = s.\($0)" }.joined(separator: " AND ")
      _ = try session.idle().execute(
        "UPDATE \(tables.name(table)) t SET \(values) FROM \(staging) s WHERE \(condition)")
      _ = try session.idle().execute("TRUNCATE \(staging)")
    }

    /// The columns of a table as those of a staging table.
    private func stagingColumns(_ table: Int) -> [StagingTables.Column] {
      let described = session.tables.layout.tables[table]
      let values = zip(described.columns, session.tables.forms[table]).map {
        StagingTables.Column(name: $0.name, form: $1, matching: $0.name)
      }
      return values + (described.kindColumn.map { [.init(name: $0, form: .text)] } ?? [])
        + (described.keyIsRowID ? [] : [.init(name: "broker_row", form: .integer)])
    }
  }

  /// Rows of a table that have other values than they had, by the columns which differ: others are not written, so that what
  /// other programs have changed in them meanwhile stays.
  struct RowUpdates {
    /// Rows of which the same columns are written.
    struct Group {
      var columns: [Int]
      var rows: [(row: Int64, object: StoredRow)] = []
    }

    private(set) var groups: [Group] = []
    private(set) var count = 0
    private var places: [[Int]: Int] = [:]
    /// Where the last row went.
    private var last = 0
    /// The columns of the row that comes.
    private var columns: [Int] = []

    /// There is a statement for each group. The last one has the rows with columns that no other group has.
    private static let mostGroups = 16

    var isEmpty: Bool { count == 0 }
    var rows: some Sequence<(row: Int64, object: StoredRow)> { groups.lazy.flatMap(\.rows) }

    mutating func add(_ row: Int64, _ object: StoredRow, formerly former: StoredRow) {
      columns.removeAll(keepingCapacity: true)
      for column in object.values.indices where object.values[column] != former.values[column] {
        columns.append(column)
      }
      guard !columns.isEmpty else { return }
      count += 1
      if groups.isEmpty || groups[last].columns != columns { last = place() }
      groups[last].rows.append((row, object))
    }

    private mutating func place() -> Int {
      if let known = places[columns] { return known }
      guard groups.count == Self.mostGroups else {
        places[columns] = groups.count
        groups.append(Group(columns: columns))
        return groups.count - 1
      }
      let other = Self.mostGroups - 1
      places[groups[other].columns] = nil
      groups[other].columns = Set(groups[other].columns).union(columns).sorted()
      return other
    }
  }
#endif
