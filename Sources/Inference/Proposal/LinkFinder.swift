import Mapping
import ObjectModel

/// Finds attributes whose values are keys of objects, and makes relationships of them.
struct LinkFinder {
  private let shapes: Shapes
  private let drafts: [EntityDraft]
  private let targets: [Target]
  private let listOwners: ListOwners

  /// An entity that keys may name.
  private struct Target {
    var draft: EntityDraft
    var values: DistinctValues
    var node: ShapeNode
    /// Whether its identities are small numbers, which other numbers may be by chance.
    var isSmall: Bool
  }

  /// How a key names an entity.
  private struct Link {
    var target: EntityDraft
    var score: Double
    var share: Double
    var compared: Int
    var hasPrefix: Bool
  }

  private let wishes: WishFulfillment
  private let known: KnownTargets

  init(_ shapes: Shapes, _ drafts: [EntityDraft], _ wishes: WishFulfillment, _ known: KnownTargets) {
    self.shapes = shapes
    self.known = known
    self.wishes = wishes
    self.drafts = drafts
    listOwners = ListOwners(shapes)
    targets = drafts.compactMap { draft in
      guard draft.parent == nil, let identity = draft.identityAttribute, identity.node >= 0 else {
        return nil
      }
      let node = shapes[identity.node]
      let isSmall = node.integers > 0 && node.maximum < 1_000 || node.strings > 0 && node.longest <= 2
      return Target(draft: draft, values: node.values, node: node, isSmall: isSmall)
    }
  }

  /// - Throws: What a store throws that is asked for objects.
  func run() throws {
    for draft in drafts {
      for attribute in draft.attributes
      where !draft.root.identity.contains(attribute.name) || draft.parent != nil {
        guard !attribute.path.isEmpty || draft.values.values.contains(attribute.name),
          let link = try link(attribute, of: draft)
        else { continue }
        replace(attribute, of: draft, by: link)
      }
    }
  }

  /// The place of the keys: the value's own, or that of the elements of a list.
  private func place(of attribute: AttributeDraft) -> (node: Int32, isToMany: Bool)? {
    let node = shapes[attribute.node]
    if node.lists > 0 {
      guard node.lists == node.present, let element = shapes.element(of: attribute.node),
        shapes[element].nulls == 0, shapes[element].scalars == shapes[element].present
      else { return nil }
      return (element, true)
    }
    return node.scalars > 0 && node.scalars == node.present ? (attribute.node, false) : nil
  }

  private func link(_ attribute: AttributeDraft, of draft: EntityDraft) throws -> Link? {
    guard let (index, isList) = place(of: attribute), !wishes.values.contains(where: { $0 === attribute })
    else {
      return nil
    }
    let keys = shapes[index]
    if let said = wishes.links.first(where: { $0.attribute === attribute })?.target {
      return Link(target: said, score: 3, share: 1, compared: keys.values.count, hasPrefix: false)
    }
    guard keys.fractions == 0, keys.trues + keys.falses == 0, !keys.flags.contains(.longTexts),
      keys.largeNumbers == 0, keys.emptyTexts == 0, attribute.type.type != .date
    else { return nil }
    let name = name(of: attribute, draft)
    let prefix = shapes.tree.prefixes[shapes.find(index)] ?? ""
    var best: Link?
    for target in targets where target.draft.identityAttribute !== attribute {
      let isSelf = target.draft === draft.root
      guard let link = link(keys, name, prefix, target, isSelf: isSelf, isList: isList) else { continue }
      if best.map({ ($0.score, $0.share) < (link.score, link.share) }) ?? true { best = link }
    }
    if let best { return best }
    return try known.link(at: index, name, from: draft).map {
      Link(
        target: $0.target, score: $0.score, share: Double($0.found) / Double($0.compared),
        compared: $0.compared,
        hasPrefix: $0.hasPrefix)
    }
  }

  /// The name that the keys stand under; of `subject.reference`, the outer one, and so of the `id` of a part.
  private func name(of attribute: AttributeDraft, _ draft: EntityDraft) -> LinkName {
    var keys: [String] = []
    for step in attribute.path {
      if case .key(let key) = step { keys.append(key) }
    }
    let last = keys.last ?? attribute.name
    let bare: Set<String> = [
      "reference", "id", "href", "url", "ref", "$ref", "$id", "$oid", "uri", "key", "code",
    ]
    if keys.count > 1, bare.contains(last.lowercased()) { return LinkName("\(keys[keys.count - 2])_id") }
    if keys == ["id"], draft.isPart, !draft.isRecord, draft.node >= 0 {
      return LinkName("\(Words.entityName(shapes.tree.meaningfulName(of: draft.node)))_id")
    }
    return LinkName(last)
  }

