import Mapping
import ObjectModel

/// The entities of a store as targets of links: the store itself is asked whether it has objects that keys name.
struct KnownTargets {
  /// The store is asked for so many objects that values of an attribute may name.
  static let mostAsked = 1_000

  let entities: [KnownEntity]
  private let shapes: Shapes
  private let targets: [Target]

  /// An entity whose objects one value identifies.
  private struct Target {
    let stored: @Sendable ([String]) throws -> Set<String>
    let name: EntityName
    /// One of the JSON with the same name, or one without objects.
    let draft: EntityDraft
  }

  /// How the values of a place name objects of an entity.
  struct Link {
    var target: EntityDraft
    var score: Double
    var found: Int
    var compared: Int
    var hasPrefix: Bool
  }

  init(_ entities: [KnownEntity], _ shapes: Shapes, _ drafts: [EntityDraft]) {
    self.entities = entities
    self.shapes = shapes
    let known = Dictionary(
      drafts.filter { $0.parent == nil }.map { (Names.folded($0.name), $0) },
      uniquingKeysWith: { first, _ in first })
    targets = entities.compactMap { entity in
      let draft = known[Names.folded(entity.name)] ?? Self.stand(entity.name)
      guard let stored = entity.stored, draft.identity.count == 1 else { return nil }
      return Target(stored: stored, name: EntityName(entity.name), draft: draft)
    }
  }

  static func stand(_ name: String) -> EntityDraft {
    let draft = EntityDraft(node: -1)
    draft.name = name
    draft.identity = ["id"]
    return draft
  }

  /// The entity whose objects the values of a place name; nil if the store lacks most of them, or if it has all, but neither their
  /// name fits nor are they such as nothing else is by chance.
  ///
  /// - Parameters:
  ///   - name: The name that the values stand under.
  ///   - isItself: Whether the values are the identities of the objects that have them, which lead to no other object.
  ///   - isOwnAddress: Whether they are addresses that end with these.
  func link(
    at index: Int32, _ name: LinkName, from draft: EntityDraft, isItself: Bool, isOwnAddress: Bool
  ) throws -> Link? {
    let place = shapes.find(index)
    let samples = shapes.tree.samples[place] ?? []
    let prefix = shapes[index].flags.isDisjoint(with: .mixedPrefixes) ? shapes.tree.prefixes[place] : nil
    // `Patient/1` says itself what it names.
    let ownName = isOwnAddress ? nil : prefix.flatMap(LinkName.said(inPrefix:))
    let areTelling = areTelling(samples, shapes[index], name)
    // A number under a name of several objects counts them.
    let isList = shapes.tree[index].key < 0
    if shapes[index].integers > 0, !name.hasEnding, !isList, name.isPlural || name.isMeasure { return nil }
    var best: Link?
    for target in targets {
      let isSelf = target.draft === draft.root
      var score = name.score(for: target.name, isSelf: isSelf)
      if isSelf, score < 2 || score >= 3 && isItself { continue }
      if let ownName { score = max(score, ownName.score(for: target.name, isSelf: false)) }
      // Without a name that fits, a few values say nothing.
      guard score >= 1.5 else {
        guard best == nil, areTelling, try !target.stored([samples[0]]).isEmpty,
          try target.stored(samples).isSuperset(of: samples)
        else { continue }
        best = Link(
          target: target.draft, score: 0, found: samples.count, compared: samples.count, hasPrefix: false)
        continue
      }
      guard score > best?.score ?? 0 else { continue }
      for (hasPrefix, values) in [(false, samples), (true, Self.tails(samples, prefix))] where !values.isEmpty
      {
        let known = try target.stored(values)
        let found = values.count(where: known.contains)
        guard Self.isGood(score, found, values.count, name) else { continue }
        best = Link(
          target: target.draft, score: score, found: found, compared: values.count, hasPrefix: hasPrefix)
        break
      }
    }
    return best
  }

  /// Whether values that are identities are so by no chance, whatever their name.
  private func areTelling(_ samples: [String], _ node: ShapeNode, _ name: LinkName) -> Bool {
    guard samples.count >= 2 else { return false }
    if node.integers > 0 { return name.hasEnding && samples.count >= 3 && node.minimum >= 1_000 }
    if !node.forms.isDisjoint(with: [.address, .uuid]) || samples.allSatisfy(LinkFinder.isMadeByProgram) {
      return true
    }
    return name.hasEnding && samples.count >= 3 && node.shortest >= 3
  }

  private static func isGood(_ score: Double, _ found: Int, _ compared: Int, _ name: LinkName) -> Bool {
    if score >= 3, name.hasEnding { return found > 0 }
    if score >= 2 { return found * 2 >= compared && (name.hasEnding || compared >= 2) }
    return found == compared && compared >= 2
  }

  /// `1` of `Patient/1`.
  private static func tails(_ samples: [String], _ prefix: String?) -> [String] {
    guard let prefix, samples.allSatisfy({ $0.hasPrefix(prefix) }) else { return [] }
    return samples.map { String($0.dropFirst(prefix.count).split(separator: "/").first ?? "") }.filter {
      !$0.isEmpty
    }
  }
}
