import ObjectModel

extension ObjectDeleter {
  /// Deletes rows, each with what its cascades reach, or not at all if something that stays stands against it.
  ///
  /// - Returns: What stands against those that stay.
  /// - Complexity: O(*n*) in the rows, and what they are linked to by relationships that cascade, deny or require.
  func delete(_ places: [RowLocation], sparing: DeletionExemptions) throws -> [(
    row: Int64, refusal: DeletionRefusal
  )] {
    var refused: [(row: Int64, refusal: DeletionRefusal)] = []
    var held: [RowLocation] = []
    for place in places {
      guard let refusal = try deleteByRules(place, sparing: sparing) else { continue }
      if refusal.mayEnd { held.append(place) } else { refused.append((place.row, refusal)) }
    }
    guard !held.isEmpty else { return refused }
    // What stands against one may be another of them.
    var joint = JointDeletion(self, sparing: sparing)
    return refused + (try joint.delete(held))
  }
}

/// A deletion of several objects that stand against each other's, as one.
private struct JointDeletion {
  /// An object that is to go.
  private struct Node {
    let place: ObjectDeleter.RowLocation
    let plan: DeletionPlan
    /// Whether it was asked for, and does not only go along with others.
    let isStart: Bool
    /// Those that take it along, and those that it takes along.
    var parents: [Int] = []
    var children: [Int] = []
    /// Those that it stands against.
    var holds: [(node: Int, holder: ObjectDeleter.Holder)] = []
    var stays = false
    var refusal: DeletionRefusal?
  }

  private let deleter: ObjectDeleter
  private let sparing: ObjectDeleter.DeletionExemptions
  private var nodes: [Node] = []
  private var indices: [ObjectDeleter.RowLocation: Int] = [:]
  /// The nodes that stay and have not been looked at yet.
  private var waiting: [Int] = []

  init(_ deleter: ObjectDeleter, sparing: ObjectDeleter.DeletionExemptions) {
    self.deleter = deleter
    self.sparing = sparing
  }

  mutating func delete(
    _ starts: [ObjectDeleter.RowLocation]
  ) throws -> [(row: Int64, refusal: DeletionRefusal)] {
    try collect(starts)
    try findHolders()
    try spread()
    for node in nodes where !node.stays { try deleter.remove(node.place, node.plan) }
    return nodes.compactMap { node in
      node.isStart ? node.refusal.map { (node.place.row, $0) } : nil
    }
  }

  private mutating func collect(_ starts: [ObjectDeleter.RowLocation]) throws {
    for start in starts { _ = try add(start, isStart: true) }
    var next = 0
    while next < nodes.count {
      for link in nodes[next].plan.cascading {
        for place in try deleter.targets(of: link, nodes[next].place.row) {
          guard let child = try add(place, isStart: false) else { continue }
          nodes[next].children.append(child)
          nodes[child].parents.append(next)
        }
      }
      next += 1
    }
  }

  private mutating func add(_ place: ObjectDeleter.RowLocation, isStart: Bool) throws -> Int? {
    if let known = indices[place] { return known }
    guard let plan = try deleter.plan(for: place) else { return nil }
    nodes.append(Node(place: place, plan: plan, isStart: isStart))
    indices[place] = nodes.count - 1
    return nodes.count - 1
  }

  /// Finds what stands against each, and keeps those against which something stands that is not to go.
  private mutating func findHolders() throws {
    let all = Set(indices.keys)
    for index in nodes.indices {
      let node = nodes[index]
      for holder in try deleter.holders(of: node.place, node.plan, sparing) {
        if let other = indices[holder.place] {
          nodes[other].holds.append((index, holder))
        } else if try deleter.isLeftWithout(holder, all) {
          keep(index, try deleter.refusal(of: node.place, node.plan, holder))
        }
      }
      if !node.isStart, let cause = deleter.causeToStay(node.place, node.plan, sparing) {
        deleter.countUnsent(node.place, cause)
        keep(index, DeletionRefusal(cause: cause, relationship: 0, key: ""))
      }
    }
  }

  private mutating func keep(_ index: Int, _ refusal: DeletionRefusal?) {
    guard !nodes[index].stays else { return }
    nodes[index].stays = true
    nodes[index].refusal = refusal
    waiting.append(index)
  }

  /// Keeps what those that stay keep: those that would take them along, those that only they would take along, and
  /// those that they stand against.
  private mutating func spread() throws {
    while let index = waiting.popLast() {
      let node = nodes[index]
      for parent in node.parents {
        keep(parent, try refusal(of: parent, by: node.refusal))
      }
      for child in node.children where !nodes[child].isStart {
        if nodes[child].parents.allSatisfy({ nodes[$0].stays }) { keep(child, nil) }
      }
      for (held, holder) in node.holds {
        keep(held, try deleter.refusal(of: nodes[held].place, nodes[held].plan, holder))
      }
    }
  }

  /// Why an object stays that would take along another which stays.
  private func refusal(of parent: Int, by refusal: DeletionRefusal?) throws -> DeletionRefusal? {
    guard let refusal else { return nil }
    switch refusal.cause {
    case .denied, .required: return refusal
    case .takesListed, .takesUnsent: return try deleter.refusal(of: nodes[parent].place, refusal.cause)
    }
  }
}
