import Mapping
import ObjectModel

/// Finds identities of two values, an owner and a number or a moment, for objects at the top of the JSON that no value alone
/// identifies. The owner is the key of another object, or a text or a number that is called like one: a sensor, a currency.
struct CompositeIdentity {
  private let shapes: Shapes
  private(set) var guesses: [(draft: EntityDraft, guess: Guess)] = []

  /// Of fewer objects it is not known whether values are different by chance.
  private static let fewObjects = 8

  private static let orders: Set<String> = [
    "time", "date", "timestamp", "ts", "number", "no", "nr", "seq", "sequence", "position", "pos", "index",
    "line",
    "slot", "rank", "year", "month", "day", "hour", "week", "version", "round", "episode", "season", "step",
    "order",
    "at", "datetime", "minute", "period", "revision", "ordinal",
  ]

  init(_ shapes: Shapes, _ drafts: [EntityDraft]) {
    self.shapes = shapes
    for draft in drafts where draft.node >= 0 && draft.kindKey == nil && draft.parent == nil {
      if draft.isPart {
        guard draft.isRecord, !chooseKind(of: draft), shapes[draft.node].objects >= Self.fewObjects else {
          continue
        }
        choose(draft)
      } else if !drafts.contains(where: { names(draft, $0) }) {
        addSpace(to: draft)
      }
    }
  }

  /// Whether a key of one value names an object of a draft.
  private func names(_ draft: EntityDraft, _ owner: EntityDraft) -> Bool {
    owner.relationships.contains { $0.isReference && $0.target === draft }
  }

  /// Keys of identities that hold in a space, which another value names: `{"system": "http://loinc.org", "code": "8302-2"}`.
  private static let ofSpaces: Set<String> = ["code", "value", "key", "symbol", "identifier", "slug", "name"]

  private static let spaces: Set<String> = [
    "system", "codesystem", "scheme", "namespace", "vhost", "tenant", "workspace",
  ]

  /// Adds what names the space of an identity, if all objects say it.
  private mutating func addSpace(to draft: EntityDraft) {
    guard draft.identity.count == 1, let identity = draft.identityAttribute, identity.path.count == 1,
      identity.node >= 0, Self.ofSpaces.contains(Names.folded(shapes.key(of: identity.node)))
    else { return }
    let space = draft.attributes.first { attribute in
      guard attribute.path.count == 1, attribute.node >= 0 else { return false }
      let node = shapes[attribute.node]
      return Self.spaces.contains(Names.folded(shapes.key(of: attribute.node)))
        && node.strings == shapes[draft.node].objects && node.emptyTexts == 0
    }
    guard let space else { return }
    draft.identity = [space.name, identity.name]
    space.isOptional = false
    guesses.append(
      (
        draft,
        Guess(
          .identity, .likely, choice: "\(space.name) and \(identity.name) are the identity",
          evidence: "“\(space.name)” names where “\(identity.name)” holds")
      ))
  }

  /// So many objects show that each kind has numbers of its own.
  private static let fewestOfKinds = 3

  /// Takes a key that is called like an identity together with the kind of each object, if several objects have one of it and are of
  /// several kinds: the film 550 and the series 550. True if there are such.
  private mutating func chooseKind(of draft: EntityDraft) -> Bool {
    let node = shapes[draft.node]
    guard node.objects >= Self.fewestOfKinds, node.identity >= 0,
      node.identityRank <= IdentityNames.strongest,
      let key = draft.attributes.first(where: { $0.node == node.identity && $0.path.count == 1 })
    else { return false }
    let kind = draft.attributes.first { attribute in
      guard attribute.path.count == 1, attribute.node >= 0, case let place = shapes[attribute.node],
        ["type", "kind", "object"].contains(Words.words(shapes.key(of: attribute.node)).last),
        place.strings == node.objects, place.emptyTexts == 0, place.values.isExact,
        (2...Self.mostKinds).contains(place.values.count)
      else { return false }
      let columns = [attribute, key].compactMap { column($0.path, of: draft) }
      guard columns.count == 2 else { return false }
      return shapes.tree.rows.comebacks(node, by: columns, uncounted: [], isSure: true).map {
        $0.alike == $0.all
      } ?? false
    }
    guard let kind else { return false }
    kind.isOptional = false
    identify(draft, by: kind.name, key)
    return true
  }

  /// Of more kinds, a key says something else.
  private static let mostKinds = 16