  private func link(
    _ keys: ShapeNode, _ name: LinkName, _ prefix: String, _ target: Target, isSelf: Bool, isList: Bool
  ) -> Link? {
    guard
      keys.strings == 0 || target.node.strings > 0 || keys.flags.contains(.slashes)
        || keys.forms.contains(.integer),
      keys.integers == 0 || target.node.integers > 0 || target.node.forms.contains(.integer)
    else { return nil }
    var score = name.score(for: target.draft.name, isSelf: isSelf)
    if isSelf, score < 2 { return nil }
    // `votes: 7` counts votes, and the `vote` of a vote is its value.
    if keys.integers > 0, !name.hasEnding, isSelf && score >= 3 || name.isPlural, !isList { return nil }
    if isSelf, score >= 3, !name.hasEnding, !isList { return nil }
    var (found, compared) = keys.values.overlap(with: target.values)
    var hasPrefix = false
    if found * 2 < compared, keys.flags.contains(.slashes), !keys.flags.contains(.mixedPrefixes) {
      let tails = keys.tails.overlap(with: target.values)
      if tails.found > found {
        (found, compared) = tails
        hasPrefix = true
        // `Patient/1` says itself what it names.
        if let outer = prefix.split(separator: "/").last {
          score = max(score, LinkName(String(outer)).score(for: target.draft.name, isSelf: false))
        }
      }
    }
    guard compared > 0 else { return nil }
    let share = Double(found) / Double(compared)
    let link = Link(
      target: target.draft, score: score, share: share, compared: compared, hasPrefix: hasPrefix)
    return isGood(link, name, target, keys) ? link : nil
  }

  private func isGood(_ link: Link, _ name: LinkName, _ target: Target, _ keys: ShapeNode) -> Bool {
    // One value may be an identity by chance, unless its name says that it is one.
    if link.compared < 2, target.isSmall, !name.hasEnding, link.score < 3 { return false }
    if link.score >= 2 { return link.share >= 0.5 || (link.score >= 3 && name.hasEnding && link.share > 0) }
    if link.score >= 1.5 {
      return link.share >= 0.9 && (!target.isSmall || name.hasEnding || link.compared >= 2)
    }
    guard link.share >= 0.95, !target.isSmall else { return false }
    // Addresses are the same only where they mean the same.
    if !target.node.forms.isDisjoint(with: [.address, .uuid]), target.node.integers == 0, !link.hasPrefix {
      return true
    }
    if isMadeByProgram(target) { return link.compared >= 2 }
    if name.hasEnding { return link.compared >= 3 }
    guard link.compared >= 5 else { return false }
    return keys.strings > 0 ? target.node.forms.contains(.word) : target.node.minimum >= 1_000
  }

  /// Whether identities are long words with digits, such as `recA1b2C3d4E5`, which nothing else is by chance.
  private func isMadeByProgram(_ target: Target) -> Bool {
    guard target.node.integers == 0, target.node.shortest >= 10, target.node.forms.contains(.word),
      let node = target.draft.identityAttribute?.node, let samples = shapes.tree.samples[shapes.find(node)]
    else { return false }
    return samples.allSatisfy {
      $0.contains(where: \.isNumber) && $0.contains(where: \.isLetter) && !$0.contains(" ")
    }
  }

  /// What takes an identity out of a text like `Patient/1` or `https://example.com/people/1/`.
  private static func transformer(_ prefix: String, _ samples: [String]) -> TransformerCall {
    guard samples.contains(where: { $0.hasSuffix("/") }) else { return .prefix(prefix) }
    var pattern = ""
    for character in prefix {
      if !character.isLetter, !character.isNumber, character != "/" { pattern += "\\" }
      pattern.append(character)
    }
    return .regex("^\(pattern)([^/]+)/?$", write: "\(prefix.replacing("$", with: "$$"))$1/")
  }

  /// Whether another key of the object says the same in another form, as `id` beside `id_str`.
  private func says(
    _ attribute: AttributeDraft, what draft: EntityDraft, saysOf target: EntityDraft, _ index: Int32
  ) -> Bool {
    let values = shapes[index].values
    return draft.relationships.contains { other in
      guard other.target === target, other.isReference, other.node >= 0 else { return false }
      let known = shapes[other.node].values
      let (found, compared) = values.overlap(with: known)
      return found == compared && known.count == values.count && attribute.name.hasPrefix(other.name)
    }
  }

  private func replace(_ attribute: AttributeDraft, of draft: EntityDraft, by link: Link) {
    guard let (index, isToMany) = place(of: attribute) else { return }
    draft.attributes.removeAll { $0 === attribute }
    let name = name(of: attribute, draft)
    let property = name.property(isToMany: isToMany, fallback: link.target.name)
    let twin = draft.relationships.first {
      $0.target === link.target && $0.isToMany == isToMany && $0.name.lowercased() == property.lowercased()
        && $0.path.dropLast() == attribute.path.dropLast()
    }
    // The object itself stands beside its key: the key says nothing more.
    if twin != nil { return }
    if says(attribute, what: draft, saysOf: link.target, index) {
      draft.attributes.append(attribute)
      return
    }
    let relationship = RelationshipDraft(
      name: draft.freeName([property, attribute.name]), path: attribute.path, target: link.target,
      isToMany: isToMany)
    relationship.isReference = true
    relationship.isOrdered = isToMany
    relationship.node = index
    if isToMany {
      relationship.isShared = listOwners.haveSeveral(attribute.node)
    }
    if link.hasPrefix, let prefix = shapes.tree.prefixes[shapes.find(index)] {
      relationship.transformers = [Self.transformer(prefix, shapes.tree.samples[shapes.find(index)] ?? [])]
    }
    let percent = Int((link.share * 100).rounded(.down))
    relationship.certainty =
      link.score >= 2 && link.share >= 0.9 ? .certain : link.score > 0 ? .likely : .doubtful
    relationship.evidence =
      "\(percent) % of \(link.compared) different values are identities of \(link.target.name)"
      + (link.score >= 2 ? ", which its name says too" : link.score > 0 ? ", which its name fits" : "")
    draft.relationships.append(relationship)
    for (key, value) in draft.values where value == attribute.name { draft.values[key] = relationship.name }
  }
}
