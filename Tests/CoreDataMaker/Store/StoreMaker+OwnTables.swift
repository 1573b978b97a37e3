import ObjectModel

/// The tables that Core Data has for itself.
extension StoreMaker {
  func makeHistoryTables() throws {
    let key = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
    try database.run(
      "CREATE TABLE ACHANGE (\(key), ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, "
        + "ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB)")
    try database.run(
      "CREATE TABLE ATRANSACTION (\(key), ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZTIMESTAMP FLOAT)")
    try database.run("CREATE TABLE ATRANSACTIONSTRING (\(key), ZNAME VARCHAR)")
  }

  func insertPrimaryKeys() throws {
    for entity in contents.model.entities {
      let isRoot = entity.parent == nil
      let keys = contents.objects.filter { layout.root(of: $0.entity) == entity.name }.map(\.key)
      try insert(
        [
          ("Z_ENT", .integer(layout.number(entity.name))), ("Z_NAME", .text(entity.name)),
          ("Z_SUPER", .integer(entity.parent.map(layout.number) ?? 0)),
          ("Z_MAX", .integer(isRoot ? keys.max() ?? 0 : 0)),
        ], into: "Z_PRIMARYKEY")
    }
  }

  func insertMetadata() throws {
    let options = contents.options
    try insert(
      [
        ("Z_VERSION", .integer(1)), ("Z_UUID", .text(options.uuid)),
        ("Z_PLIST", options.lacksMetadata ? .null : .blob(metadata())),
      ], into: "Z_METADATA")
    if options.modelCache == .full {
      try insert([("Z_CONTENT", .blob(ModelArchiver.cached(contents.model)))], into: "Z_MODELCACHE")
    }
  }

  private func metadata() -> [UInt8] {
    let hashes = contents.model.entities.map { entity in
      (entity.name, PropertyListTree.data((0..<32).map { UInt8($0) &+ UInt8(entity.name.utf8.count & 0xFF) }))
    }
    return BinaryPropertyListWriter.bytes(
      of: .dictionary([
        ("NSStoreModelVersionHashes", .dictionary(hashes)), ("NSStoreModelVersionHashesVersion", .integer(3)),
        ("NSStoreModelVersionIdentifiers", .array([.string(contents.model.versionIdentifier ?? "")])),
        ("NSPersistenceFrameworkVersion", .integer(1244)), ("NSStoreType", .string("SQLite")),
        ("NSStoreUUID", .string(contents.options.uuid)), ("session", .string(contents.options.secret)),
      ]))
  }

  func insertHistory() throws {
    for (index, name) in ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"].enumerated() {
      try insert(
        [
          ("Z_ENT", .integer(16_001 + Int64(index))), ("Z_NAME", .text(name)), ("Z_SUPER", .integer(0)),
          ("Z_MAX", .integer(1)),
        ], into: "Z_PRIMARYKEY")
    }
    let head: [(name: String, value: SQLiteValue)] = [("Z_PK", .integer(1)), ("Z_OPT", .integer(1))]
    try insert(head + [("Z_ENT", .integer(16_003)), ("ZNAME", .text("author"))], into: "ATRANSACTIONSTRING")
    try insert(
      head + [("Z_ENT", .integer(16_002)), ("ZAUTHORTS", .integer(1)), ("ZTIMESTAMP", .real(700_000_000.5))],
      into: "ATRANSACTION")
    for (index, object) in contents.objects.enumerated() {
      try insert(
        [
          ("Z_PK", .integer(Int64(index + 1))), ("Z_ENT", .integer(16_001)), ("Z_OPT", .integer(1)),
          ("ZCHANGETYPE", .integer(0)), ("ZENTITY", .integer(layout.number(object.entity))),
          ("ZENTITYPK", .integer(object.key)), ("ZTRANSACTIONID", .integer(1)), ("ZCOLUMNS", .null),
        ], into: "ACHANGE")
    }
  }
}
