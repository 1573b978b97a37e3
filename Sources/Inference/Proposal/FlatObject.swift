/// Whether an object is part of the object around it rather than one of its own.
enum FlatObject {
  private static let mostLeaves = 10

  /// Whether an object has few members, so that key paths lead to them.
  static func isFlat(_ index: Int32, _ shapes: Shapes, _ finder: MemberFinder) -> Bool {
    var leaves = 0
    var rest = [shapes.find(index)]
    var seen: Set<Int32> = []
    while let next = rest.popLast() {
      guard seen.insert(next).inserted, seen.count <= mostLeaves else { return false }
      for member in finder.members(of: next, isRecord: false) {
        let place = shapes.find(member.node)
        leaves += 1
        guard leaves <= mostLeaves, place != shapes.find(index) else { return false }
        let node = shapes[place]
        if shapes.isSplit(place) { continue }
        if node.objects > 0, node.lists == 0, node.scalars == 0, !shapes.isDictionary(place) {
          leaves -= 1
          rest.append(place)
        }
      }
    }
    return true
  }
}
