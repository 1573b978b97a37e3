import ObjectModel

/// The values of a stored object that a row brought again, if the model took its identity from data: where another object
/// came under the identity, most of them differ.
package struct ComparedValues {
  /// The slots with values that were there and came.
  fileprivate var slots = SlotSet()
  /// The slots whose values gave way to others.
  fileprivate var replaced = SlotSet()

  package init() {}

  /// Notes that a value was there and that one came.
  package mutating func note(_ slot: Int, isReplaced: Bool) {
    slots.insert(slot)
    if isReplaced { replaced.insert(slot) }
  }
}

/// The evidence of an import against identities that a model took from data: objects that were there before, and that came with
/// other values under the same identity.
package struct IdentityConflicts: Sendable {
  /// The evidence against the identity of one entity.
  package struct Counts: Sendable {
    /// How many objects were there and came.
    package fileprivate(set) var objects = 0
    /// How many of them came with other values.
    package fileprivate(set) var changed = 0
    /// How many values these had and brought, and how many were others.
    package fileprivate(set) var values = 0
    package fileprivate(set) var replaced = 0
    /// By the slot, how many of the changed objects had a value there and brought one, and how many another one.
    fileprivate var bySlot: [(came: Int, replaced: Int)] = []

    /// How many values changed objects had and brought, and how many were others, apart from one slot.
    package func replacements(besides slot: Int?) -> (values: Int, replaced: Int) {
      (values - (slot.map(comparisons) ?? 0), replaced - (slot.map(changes) ?? 0))
    }

    package func comparisons(of slot: Int) -> Int { slot < bySlot.count ? bySlot[slot].came : 0 }
    package func changes(of slot: Int) -> Int { slot < bySlot.count ? bySlot[slot].replaced : 0 }
  }

  /// Of objects that were there before the import, by the entity's index.
  package private(set) var counts: [Int: Counts] = [:]
  /// Of objects that came again in the same import.
  package private(set) var repeated: [Int: Counts] = [:]

  /// How many values the changed objects of an entity had and brought, and how many were others, apart from one slot: of those that were
  /// there before, or if there are none, of those that came again.
  package func replacements(_ entity: Int, besides slot: Int?) -> (values: Int, replaced: Int) {
    if let before = counts[entity]?.replacements(besides: slot), before.replaced > 0 { return before }
    return repeated[entity]?.replacements(besides: slot) ?? (0, 0)
  }

  /// Notes that an object came that was there.
  ///
  /// - Parameter isFirst: Whether it comes for the first time in the import.
  mutating func note(_ compared: ComparedValues?, isFirst: Bool, _ rules: EntityRules) {
    let entity = rules.layout.entity.index
    if isFirst {
      counts[entity, default: Counts()].note(compared, rules)
    } else {
      repeated[entity, default: Counts()].note(compared, rules)
    }
  }
}

extension IdentityConflicts.Counts {
  fileprivate mutating func note(_ compared: ComparedValues?, _ rules: EntityRules) {
    objects += 1
    guard let compared, !compared.replaced.isEmpty else { return }
    changed += 1
    if bySlot.isEmpty { bySlot = Array(repeating: (0, 0), count: rules.layout.slots.count) }
    for slot in rules.comparedSlots where compared.slots.contains(slot) {
      values += 1
      bySlot[slot].came += 1
      guard compared.replaced.contains(slot) else { continue }
      replaced += 1
      bySlot[slot].replaced += 1
    }
  }
}
