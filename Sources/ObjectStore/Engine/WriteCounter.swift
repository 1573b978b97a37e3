/// Counts of what happened to the objects of an import.
package struct WriteCounter: Sendable {
  /// The counts of one entity.
  package struct Counts: Sendable, Hashable {
    package var inserted = 0
    package var updated = 0
    package var unchanged = 0
    package var deleted = 0
    package var skipped = 0
    package var outdated = 0
    package var excluded = 0
    /// Objects of which something was left as it is, since the server has not been told of it.
    package var unsent = 0
  }

  /// The outcome of a write for a row.
  package enum Outcome {
    case inserted
    case updated
    case unchanged
  }

  /// By the entity's index.
  package private(set) var counts: [Counts]
  /// How often an import came across an object that it had come across before.
  package private(set) var duplicates = 0
  /// By the table's index.
  private var marks: [RowMarks]
  /// The rows that are counted among ``Counts/unsent``, by table.
  private var partlyUnsent: [Int: Set<Int64>] = [:]

  package init(entities: Int, tables: Int) {
    counts = Array(repeating: Counts(), count: entities)
    marks = Array(repeating: RowMarks(), count: tables)
  }

  /// Counts an object of the import, once however often it comes.
  ///
  /// - Returns: Whether it had not come before.
  @discardableResult
  package mutating func count(_ outcome: Outcome, row: Int64, entity: Int, table: Int) -> Bool {
    let mark: RowMarks.Mark = outcome == .unchanged ? .seen : [.seen, .written]
    let before = marks[table].add(mark, to: row)
    if before.contains(.seen) {
      duplicates += 1
      if outcome == .updated, !before.contains(.written) {
        counts[entity].unchanged -= 1
        counts[entity].updated += 1
      }
      return false
    }
    switch outcome {
    case .inserted: counts[entity].inserted += 1
    case .updated: if !before.contains(.written) { counts[entity].updated += 1 }
    case .unchanged: if !before.contains(.written) { counts[entity].unchanged += 1 }
    }
    // A row that the import made before it came, as a reference does, was not there.
    return !before.contains(.written)
  }

  /// Counts a change of an object that came about through another's relationship.
  package mutating func countChange(row: Int64, entity: Int, table: Int) {
    let before = marks[table].add(.written, to: row)
    guard !before.contains(.written) else { return }
    if before.contains(.seen) { counts[entity].unchanged -= 1 }
    counts[entity].updated += 1
  }

  /// Counts an object as inserted that was counted as unchanged until that was known.
  package mutating func countAsInserted(row: Int64, entity: Int, table: Int) {
    let before = marks[table].add(.written, to: row)
    guard !before.contains(.written) else { return }
    counts[entity].unchanged -= 1
    counts[entity].inserted += 1
  }

  /// Counts an object that was held back. It has come all the same.
  package mutating func countHeld(_ reason: HoldReason, row: Int64?, entity: Int, table: Int) {
    if let row {
      // Marked as written, so that a link that is set later counts it no second time.
      let before = marks[table].add([.seen, .written], to: row)
      if before.contains(.seen) { duplicates += 1 }
      if !before.isEmpty { return }
    }
    switch reason {
    case .outdated: counts[entity].outdated += 1
    case .excluded: counts[entity].excluded += 1
    case .unsent: counts[entity].unsent += 1
    }
  }

  /// Counts an object that was made of a reference. It has not come itself.
  package mutating func countStub(row: Int64, entity: Int, table: Int) {
    _ = marks[table].add(.written, to: row)
    counts[entity].inserted += 1
  }

  /// Counts an object that was counted as inserted as skipped, since it turned out that it cannot be.
  package mutating func countInsertionUndone(row: Int64, entity: Int, table: Int) {
    marks[table].remove(row)
    counts[entity].inserted -= 1
    counts[entity].skipped += 1
  }

  /// Counts an object that was counted as skipped as one that was left out because of what a program did.
  package mutating func countUnsentInsteadOfSkipped(entity: Int) {
    counts[entity].skipped -= 1
    counts[entity].unsent += 1
  }

  /// Whether the import has come across the object in a row.
  package func hasSeen(_ row: Int64, table: Int) -> Bool { marks[table].marks(of: row).contains(.seen) }

  package func skipped(entity: Int) -> Int { counts[entity].skipped }
  /// Whether any object of the import could not be used.
  package var hasSkipped: Bool { counts.contains { $0.skipped > 0 } }

  /// How many objects have been deleted.
  package var deletedCount: Int { counts.reduce(0) { $0 + $1.deleted } }

  /// Counts an object of which something is left as it is, besides what else is done to it.
  package mutating func countPartlyUnsent(row: Int64, entity: Int, table: Int) {
    if partlyUnsent[table, default: []].insert(row).inserted { counts[entity].unsent += 1 }
  }

  package mutating func countDuplicate() { duplicates += 1 }
  package mutating func countDeleted(row: Int64, entity: Int, table: Int) {
    marks[table].remove(row)
    counts[entity].deleted += 1
  }

  package mutating func countSkipped(entity: Int) { counts[entity].skipped += 1 }
}

/// Why an object is not written though nothing is wrong with it.
package enum HoldReason {
  /// The store has a newer version.
  case outdated
  /// The import may not insert, or not update.
  case excluded
  /// A program has changed it, and the server has not been told yet.
  case unsent
}

/// Marks of what happened to each row of a table in an import, in a few bits a row.
///
/// Row ids that lie close together share an entry, so a table of millions takes little memory; scattered ones
/// take an entry, 16 bytes, each.
package struct RowMarks: Sendable {
  /// The marks of a row.
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

  /// The marks of a row.
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
