import Bytes
import ObjectModel

/// The objects that lists no longer have, until the end.
final class DeferredReleases {
  private let context: WriteContext
  private let rows: SQLiteRows
  private(set) var items: [DeferredRelease]

  init(_ context: WriteContext, _ rows: SQLiteRows, continuing former: RowWriterState?) {
    self.context = context
    self.rows = rows
    items = former?.releases ?? []
  }

  /// Whether any of the objects may have to be deleted.
  var hasDeletions: Bool { items.contains { $0.action == .delete } }

  /// Notes that an object of the list of a row may be left without an owner.
  func add(
    _ child: Int64, of relationship: SchemaRelationship, owner: String, action: DeferredRelease.Action,
    row: Int
  ) {
    items.append(
      DeferredRelease(
        ticket: context.problems.addDeferred(row: row), relationship: relationship, action: action,
        child: child, owner: owner))
  }

  func removeAll() { items = [] }

  /// Forgets those that came after there were `count`.
  func removeAll(after count: Int) { items.removeSubrange(min(count, items.count)...) }

  /// Forgets, of the first `count`, those that a row makes up for, which was saved since.
  func removeFirst(_ count: Int, madeUpForBy row: Int, _ batch: borrowing RowBatch) {
    let key = KeyText.text(of: context.key(of: row, batch) ?? [], batch)
    var kept: [DeferredRelease] = []
    for (index, release) in items.enumerated()
    where index >= count || !release.isMadeUpFor(by: row, withKey: key, batch, context.layout) {
      kept.append(release)
    }
    items = kept
  }

  /// The releases, each with its object's own key: others may write before the next transaction of the import.
  func itemsWithKeys() throws -> [DeferredRelease] {
    try items.map { release in
      guard release.key == nil else { return release }
      var release = release
      release.key = try rows.keyText(
        of: RowLocation(
          table: context.layout.entities[release.relationship.destination].table, row: release.child))
      return release
    }
  }
}
