import ObjectStore

/// Steps through rows that are made when it begins.
final class RowListCursor: Cursor {
  private let make: ([SQLValue]) throws -> [[Value]]
  private var arguments: [SQLValue] = []
  private var rows: [[Value]]?
  private var next = 0
  private var row: [Value] = []
  /// The bytes that were lent of the row, by column.
  private var lent: [Int: UnsafeMutableBufferPointer<UInt8>] = [:]
  let columnCount: Int

  /// - Parameter make: Gives the rows for the arguments.
  init(columns: Int, _ make: @escaping ([SQLValue]) throws -> [[Value]]) {
    columnCount = columns
    self.make = make
  }

  deinit { takeBack() }

  func bind(_ value: Int64, at index: Int) { bind(.integer(value), at: index) }

  func bind(_ value: SQLValue, at index: Int) {
    while arguments.count < index { arguments.append(.null) }
    arguments[index - 1] = value
  }

  func step() throws -> Bool {
    takeBack()
    let rows = try rows ?? make(arguments)
    self.rows = rows
    guard next < rows.count else {
      reset()
      return false
    }
    row = rows[next]
    next += 1
    return true
  }

  func reset() {
    takeBack()
    (rows, next, row) = (nil, 0, [])
  }

  private func takeBack() {
    for buffer in lent.values { buffer.deallocate() }
    lent = [:]
  }

  // MARK: - Columns

  private func at(_ column: Int) -> Value { row.indices.contains(column) ? row[column] : .null }

  func isNull(_ column: Int) -> Bool { at(column).isNull }

  func storage(_ column: Int) -> StorageType? {
    switch at(column) {
    case .null: nil
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }

  func integer(_ column: Int) -> Int64 {
    switch at(column) {
    case .integer(let value): value
    case .real(let value): Int64(value)
    default: 0
    }
  }

  func double(_ column: Int) -> Double { isNull(column) ? 0 : at(column).number }

  func text(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    if let known = lent[column] { return UnsafeBufferPointer(known) }
    let bytes: [UInt8]
    switch at(column) {
    case .null: bytes = []
    case .text(let text): bytes = text
    case .blob(let blob): bytes = blob
    case .integer, .real: bytes = Array(at(column).text.utf8)
    }
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = buffer.initialize(fromContentsOf: bytes)
    lent[column] = buffer
    return UnsafeBufferPointer(buffer)
  }

  func blob(_ column: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(text(column)) }

  func string(_ column: Int) -> String { String(decoding: text(column), as: UTF8.self) }
}
