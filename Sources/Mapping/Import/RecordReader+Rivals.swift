import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Keys of one object that come to one property.
extension RecordReader {
  /// Whether a key fits a property as well as the one that filled it before, or better. The better wins, of
  /// equals the later; that is reported once.
  mutating func isBetter(
    _ rank: UInt8, than before: UInt8, _ entity: EntityPlan, _ node: KeyNode, _ index: Int, _ row: Int
  ) -> Bool {
    let entry = node.entry(index)
    if entry.action == .attribute {
      let name = entity.entity.attributes[Int(entry.index)].name
      reportRivals(name, (rank, before), entity, node, index, row)
    }
    return rank <= before
  }

  /// Reports, once for each property of an import, that two keys of an object came to it. Where the mapping ranks them,
  /// or where one is `id` for the identity beside the identity's own key, it is clear which is meant.
  mutating func reportRivals(
    _ property: String, _ ranks: (UInt8, UInt8), _ entity: EntityPlan, _ node: KeyNode, _ index: Int,
    _ row: Int
  ) {
    let (first, second) = (KeyMatch.Rank(rawValue: ranks.0), KeyMatch.Rank(rawValue: ranks.1))
    guard !min(first, second).isAnnotation, first != .identity, second != .identity,
      plan.reportedRivals.insert("\(entity.entity.index) \(property)").inserted
    else { return }
    report(
      row, entity, key: node.prefix + node.name(of: index), expected: "one key for \(property)",
      found: "two", action: "the key that fits better was used, here and elsewhere")
  }

  // MARK: - Relationships

  /// Reports a scalar that names another object than a better key did.
  mutating func checkRival(
    _ token: JSONToken, _ rank: UInt8, _ better: Cell, _ relationship: RelationshipPlan, _ entity: EntityPlan,
    _ node: KeyNode, _ index: Int, _ row: Int
  ) {
    let start = targets.count
    guard better.isPresent, token != .beginObject, token != .beginArray, pushKey(token, relationship) else {
      return
    }
    let key = targets[start]
    targets.truncate(to: start)
    if differ(better, key) {
      reportRivals(relationship.relationship.name, (rank, better.keyTag.rank), entity, node, index, row)
    }
  }

  /// Reports that the object which a worse key named is not the one which is linked now.
  mutating func checkRival(
    _ worse: Cell, _ relationship: RelationshipPlan, _ entity: EntityPlan, _ node: KeyNode, _ index: Int,
    _ row: Int
  ) {
    guard worse.isPresent, let slot = relationship.slots.first else { return }
    let now = cell(row, slot)
    if now.keyTag.key != worse.keyTag.key, differ(worse, now) {
      reportRivals(
        relationship.relationship.name, (worse.keyTag.rank, now.keyTag.rank), entity, node, index, row)
    }
  }

  /// Whether two cells, each a key or a row, name two objects.
  private func differ(_ first: Cell, _ second: Cell) -> Bool {
    let (first, second) = (keyCell(first), keyCell(second))
    guard first.isPresent, second.isPresent, first.kind != .null, second.kind != .null else { return false }
    if first.kind == .text, second.kind == .text {
      return !batch.rows.bytes(of: first).elementsEqual(batch.rows.bytes(of: second))
    }
    return first.kind != second.kind || first.bits != second.bits
  }

  /// The first part of the key that a cell stands for.
  private func keyCell(_ cell: Cell) -> Cell {
    guard cell.kind == .row else { return cell }
    let target = Int(cell.bits)
    let layout = plan.entities[batch.rows.rows[target].entity].layout
    return layout.identitySlots.first.map { self.cell(target, $0) } ?? .absent
  }
}
