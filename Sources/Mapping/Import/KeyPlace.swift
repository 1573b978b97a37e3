import ObjectStore

/// A key of an object, whose value is read: whose key it is, and which.
///
/// It goes along with every value, so it is passed on and never kept, and counts no reference.
struct KeyPlace {
  /// The row of the object.
  let row: Int
  /// The keys among which it is found. The plan holds on to them.
  unowned(unsafe) let node: KeyNode
  /// Its place among them.
  let index: Int
  /// How well it fits the property that it is for; see ``KeyMatch/Rank``.
  var rank: UInt8

  /// What the cells and lists that its value fills are marked with.
  var tag: KeyTag { KeyTag(rank: rank, key: index) }

  /// The key, with the keys on the way to it.
  var path: String { node.prefix + node.name(of: index) }
}
