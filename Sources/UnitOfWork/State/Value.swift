package import ObjectStore
import Bytes

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
