/// Tells whether objects stand in the lists of several owners.
///
/// Each place keeps the pairs of its own elements and owners, since places become one that hold the objects of several
/// lists: an object in a list of an order and in one of a shipment has one owner of each kind.
struct ListOwners {
  private let shapes: Shapes
  /// The places that have pairs, and the list that each is in, as it was read.
  private let elements: [(node: Int32, list: Int32)]

  init(_ shapes: Shapes) {
    self.shapes = shapes
    elements = (0..<Int32(shapes.tree.count)).compactMap { index in
      guard shapes.tree[index].owned.count > 0 else { return nil }
      var outer = index
      while shapes.tree[outer].flags.contains(.variant) { outer = shapes.tree[outer].parent }
      return (index, shapes.tree[outer].parent)
    }
  }

  /// Whether a value came in several of the lists, or dictionaries, at a place.
  func haveSeveral(_ list: Int32) -> Bool {
    let list = shapes.find(list)
    let sets = elements.filter { $0.list >= 0 && shapes.find($0.list) == list }.map {
      shapes.tree[$0.node].owned
    }
    guard sets.count > 1 else { return sets.first?.havePartners ?? false }
    let level = sets.map(\.level).max() ?? 0
    let mask = (UInt64(1) << UInt64(level)) - 1
    var pairs: Set<UInt64> = []
    for set in sets { set.forEach { if $0 & mask == 0 { pairs.insert($0) } } }
    return DistinctValues.havePartners(pairs, level: level)
  }
}
