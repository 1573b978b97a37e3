/// When the keys of objects are taken for data.
enum ChildLimits {
  private static let steps: [Int32] = [96, 256, 512, 1024]
  /// A store has no room for so many columns.
  private static let most: Int32 = 1_500

  /// Whether the objects of a place, which a new key just came for, are dictionaries.
  static func isDictionary(_ node: Int32, in tree: borrowing ShapeTree) -> Bool {
    let count = tree[node].childCount
    guard count < most else { return true }
    guard steps.contains(count) else { return false }
    return DictionaryEvidence(node, tree).isDictionary
  }
}
