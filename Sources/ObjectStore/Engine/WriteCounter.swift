/// What has happened to the objects of an import, counted.
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
    /// Those of which something was left as it is, since the server has not been told of it.
    package var unsent = 0
  }

  /// What a write did to a row.
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
  package mutating func count(_ outcome: Outcome, row: Int64, entity: Int, table: Int) {
    let mark: RowMarks.Mark = outcome == .unchanged ? .seen : [.seen, .written]
    let before = marks[table].add(mark, to: row)
    if before.contains(.seen) {
      duplicates += 1
      if outcome == .updated, !before.contains(.written) {
        counts[entity].unchanged -= 1
        counts[entity].updated += 1
      }
      return
    }
    switch outcome {
    case .inserted: counts[entity].inserted += 1
    case .updated: if !before.contains(.written) { counts[entity].updated += 1 }
    case .unchanged: if !before.contains(.written) { counts[entity].unchanged += 1 }
    }
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
  /// What the store has is newer.
  case outdated
  /// The import may not insert, or not update.
  case excluded
  /// A program has changed it, and the server has not been told yet.
  case unsent
}
