import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Two keys of one object for one property.
extension RecordReader {
  /// Whether a key fits a property better than, or as well as, the key that filled it before. The better key wins; of
  /// two that fit equally well, the later one wins. This is reported once.
  mutating func isBetter(_ key: KeyPlace, than rank: UInt8) -> Bool {
    let entry = key.node.entry(key.index)
    if entry.action == .attribute {
      let entity = plan.entities[batch.rows.rows[key.row].entity]
      reportRivals(key, for: entity.entity.attributes[Int(entry.index)].name, otherRank: rank)
    }
    return key.rank <= rank
  }

  /// Reports, once for each property and import, that two keys of an object were for it. Some need no report: the
  /// mapping ranks them, or one is `id` and the other is the identity's own key.
  mutating func reportRivals(_ key: KeyPlace, for property: String, otherRank: UInt8) {
    let (first, second) = (KeyMatch.Rank(rawValue: key.rank), KeyMatch.Rank(rawValue: otherRank))
    let entity = batch.rows.rows[key.row].entity
    guard !min(first, second).isAnnotation, first != .identity, second != .identity,
      plan.reportedRivals.insert("\(entity) \(property)").inserted
    else { return }
    report(
      key, expected: "one key for \(property)", found: "two",
      action: "the key that fits better was used, here and elsewhere")
  }

  // MARK: - Relationships

  /// Reports that a worse key's scalar names another object than a better key did.
  mutating func reportRival(
    _ token: JSONToken, of relationship: RelationshipPlan, at key: KeyPlace, worseThan better: Cell
  ) {
    let start = targets.count
    guard better.isPresent, token != .beginObject, token != .beginArray,
      case .key = pushScalar(token, relationship)
    else { return }
    let named = targets[start]
    targets.truncate(to: start)
    if differ(better, named) {
      reportRivals(key, for: relationship.relationship.name, otherRank: better.keyTag.rank)
    }
  }

  /// Reports that a worse key named another object than the one that is linked now.
  mutating func reportRival(_ worse: Cell, of relationship: RelationshipPlan, at key: KeyPlace) {
    guard worse.isPresent, let slot = relationship.slots.first else { return }
    let now = cell(key.row, slot)
    if now.keyTag.key != worse.keyTag.key, differ(worse, now) {
      reportRivals(key, for: relationship.relationship.name, otherRank: worse.keyTag.rank)
    }
  }

  /// Whether two cells, each a key or a row, are for different objects.
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
    return layout.identitySlots.first.map { batch.rows.resolved(self.cell(target, $0), plan.layout) }
      ?? .absent
  }
}
