import ObjectModel

/// What stands against deletions.
extension ObjectDeleter {
  /// An object that stands against the deletion of another, unless it goes as well.
  struct Holder {
    let place: RowLocation
    let relationship: SchemaRelationship
    /// Whether the relationship is the holder's, which requires what it leads to, and no rule.
    let isRequired: Bool
  }

  /// What stands against the deletion of a row.
  func holders(of place: RowLocation, _ plan: DeletionPlan, _ sparing: DeletionExemptions) throws -> [Holder]
  {
    var result: [Holder] = []
    func add(_ links: [DeletionPlan.Link], isRequired: Bool) throws {
      for link in links {
        result += try targets(of: link, place.row).map {
          Holder(place: $0, relationship: link.relationship, isRequired: isRequired)
        }
      }
    }
    try add(plan.denying, isRequired: false)
    guard sparing.contains(.requiredTargets) else { return result }
    try add(plan.requiring, isRequired: true)
    try add(plan.requiringSome, isRequired: true)
    return result
  }

  /// Whether what a holder requires is gone once all of `going` is. A list may have others.
  func isLeftWithout(_ holder: Holder, _ going: Set<RowLocation>) throws -> Bool {
    guard holder.isRequired, holder.relationship.isToMany else { return true }
    let sql = DeletionSQL(layout: layout, table: layout.tables[holder.place.table])
    let targets = try rareStatement(sql.unorderedTargets(of: holder.relationship))
    let table = layout.entities[holder.relationship.destination].table
    targets.bind(holder.place.row, at: 1)
    while try targets.step() {
      guard !going.contains(RowLocation(table: table, row: targets.integer(0))) else { continue }
      targets.reset()
      return false
    }
    return true
  }

  /// Why an object that would go along with another has to stay; nil if it has not.
  func causeToStay(_ place: RowLocation, _ plan: DeletionPlan, _ sparing: DeletionExemptions)
    -> DeletionRefusal.Cause?
  {
    if sparing.contains(.listedObjects), plan.entity.hasIdentity,
      context.tally.hasSeen(place.row, table: place.table)
    {
      return .takesListed
    }
    return context.isUnsent(place.row, inTable: place.table) ? .takesUnsent : nil
  }

  /// The refusal of an object that another stands against.
  func refusal(of place: RowLocation, _ plan: DeletionPlan, _ holder: Holder) throws -> DeletionRefusal {
    var refusal = DeletionRefusal(relationship: holder.relationship.index, key: try name(of: place, plan))
    if holder.isRequired, let owner = try self.plan(for: holder.place) {
      refusal.cause = .required(entity: owner.entity.index, key: try name(of: holder.place, owner))
    }
    return refusal
  }

  /// The refusal of an object that would take others along.
  func refusal(of place: RowLocation, _ cause: DeletionRefusal.Cause) throws -> DeletionRefusal {
    guard let plan = try plan(for: place), let link = plan.cascading.first else {
      return DeletionRefusal(cause: cause, relationship: 0, key: "")
    }
    return DeletionRefusal(
      cause: cause, relationship: link.relationship.index, key: try name(of: place, plan))
  }

  /// The identity of an object, as reports write it.
  private func name(of place: RowLocation, _ plan: DeletionPlan) throws -> String {
    layout.identityText(ofKey: try key(of: place, plan), of: plan.entity)
  }
}
