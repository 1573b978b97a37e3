#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient
  import WorkingCopy

  /// Many keys as parameters of one statement: an array for each of their parts.
  struct KeyArrays {
    /// The keys that the columns can hold.
    let keys: [RowKey]
    let parameters = PostgreSQLParameters()
    /// That columns are one of the keys.
    let condition: String

    /// From so many keys on, the server would rather read a whole table, for each batch anew, than look for `= ANY`.
    private static let many = 1_000

    init(
      _ keys: some Sequence<RowKey>, in columns: [String], _ forms: [ColumnForm], isDistributed: Bool
    ) throws {
      let arrays = forms.map { _ in PostgreSQLParameters() }
      var held: [RowKey] = []
      for key in keys where zip(forms, key).allSatisfy({ $0.takes($1) }) {
        held.append(key)
        for (array, (form, value)) in zip(arrays, zip(forms, key)) { try form.append(value, to: array) }
      }
      for (array, form) in zip(arrays, forms) { try parameters.append(array: array, of: form.type) }
      self.keys = held
      let names = columns.map(SQL.quoted)
      if names.count == 1, isDistributed || held.count < Self.many {
        condition = "\(names[0]) = ANY ($1)"
      } else {
        let places = (1...names.count).map { "$\($0)" }.joined(separator: ", ")
        let columns = names.count == 1 ? names[0] : "(\(names.joined(separator: ", ")))"
        condition = "\(columns) IN (SELECT * FROM unnest(\(places)))"
      }
    }
  }
#endif
