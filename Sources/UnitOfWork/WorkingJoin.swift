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

/// The links of a join table. A link that was read has no number in the database, so it gets one here.
package final class WorkingJoin {
  private let number: Int
  private let stored: (any StoredRows)?
  private var indexed = KnownRows<JoinLink, RowKey>([{ $0.keys[0] }, { $0.keys[1] }])
  /// The links of objects that had none, all of them with these at the same end. They are in no index until somebody looks
  /// for links.
  private var appended: [(row: Int64, link: JoinLink)] = []
  private var appendedDirection = 0
  private var appendedOwners: Set<RowKey> = []
  /// Whether links were read that begin, or end, at a key.
  private var wasRead = Ends(false, false)
  /// By the keys of links that were read, their numbers; nil while none can have been read twice.
  private var numbers: [Ends<RowKey>: Int64]?
  /// The number of the last new link.
  private var last: Int64 = 1 << 62

  init(_ number: Int, _ stored: (any StoredRows)?) { (self.number, self.stored) = (number, stored) }

  /// A state of its links to go back to.
  struct Contents {
    fileprivate var rows: KnownRows<JoinLink, RowKey>
    fileprivate var wasRead: Ends<Bool>
    fileprivate var numbers: [Ends<RowKey>: Int64]?
    fileprivate var last: Int64
  }

  var contents: Contents {
    get { Contents(rows: rows, wasRead: wasRead, numbers: numbers, last: last) }
    set {
      (rows, wasRead, numbers, last) = (newValue.rows, newValue.wasRead, newValue.numbers, newValue.last)
    }
  }

  /// The links, found by their keys.
  private var rows: KnownRows<JoinLink, RowKey> {
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

  // MARK: - Reading

  package subscript(row: Int64) -> JoinLink? { rows[row] ?? nil }

  private func found(_ key: RowKey, _ direction: Int) -> [(row: Int64, link: JoinLink)] {
    var answer = rows.answer(direction, key)
    if !answer.isWhole, let stored, stored.mayHoldLinks(key, number, direction) {
      read([key], direction) { _ in }
      answer = rows.answer(direction, key)
    }
    return answer.rows.compactMap { row in self[row].map { (row, $0) } }
  }

  /// Reads the links that begin at keys.
  private func read(_ keys: [RowKey], _ direction: Int, _ body: (JoinLink) -> Void) {
    guard let stored, !keys.isEmpty else { return }
    // A link that was found from its other end has a number.
    if wasRead[1 - direction] { noteNumbers() }
    wasRead[direction] = true
    // Several keys have one form each.
    let asked = keys.count == 1 ? keys.first : nil
    let answered = stored.readLinks(of: number, at: keys, direction) { link in
      // One that was found under another form of its key, too.
      if let asked, asked != link.keys[direction] { noteNumbers() }
      rows.list(keep(link), link, direction, asked: asked)
      body(link)
    }
    for key in answered { rows.noteWhole(direction, key) }
  }

  /// Keeps a link that was read. Returns its number.
  private func keep(_ link: JoinLink) -> Int64 {
    if let known = numbers?[link.keys] { return known }
    let row = rows.keep(link)
    numbers?[link.keys] = row
    return row
  }

  private func noteNumbers() {
    guard numbers == nil else { return }
    numbers = Dictionary(rows.numbered(\.keys), uniquingKeysWith: { first, _ in first })
  }

  /// Fetches the links that begin at keys.
  ///
  /// - Parameter body: Called with those that were not known.
  func fetch(_ keys: Set<RowKey>, _ direction: Int, _ body: (JoinLink) -> Void) {
    guard let stored, !keys.isEmpty else { return }
    let unknown = keys.filter {
      !rows.answer(direction, $0).isWhole && stored.mayHoldLinks($0, number, direction)
    }
    read(Array(unknown), direction, body)
  }

  /// The links of an owner in the order of its list.
  package func links(of owner: RowKey, _ direction: Int) -> [(row: Int64, target: RowKey, place: Int64?)] {
    var result = found(owner, direction).map {
      (row: $0.row, target: $0.link.keys[1 - direction], place: $0.link.places[direction])
    }
    result.sort { isBefore(($0.place, $0.target), ($1.place, $1.target)) }
    return result
  }

  package func find(_ owner: RowKey, _ target: RowKey, _ direction: Int) -> Int64? {
    found(owner, direction).first { $0.link.keys[1 - direction] == target }?.row
  }

  /// All links.
  package var all: [JoinLink] {
    if let stored {
      noteNumbers()
      stored.readAllLinks(of: number) { _ = keep($0) }
    }
    return rows.present.compactMap { self[$0] }
  }

  // MARK: - Changes

  /// Whether anything was changed that is not written.
  package var hasChanges: Bool { !indexed.changes.isEmpty || !appended.isEmpty }

  /// The changes since it was last written: by row, the link; nil for one that is gone.
  package var changes: [Int64: JoinLink?] { rows.changes }

  /// The link in a row of the database, if that was read.
  package func former(_ row: Int64) -> JoinLink? { rows.former(row) ?? nil }

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
      indexed.answer(direction, owner).rows.isEmpty, !stored.mayHoldLinks(owner, number, direction),
      appendedOwners.insert(owner).inserted
    else { return false }
    appendedDirection = direction
    for (target, place) in targets { appended.append((newRow(), link(owner, target, place, direction))) }
    return true
  }

  private func newRow() -> Int64 {
    last += 1
    return last
  }

  private func link(_ owner: RowKey, _ target: RowKey, _ place: Int64?, _ direction: Int) -> JoinLink {
    JoinLink(keys: Ends(owner, target, direction), places: Ends(place, nil, direction))
  }

  /// Adds a link. False if it is there.
  func insert(_ owner: RowKey, _ target: RowKey, at place: Int64?, _ direction: Int) -> Bool {
    guard find(owner, target, direction) == nil else { return false }
    insert(link(owner, target, place, direction))
    return true
  }

  /// Adds a link that is not there.
  package func insert(_ link: JoinLink) { rows.set(newRow(), to: link) }

  func setPlace(_ place: Int64, of row: Int64, _ direction: Int) {
    guard var link = self[row] else { return }
    link.places[direction] = place
    rows.set(row, to: link)
  }

  package func remove(_ row: Int64) {
    guard self[row] != nil else { return }
    if stored == nil { rows.forget(row) } else { rows.set(row, to: nil) }
  }

  /// Has the links that begin at a key begin at another, unless they are there already.
  func rename(_ old: RowKey, to new: RowKey, _ direction: Int) {
    for (row, former) in found(old, direction).sorted(by: { $0.row < $1.row }) {
      var link = former
      remove(row)
      link.keys[direction] = new
      if find(new, link.keys[1 - direction], direction) == nil { rows.set(row, to: link) }
    }
  }

  // MARK: - Forgetting

  /// Forgets what the database has.
  func forgetAnswers() {
    if hasChanges { noteNumbers() } else { numbers = nil }
    wasRead = Ends(false, false)
    indexed.forgetAnswers()
  }

  func forgetAll() {
    forgetAppended()
    indexed.forgetAll()
    (wasRead, numbers) = (Ends(false, false), nil)
  }
}
