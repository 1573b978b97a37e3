/// What lives as long as a connection: statements, and what the layers above keep of theirs.
///
/// It belongs to its connection and must be used where that is accessed.
package final class ConnectionCache {
  /// What a layer above keeps for the connection, by a type of its own. Statements in it must be reset after
  /// use, or they are when the transaction ends.
  package var objects: [ObjectIdentifier: AnyObject] = [:]

  /// What was written, if somebody wants to know.
  let log = ChangeLog()

  /// Tells what statements read and write.
  let authorizer = StatementAuthorizer()

  /// The numbers of temporary tables that nobody needs any more; see ``SQLiteObjectSetSnapshot``.
  let leftovers = Locked<[Int]>([])

  private struct Entry {
    var statement: PreparedStatement
    /// Whether it was given out since ``recycle()``.
    var isLent: Bool
  }

  private var entries: [Entry] = []
  private var places: [String: Int] = [:]
  private var lent: [Int] = []

  /// More statements than any program has; one that writes values into its SQL must not fill the memory.
  private static let limit = 500

  /// A statement, compiled once. It is the caller's for as long as something refers to it: who asks meanwhile
  /// gets another.
  func statement(_ sql: String, on connection: OpaquePointer) throws -> PreparedStatement {
    if let place = places[sql] {
      guard isKnownUniquelyReferenced(&entries[place].statement) else {
        return try PreparedStatement(sql, on: connection, log)
      }
      if entries[place].isLent { entries[place].statement.clear() }
      lend(place)
      return entries[place].statement
    }
    if entries.count >= Self.limit { forgetStatements() }
    let statement = try PreparedStatement(sql, on: connection, log)
    places[sql] = entries.count
    entries.append(Entry(statement: statement, isLent: false))
    lend(entries.count - 1)
    return statement
  }

  private func lend(_ place: Int) {
    guard !entries[place].isLent else { return }
    entries[place].isLent = true
    lent.append(place)
  }

  /// Makes the statements that were given out ready for the next transaction, without their arguments.
  func recycle() {
    for place in lent {
      entries[place].statement.clear()
      entries[place].isLent = false
    }
    lent.removeAll(keepingCapacity: true)
  }

  private func forgetStatements() {
    entries = []
    places = [:]
    lent = []
  }

  /// To be called before the connection closes: SQLite wants its statements gone first.
  func removeAll() {
    objects = [:]
    forgetStatements()
  }
}
