#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient
  import UnitOfWork

  /// Finds the texts of a column that fulfil a condition which the server cannot say, by looking at each text once.
  final class ServerTextFilter: TextEvaluation {
    private let transaction: PostgreSQLTransaction
    private var known: [Question: [SQLValue]?] = [:]
    /// The error that came while the server was asked.
    private(set) var failure: (any Error)?

    /// More texts than these are not given to a statement.
    private static let most = 100_000

    private struct Question: Hashable {
      var table: String
      var column: String
      var condition: TextCondition
    }

    init(_ transaction: PostgreSQLTransaction) { self.transaction = transaction }

    func texts(of column: Column, in table: Table, _ condition: TextCondition) -> [SQLValue]? {
      let question = Question(table: table.sqlName, column: column.name, condition: condition)
      if let answer = known[question] { return answer }
      guard failure == nil else { return nil }
      do {
        let answer = try find(question)
        known[question] = .some(answer)
        return answer
      } catch {
        failure = error
        return nil
      }
    }

    private func find(_ question: Question) throws -> [SQLValue]? {
      let (name, condition) = ("t.\(SQL.quoted(question.column))", question.condition)
      var sql = "SELECT DISTINCT \(name) FROM \(question.table) t WHERE \(name) IS NOT NULL"
      let dialect = transaction.session.tables.dialect
      if condition.operation == .like,
        let narrowing = dialect.mayBeLike(name, condition.pattern, condition.options)
      {
        sql += " AND \(narrowing)"
      }
      try transaction.writeChanges()
      let scan = PredicateScan(transaction.state, ScanMemory(now: 0))
      let stream = try transaction.connection.stream(sql)
      var found: [SQLValue] = []
      while try stream.next() {
        let text = try stream.field(0).string()
        guard found.count <= Self.most, try scan.holds(condition, text) else { continue }
        found.append(.text(text))
      }
      return found.count <= Self.most ? found : nil
    }
  }
#endif
