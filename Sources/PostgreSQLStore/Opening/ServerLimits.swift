#if PostgreSQL
  import ObjectModel
  import ObjectStore

  /// What PostgreSQL has no room for, said before it says so in its own words.
  enum ServerLimits {
    /// PostgreSQL has 1,600 columns for a table, dropped ones included.
    static let columns = 1_600

    /// - Throws: ``StoreError`` for an entity that a table has no room for, and for full-text search.
    static func check(_ layout: Layout) throws(StoreError) {
      for table in layout.tables {
        let name = layout.schema.entities[table.root].name
        let count = table.columns.count + 2
        guard count <= columns else {
          throw StoreError.invalid(
            "\(name) with its sub-entities has \(table.columns.count) attributes and to-one relationships. A table in"
              + " PostgreSQL has room for \(columns - 2). Split the entity.")
        }
        guard table.search == nil else {
          throw StoreError.invalid(
            "\(name) has attributes for full-text search, which stores in PostgreSQL do not offer: leave broker.search"
              + " out, or keep the store in a file.")
        }
      }
    }
  }
#endif