  private mutating func choose(_ draft: EntityDraft) {
    let links = draft.relationships.filter {
      $0.isReference && !$0.isToMany && $0.path.count == 1 && $0.target !== draft
    }
    for owner in links {
      guard let order = order(beside: owner.path, of: draft) else { continue }
      owner.isOptional = false
      return identify(draft, by: owner.name, order)
    }
    if let pair = pair(of: links, draft) {
      for link in pair { link.isOptional = false }
      draft.identity = pair.map(\.name)
      guesses.append(
        (
          draft,
          Guess(
            .identity, .likely, choice: "\(pair[0].name) and \(pair[1].name) are the identity",
            evidence: "the objects say nothing else, and no two of \(shapes[draft.node].objects) say the same"
          )
        ))
      return
    }
    for owner in draft.attributes where isOwner(owner, of: draft) {
      guard let order = order(beside: owner.path, of: draft), order.type.type == .date || countsPlaces(order)
      else { continue }
      owner.isOptional = false
      return identify(draft, by: owner.name, order)
    }
  }

  /// The two links that objects have and nothing else, as the rows of a table between two others do, if no two objects have the
  /// same.
  private func pair(of links: [RelationshipDraft], _ draft: EntityDraft) -> [RelationshipDraft]? {
    guard links.count == 2, draft.attributes.isEmpty, links[0].target !== links[1].target,
      draft.relationships.allSatisfy({ link in links.contains { $0 === link } }),
      shapes[draft.node].rowCount == shapes[draft.node].objects,
      let first = column(links[0].path, of: draft), let second = column(links[1].path, of: draft),
      links.allSatisfy({ $0.node >= 0 && shapes[$0.node].scalars == shapes[draft.node].objects }),
      shapes.tree.rows.areUnique(shapes[draft.node], columns: [first, second])
    else { return nil }
    return links
  }

  /// The first attribute that is unique together with an owner.
  private func order(beside owner: [JSONKeyPath.Step], of draft: EntityDraft) -> AttributeDraft? {
    guard let first = column(owner, of: draft) else { return nil }
    return draft.attributes.first { attribute in
      guard isOrder(attribute), let second = column(attribute.path, of: draft) else { return false }
      return shapes.tree.rows.areUnique(shapes[draft.node], columns: [first, second])
    }
  }

  private mutating func identify(_ draft: EntityDraft, by owner: String, _ order: AttributeDraft) {
    let node = shapes[draft.node]
    draft.identity = [owner, order.name]
    order.isOptional = false
    let isAll = node.rowCount == node.objects
    guesses.append(
      (
        draft,
        Guess(
          .identity, isAll ? .likely : .doubtful, choice: "\(owner) and \(order.name) are the identity",
          evidence: isAll
            ? "no two of \(node.objects) objects have the same of both"
            : "no two of the first \(node.rowCount) objects have the same of both")
      ))
  }

  /// Names of what has a series of values. Others, such as a status or a level, are the same by chance.
  private static let owners: Set<String> = [
    "sensor", "device", "station", "meter", "probe", "symbol", "ticker", "currency", "instrument", "asset",
    "series", "site", "location", "city", "country", "region", "vehicle", "host", "channel",
  ]

  /// Whether an attribute is called like an owner of a series, or like an identity that is none, and few values of it come again and
  /// again.
  private func isOwner(_ attribute: AttributeDraft, of draft: EntityDraft) -> Bool {
    guard attribute.path.count == 1, attribute.node >= 0 else { return false }
    switch attribute.type.type {
    case .string, .uuid, .integer16, .integer32, .integer64: break
    default: return false
    }
    let (node, key) = (shapes[attribute.node], shapes.key(of: attribute.node))
    guard node.values.isExact, node.values.count * 2 <= shapes[draft.node].objects else { return false }
    return LinkName(key).hasEnding || Words.words(key).last.map(Self.owners.contains) ?? false
      || IdentityNames.rank(of: key, owner: "").map { $0 <= IdentityNames.strongest } ?? false
  }

  private func column(_ path: [JSONKeyPath.Step], of draft: EntityDraft) -> Int? {
    guard path.count == 1, case .key(let key) = path[0], let child = shapes.child(of: draft.node, named: key)
    else {
      return nil
    }
    return Int(shapes.tree[child].ordinal)
  }

  /// Whether an attribute says in its name that it counts the objects of an owner.
  private func countsPlaces(_ attribute: AttributeDraft) -> Bool {
    Words.words(shapes.key(of: attribute.node)).contains { ["sequence", "seq"].contains($0) }
  }

  /// Whether an attribute puts the objects of one owner in order.
  private func isOrder(_ attribute: AttributeDraft) -> Bool {
    guard attribute.path.count == 1, attribute.node >= 0 else { return false }
    switch attribute.type.type {
    case .date, .integer16, .integer32, .integer64: break
    // Tables that were CSV once have numbers in texts.
    case .string: guard shapes[attribute.node].forms.contains(.integer) else { return false }
    default: return false
    }
    let key = shapes.key(of: attribute.node)
    // The moment of an object's last change is another one after the next.
    guard !DateNames.sayChange(key) else { return false }
    let words = Words.words(key)
    return attribute.type.type == .date || words.contains(where: Self.orders.contains)
  }
}
