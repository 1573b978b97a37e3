import Foundation
import ObjectModel

/// Writes a store as Core Data lays it out.
package struct StoreMaker {
  let contents: StoreContents
  let layout: StoreLayout
  private let path: String
  let database: StoreDatabase
  private let objects: [StoreLink: StoreObject]

  /// Makes a store. Beside it may be a `-wal` with its rows, and a folder with data.
  package static func make(_ contents: StoreContents, at path: String) throws {
    let scratch = path + ".making"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: scratch + end) } }
    let maker = try StoreMaker(contents: contents, path: path, scratch: scratch)
    try maker.makeTables()
    if contents.options.keepsRowsInWAL {
      try maker.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
      try maker.makeRows()
    } else {
      try maker.makeRows()
      try maker.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    // Copied while it is open: closing it would move the rows out of the `-wal`.
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
    for end in contents.options.keepsRowsInWAL ? ["", "-wal"] : [""] {
      try FileManager.default.copyItem(atPath: scratch + end, toPath: path + end)
    }
  }

  private init(contents: StoreContents, path: String, scratch: String) throws {
    self.contents = contents
    self.path = path
    layout = StoreLayout(contents.model)
    objects = Dictionary(contents.objects.map { (StoreLink($0.entity, $0.key), $0) }) { first, _ in first }
    database = try StoreDatabase(path: scratch)
    try database.run("PRAGMA journal_mode = WAL")
    try database.run("PRAGMA wal_autocheckpoint = 0")
  }

  // MARK: - Tables

  private func makeTables() throws {
    for root in contents.model.entities where root.parent == nil { try makeTable(of: root) }
    for table in layout.joinTables {
      let columns = [table.targetColumn, table.targetOrder, table.ownerColumn, table.ownerOrder].compactMap {
        $0
      }
      let key = "PRIMARY KEY (\(quoted(table.targetColumn)), \(quoted(table.ownerColumn)))"
      let list = columns.map { quoted($0) + " INTEGER" } + [key]
      try database.run("CREATE TABLE \(quoted(table.name)) ( \(list.joined(separator: ", ")) )")
    }
    try database.run(
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
    try database.run(
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
    if contents.options.modelCache != .missing {
      try database.run("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    }
    if contents.options.hasHistory { try makeHistoryTables() }
    if contents.options.hasConstraints { try makeConstraints() }
  }

  private func makeTable(of root: Entity) throws {
    var columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    for entity in layout.family(of: root.name) {
      for column in (layout.columns[entity.name] ?? [:]).values.sorted(by: { $0.name < $1.name }) {
        columns.append(quoted(column.name) + " " + column.type)
        for other in [column.entityColumn, column.orderColumn] {
          if let other { columns.append(quoted(other) + " INTEGER") }
        }
      }
    }
    try database.run(
      "CREATE TABLE \(quoted(layout.table(of: root.name))) ( \(columns.joined(separator: ", ")) )")
  }

  /// The index names the entity as it is written, the columns in capitals.
  private func makeConstraints() throws {
    for entity in contents.model.entities {
      for names in entity.uniquenessConstraints {
        let columns = names.compactMap { layout.column($0, of: entity.name)?.name }
        guard columns.count == names.count else { continue }
        let name = "Z_\(entity.name)_UNIQUE_" + names.joined(separator: "_")
        let list = columns.map(quoted).joined(separator: ", ")
        // Not unique here, since random objects may have the same values.
        try database.run("CREATE INDEX \(quoted(name)) ON \(quoted(layout.table(of: entity.name))) (\(list))")
      }
    }
  }

  private func makeTriggers() throws {
    for entity in contents.model.entities {
      for attribute in entity.attributes where attribute.derivation != nil {
        guard let column = layout.column(attribute.name, of: entity.name) else { continue }
        let table = layout.table(of: entity.name)
        try database.run(
          """
          CREATE TRIGGER \(quoted("Z_DA_\(table)_\(entity.name)_\(attribute.name)_UPDATE")) AFTER UPDATE OF Z_OPT
          ON \(quoted(table)) FOR EACH ROW BEGIN
          UPDATE \(quoted(table)) SET \(quoted(column.name)) =
          NSCoreDataDATriggerUpdatedAffectedObjectValue('\(entity.name)', Z_PK) WHERE Z_PK = NEW.Z_PK; END
          """)
      }
    }
  }

  // MARK: - Rows

  private func makeRows() throws {
    try database.run("BEGIN")
    for object in contents.objects { try insert(object) }
    try insertLinks()
    try insertPrimaryKeys()
    try insertMetadata()
    if contents.options.hasHistory { try insertHistory() }
    if contents.options.hasDerivationTriggers { try makeTriggers() }
    try database.run("COMMIT")
  }

  func insert(_ row: [(name: String, value: SQLiteValue)], into table: String, orIgnore: Bool = false)
    throws
  {
    let names = row.map { quoted($0.name) }.joined(separator: ", ")
    let places = row.map { _ in "?" }.joined(separator: ", ")
    let word = orIgnore ? "INSERT OR IGNORE" : "INSERT"
    try database.run("\(word) INTO \(quoted(table)) (\(names)) VALUES (\(places))", row.map(\.value))
  }

  private func insert(_ object: StoreObject) throws {
    var row: [(name: String, value: SQLiteValue)] = [
      ("Z_PK", .integer(object.key)), ("Z_ENT", .integer(layout.number(object.entity))),
      ("Z_OPT", .integer(1)),
    ]
    for (name, value) in object.values.sorted(by: { $0.key < $1.key }) {
      guard let column = layout.column(name, of: object.entity) else { continue }
      row.append((column.name, try cell(value)))
    }
    for (name, links) in object.links.sorted(by: { $0.key < $1.key }) {
      guard let column = layout.column(name, of: object.entity), let link = links.first else { continue }
      row.append((column.name, .integer(link.key)))
      if let other = column.entityColumn { row.append((other, .integer(layout.number(link.entity)))) }
      if let order = column.orderColumn { row.append((order, place(of: object, in: name, at: link))) }
    }
    try insert(row, into: layout.table(of: object.entity))
  }

  private func cell(_ value: StoreValue) throws -> SQLiteValue {
    switch value {
    case .null: return .null
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .integer(let number): return .integer(number)
    case .real(let number), .date(let number): return .real(number)
    case .text(let text), .decimal(let text): return .text(text)
    case .uuid(let uuid): return .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .data(let bytes), .archive(let bytes): return .blob(bytes)
    case .dataInRow(let bytes): return .blob([1] + bytes)
    case .dataInFile(let bytes, let name):
      try write(bytes, toFile: name)
      return .blob([2] + Array(name.utf8) + [0])
    }
  }

  /// `.Name_SUPPORT/_EXTERNAL_DATA` beside the store.
  private func write(_ bytes: [UInt8], toFile name: String) throws {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().appendingPathComponent(
      ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(bytes).write(to: folder.appendingPathComponent(name))
  }

  /// The place in the list that leads to an object: rising, with gaps; NULL where the list does not have it.
  private func place(of object: StoreObject, in relationship: String, at owner: StoreLink) -> SQLiteValue {
    guard !contents.options.lacksOrder,
      let inverse = layout.relationship(relationship, of: object.entity)?.relationship.inverse,
      let list = objects[owner]?.links[inverse],
      let index = list.firstIndex(of: StoreLink(object.entity, object.key))
    else { return .null }
    return .integer(Int64(index + 1) * 1024 + Int64(index % 3))
  }

  // MARK: - Links

  private func insertLinks() throws {
    for table in layout.joinTables {
      for object in contents.objects {
        guard layout.line(of: object.entity).contains(where: { $0.name == table.entity }) else { continue }
        for (index, link) in (object.links[table.relationship] ?? []).enumerated() {
          var row: [(name: String, value: SQLiteValue)] = [
            (table.targetColumn, .integer(link.key)), (table.ownerColumn, .integer(object.key)),
          ]
          let hasOrder = !contents.options.lacksOrder
          if let order = table.targetOrder {
            row.append((order, hasOrder ? .integer(Int64(index + 1) * 1024) : .null))
          }
          if let order = table.ownerOrder {
            row.append((order, ownerPlace(of: object, link, table, hasOrder)))
          }
          try insert(row, into: table.name, orIgnore: true)
        }
      }
    }
  }

  private func ownerPlace(
    of object: StoreObject, _ link: StoreLink, _ table: StoreLayout.JoinTable, _ hasOrder: Bool
  ) -> SQLiteValue {
    guard hasOrder,
      let inverse = layout.relationship(table.relationship, of: object.entity)?.relationship.inverse,
      let index = objects[link]?.links[inverse]?.firstIndex(of: StoreLink(object.entity, object.key))
    else { return .null }
    return .integer(Int64(index + 1) * 1024)
  }

  private func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}
