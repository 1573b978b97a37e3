import ObjectModel

/// Sees, after the code of a stage has run, whether it has left something empty that the new version requires.
package struct RequiredValues {
  private let layout: Layout
  private let engine: any MigrationEngine

  package init(_ layout: Layout, _ engine: any MigrationEngine) {
    (self.layout, self.engine) = (layout, engine)
  }

  /// - Throws: ``StoreError`` if there is an object without a value that it needs.
  package func check() throws {
    for entity in layout.schema.entities where !entity.isAbstract {
      let place = layout.entities[entity.index]
      let table = layout.tables[place.table]
      for (index, attribute) in entity.attributes.enumerated() where !attribute.isOptional {
        let name = SQL.quoted(table.columns[place.slots[place.attributeSlots[index]]].name)
        var sql = "SELECT count(*) FROM \(table.sqlName) WHERE \(name) IS NULL"
        if let kind = table.kindColumn { sql += " AND \(SQL.quoted(kind)) = \(SQL.literal(entity.name))" }
        let count = try engine.number(sql)
        guard count > 0 else { continue }
        throw StoreError.invalid(
          "The migration leaves \(count) objects of \(entity.name) without \(attribute.name), which is"
            + " required. Nothing was changed.")
      }
    }
  }
}
