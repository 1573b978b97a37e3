import Mapping
import ObjectModel

/// Finds identities of two values, the key of another object and a number or a moment, for objects at the top of the JSON
/// that no value alone identifies.
struct CompositeIdentity {
  private let shapes: Shapes
  private(set) var guesses: [(draft: EntityDraft, guess: Guess)] = []

  /// Of fewer objects it is not known whether values are different by chance.
  private static let fewObjects = 8

  private static let orders: Set<String> = [
    "time", "date", "timestamp", "ts", "number", "no", "nr", "seq", "sequence", "position", "pos", "index",
    "line",
    "slot", "rank", "year", "month", "day", "hour", "week", "version", "round", "episode", "season", "step",
    "order",
    "at", "datetime", "minute", "period", "revision", "ordinal",
  ]

  init(_ shapes: Shapes, _ drafts: [EntityDraft]) {
    self.shapes = shapes
    for draft in drafts where draft.isRecord && draft.isPart && draft.node >= 0 && draft.kindKey == nil {
      guard draft.parent == nil, shapes[draft.node].objects >= Self.fewObjects else { continue }
      choose(draft)
    }
  }

  private mutating func choose(_ draft: EntityDraft) {
    let node = shapes[draft.node]
    let owners = draft.relationships.filter {
      $0.isReference && !$0.isToMany && $0.path.count == 1 && $0.target !== draft
    }
    for owner in owners {
      guard let first = column(owner.path, of: draft) else { continue }
      for attribute in draft.attributes where isOrder(attribute) {
        guard let second = column(attribute.path, of: draft),
          shapes.tree.rows.areUnique(node, columns: [first, second])
        else { continue }
        draft.identity = [owner.name, attribute.name]
        owner.isOptional = false
        attribute.isOptional = false
        let isAll = node.rowCount == node.objects
        guesses.append(
          (
            draft,
            Guess(
              .identity, isAll ? .likely : .doubtful,
              choice: "\(owner.name) and \(attribute.name) are the identity",
              evidence: isAll
                ? "no two of \(node.objects) objects have the same of both"
                : "no two of the first \(node.rowCount) objects have the same of both")
          ))
        return
      }
    }
  }

  private func column(_ path: [JSONKeyPath.Step], of draft: EntityDraft) -> Int? {
    guard path.count == 1, case .key(let key) = path[0], let child = shapes.child(of: draft.node, named: key)
    else {
      return nil
    }
    return Int(shapes.tree[child].ordinal)
  }

  /// Whether an attribute puts the objects of one owner in order.
  private func isOrder(_ attribute: AttributeDraft) -> Bool {
    guard attribute.path.count == 1 else { return false }
    switch attribute.type.type {
    case .date, .integer16, .integer32, .integer64: break
    default: return false
    }
    let words = Words.words(shapes.key(of: attribute.node))
    return attribute.type.type == .date || words.contains(where: Self.orders.contains)
  }
}
