/// A link of a join table.
package struct JoinLink: Sendable, Hashable {
  /// By direction, 0 that of the relationship which declares the table: the key at the beginning of the link.
  package var keys: [[Value]]
  /// By direction, the place of the link in the list of the object at its beginning.
  package var places: [Int64?]

  package init(keys: [[Value]], places: [Int64?]) {
    self.keys = keys
    self.places = places
  }
}

/// The links of a join table, by the numbers of their rows.
package struct WorkingJoin {
  private let number: Int
  private let stored: (any StoredRows)?
  private var overlay: Overlay<JoinLink, [Value]>
  private var last: Int64 = 0

  init(_ number: Int, _ stored: (any StoredRows)?) {
    (self.number, self.stored) = (number, stored)
    overlay = Overlay(indexes: 2) { $0.keys }
  }

  package var changes: [Int64: JoinLink?] { overlay.changes }

  package subscript(row: Int64) -> JoinLink? {
    if let changed = overlay[row] { return changed }
    return stored?.link(row, of: number)
  }

  private func rows(of key: [Value], _ direction: Int) -> [Int64] {
    (stored?.links(of: number, key, direction) ?? []).filter { overlay[$0] == nil }
      + overlay.rows(direction, key)
  }

  /// The links of an owner in the order of its list.
  package func links(of owner: [Value], _ direction: Int) -> [(row: Int64, target: [Value], place: Int64?)] {
    let found = rows(of: owner, direction).compactMap { row in
      self[row].map { (row: row, target: $0.keys[1 - direction], place: $0.places[direction]) }
    }
    return found.sorted { isBefore(($0.place, $0.target), ($1.place, $1.target)) }
  }

  func find(_ owner: [Value], _ target: [Value], _ direction: Int) -> Int64? {
    rows(of: owner, direction).first { self[$0]?.keys[1 - direction] == target }
  }

  /// The numbers of all links.
  package var all: [Int64] {
    (stored?.allLinks(of: number) ?? []).filter { overlay[$0] == nil }
      + overlay.changes.compactMap { $1 == nil ? nil : $0 }
  }

  /// The keys at an end of all links.
  func allKeys(_ direction: Int) -> [[Value]] { all.compactMap { self[$0]?.keys[direction] } }

  /// Adds a link. False if it is there.
  mutating func insert(_ owner: [Value], _ target: [Value], at place: Int64?, _ direction: Int) -> Bool {
    guard find(owner, target, direction) == nil else { return false }
    let isForward = direction == 0
    let row = max(stored?.newLink(in: number) ?? 0, last + 1)
    last = max(last, row)
    overlay.set(
      row,
      to: JoinLink(
        keys: isForward ? [owner, target] : [target, owner], places: isForward ? [place, nil] : [nil, place]))
    return true
  }

  /// Has new links get numbers beyond one, so that a number that was noted is not another link's.
  mutating func number(after row: Int64) { last = max(last, row) }

  mutating func setPlace(_ place: Int64, of row: Int64, _ direction: Int) {
    guard var link = self[row] else { return }
    link.places[direction] = place
    overlay.set(row, to: link)
  }

  mutating func remove(_ row: Int64) {
    guard self[row] != nil else { return }
    set(row, to: nil)
  }

  /// Has a row hold a link, or nothing.
  package mutating func set(_ row: Int64, to link: JoinLink?) {
    if link == nil, stored == nil { overlay.forget(row) } else { overlay.set(row, to: link) }
    last = max(last, row)
  }

  /// Has the links that begin at a key begin at another, unless they are there already.
  mutating func rename(_ old: [Value], to new: [Value], _ direction: Int) {
    for row in rows(of: old, direction).sorted() {
      guard var link = self[row] else { continue }
      remove(row)
      link.keys[direction] = new
      if find(new, link.keys[1 - direction], direction) == nil {
        overlay.set(row, to: link)
        last = max(last, row)
      }
    }
  }

  mutating func forgetChanges() { overlay.removeAll() }
}
