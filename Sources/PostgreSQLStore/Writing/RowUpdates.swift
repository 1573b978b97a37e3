#if PostgreSQL
  import UnitOfWork

  /// Rows of a table that have other values than they had, by the columns which differ: others are not written, so that what
  /// other programs have changed in them meanwhile stays.
  struct RowUpdates {
    /// Rows of which the same columns are written.
    struct Group {
      var columns: [Int]
      var rows: [(row: Int64, object: StoredRow)] = []
    }

    private(set) var groups: [Group] = []
    private(set) var count = 0
    private var places: [[Int]: Int] = [:]
    /// Where the last row went.
    private var last = 0
    /// The columns of the row that comes.
    private var columns: [Int] = []

    /// There is a statement for each group. The last one has the rows with columns that no other group has.
    private static let mostGroups = 16

    var isEmpty: Bool { count == 0 }
    var rows: some Sequence<(row: Int64, object: StoredRow)> { groups.lazy.flatMap(\.rows) }

    mutating func add(_ row: Int64, _ object: StoredRow, formerly former: StoredRow) {
      columns.removeAll(keepingCapacity: true)
      for column in object.values.indices where object.values[column] != former.values[column] {
        columns.append(column)
      }
      guard !columns.isEmpty else { return }
      count += 1
      if groups.isEmpty || groups[last].columns != columns { last = place() }
      groups[last].rows.append((row, object))
    }

    private mutating func place() -> Int {
      if let known = places[columns] { return known }
      guard groups.count == Self.mostGroups else {
        places[columns] = groups.count
        groups.append(Group(columns: columns))
        return groups.count - 1
      }
      let other = Self.mostGroups - 1
      places[groups[other].columns] = nil
      groups[other].columns = Set(groups[other].columns).union(columns).sorted()
      return other
    }
  }
#endif
