#if PostgreSQL
  /// A warning or another message of the server that is no error.
  package struct PostgreSQLNotice: Sendable, Equatable {
    package var sqlState: String?
    package var message: String
  }

  /// The latest notices of a connection. libpq's callback appends to it while the connection reads.
  final class NoticeList {
    /// More than this many are not kept: a statement can raise one for each row.
    static let limit = 100
    private(set) var notices: [PostgreSQLNotice] = []

    func append(_ notice: PostgreSQLNotice) {
      if notices.count >= Self.limit { notices.removeFirst() }
      notices.append(notice)
    }

    func takeAll() -> [PostgreSQLNotice] {
      defer { notices = [] }
      return notices
    }
  }
#endif
