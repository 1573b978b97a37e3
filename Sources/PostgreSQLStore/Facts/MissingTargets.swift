#if PostgreSQL
  import ObjectModel
  import ObjectStore

  /// The statement that counts the references of a relationship whose targets are not there.
  struct MissingTargets {
    let count: String

    init(_ relationship: SchemaRelationship, _ layout: Layout) {
      let target = layout.table(of: relationship.destination)
      let (table, reference): (String, [String])
      switch layout.relationships[relationship.index] {
      case .inverse:
        let name = "\(layout.schema.entities[relationship.owner].name).\(relationship.name)"
        count = "SELECT count(*) FROM \(ServerTables.pending) WHERE relationship = \(SQL.literal(name))"
        return
      case .foreignKey(let columns):
        let owner = layout.table(of: relationship.owner)
        (table, reference) = (owner.name, columns.map { owner.columns[$0].name })
      case .join(let index, let isForward):
        let join = layout.joins[index]
        let columns = isForward ? join.targetColumns : join.ownerColumns
        (table, reference) = (join.name, columns.map(\.name))
      }
      let pairs = zip(target.key, reference).map { key, reference in
        "t.\(SQL.quoted(target.columns[key].name)) = o.\(SQL.quoted(reference))"
      }
      let given = reference.map { "o.\(SQL.quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
      let kind = layout.kindCondition(of: relationship.destination, alias: "t").map { [$0] } ?? []
      count = """
        SELECT count(*) FROM \(SQL.quoted(table)) o WHERE \(given) AND NOT EXISTS
        (SELECT FROM \(SQL.quoted(target.name)) t WHERE \((pairs + kind).joined(separator: " AND ")))
        """
    }
  }
#endif
