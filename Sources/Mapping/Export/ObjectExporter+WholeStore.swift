import ObjectModel
import ObjectStore

/// Exports of whole stores: every object stands in the document, once under its entity or inside its owners.
extension ObjectExporter {
  /// The relationships by which owners nest their parts.
  ///
  /// A relationship of which some owner writes nothing is none of them: it is ignored, or cannot be used, or another
  /// property has its key. Its parts stand under their own entity.
  var nestingRelationships: Set<Int> {
    if let known = nesting { return known }
    var result = Set(layout.schema.relationships.filter(layout.leadsToParts).map(\.index))
    for entity in layout.schema.entities
    where !entity.isAbstract && !result.isDisjoint(with: entity.relationships) {
      result.subtract(Set(entity.relationships).subtracting(plan(for: entity).relationships))
    }
    nesting = result
    return result
  }

  /// The objects that stand under an entity.
  func listing(of entity: SchemaEntity) -> Query {
    var query = Query(entity.name)
    query.source = .listed(nestedBy: nestingRelationships)
    return query
  }

  /// Compares what was written with what the store has.
  ///
  /// - Throws: ``ExportError`` if objects without identity were not reached. Those that own each other in a circle have
  ///   no place in a document.
  func checkAllAreWritten() throws {
    for (table, rows) in written.enumerated() {
      guard let rows else { continue }
      let root = layout.schema.entities[layout.tables[table].root]
      let missing = try links.count(of: root) - rows.count
      if missing > 0 { throw ExportError(.notReached(root.name, count: missing)) }
    }
  }
}

/// The rows of a table that an export has written.
struct WrittenRows {
  private var marks = RowMarks()
  private(set) var count = 0

  mutating func add(_ row: Int64) {
    if !marks.add(.written, to: row).contains(.written) { count += 1 }
  }
}
