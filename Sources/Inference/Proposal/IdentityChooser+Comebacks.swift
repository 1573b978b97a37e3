/// Objects that came again: whether equal values are those of one object.
extension IdentityChooser {
  /// Whether most objects that came again in other documents are the ones that they were: no two have such an identity by chance, or
  /// they say what they said, but for some of it. Objects that each document counts have names in common at times.
  func cameBack(_ child: Int32, of index: Int32, isSure: Bool) -> Bool {
    let uncounted = shapes.children(of: index).filter { isOrdinal(shapes[$0]) }
    let isSure = isSure || isOrdinal(shapes[child])
    guard isMember(child, of: index),
      let (all, alike) = shapes.tree.rows.comebacks(
        shapes[index], by: [Int(shapes.tree[child].ordinal)],
        uncounted: Set(uncounted.map { Int(shapes.tree[$0].ordinal) }), isSure: isSure)
    else { return false }
    if isOfOneObject(child) { return true }
    return isSure ? all > 0 && alike * 10 >= all * 9 : alike * 2 >= all
  }

  /// Whether a value is the objects' own, and none in an object that stands for a value.
  func isMember(_ child: Int32, of index: Int32) -> Bool {
    shapes.find(shapes.tree[child].parent) == shapes.find(index)
  }

  /// Whether values are such that no two objects have the same one by chance, in whatever documents.
  func isOfOneObject(_ child: Int32) -> Bool {
    isWide(shapes[child]) && shapes.areMadeByProgram(child)
  }

  /// Whether no two objects have the same value under a key, but for those that came again in other documents.
  func tellsApart(_ child: Int32, _ index: Int32) -> Bool {
    shapes[child].values.areUnique || shapes.uniqueApart.contains(shapes.find(child))
      || cameBack(child, of: index, isSure: true)
  }

  /// Whether values are so long that no two objects have the same one by chance.
  func isWide(_ node: ShapeNode) -> Bool {
    node.integers > 0 ? node.minimum > 100_000 : node.shortest >= 8
  }

  /// Whether the values are the numbers from zero or one on.
  func countsObjects(_ node: ShapeNode) -> Bool {
    isOrdinal(node) && node.maximum - node.minimum + 1 == Int64(node.values.count)
  }

  /// Whether values may just count the elements of a list.
  func isOrdinal(_ node: ShapeNode) -> Bool {
    node.integers > 0 && node.minimum >= 0 && node.minimum <= 1 && node.maximum <= 1_000
  }
}
