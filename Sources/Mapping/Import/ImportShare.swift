import Bytes
import ObjectModel
import ObjectStore

/// A share of an input's objects, for several importers that read the same input and write to one store.
///
/// ```swift
/// options.share = ImportShare(2, of: 8)
/// ```
///
/// An object at the top of the JSON belongs to the share that its identity falls to, and what it nests goes along. Objects
/// without identity are dealt out by their place in the input.
public struct ImportShare: Sendable, Hashable, CustomStringConvertible {
  /// Which share it is, from 1 on.
  public let number: Int
  /// How many shares there are.
  public let count: Int

  /// Nil unless the number is from 1 to the count.
  public init?(_ number: Int, of count: Int) {
    guard count >= 1, (1...count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// A share as it is written: `2/8` is the second of eight.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(number, of: count)
  }

  public var description: String { "\(number)/\(count)" }

  func takes(_ hash: UInt64) -> Bool { hash % UInt64(count) == UInt64(number - 1) }
}

/// Drops the records of an input that belong to other shares.
struct ShareFilter {
  private let share: ImportShare
  private let layout: Layout
  /// How many records there have been.
  private var records: UInt64 = 0

  init(_ share: ImportShare, _ layout: Layout) { (self.share, self.layout) = (share, layout) }

  /// Drops what was read after a mark if it is a record of another share.
  mutating func filter(_ batch: inout RecordBatch, after mark: RecordBatch.Mark) {
    guard batch.rows.roots.count > mark.rows.roots else { return }
    records += 1
    let root = batch.rows.roots[batch.rows.roots.count - 1]
    if !share.takes(hash(of: root, batch) ?? records) { batch.drop(after: mark) }
  }

  /// A hash of a row's identity; nil if it has none, or lacks a value of it.
  private func hash(of row: Int, _ batch: borrowing RecordBatch) -> UInt64? {
    let key = batch.rows.key(of: row, layout)
    guard !key.isEmpty else { return nil }
    var hash = SteadyHash()
    for cell in key {
      switch cell.kind {
      case .absent, .null, .row: return nil
      case .integer, .real: hash.combine(cell.bits)
      case .text, .blob: for byte in batch.rows.bytes(of: cell) { hash.combine(byte) }
      }
      hash.combine(UInt8(0))
    }
    return hash.value
  }
}

/// A hash that is the same on every machine: FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
private struct SteadyHash {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

  mutating func combine(_ bits: some FixedWidthInteger) {
    var rest = UInt64(truncatingIfNeeded: bits)
    for _ in 0..<8 {
      combine(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// The last bits of FNV-1a differ little where texts do, so the first ones are mixed in.
  var value: UInt64 { ((state ^ (state >> 32)) &* 0x9E37_79B9_7F4A_7C15) >> 16 }
}
