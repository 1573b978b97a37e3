import Bytes
package import ObjectStore

/// A stored value. Texts are their bytes, since two texts are one here only if their bytes are.
package enum Value: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  package init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text(let text): self = .text(Array(text.utf8))
    case .blob(let bytes): self = .blob(bytes)
    }
  }

  /// The value of a cell; null for one that is absent.
  init(_ cell: Cell, _ batch: borrowing RowBatch) {
    switch cell.kind {
    case .absent, .null, .row: self = .null
    case .integer: self = .integer(cell.integerValue)
    case .real: self = .real(cell.realValue)
    case .text: self = .text(Array(batch.bytes(of: cell)))
    case .blob: self = .blob(Array(batch.bytes(of: cell)))
    }
  }

  /// Whether it is the value of a cell.
  func equals(_ cell: Cell, _ batch: borrowing RowBatch) -> Bool {
    switch (self, cell.kind) {
    case (.null, .absent), (.null, .null), (.null, .row): true
    case (.integer(let value), .integer): value == cell.integerValue
    case (.real(let value), .real): value == cell.realValue
    case (.text(let bytes), .text), (.blob(let bytes), .blob): batch.bytes(of: cell).elementsEqual(bytes)
    default: false
    }
  }

  package init(text: String) { self = .text(Array(text.utf8)) }

  package var isNull: Bool { self == .null }

  package var sql: SQLValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): .blob(bytes)
    }
  }

  /// The value as a part of a key that is given as text.
  package var text: String { KeyText.text(of: [sql]) }

  /// Nulls come first, then numbers, texts and bytes.
  package func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): return left < right
    case (.real(let left), .real(let right)): return left < right
    case (.integer(let left), .real(let right)): return Self.compare(left, right) < 0
    case (.real(let left), .integer(let right)): return Self.compare(right, left) > 0
    case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)):
      return left.lexicographicallyPrecedes(right)
    default: return rank < other.rank
    }
  }

  /// How a whole number stands to a real, all digits taken into account.
  private static func compare(_ integer: Int64, _ real: Double) -> Int {
    if real.isNaN { return 1 }
    if real >= 9.2233720368547758e18 { return -1 }
    if real < -9.2233720368547758e18 { return 1 }
    let whole = Int64(real)
    if integer != whole { return integer < whole ? -1 : 1 }
    let rest = real - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  package var number: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: .nan
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}

/// Whether a link comes before another in a list: by their places, those without one last, then by the keys.
package func isBefore(_ left: (place: Int64?, key: RowKey), _ right: (place: Int64?, key: RowKey)) -> Bool {
  let (first, second) = (left.place ?? .max, right.place ?? .max)
  return first == second ? left.key.precedes(right.key) : first < second
}

extension Value {
  package func compare(with other: Value) -> Int { precedes(other) ? -1 : other.precedes(self) ? 1 : 0 }

  /// Compares decimals, which are kept as texts.
  package func compareAsDecimal(with other: Value) -> Int {
    guard case .text(let left) = self, case .text(let right) = other else { return compare(with: other) }
    return left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { Int(DecimalOrder.compare(left, $0)) }
    }
  }
}

extension Value {
  /// The value of a column that is given as text, as a part of a key.
  package init(stored text: String, in column: Column) {
    self.init(text: text)
    switch column.storage {
    case .integer: if let value = Int64(text) { self = .integer(value) }
    case .real: if let value = Double(text) { self = .real(value) }
    case .text: if column.holdsMixedKeys, let value = Int64(text) { self = .integer(value) }
    case .blob: break
    }
  }
}

extension RowKey {
  /// The key of a row of a table, which is given as text; nil if that has other parts.
  package init?(text: String, of table: Table) { self.init(text: text, in: table.key, of: table) }

  /// The values of columns of a table, which are given as text; nil if that has other parts.
  package init?(text: String, in columns: [Int], of table: Table) {
    guard let parts = KeyText.split(text, count: columns.count) else { return nil }
    self.init(zip(columns, parts).map { Value(stored: $1, in: table.columns[$0]) })
  }
}

/// The values of some columns that rows are found by, those of the key above all.
///
/// Most keys are one value. That takes no memory of its own here, which an array would.
package struct RowKey: Hashable, Sendable {
  private enum Parts: Hashable {
    case one(Value)
    /// None, or more than one.
    case several([Value])
  }

  private var parts: Parts

  package init(_ value: Value) { parts = .one(value) }

  package init(_ values: some Collection<Value>) {
    if values.count == 1, let value = values.first {
      parts = .one(value)
    } else {
      parts = .several(Array(values))
    }
  }

  /// The results of a function for some items, such as the values of columns.
  package init<Item>(_ items: [Item], _ value: (Item) throws -> Value) rethrows {
    parts = items.count == 1 ? .one(try value(items[0])) : .several(try items.map(value))
  }

  package mutating func append(_ value: Value) {
    switch parts {
    case .one(let first): parts = .several([first, value])
    case .several(let values): parts = values.isEmpty ? .one(value) : .several(values + [value])
    }
  }

  package var hasNull: Bool {
    switch parts {
    case .one(let value): value.isNull
    case .several(let values): values.contains(.null)
    }
  }

  package var keyText: String { KeyText.text(of: map(\.sql)) }

  package func precedes(_ other: RowKey) -> Bool {
    for (left, right) in zip(self, other) {
      if left.precedes(right) { return true }
      if right.precedes(left) { return false }
    }
    return count < other.count
  }
}

extension RowKey: RandomAccessCollection {
  package var startIndex: Int { 0 }

  package var endIndex: Int {
    switch parts {
    case .one: 1
    case .several(let values): values.count
    }
  }

  package subscript(index: Int) -> Value {
    switch parts {
    case .one(let value): value
    case .several(let values): values[index]
    }
  }
}

extension RowKey: ExpressibleByArrayLiteral {
  package init(arrayLiteral values: Value...) { self.init(values) }
}
