/// The evidence that objects with different values of a key like `type` are of different entities.
struct KindEvidence {
  /// The keys that nearly all kinds have.
  private(set) var common: Set<Int32> = []
  /// The keys that several kinds have, and under which all have lists of keys, or objects of one place.
  private(set) var shared: Set<Int32> = []
  private(set) var all: Set<Int32> = []
  private(set) var variants: [Int32] = []
  private(set) var objects = 0
  private var hasUntold = false
  /// How many keys the kinds have in an object that is all of theirs.
  private var countInside = 0

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
    shared = Set(counts.filter { $0.value > 1 }.keys)
    var firsts: [Int32: Int32] = [:]
    for child in variants.flatMap(shapes.children) {
      let key = shapes.keyNumber(of: child)
      let first = firsts[key] ?? child
      firsts[key] = first
      if !Self.areAlike(first, child, shapes) { shared.remove(key) }
    }
    noteEnvelope(shapes)
  }

  /// Objects of few keys, one of which holds all that they say, `{"model": "shop.order", "pk": 7, "fields": {…}}`, differ in what
  /// they have there.
  private mutating func noteEnvelope(_ shapes: Shapes) {
    guard all.count <= Self.mostBesideEnvelope + 1, all == common else { return }
    let envelopes = variants.compactMap { variant in
      shapes.children(of: variant).first { child in
        FlatObject.isEnvelopeKey(shapes.key(of: child)) && shapes.isObject(child)
          && !shapes.isDictionary(child)
          && shapes.tree[child].objectsOfItsOwn == shapes.tree[variant].objectsOfItsOwn
      }
    }
    guard envelopes.count == variants.count, let first = envelopes.first,
      case let key = shapes.keyNumber(of: first),
      envelopes.allSatisfy({ shapes.keyNumber(of: $0) == key })
    else { return }
    let keys = envelopes.map { shapes.keys(of: $0) }
    let union = keys.reduce(into: Set<Int32>()) { $0.formUnion($1) }
    let shared = keys.dropFirst().reduce(Set(keys[0])) { $0.intersection($1) }
    guard shared.count * 2 < union.count else { return }
    common.remove(key)
    self.shared.remove(key)
    countInside = union.count
  }

  /// So many keys say which object it is, and of what kind.
  private static let mostBesideEnvelope = 3

  /// Whether lists of keys of one type stand under a key of two kinds, or objects of one place.
  private static func areAlike(_ first: Int32, _ second: Int32, _ shapes: Shapes) -> Bool {
    let (one, other) = (shapes[first], shapes[second])
    guard one.scalars + other.scalars == 0, one.present > 0, other.present > 0 else { return false }
    if one.objects + other.objects > 0 { return shapes.find(first) == shapes.find(second) }
    guard let element = shapes.element(of: first), let twin = shapes.element(of: second) else { return false }
    let (values, others) = (shapes[element], shapes[twin])
    if values.objects + others.objects > 0 { return shapes.find(element) == shapes.find(twin) }
    return values.lists + others.lists == 0
      && (values.strings + others.strings == 0) != (values.integers + others.integers == 0)
  }

  /// Whether the kinds differ so much that each is an entity.
  var areKinds: Bool {
    guard variants.count >= 2, !hasUntold, objects >= variants.count else { return false }
    let own = all.count + countInside - common.count
    return own >= 2 && Double(common.count) < Double(all.count + countInside) * 0.7
  }

  /// Whether the kinds have so little in common that they are no kinds of one thing.
  var areStrangers: Bool {
    common.count <= 3 && Double(common.count) <= Double(all.count + countInside) * 0.3
  }
}
