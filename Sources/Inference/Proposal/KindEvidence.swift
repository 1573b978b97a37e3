/// What speaks for objects with different values of a key like `type` being of different entities.
struct KindEvidence {
  /// The keys that nearly all kinds have.
  private(set) var common: Set<Int32> = []
  private(set) var all: Set<Int32> = []
  private(set) var variants: [Int32] = []
  private(set) var objects = 0
  private var hasUntold = false

  init(_ index: Int32, _ shapes: Shapes) {
    variants = shapes.children(of: index)
    objects = shapes[index].objects
    var counts: [Int32: Int] = [:]
    for variant in variants {
      // A mapping lists the values with commas between them.
      let value = shapes.key(of: variant)
      if value.isEmpty || value.contains(",") { hasUntold = true }
      let keys = shapes.keys(of: variant)
      all.formUnion(keys)
      for key in keys { counts[key, default: 0] += 1 }
    }
    for (key, count) in counts where count == variants.count { common.insert(key) }
  }

  /// Whether the kinds differ so much that each is an entity.
  var areKinds: Bool {
    guard variants.count >= 2, !hasUntold, objects >= variants.count else { return false }
    let own = all.count - common.count
    return own >= 2 && Double(common.count) < Double(all.count) * 0.7
  }

  /// Whether the kinds have so little in common that they are no kinds of one thing.
  var areStrangers: Bool { common.count <= 3 && Double(common.count) <= Double(all.count) * 0.3 }
}
