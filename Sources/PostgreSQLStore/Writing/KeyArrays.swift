#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// Many keys as parameters of one statement: an array for each of their parts.
  struct KeyArrays {
    /// The keys that the columns can hold.
    let keys: [RowKey]
    let parameters = PostgreSQLParameters()
    /// The columns, quoted.
    private let columns: [String]

    /// - Parameter columns: The columns, quoted.
    init(_ keys: some Sequence<RowKey>, in columns: [String], _ forms: [ColumnForm]) throws {
      let arrays = forms.map { _ in PostgreSQLParameters() }
      var held: [RowKey] = []
      for key in keys where zip(forms, key).allSatisfy({ $0.takes($1) }) {
        held.append(key)
        for (array, (form, value)) in zip(arrays, zip(forms, key)) { try form.append(value, to: array) }
      }
      for (array, form) in zip(arrays, forms) { try parameters.append(array: array, of: form.type) }
      self.keys = held
      self.columns = columns
    }

    private var arrays: String { columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ") }

    /// That the columns are one of the keys.
    var condition: String {
      guard columns.count > 1 else { return "\(columns[0]) = ANY ($1)" }
      return "(\(columns.joined(separator: ", "))) IN (SELECT * FROM unnest(\(arrays)))"
    }

    /// Selects what the rows with the keys have.
    ///
    /// Of the rows with many keys, the server would rather read a whole table, for each batch anew: it knows little about
    /// tables that were just filled. So it is told to look for one key after another, which tables on several servers do not
    /// take.
    func selection(_ values: String, from table: String, isDistributed: Bool) -> String {
      guard !isDistributed else { return "SELECT \(values) FROM \(table) WHERE \(condition)" }
      let names = columns.indices.map { "k\($0)" }
      // A table that is called as the list of keys is would hide it.
      let isKey = zip(columns, names).map { "t.\($0) = k.\($1)" }.joined(separator: " AND ")
      return """
        SELECT found.* FROM unnest(\(arrays)) AS k(\(names.joined(separator: ", ")))
        CROSS JOIN LATERAL (SELECT \(values) FROM \(table) AS t WHERE \(isKey) OFFSET 0) AS found
        """
    }
  }
#endif
