#if PostgreSQL
  import PostgreSQLClient

  /// The objects that cursors of a transaction have read and will come to: what their relationships lead to is read for
  /// many of them at once.
  final class ReadAhead {
    private struct Page {
      var rows: [Int64] = []
      var places: [Int64: Int] = [:]
    }

    /// By table, the last pages. An export has one for each level of nesting that is of the table.
    private var pages: [Int: [Page]] = [:]
    private static let mostPages = 8
    private static let mostRows = 5_000

    /// Notes rows, whose numbers are in the first column.
    func arrived(_ answer: PostgreSQLRows, of table: Int) {
      var page = Page()
      for index in 0..<min(answer.count, Self.mostRows) {
        guard let row = try? answer.field(index, 0).int8(), page.places[row] == nil else { continue }
        page.places[row] = page.rows.count
        page.rows.append(row)
      }
      guard page.rows.count > 1 else { return }
      pages[table, default: []].append(page)
      if pages[table, default: []].count > Self.mostPages { pages[table]?.removeFirst() }
    }

    /// A row and those that come behind it.
    func rows(from row: Int64, in table: Int, atMost count: Int) -> ArraySlice<Int64> {
      for page in (pages[table] ?? []).reversed() {
        if let place = page.places[row] { return page.rows[place...].prefix(count) }
      }
      return [row]
    }
  }
#endif
