import ObjectModel

/// What there is in a store, for people who look at it.
extension SQLiteTransaction {
  /// How many objects of each entity there are, those of its sub-entities not counted.
  package func objectCounts() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in layout.tables {
      let kind = table.kindColumn.map(SQL.quoted) ?? SQL.literal(layout.schema.entities[table.root].name)
      let statement = try prepare("SELECT \(kind), count(*) FROM \(SQL.quoted(table.name)) GROUP BY 1")
      while try statement.step() { counts[statement.string(0)] = Int(statement.integer(1)) }
    }
    return counts
  }

  /// How many references wait for objects that are not there, by the entity of these objects.
  package func pendingReferenceCounts() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for relationship in layout.schema.relationships {
      let statement = try prepare(MissingTargetSQL(relationship, layout).count)
      guard let count = try statement.onlyInteger(), count > 0 else { continue }
      counts[layout.schema.entities[relationship.destination].name, default: 0] += Int(count)
    }
    return counts
  }

  /// The bytes of all pages of the file, and of those that nothing is in.
  package func pageBytes() throws -> (all: Int, free: Int) {
    let statement = try prepare(
      "SELECT page_count * page_size, freelist_count * page_size"
        + " FROM pragma_page_count, pragma_freelist_count, pragma_page_size")
    guard try statement.step() else { return (0, 0) }
    defer { statement.reset() }
    return (Int(statement.integer(0)), Int(statement.integer(1)))
  }

  /// The tables and indexes of the file, each table before its indexes.
  package func storedParts() throws -> [DatabaseObject] {
    let bytes = try partBytes()
    let statement = try prepare(
      """
      SELECT s.name, s.tbl_name, s.type = 'index', coalesce(l."unique", 0),
        (SELECT group_concat(i.name, char(31)) FROM pragma_index_info(s.name) i)
      FROM sqlite_schema s LEFT JOIN pragma_index_list(s.tbl_name) l ON s.type = 'index' AND l.name = s.name
      WHERE s.type IN ('table', 'index') ORDER BY s.tbl_name, s.type = 'index', s.name
      """)
    var parts: [DatabaseObject] = []
    while try statement.step() {
      let isIndex = statement.integer(2) != 0
      let name = statement.string(0)
      parts.append(
        DatabaseObject(
          name: name, kind: !isIndex ? .table : statement.integer(3) != 0 ? .uniqueIndex : .index,
          table: statement.string(1),
          columns: isIndex ? statement.string(4).split(separator: "\u{1F}").map(String.init) : [],
          bytes: bytes.map { $0[name] ?? 0 }))
    }
    return parts
  }

  package func objectsOfOthers() throws -> [String] {
    guard let database else { return [] }
    let check = try SchemaCheck(database) { layout }
    return (check.triggers + check.views).map { "\($0.type) \($0.name)" }
  }

  /// The bytes of the pages of each table and index; nil if this SQLite was built without `dbstat`, which counts them.
  private func partBytes() throws -> [String: Int]? {
    let modules = try prepare("SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'")
    guard try modules.step() else { return nil }
    let statement = try prepare("SELECT name, pgsize FROM dbstat WHERE aggregate = 1")
    var bytes: [String: Int] = [:]
    while try statement.step() { bytes[statement.string(0)] = Int(statement.integer(1)) }
    return bytes
  }
}

extension SQLiteStore {
  /// The bytes of the log beside the file, which SQLite moves into it now and then.
  package var logBytes: Int { opening.file?.logSize ?? 0 }
}
