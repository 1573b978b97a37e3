/// What a database has, for a working copy of it: what the copy was not told of, it asks for here.
///
/// An answer does not change until the working copy is written. What cannot be read is as good as not there; the database
/// notes the error, and the transaction fails with it before anything is committed.
package protocol StoredRows: AnyObject {
  /// False if no row of a table has values in columns, as far as that is known without asking.
  func mayHold(_ values: RowKey, _ columns: [Int], _ table: Int) -> Bool
  /// False if no link begins, or ends where `direction` is 1, at a key, as far as that is known without asking.
  func mayHoldLinks(_ key: RowKey, _ join: Int, _ direction: Int) -> Bool

  func row(_ row: Int64, of table: Int) -> StoredRow?
  func find(_ key: RowKey, in table: Int) -> Int64?
  /// The rows whose columns hold values, none of which is null.
  func rows(of table: Int, where columns: [Int], are values: RowKey) -> [Int64]
  func allRows(of table: Int) -> [Int64]
  /// A number that no row of a table has.
  ///
  /// - Parameter changes: What was changed of the table.
  func newRow(in table: Int, _ changes: [Int64: StoredRow?]) -> Int64

  /// A link that was asked for since the working copy was written.
  func link(_ row: Int64, of join: Int) -> JoinLink?
  /// The links that begin, or end where `direction` is 1, at a key.
  func links(of join: Int, _ key: RowKey, _ direction: Int) -> [(row: Int64, link: JoinLink)]
  func allLinks(of join: Int) -> [Int64]
  func newLink(in join: Int) -> Int64

  /// False if no link waits.
  var mayHoldPendingLinks: Bool { get }
  func pendingLink(_ row: Int64) -> PendingLink?
  func pendingLinks(for target: String) -> [Int64]
  func pendingLinks(of relationship: Int, _ owner: String) -> [Int64]
  func allPendingLinks() -> [Int64]
  func newPendingLink() -> Int64
}

extension StoredRows {
  package func mayHold(_ values: RowKey, _ columns: [Int], _ table: Int) -> Bool { true }
  package func mayHoldLinks(_ key: RowKey, _ join: Int, _ direction: Int) -> Bool { true }
}
