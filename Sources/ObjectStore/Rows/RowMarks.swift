/// What has happened to each row of a table in an import, in a few bits a row.
///
/// Row ids that lie close together share an entry, so a table of millions takes little memory; scattered ones
/// take an entry, 16 bytes, each.
package struct RowMarks: Sendable {
  /// What is known of a row.
  package struct Mark: OptionSet, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    /// The import has come across the object.
    package static let seen = Mark(rawValue: 1)
    /// The import has written the row.
    package static let written = Mark(rawValue: 2)
  }

  /// An entry: 32 neighbouring row ids, two bits each.
  private struct Entry {
    var block: Int64
    var bits: UInt64
  }

  private var entries: [Entry] = []
  /// How many entries there are.
  package private(set) var used = 0
  private var last = 0

  private static let free = Int64.min

  package init() {}

  /// Adds to what is known of a row and returns what was known before.
  package mutating func add(_ mark: Mark, to row: Int64) -> Mark {
    let block = row >> 5
    let shift = UInt64(row & 31) &* 2
    let index = place(of: block)
    let before = entries[index].bits >> shift & 3
    entries[index].bits |= mark.rawValue << shift
    return Mark(rawValue: before)
  }

  /// What is known of a row.
  package func marks(of row: Int64) -> Mark {
    guard !entries.isEmpty else { return [] }
    let block = row >> 5
    var index = Self.hash(block) & (entries.count - 1)
    while entries[index].block != block {
      if entries[index].block == Self.free { return [] }
      index = (index + 1) & (entries.count - 1)
    }
    return Mark(rawValue: entries[index].bits >> (UInt64(row & 31) &* 2) & 3)
  }

  /// Forgets what is known of a row, whose id may be another's soon.
  mutating func remove(_ row: Int64) {
    guard !entries.isEmpty else { return }
    entries[place(of: row >> 5)].bits &= ~(3 << (UInt64(row & 31) &* 2))
  }

  /// The index of a block's entry, made if need be.
  private mutating func place(of block: Int64) -> Int {
    if last < entries.count, entries[last].block == block { return last }
    if used * 4 >= entries.count * 3 { grow() }
    var index = Self.hash(block) & (entries.count - 1)
    while entries[index].block != block {
      if entries[index].block == Self.free {
        entries[index].block = block
        used += 1
        break
      }
      index = (index + 1) & (entries.count - 1)
    }
    last = index
    return index
  }

  private mutating func grow() {
    let old = entries
    entries = Array(
      repeating: Entry(block: Self.free, bits: 0), count: max(16, old.count * 2))
    for entry in old where entry.block != Self.free {
      var index = Self.hash(entry.block) & (entries.count - 1)
      while entries[index].block != Self.free { index = (index + 1) & (entries.count - 1) }
      entries[index] = entry
    }
    last = entries.count
  }

  private static func hash(_ block: Int64) -> Int {
    let mixed = UInt64(bitPattern: block) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 20)
  }
}
