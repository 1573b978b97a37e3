import ObjectStore

/// A key of an object whose value is read: which object, and which key.
///
/// It is passed on with every value and never kept, and it counts no reference.
struct KeyPlace {
  /// The row of the object.
  let row: Int
  /// The keys that it is one of. The plan keeps them alive.
  unowned(unsafe) let node: KeyNode
  /// Its place among them.
  let index: Int
  /// How well it fits the property that it is for; see ``KeyMatch/Rank``.
  var rank: UInt8

  /// The mark of the cells and lists that the value fills.
  var tag: KeyTag { KeyTag(rank: rank, key: index) }

  /// The key, after the keys on the way to it.
  var path: String { node.prefix + node.name(of: index) }
}
