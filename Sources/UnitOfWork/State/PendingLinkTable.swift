/// A link that is kept in its target's row, and waits for that.
package struct PendingLink: Sendable, Hashable {
  package var relationship: Int
  /// The keys of both ends, as text.
  package var owner: String
  package var target: String
  package var place: Int64?

  package init(relationship: Int, owner: String, target: String, place: Int64?) {
    self.relationship = relationship
    self.owner = owner
    self.target = target
    self.place = place
  }
}

/// The links that wait for their targets, by the numbers of their rows.
package final class PendingLinkTable {
  /// What links are found by: their target, or their relationship and their owner.
  enum Key: Hashable {
    case target(String)
    case owner(Int, String)
  }

  private let stored: (any StoredRows)?
  private var overlay: Overlay<PendingLink, Key>
  private var last: Int64 = 0

  init(_ stored: (any StoredRows)?) {
    self.stored = stored
    overlay = Overlay(indexes: 2) { $1 == 0 ? .target($0.target) : .owner($0.relationship, $0.owner) }
  }

  /// What is known of the links at some time, to go back to.
  struct Contents {
    fileprivate var overlay: Overlay<PendingLink, Key>
    fileprivate var last: Int64
  }

  var contents: Contents {
    get { Contents(overlay: overlay, last: last) }
    set { (overlay, last) = (newValue.overlay, newValue.last) }
  }

  package var changes: [Int64: PendingLink?] { overlay.changes }

  /// Whether it is known that no link waits.
  var isEmpty: Bool { overlay.changes.isEmpty && !(stored?.mayHoldPendingLinks ?? false) }

  package subscript(row: Int64) -> PendingLink? {
    if let changed = overlay[row] { return changed }
    return stored?.pendingLink(row)
  }

  private func unchanged(_ rows: [Int64]?) -> [Int64] { (rows ?? []).filter { overlay[$0] == nil } }

  private func links(_ rows: [Int64]) -> [(row: Int64, link: PendingLink)] {
    rows.sorted().compactMap { row in self[row].map { (row, $0) } }
  }

  /// The links that wait for a target, in the order in which they came.
  package func links(to target: String) -> [(row: Int64, link: PendingLink)] {
    links(unchanged(stored?.pendingLinks(for: target)) + overlay.rows(0, .target(target)))
  }

  /// What an owner waits for by a relationship.
  package func links(of relationship: Int, _ owner: String) -> [(row: Int64, link: PendingLink)] {
    links(
      unchanged(stored?.pendingLinks(of: relationship, owner)) + overlay.rows(1, .owner(relationship, owner)))
  }

  package var all: [(row: Int64, link: PendingLink)] {
    links(unchanged(stored?.allPendingLinks()) + overlay.changes.compactMap { $1 == nil ? nil : $0 })
  }

  func add(_ link: PendingLink) -> Int64 {
    let row = max(stored?.newPendingLink() ?? 0, last + 1)
    last = max(last, row)
    overlay.set(row, to: link)
    return row
  }

  /// Has new links get numbers beyond one, so that a number that was noted is not another link's.
  func number(after row: Int64) { last = max(last, row) }

  func update(_ row: Int64, _ change: (inout PendingLink) -> Void) {
    guard var link = self[row] else { return }
    change(&link)
    overlay.set(row, to: link)
  }

  func remove(_ rows: some Sequence<Int64>) {
    for row in rows { set(row, to: nil) }
  }

  /// Has a row hold a link, or nothing.
  package func set(_ row: Int64, to link: PendingLink?) {
    if link == nil, stored == nil { overlay.forget(row) } else { overlay.set(row, to: link) }
    last = max(last, row)
  }

  /// Forgets what an owner waits for by a relationship.
  func remove(of relationship: Int, _ owner: String) {
    remove(links(of: relationship, owner).map(\.row))
  }

  func forgetChanges() { overlay.removeAll() }
}
