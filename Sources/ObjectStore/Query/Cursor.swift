/// Steps through the rows that a store gives for a query, and lends the values of the row that it stands on.
///
/// A cursor belongs to its transaction, or to the connection if it is kept for that, and must be used and let go of
/// where that is accessed. It reads straight from the engine: nothing is allocated for a value that is a number.
package protocol Cursor: AnyObject {
  // MARK: - Parameters, counted from 1

  /// Says which object a query is about that leaves it open; see ``Query/Choice``.
  func bind(_ value: Int64, at index: Int)
  /// Says a part of the key of the object that a query leaves open.
  func bind(_ value: SQLValue, at index: Int)

  // MARK: - Rows

  /// Goes on to the next row. False when there is none; then the cursor is ready to begin again.
  func step() throws -> Bool
  /// Ends early, so that the cursor can begin again.
  func reset()

  // MARK: - Columns of the row, counted from 0

  var columnCount: Int { get }
  func isNull(_ column: Int) -> Bool
  /// How the store holds a value, nil for null.
  func storage(_ column: Int) -> StorageType?
  func integer(_ column: Int) -> Int64
  func double(_ column: Int) -> Double
  /// The UTF-8 of a value, until the next step.
  func text(_ column: Int) -> UnsafeBufferPointer<UInt8>
  /// The bytes of a value, until the next step.
  func blob(_ column: Int) -> UnsafeRawBufferPointer
  /// A copy of a text.
  func string(_ column: Int) -> String
}

extension Cursor {
  /// A copy of the value of a column.
  package func value(_ column: Int) -> SQLValue { SQLValue(self, column) }

  /// Says the key of the object that a query leaves open, part by part.
  package func bind(key: [SQLValue]) {
    for (index, part) in key.enumerated() { bind(part, at: index + 1) }
  }

  /// The first column of the only row; nil if there is no row.
  func onlyInteger() throws -> Int64? {
    guard try step() else { return nil }
    defer { reset() }
    return integer(0)
  }
}

extension SQLValue {
  /// A value of the row that a cursor stands on.
  package init(_ cursor: some Cursor, _ column: Int) {
    switch cursor.storage(column) {
    case nil: self = .null
    case .integer: self = .integer(cursor.integer(column))
    case .real: self = .real(cursor.double(column))
    case .text: self = .text(cursor.string(column))
    case .blob: self = .blob(Array(cursor.blob(column)))
    }
  }
}
