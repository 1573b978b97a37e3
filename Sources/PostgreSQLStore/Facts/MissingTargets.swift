#if PostgreSQL
  import ObjectModel
  import ObjectStore

  /// The statement that counts the references of a relationship whose targets are not there.
  struct MissingTargets {
    let count: String

    init(_ relationship: SchemaRelationship, _ tables: ServerTables) {
      let layout = tables.layout
      let target = layout.table(of: relationship.destination)
      let (table, reference): (String, [String])
      switch layout.relationships[relationship.index] {
      case .inverse:
        let name = "\(layout.schema.entities[relationship.owner].name).\(relationship.name)"
        count = "SELECT count(*) FROM \(tables.pending) WHERE relationship = \(SQL.literal(name))"
        return
      case .foreignKey(let columns):
        let owner = layout.table(of: relationship.owner)
        (table, reference) = (owner.sqlName, columns.map { owner.columns[$0].name })
      case .join(let index, let isForward):
        let join = layout.joins[index]
        let columns = isForward ? join.targetColumns : join.ownerColumns
        (table, reference) = (join.sqlName, columns.map(\.name))
      }
      let references = reference.map { "t.\(SQL.quoted($0))" }
      let given = references.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
      let missing = MissingReferences(
        selecting: "count(*)", from: "\(table) t WHERE \(given)", references: references,
        target: target.sqlName, keys: target.key.map { "o.\(SQL.quoted(target.columns[$0].name))" },
        kind: layout.kindCondition(of: relationship.destination, alias: "o"))
      count = missing.statement(isDistributed: tables.distribution.isDistributed)
    }
  }
#endif
