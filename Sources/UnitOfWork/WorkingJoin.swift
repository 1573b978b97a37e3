/// The values at both ends of a link: 0 is where the relationship begins that declares the table.
package struct Ends<Item> {
  package var first: Item
  package var second: Item

  package init(_ first: Item, _ second: Item) { (self.first, self.second) = (first, second) }

  package subscript(direction: Int) -> Item {
    _read { if direction == 0 { yield first } else { yield second } }
    _modify { if direction == 0 { yield &first } else { yield &second } }
  }
}

extension Ends {
  /// The values at the beginning of a direction, and at its end.
  init(_ begin: Item, _ end: Item, _ direction: Int) {
    self = direction == 0 ? Ends(begin, end) : Ends(end, begin)
  }
}

extension Ends: Equatable where Item: Equatable {}
extension Ends: Hashable where Item: Hashable {}
extension Ends: Sendable where Item: Sendable {}

/// A link of a join table. No two have the same keys.
package struct JoinLink: Sendable, Hashable {
  package var keys: Ends<RowKey>
  /// The places of the link in the lists of the objects at its ends.
  package var places: Ends<Int64?>

  package init(keys: Ends<RowKey>, places: Ends<Int64?>) {
    self.keys = keys
    self.places = places
  }

  /// The values of the columns that say which link it is.
  package var key: RowKey { RowKey(Array(keys.first) + keys.second) }
}

/// The links of a join table, by the numbers of their rows.
package final class WorkingJoin {
  private let number: Int
  private let stored: (any StoredRows)?
  private var indexed: Overlay<JoinLink, RowKey>
  /// The links of objects that had none, all of them with these at the same end. They are in no index until somebody looks
  /// for links.
  private var appended: [(row: Int64, link: JoinLink)] = []
  private var appendedDirection = 0
  private var appendedOwners: Set<RowKey> = []
  private var last: Int64 = 0

  init(_ number: Int, _ stored: (any StoredRows)?) {
    (self.number, self.stored) = (number, stored)
    indexed = Overlay(indexes: 2) { $0.keys[$1] }
  }

  /// A state of its links to go back to.
  struct Contents {
    fileprivate var overlay: Overlay<JoinLink, RowKey>
    fileprivate var last: Int64
  }

  var contents: Contents {
    get { Contents(overlay: overlay, last: last) }
    set { (overlay, last) = (newValue.overlay, newValue.last) }
  }

  /// The changes, found by their keys.
  private var overlay: Overlay<JoinLink, RowKey> {
    _read {
      index()
      yield indexed
    }
    _modify {
      index()
      yield &indexed
    }
  }

  private func index() {
    guard !appended.isEmpty else { return }
    for (row, link) in appended { indexed.set(row, to: link) }
    forgetAppended()
  }

  private func forgetAppended() {
    appended.removeAll(keepingCapacity: true)
    appendedOwners.removeAll(keepingCapacity: true)
  }

  /// Whether anything was changed that is not written.
  package var hasChanges: Bool { !indexed.changes.isEmpty || !appended.isEmpty }

  /// The links that were appended, which are forgotten here.
  package func takeAppended() -> [(row: Int64, link: JoinLink)] {
    defer { forgetAppended() }
    return appended
  }

  /// Adds the links of an owner that has none, if that is known without asking. False otherwise.
  ///
  /// - Parameter targets: The keys at the other ends, each once, and the places of the links.
  func append(_ owner: RowKey, _ targets: [(key: RowKey, place: Int64?)], _ direction: Int) -> Bool {
    guard appended.isEmpty || appendedDirection == direction, let stored,
      indexed.rows(direction, owner).isEmpty, !stored.mayHoldLinks(owner, number, direction),
      appendedOwners.insert(owner).inserted
    else { return false }
    appendedDirection = direction
    for (target, place) in targets { appended.append((newRow(), link(owner, target, place, direction))) }
    return true
  }

  private func newRow() -> Int64 {
    last = max(stored?.newLink(in: number) ?? 0, last + 1)
    return last
  }

  private func link(_ owner: RowKey, _ target: RowKey, _ place: Int64?, _ direction: Int) -> JoinLink {
    JoinLink(keys: Ends(owner, target, direction), places: Ends(place, nil, direction))
  }

  package var changes: [Int64: JoinLink?] { overlay.changes }

  package subscript(row: Int64) -> JoinLink? {
    if let changed = overlay[row] { return changed }
    return stored?.link(row, of: number)
  }

  private func found(_ key: RowKey, _ direction: Int) -> [(row: Int64, link: JoinLink)] {
    var result = stored?.links(of: number, key, direction) ?? []
    guard hasChanges else { return result }
    result.removeAll { overlay[$0.row] != nil }
    for row in overlay.rows(direction, key) {
      if let link = overlay[row] ?? nil { result.append((row, link)) }
    }
    return result
  }

  /// The links of an owner in the order of its list.
  package func links(of owner: RowKey, _ direction: Int) -> [(row: Int64, target: RowKey, place: Int64?)] {
    var result = found(owner, direction).map {
      (row: $0.row, target: $0.link.keys[1 - direction], place: $0.link.places[direction])
    }
    result.sort { isBefore(($0.place, $0.target), ($1.place, $1.target)) }
    return result
  }

  func find(_ owner: RowKey, _ target: RowKey, _ direction: Int) -> Int64? {
    found(owner, direction).first { $0.link.keys[1 - direction] == target }?.row
  }

  /// The numbers of all links.
  package var all: [Int64] {
    (stored?.allLinks(of: number) ?? []).filter { overlay[$0] == nil }
      + overlay.changes.compactMap { $1 == nil ? nil : $0 }
  }

  /// The keys at an end of all links.
  func allKeys(_ direction: Int) -> [RowKey] { all.compactMap { self[$0]?.keys[direction] } }

  /// Adds a link. False if it is there.
  func insert(_ owner: RowKey, _ target: RowKey, at place: Int64?, _ direction: Int) -> Bool {
    guard find(owner, target, direction) == nil else { return false }
    overlay.set(newRow(), to: link(owner, target, place, direction))
    return true
  }

  func setPlace(_ place: Int64, of row: Int64, _ direction: Int) {
    guard var link = self[row] else { return }
    link.places[direction] = place
    overlay.set(row, to: link)
  }

  func remove(_ row: Int64) {
    guard self[row] != nil else { return }
    set(row, to: nil)
  }

  /// Has a row hold a link, or nothing.
  package func set(_ row: Int64, to link: JoinLink?) {
    if link == nil, stored == nil { overlay.forget(row) } else { overlay.set(row, to: link) }
    last = max(last, row)
  }

  /// Has the links that begin at a key begin at another, unless they are there already.
  func rename(_ old: RowKey, to new: RowKey, _ direction: Int) {
    for (row, former) in found(old, direction).sorted(by: { $0.row < $1.row }) {
      var link = former
      remove(row)
      link.keys[direction] = new
      if find(new, link.keys[1 - direction], direction) == nil {
        overlay.set(row, to: link)
        last = max(last, row)
      }
    }
  }

  func forgetChanges() {
    forgetAppended()
    indexed.removeAll()
  }
}
