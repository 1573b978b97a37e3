import Foundation
import Mapping
import ObjectModel

/// Reads a store into the form of the naive store, from its tables as docs/STORE.md describes them.
struct StoreReader {
  let fixture: Fixture
  let model: NaiveModel

  func state() throws -> NaiveState {
    var state = NaiveState(model)
    for kind in model.kinds.indices where model.kinds[kind].parent == nil {
      try readObjects(kind, &state)
    }
    for end in model.ends.indices { try readLinks(end, &state) }
    return state
  }

  /// Rows whose columns may hold anything but control characters.
  private func rows(_ columns: [String], _ rest: String) throws -> [[String?]] {
    let separator = "\u{1F}"
    let list = columns.map { "coalesce(\($0), char(30))" }.joined(separator: " || char(31) || ")
    return try fixture.rows("SELECT \(list) \(rest)").map { row in
      row.components(separatedBy: separator).map { $0 == "\u{1E}" ? nil : $0 }
    }
  }

  private func readObjects(_ root: Int, _ state: inout NaiveState) throws {
    let kinds = model.kinds.indices.filter { model.root($0) == root }
    let names = Array(
      Set(kinds.flatMap { model.attributes($0).map(\.name) }).subtracting(model.kinds[root].identity)
    ).sorted()
    let key = self.key(root)
    let entity = kinds.count > 1 ? "_entity" : "'\(model.kinds[root].name)'"
    let table = "FROM \"\(model.kinds[root].name)\""
    for row in try rows([entity] + key + names.map { "\"\($0)\"" }, table) {
      let parts = row[1..<1 + key.count].map { $0 ?? "NULL" }
      let kind = kinds.first { model.kinds[$0].name == row[0] } ?? root
      var object = NaiveObject(kind: kind)
      for (name, value) in zip(names, row[(1 + key.count)...]) { object.values[name] = value }
      let named = NaiveKey(root: root, parts: model.isPart(root) ? ["#" + parts[0]] : parts)
      state.objects[named] = object
    }
  }

  private func key(_ kind: Int) -> [String] {
    model.isPart(kind) ? ["_id"] : model.identity(kind).map { "\"\($0.name)\"" }
  }

  /// The columns that hold the key of an entity's object under a relationship's name.
  private func columns(_ name: String, _ kind: Int) -> [String] {
    let identity = model.identity(kind)
    return identity.count < 2 ? ["\"\(name)\""] : identity.map { "\"\(name)_\($0.name)\"" }
  }

  private func named(_ kind: Int, _ values: some Sequence<String?>) -> NaiveKey {
    let root = model.root(kind)
    let parts = values.map { $0 ?? "NULL" }
    return NaiveKey(root: root, parts: model.isPart(root) ? parts.map { "#" + $0 } : parts)
  }

  /// A key from its text.
  private func key(_ kind: Int, _ text: String?) -> NaiveKey {
    named(kind, NaiveKey.parts(text ?? "NULL", count: max(1, model.identity(kind).count)))
  }

  // MARK: - Links

  /// A link with its place in the list of the end's owner.
  private struct Link {
    var owner: NaiveKey
    var target: NaiveKey
    var place: Int?
  }

  /// Fills the list of one end only, so that the comparison finds ends that disagree.
  private func readLinks(_ end: Int, _ state: inout NaiveState) throws {
    guard model.ends[end].name != nil else { return }
    let links = try stored(end) + pending(end)
    // The places of a list may have gaps, and objects without a place come last.
    let sorted = links.enumerated().sorted {
      ($0.element.place ?? .max, $0.offset) < ($1.element.place ?? .max, $1.offset)
    }
    for link in sorted.map(\.element) where !state.list(end, link.owner).contains(link.target) {
      state.lists[end][link.owner, default: []].append(link.target)
      if model.ends[end].isOrdered && link.place == nil {
        state.unplaced[end][link.owner, default: []].insert(link.target)
      }
    }
  }

  private func stored(_ end: Int) throws -> [Link] {
    let one = model.ends[end]
    let other = model.ends[one.inverse]
    if model.holds(end) {
      return try links(
        key(one.owner), columns(model.name(end), one.target), from: table(one.owner), nil, end)
    }
    if model.holds(one.inverse) {
      let place = one.isOrdered ? "\"\(model.name(one.inverse))_order\"" : nil
      let owners = columns(model.name(one.inverse), one.owner)
      return try links(owners, key(one.target), from: table(one.target), place, end)
    }
    let first = other.name == nil || (one.owner, end) <= (other.owner, one.inverse) ? end : one.inverse
    let name = "\"\(model.kinds[model.ends[first].owner].name)_\(model.name(first))\""
    let back = one.inverse == end ? nil : other.name
    return try links(
      columns(back ?? model.kinds[one.owner].name, one.owner), columns(model.name(end), one.target),
      from: name, one.isOrdered ? "\"\(model.name(end))_order\"" : nil, end)
  }

  private func table(_ kind: Int) -> String { "\"\(model.kinds[model.root(kind)].name)\"" }

  private func links(
    _ owners: [String], _ targets: [String], from table: String, _ place: String?, _ end: Int
  ) throws -> [Link] {
    let condition = "\(owners[0]) IS NOT NULL AND \(targets[0]) IS NOT NULL"
    let rows = try rows(owners + targets + [place ?? "NULL"], "FROM \(table) WHERE \(condition)")
    return rows.map { row in
      Link(
        owner: named(model.ends[end].owner, row.prefix(owners.count)),
        target: named(model.ends[end].target, row[owners.count..<owners.count + targets.count]),
        place: row.last.flatMap { $0 }.flatMap { Int($0) })
    }
  }

  /// The pending references of an end.
  private func pending(_ end: Int) throws -> [Link] {
    let one = model.ends[end]
    let relationship = "\(model.kinds[one.owner].name).\(model.name(end))"
    let rows = try rows(
      ["owner", "target", "position"],
      "FROM broker_pending WHERE relationship = '\(relationship)' ORDER BY rowid")
    var links: [Link] = []
    for row in rows {
      let link = Link(
        owner: key(one.owner, row[0]), target: key(one.target, row[1]),
        place: row[2].flatMap { Int($0) })
      // Of several that wait for an object that can have one only, the last will get it.
      if !model.ends[one.inverse].isToMany { links.removeAll { $0.target == link.target } }
      links.append(link)
    }
    return links
  }
}
