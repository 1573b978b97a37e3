import ObjectModel

extension PendingMigration {
  /// The remembered links under their new names, as a view for who only reads; nil if they have these already. Links whose
  /// keys are others now are left out.
  func view() throws -> String? {
    if try isUnchanged() { return nil }
    var (names, entities, all): ([String], [String], [String]) = ([], [], [])
    for former in old.relationships {
      guard let successor = successor(of: former), case .inverse = layout.relationships[successor.index],
        keys.isSame(former.owner, in: successor.owner),
        keys.isSame(former.destination, in: successor.destination)
      else { continue }
      let before = SQL.literal(Self.name(former, old))
      all.append(before)
      names.append("WHEN \(before) THEN \(SQL.literal(Self.name(successor, new)))")
      entities.append("WHEN \(before) THEN \(SQL.literal(rootName(of: successor)))")
    }
    guard !all.isEmpty else { return nil }
    return """
      CREATE TEMP VIEW \(SQL.quoted(StoreTable.pending)) ("entity", "relationship", "owner", "target", "position") AS
      SELECT CASE "relationship" \(entities.joined(separator: " ")) END,
        CASE "relationship" \(names.joined(separator: " ")) END, "owner", "target", "position"
      FROM \(name) WHERE "relationship" IN (\(all.joined(separator: ", ")))
      """
  }
}
