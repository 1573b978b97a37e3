import GRDBSQLite
import ObjectModel

/// The tables of a Core Data store, as they are found in the file.
package struct CoreDataTables: Sendable {
  /// A row of `Z_PRIMARYKEY`.
  package struct Entity: Sendable {
    package let number: Int64
    package let name: String
    /// The number of the entity that it inherits from; 0 if there is none.
    package let parent: Int64
  }

  package let entities: [Entity]
  /// The columns of each table, by the table's name, in the order of the table.
  package let columns: [String: [Column]]
  /// The columns that have an index of their own, as `table.column`.
  package let indexed: Set<String>

  package struct Column: Sendable {
    package let name: String
    /// The type that the table declares: `VARCHAR`.
    package let type: String
  }

  /// How many entities, tables and columns are read. Real stores have some hundred.
  private static let most = 20_000
  /// The numbers of Core Data's own entities: those of persistent history, and of what CloudKit was told. They are no data
  /// of the app.
  private static let own: ClosedRange<Int64> = 16_000...19_999

  /// - Throws: ``StoreError`` if the database is no Core Data store, or is damaged.
  init(_ handle: OpaquePointer, path: String) throws {
    let names = try Self.tableNames(handle)
    guard names.contains("Z_PRIMARYKEY") else {
      throw StoreError(.notCoreData(path: path, why: Self.reason(names)))
    }
    var columns: [String: [Column]] = [:]
    let statement = try PreparedStatement("SELECT name, type FROM pragma_table_info(?1)", on: handle)
    for name in names where name.hasPrefix("Z") || name.hasPrefix("z") {
      statement.bind(name, at: 1)
      var found: [Column] = []
      while try statement.step() {
        found.append(Column(name: statement.string(0), type: statement.string(1).uppercased()))
        guard found.count <= Self.most else { throw Self.tooMany("columns in \(name)", path) }
      }
      columns[name] = found
    }
    self.columns = columns
    entities = try Self.entities(handle, columns["Z_PRIMARYKEY"] ?? [], path)
    indexed = try Self.indexed(handle)
  }

  /// Whether a database has the tables of Core Data; nil if it has none at all.
  static func areThere(_ handle: OpaquePointer) throws -> Bool? {
    let names = try tableNames(handle)
    return names.isEmpty ? nil : names.contains("Z_PRIMARYKEY")
  }

  /// The names of plain tables. Views and virtual tables are none of Core Data's.
  private static func tableNames(_ handle: OpaquePointer) throws -> [String] {
    let statement = try PreparedStatement(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 LIMIT \(most)", on: handle)
    var names: [String] = []
    while try statement.step() { names.append(statement.string(0)) }
    return names
  }

  private static func reason(_ names: [String]) -> String {
    names.contains(StoreTable.metadata)
      ? "it is a store of Broker's, not of Core Data; broker export writes what it has"
      : "it is an SQLite database without the tables of Core Data (Z_PRIMARYKEY)"
  }

  private static func entities(
    _ handle: OpaquePointer, _ columns: [Column], _ path: String
  ) throws -> [Entity] {
    let names = Set(columns.map { $0.name.uppercased() })
    guard names.isSuperset(of: ["Z_ENT", "Z_NAME", "Z_SUPER"]) else {
      throw StoreError(.notCoreData(path: path, why: "its table Z_PRIMARYKEY is not Core Data's"))
    }
    let statement = try PreparedStatement(
      "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT", on: handle)
    var entities: [Entity] = []
    while try statement.step() {
      guard statement.storage(0) == .integer, statement.storage(1) == .text else {
        throw StoreError(.notCoreData(path: path, why: "its table Z_PRIMARYKEY has rows that name no entity"))
      }
      let entity = Entity(
        number: statement.integer(0), name: statement.string(1), parent: statement.integer(2))
      if !own.contains(entity.number) { entities.append(entity) }
      guard entities.count <= most else { throw tooMany("entities", path) }
    }
    guard Set(entities.map(\.number)).count == entities.count,
      Set(entities.map(\.name)).count == entities.count
    else {
      throw StoreError(.notCoreData(path: path, why: "its table Z_PRIMARYKEY names entities twice"))
    }
    return entities
  }

  private static func indexed(_ handle: OpaquePointer) throws -> Set<String> {
    let statement = try PreparedStatement(
      """
      SELECT s.tbl_name || '.' || i.name FROM sqlite_schema s, pragma_index_info(s.name) i
      WHERE s.type = 'index' AND i.seqno = 0 LIMIT \(most)
      """, on: handle)
    var found: Set<String> = []
    while try statement.step() { found.insert(statement.string(0)) }
    return found
  }

  private static func tooMany(_ what: String, _ path: String) -> StoreError {
    StoreError(.notCoreData(path: path, why: "it claims more than \(most) \(what)"))
  }

  // MARK: - Asking

  /// The name of the table that holds an entity's objects, as it is written there.
  package func table(ofRoot name: String) -> String? { table("Z" + name.uppercased()) }

  /// The table with a name, whatever its case.
  func table(_ name: String) -> String? {
    if columns[name] != nil { return name }
    let upper = name.uppercased()
    return columns.keys.first { $0.uppercased() == upper }
  }

  /// The column with a name, whatever its case.
  func column(_ name: String, of table: String) -> String? {
    let upper = name.uppercased()
    return columns[table]?.first { $0.name.uppercased() == upper }?.name
  }
}

extension CoreDataTables {
  /// A single value of a single row, as bytes; nil if there is none.
  static func bytes(_ sql: String, _ handle: OpaquePointer) throws -> [UInt8]? {
    let statement = try PreparedStatement(sql, on: handle)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return Array(statement.blob(0))
  }

  /// The contents of `Z_MODELCACHE`: the model, compressed. Nil if there is no such table, or nothing in it.
  func modelCache(_ handle: OpaquePointer) throws -> [UInt8]? {
    guard columns["Z_MODELCACHE"]?.contains(where: { $0.name == "Z_CONTENT" }) ?? false else { return nil }
    let bytes = try Self.bytes("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1", handle)
    return bytes?.isEmpty ?? true ? nil : bytes
  }

  /// The identifier that tells this store from all others; nil if the file does not say it.
  func uuid(_ handle: OpaquePointer) throws -> String? {
    guard columns["Z_METADATA"]?.contains(where: { $0.name == "Z_UUID" }) ?? false else { return nil }
    let bytes = try Self.bytes("SELECT Z_UUID FROM Z_METADATA LIMIT 1", handle)
    guard let bytes, !bytes.isEmpty, bytes.count <= 64 else { return nil }
    return String(decoding: bytes, as: UTF8.self).filter { $0.isLetter || $0.isNumber || $0 == "-" }
  }

  /// The property list of the store's metadata; nil if there is none.
  func metadata(_ handle: OpaquePointer) throws -> [UInt8]? {
    guard columns["Z_METADATA"]?.contains(where: { $0.name == "Z_PLIST" }) ?? false else { return nil }
    return try Self.bytes("SELECT Z_PLIST FROM Z_METADATA LIMIT 1", handle)
  }
}
