import ObjectModel

/// Keys as text, as reports and what the store remembers have them, from one version of a model to another.
struct KeyMigration {
  let sources: MigrationSources

  private var old: Layout { sources.oldLayout }

  /// The key in the new version of an object of an old entity or its sub-entities.
  ///
  /// - Parameter family: The entity of the new version that it has to be of.
  /// - Returns: Nil if there is no such object, and the key does not follow from the old one alone.
  func key(_ text: String, of entity: Int, in family: Int) throws -> String? {
    let allowed = self.allowed(entity, family)
    guard !allowed.isEmpty else { return nil }
    guard let parts = sources.directKey(allowed) else { return try found(text, entity, allowed) }
    if isSame(parts, entity) { return text }
    guard let values = ComparedType.identity(text, of: sources.old.entities[entity]) else { return nil }
    let converted = parts.map { part in
      // try?: the program's conversion refuses the value, which is then converted as any other.
      sources.options.conversions[part.name].flatMap { try? $0(values[part.position]) }
        ?? ValueConversion(part.old, to: part.new).convert(values[part.position])
    }
    let known = converted.compactMap { $0 == .null ? nil : $0 }
    return known.count == parts.count ? KeyText.text(of: known) : nil
  }

  private func allowed(_ entity: Int, _ family: Int) -> [Int] {
    let members = sources.new.family(of: family)
    return sources.concrete(entity).filter { member in
      sources.successor(of: member).map(members.contains) ?? false
    }
  }

  /// Whether the keys of objects stay as they are.
  func isSame(_ entity: Int, in family: Int) -> Bool {
    let allowed = self.allowed(entity, family)
    guard allowed.count == sources.concrete(entity).count, let parts = sources.directKey(allowed) else {
      return false
    }
    return isSame(parts, entity)
  }

  private func isSame(_ parts: [MigrationSources.DirectPart], _ entity: Int) -> Bool {
    let count = old.table(of: entity).key.count
    return parts.count == count
      && parts.enumerated().allSatisfy { $1.position == $0 && $1.isPlain(sources.options) }
  }

  /// The new key of an object that is there.
  private func found(_ text: String, _ entity: Int, _ allowed: [Int]) throws -> String? {
    let index = old.entities[entity].table
    let table = old.tables[index]
    guard let parts = KeyText.split(text, count: table.key.count) else { return nil }
    let key = sources.newKey("y", ofOldTable: index, allowed)
    let columns = table.key.map { table.columns[$0] }
    let conditions = zip(columns, parts).compactMap { column, part in
      sources.engine.literal(ofKeyPart: part, in: column).map { "y.\(SQL.quoted(column.name)) = \($0)" }
    }
    guard conditions.count == parts.count else { return nil }
    var result: String?
    try sources.engine.forEach(
      "SELECT \(key.joined(separator: ", ")) FROM \(sources.tableNames[index]) y"
        + " WHERE \(conditions.joined(separator: " AND "))", columns: key.count
    ) { cursor in
      guard (0..<key.count).allSatisfy({ !cursor.isNull($0) }) else { return }
      result = KeyText.ofColumns(0..<key.count, cursor)
    }
    return result
  }
}
