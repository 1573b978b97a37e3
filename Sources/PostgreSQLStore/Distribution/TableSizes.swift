#if PostgreSQL
  import ObjectStore

  /// Expressions for the bytes of a relation `c` of the catalog.
  enum TableSizes {
    /// With its indexes. Rows on other servers count where the table is.
    static func whole(_ distribution: Distribution) -> String {
      chosen(distribution, CitusStatements.size, "pg_total_relation_size(c.oid)")
    }

    /// Of the table or the index alone. Of a table on several servers, nobody tells the bytes of its indexes one by one: it
    /// has them.
    static func own(_ distribution: Distribution) -> String {
      chosen(distribution, CitusStatements.size, "pg_relation_size(c.oid)")
    }

    private static func chosen(_ distribution: Distribution, _ function: String, _ otherwise: String)
      -> String
    {
      guard distribution.isDistributed else { return otherwise }
      let names = distribution.placements.keys.sorted().map(SQL.literal).joined(separator: ", ")
      return "CASE WHEN c.relname IN (\(names)) THEN \(function)(c.oid) ELSE \(otherwise) END"
    }
  }
#endif
