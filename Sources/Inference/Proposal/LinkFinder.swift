import JSONStream
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
    var name: EntityName
    /// The key that identifies its objects; empty if it is no key of theirs.
    var key: String
    var values: DistinctValues
    var node: ShapeNode
    /// Whether its identities are small numbers, which other numbers may be by chance.
    var isSmall: Bool
    /// Whether its identities are long words with digits, such as `recA1b2C3d4E5`, which nothing else is by chance.
    var isMadeByProgram: Bool
    /// The same entity in the store that the JSON is to go into.
    var known: KnownEntity?

    /// Whether its identities are such that two are the same only where they mean the same: addresses and UUIDs.
    var isUnmistakable: Bool { node.integers == 0 && !node.forms.isDisjoint(with: [.address, .uuid]) }
  }

  /// How a key names an entity.
  private struct Link {
    var target: EntityDraft
    var score: Double
    var share: Double
    var compared: Int
    var hasPrefix: Bool
    /// Whether no other values are the same by chance.
    var isUnmistakable = false

    var certainty: Guess.Certainty {
      if score >= 2, share >= 0.9 { return .certain }
      return score > 0 || isUnmistakable ? .likely : .doubtful
    }

    var evidence: String {
      let percent = Int((share * 100).rounded(.down))
      return "\(percent) % of \(compared) different values are identities of \(target.name)"
        + (score >= 2 ? ", which its name says too" : score > 0 ? ", which its name fits" : "")
    }
  }

  private let wishes: WishFulfillment
  private let known: KnownTargets

  init(_ shapes: Shapes, _ drafts: [EntityDraft], _ wishes: WishFulfillment, _ known: KnownTargets) {
    self.shapes = shapes
    self.known = known
    self.wishes = wishes
    self.drafts = drafts
    listOwners = ListOwners(shapes)
    let stored = Dictionary(known.entities.map { (Names.folded($0.name), $0) }) { first, _ in first }
    targets = drafts.compactMap { draft in
      guard draft.parent == nil, let identity = draft.identityAttribute, identity.node >= 0 else {
        return nil
      }
      let node = shapes[identity.node]
      let isSmall = node.integers > 0 && node.maximum < 1_000 || node.strings > 0 && node.longest <= 2
      return Target(
        draft: draft, name: EntityName(draft.name), key: Self.key(of: identity), values: node.values,
        node: node,
        isSmall: isSmall,
        isMadeByProgram: Self.areMadeByProgram(node, shapes.tree.samples[shapes.find(identity.node)]),
        known: stored[Names.folded(draft.name)])
    }
  }

  private static func key(of identity: AttributeDraft) -> String {
    if case .key(let key)? = identity.path.last, identity.path.count == 1 { key } else { "" }
  }

  /// - Throws: What a store throws that is asked for objects.
  func run() throws {
    for draft in drafts {
      var addresses: [(attribute: AttributeDraft, link: Link)] = []
      let all = draft.attributes
      for attribute in draft.attributes
      where !draft.root.identity.contains(attribute.name) || draft.parent != nil {
        guard !attribute.path.isEmpty || draft.values.values.contains(attribute.name),
          let link = try link(attribute, of: draft)
        else { continue }
        if link.hasPrefix {
          addresses.append((attribute, link))
        } else {
          replace(attribute, of: draft, by: link)
        }
      }
      // The address of an object that a key names says nothing more: keys come first.
      for (attribute, link) in addresses where !saysAgain(attribute, among: all, draft) {
        replace(attribute, of: draft, by: link)
      }
    }
  }

  // MARK: - Keys that came before their targets

  /// A name that fits an entity so well says that values may be its identities, even if few are known.
  private static let fittingName = 1.5

  /// The attributes of a store's objects whose values, or the elements of whose lists, are identities of objects of the JSON, by
  /// the evidence that keys in the JSON need. What the store has of these objects counts as if it came now.
  ///
  /// - Throws: What a store throws that is asked for values.
  func laterLinks() throws -> [LaterLink] {
    var links: [LaterLink] = []
    let byName = Dictionary(drafts.map { (Names.folded($0.name), $0) }) { first, _ in first }
    for entity in known.entities {
      let owner = byName[Names.folded(entity.name)] ?? KnownTargets.stand(entity.name)
      for (attribute, path) in entity.attributes {
        let name = name(of: path, attribute.name, owner)
        let likely = targets.filter { mayBeNamed($0, by: name, in: owner) }
        guard !likely.isEmpty, let values = StoredKeys(try entity.values(attribute.name), attribute.type)
        else { continue }
        let place = self.place(of: values.texts, areNumbers: values.areNumbers)
        guard place >= 0, shapes[place].scalars > 0, shapes[place].emptyTexts == 0 else { continue }
        let draft = AttributeDraft(
          name: attribute.name, path: path, node: place, type: TypeChoice(attribute.type, ""),
          isOptional: true)
        let targets = try likely.map { target in
          let scores = target.draft.kinds.map { name.score(for: $0.draft.name, isSelf: false) }
          let score = name.score(for: target.name, isSelf: target.draft === owner.root)
          return try withStoredObjects(
            target, values, place, mostMissing: mostMissing(max(score, scores.max() ?? 0), name, values))
        }
        // An attribute that came now, and was found to be no link, is none where no name says so.
        let cameNow = owner.attributes.contains { $0.path == path }
        guard let link = link(place, name, of: draft, owner, isList: values.areListed, among: targets),
          !link.hasPrefix, link.score > 0 || !cameNow
        else { continue }
        links.append(
          LaterLink(
            entity: entity.name, attribute: attribute.name, target: link.target.name,
            name: name.property(isToMany: values.areListed, fallback: link.target.name),
            isToMany: values.areListed, key: JSONKeyPath.text(of: path[...]), certainty: link.certainty,
            evidence: link.evidence))
      }
    }
    return links
  }

  /// Whether values under a name may be identities of a target: the name fits, or ends as keys do, or a program made these
  /// identities.
  private func mayBeNamed(_ target: Target, by name: LinkName, in owner: EntityDraft) -> Bool {
    name.hasEnding || target.isMadeByProgram
      || name.score(for: target.name, isSelf: target.draft === owner.root) >= Self.fittingName
  }

  /// How many of some keys may be identities of no object of a target, so that they still lead to it; see ``isGood(_:_:_:_:)``.
  private func mostMissing(_ score: Double, _ name: LinkName, _ keys: StoredKeys) -> Int {
    if score >= 3, name.hasEnding { return keys.texts.count }
    return (score >= 2 ? keys.texts.count / 2 : keys.texts.count / 10) + 1
  }

  /// A target with those of some keys that are identities of objects which the store has of its entity. It stays as it is if too many
  /// are none.
  private func withStoredObjects(
    _ target: Target, _ keys: StoredKeys, _ place: Int32, mostMissing: Int
  ) throws -> Target {
    guard let stored = target.known?.stored, target.values.isExact, target.values.count <= SetRoom.largest
    else { return target }
    let inJSON = shapes[place].values.overlap(with: target.values).found
    var found: [String] = []
    var rest = keys.texts.prefix(KnownTargets.mostAsked)
    // As many may be missing in the store as came in the JSON.
    var missing = -inJSON
    while !rest.isEmpty {
      let next = Array(rest.prefix(Self.askedAtOnce))
      rest = rest.dropFirst(Self.askedAtOnce)
      let known = try stored(next)
      found += next.filter(known.contains)
      missing += next.count - known.count
      if missing > mostMissing { return target }
    }
    let place = self.place(of: found, areNumbers: keys.areNumbers)
    guard !found.isEmpty, place >= 0 else { return target }
    target.values.forEach { _ = shapes.tree.note(hash: $0, at: place) }
    var result = target
    result.values = shapes[place].values
    return result
  }

  /// The store is asked for so many objects at once.
  private static let askedAtOnce = 64

  /// Makes a place of values that a store has.
  private func place(of values: [String], areNumbers: Bool) -> Int32 {
    let place = shapes.tree.add(under: -1)
    guard place >= 0 else { return place }
    for var text in values {
      text.withUTF8 { bytes in
        if areNumbers, let number = Int64(String(decoding: bytes, as: UTF8.self)) {
          _ = shapes.tree.note(number: bytes, integer: number, at: place)
        } else {
          _ = shapes.tree.note(text: bytes, at: place)
        }
      }
    }
    return place
  }

  // MARK: - Evidence

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
    if isAddressOfLink(attribute, draft) { return nil }
    guard let (index, isList) = place(of: attribute), !wishes.values.contains(where: { $0 === attribute })
    else {
      return nil
    }
    let keys = shapes[index]
    if let said = wishes.links.first(where: { $0.attribute === attribute })?.target {
      return Link(target: said, score: 3, share: 1, compared: keys.values.count, hasPrefix: false)
    }
    // A relationship has each object once.
    if isList, keys.flags.contains(.repeats) { return nil }
    guard keys.fractions == 0, keys.trues + keys.falses == 0, !keys.flags.contains(.longTexts),
      keys.largeNumbers == 0, keys.emptyTexts == 0 || !isList && keys.emptyTexts < keys.strings,
      attribute.type.type != .date
    else { return nil }
    let name = name(of: attribute.path, attribute.name, draft)
    let own = targets.first { $0.draft === draft.root && $0.draft.identityAttribute !== attribute }
    let isItself = own.map { says(keys, whatIs: $0) } ?? false
    // An identity that objects have twice leads to others by its name alone.
    if let link = link(index, name, of: attribute, draft, isList: isList, among: targets),
      !isOfPart(attribute.path, draft) || link.score >= Self.fittingName || link.isUnmistakable,
      !isItself || isList || link.score >= 1.5 && link.target !== draft.root
    {
      return link
    }
    let isOwnAddress = isOwnAddress(keys, of: draft)
    return try known.link(at: index, name, from: draft, isItself: isItself, isOwnAddress: isOwnAddress).map {
      Link(
        target: $0.target, score: $0.score, share: Double($0.found) / Double($0.compared),
        compared: $0.compared,
        hasPrefix: $0.hasPrefix)
    }
  }

  /// The entity of the JSON whose identities the values of a place are, best of all.
  private func link(
    _ index: Int32, _ name: LinkName, of attribute: AttributeDraft, _ draft: EntityDraft, isList: Bool,
    among targets: [Target]
  ) -> Link? {
    let prefix = shapes.tree.prefixes[shapes.find(index)] ?? ""
    var best: Link?
    for target in targets where target.draft.identityAttribute !== attribute {
      // A key may name one of several kinds.
      let kind = target.draft.kinds.map(\.draft).first {
        $0 !== draft && name.score(for: $0.name, isSelf: false) >= 2
      }
      let isSelf = kind == nil && target.draft === draft.root
      guard
        let link = link(
          shapes[index], name, prefix, target, called: kind.map { EntityName($0.name) } ?? target.name,
          isSelf: isSelf,
          isKind: draft.parent != nil, isList: isList),
        !link.hasPrefix || !isOwnAddress(shapes[index], of: draft)
          || link.score > 0 && !isPlainAddress(attribute.path),
        link.score >= Self.fittingName || !saysOwn(shapes[index], target, draft),
        !isOfPart(attribute.path, draft) || link.share == 1 && (link.score >= 3 || !target.isSmall)
      else { continue }
      if best.map({ ($0.score, $0.share) < (link.score, link.share) }) ?? true { best = link }
    }
    return best
  }

  /// The name that the keys stand under; of `subject.reference`, the outer one, and so of the `id` of a part.
  private func name(of path: [JSONKeyPath.Step], _ attribute: String, _ draft: EntityDraft) -> LinkName {
    var keys: [String] = []
    for step in path {
      if case .key(let key) = step { keys.append(key) }
    }
    // A key that is data says nothing of the objects under it.
    if keys.isEmpty, attribute == "value" { return LinkName("") }
    let last = keys.last ?? attribute
    let bare: Set<String> = [
      "reference", "id", "@id", "_id", "href", "url", "ref", "$ref", "$id", "$oid", "uri", "key", "code",
    ]
    if keys.count > 1, bare.contains(last.lowercased()) {
      let outer = keys.dropLast().last { !FlatObject.isHeaderKey($0) } ?? keys[keys.count - 2]
      return LinkName(LinkName(outer).hasEnding ? outer : "\(outer)_id")
    }
    if isOfPart(path, draft) {
      return LinkName("\(Words.entityName(shapes.tree.meaningfulName(of: draft.node)))_id")
    }
    return LinkName(split(last))
  }

  /// Whether a path is the `id` of owned objects, which may be that of another object.
  private func isOfPart(_ path: [JSONKeyPath.Step], _ draft: EntityDraft) -> Bool {
    path == [.key("id")] && draft.isPart && !draft.isRecord && draft.node >= 0
  }

  /// `user_id` for `userid` and `page_ref` for `pageref`, where an entity is called so.
  private func split(_ key: String) -> String {
    guard key.allSatisfy({ $0.isLowercase }), let ending = ["ids", "id", "ref"].first(where: key.hasSuffix)
    else { return key }
    let stem = String(key.dropLast(ending.count))
    return drafts.contains { Names.folded($0.name) == stem } ? "\(stem)_\(ending)" : key
  }

  private func link(
    _ keys: ShapeNode, _ name: LinkName, _ prefix: String, _ target: Target, called: EntityName,
    isSelf: Bool, isKind: Bool, isList: Bool
  ) -> Link? {
    guard
      keys.strings == 0 || target.node.strings > 0 || keys.flags.contains(.slashes)
        || keys.forms.contains(.integer),
      keys.integers == 0 || target.node.integers > 0 || target.node.forms.contains(.integer)
    else { return nil }
    var score = name.score(for: called, isSelf: isSelf)
    if !isSelf, !isList, name.says(called, identifiedBy: target.key) { score = max(score, 3) }
    // An object of one kind may name those of others.
    if isSelf, !isKind, score < 2 { return nil }
    // `votes: 7` counts votes, and the `vote` of a vote is its value.
    if keys.integers > 0, !name.hasEnding, isSelf && score >= 3 || name.isPlural || name.isMeasure, !isList {
      return nil
    }
    if isSelf, name.isEnd(of: called), !name.hasEnding, !isList { return nil }
    // One of a few numbers that all objects have under `source` says by which way each came, as 1 for mail.
    if isSelf, name.isSource, keys.integers > 0, keys.integers == target.node.total,
      keys.values.count * 2 <= keys.integers, target.isSmall
    {
      return nil
    }
    if isSelf, score >= 3, !isList, says(keys, whatIs: target) { return nil }
    var (found, compared) = keys.values.overlap(with: target.values)
    var hasPrefix = false
    if found * 2 < compared, keys.flags.contains(.slashes), !keys.flags.contains(.mixedPrefixes) {
      let tails = keys.tails.overlap(with: target.values)
      if tails.found > found {
        (found, compared) = tails
        hasPrefix = true
        // `Patient/1` says itself what it names.
        if let outer = LinkName.said(inPrefix: prefix) {
          let said = outer.score(for: target.name, isSelf: false)
          // Who has a role may be of a kind of his own: `characters/2` is no person.
          let isOther = max(score, said) < 2 && AddressCollection.word(of: prefix[...]) != nil
          score = isOther ? 0 : max(score, said)
        }
      }
    }
    // The number 0 beside identities that begin with 1 names nothing. Empty texts are not among the values.
    if !isList, Self.isZeroNone(keys, target.node) { compared -= 1 }
    guard compared > 0 else { return nil }
    // A number and a text mean the same where a name says so.
    if !hasPrefix, score < 1,
      keys.integers > 0 && target.node.integers == 0 || keys.strings > 0 && target.node.strings == 0
    {
      return nil
    }
    let share = Double(found) / Double(compared)
    let link = Link(
      target: target.draft, score: score, share: share, compared: compared, hasPrefix: hasPrefix,
      isUnmistakable: target.isUnmistakable && (!hasPrefix || prefix.hasPrefix("urn:")))
    return isGood(link, name, target, keys) ? link : nil
  }

  /// Whether the number 0 came among keys in place of nulls, and is no identity of a target whose identities are whole numbers.
  private static func isZeroNone(_ keys: ShapeNode, _ target: ShapeNode) -> Bool {
    keys.nulls == 0 && keys.integers > 0 && keys.minimum == 0 && target.integers > 0 && target.minimum > 0
  }

  /// Whether each object has a value of its own that the one object in it has too, and is identified by: `{"name": "a", "forms":
  /// [{"name": "a"}]}`.
  private func saysOwn(_ keys: ShapeNode, _ target: Target, _ draft: EntityDraft) -> Bool {
    keys.values.areUnique && says(keys, whatIs: target)
      && draft.relationships.contains { $0.target === target.draft && !$0.isReference }
  }

  /// Whether addresses end with the identities of the objects that have them, so that each is the object's own.
  private func isOwnAddress(_ keys: ShapeNode, of draft: EntityDraft) -> Bool {
    guard let identity = (draft.identityAttribute ?? ownerIdentity(of: draft)), identity.node >= 0 else {
      return false
    }
    let (found, compared) = keys.tails.overlap(with: shapes[identity.node].values)
    return compared > 0 && found == compared
  }

  /// The identity of the objects that have one of a draft's each: the address inside of a commit ends with the key of the commit.
  private func ownerIdentity(of draft: EntityDraft) -> AttributeDraft? {
    let owners = drafts.filter { owner in
      owner.relationships.contains { $0.target === draft && !$0.isReference && !$0.isToMany }
    }
    return draft.isPart && owners.count == 1 ? owners[0].identityAttribute : nil
  }

  /// Whether a key is one that any object has its own address under: `url`.
  private func isPlainAddress(_ path: [JSONKeyPath.Step]) -> Bool {
    if case .key(let key)? = path.last { GenericNames.isAddress(key) } else { false }
  }

  /// Whether addresses end with what objects say under another key too, `/courses/1401/users/3300` beside `"user_id": 3300`: that key names
  /// the target, and the address says more.
  private func saysAgain(_ attribute: AttributeDraft, among all: [AttributeDraft], _ draft: EntityDraft)
    -> Bool
  {
    guard let (index, isList) = place(of: attribute), !isList, case let keys = shapes[index] else {
      return false
    }
    return all.contains { other in
      guard other !== attribute, other !== draft.identityAttribute, other.node >= 0,
        case let node = shapes[other.node], node.total == keys.total, node.nulls == keys.nulls,
        node.integers + node.strings == node.present, node.values.count == keys.tails.count
      else { return false }
      let (found, compared) = keys.tails.overlap(with: node.values)
      return compared > 0 && found == compared
    }
  }

  /// Whether an address is that of a link which objects say beside what it is for, `{"rel": "self", "href": …}`: others lead elsewhere.
  private func isAddressOfLink(_ attribute: AttributeDraft, _ draft: EntityDraft) -> Bool {
    attribute.path == [.key("href")]
      && draft.attributes.contains { $0.path == [.key("rel")] }
  }

  /// Whether all objects have their identity a second time, as `eventID` beside `id`: then it leads to no other object.
  private func says(_ keys: ShapeNode, whatIs target: Target) -> Bool {
    let (found, compared) = keys.values.overlap(with: target.values)
    return found == compared && keys.values.count == target.values.count && keys.total == target.node.total
      && keys.nulls == 0
  }

  private func isGood(_ link: Link, _ name: LinkName, _ target: Target, _ keys: ShapeNode) -> Bool {
    // One value may be an identity by chance, unless its name says that it is one.
    if link.compared < 2, target.isSmall, !name.hasEnding, link.score < 3 { return false }
    if link.score >= 2 { return link.share >= 0.5 || (link.score >= 3 && name.hasEnding && link.share > 0) }
    if link.score >= 1.5 {
      return link.share >= 0.9 && (!target.isSmall || name.hasEnding || link.compared >= 2)
    }
    guard link.share >= 0.95, !target.isSmall else { return false }
    if link.isUnmistakable { return true }
    if target.isMadeByProgram { return link.compared >= 2 }
    if name.hasEnding { return link.compared >= 3 }
    guard link.compared >= 5 else { return false }
    return keys.strings > 0 ? target.node.forms.contains(.word) : target.node.minimum >= 1_000
  }

  private static func areMadeByProgram(_ node: ShapeNode, _ samples: [String]?) -> Bool {
    node.integers == 0 && node.shortest >= 10 && node.forms.contains(.word)
      && samples?.allSatisfy(isMadeByProgram) ?? false
  }

  static func isMadeByProgram(_ identity: String) -> Bool {
    if identity.utf8.count >= 6, identity.utf8.first != UInt8(ascii: "0"),
      identity.utf8.allSatisfy({ $0 &- 0x30 < 10 })
    {
      return true
    }
    return identity.utf8.count >= 10 && identity.contains(where: \.isNumber)
      && identity.contains(where: \.isLetter)
      && !identity.contains(" ")
  }

  /// The transformer that takes an identity out of a text like `Patient/1` or `https://example.com/people/1/`.
  private static func transformer(_ prefix: String, _ samples: [String]) -> TransformerCall {
    guard samples.contains(where: { $0.hasSuffix("/") }) else { return .prefix(prefix) }
    var pattern = ""
    for character in prefix {
      if !character.isLetter, !character.isNumber, character != "/" { pattern += "\\" }
      pattern.append(character)
    }
    return .regex("^\(pattern)([^/]+)/?$", write: "\(prefix.replacing("$", with: "$$"))$1/")
  }

  /// Whether another key of the object says the same in another form, as `id` beside `id_str`, or beside an address.
  private func says(
    _ attribute: AttributeDraft, what draft: EntityDraft, saysOf link: Link, _ index: Int32
  ) -> Bool {
    let values = link.hasPrefix ? shapes[index].tails : shapes[index].values
    return draft.relationships.contains { other in
      guard other.target === link.target, other.isReference, other.node >= 0 else { return false }
      let known = shapes[other.node].values
      let (found, compared) = values.overlap(with: known)
      return found == compared && known.count == values.count
        && (link.hasPrefix || attribute.name.hasPrefix(other.name))
    }
  }

  /// The kind of a target that all values lead to and that their name says: the customer of an invoice is one, though events hold objects of
  /// any kind. Nil if there is none.
  private func kind(of link: Link, at index: Int32, _ name: LinkName) -> EntityDraft? {
    guard let path = link.target.identityAttribute?.path, path.count == 1, case .key(let key) = path[0],
      name.score(for: link.target.name, isSelf: false) < 2
    else { return nil }
    let values = link.hasPrefix ? shapes[index].tails : shapes[index].values
    return link.target.kinds.map(\.draft).first { kind in
      guard kind.node >= 0, name.score(for: kind.name, isSelf: false) >= 2,
        let identity = shapes.child(of: kind.node, named: key)
      else { return false }
      let (found, compared) = values.overlap(with: shapes[identity].values)
      return compared > 0 && found == compared
    }
  }

  private func replace(_ attribute: AttributeDraft, of draft: EntityDraft, by link: Link) {
    guard let (index, isToMany) = place(of: attribute) else { return }
    draft.attributes.removeAll { $0 === attribute }
    let name = name(of: attribute.path, attribute.name, draft)
    let property = name.property(isToMany: isToMany, fallback: link.target.name)
    let twin = draft.relationships.first {
      $0.target === link.target && $0.isToMany == isToMany && $0.name.lowercased() == property.lowercased()
        && $0.path.dropLast() == attribute.path.dropLast()
    }
    // The object itself stands beside its key: the key says nothing more, and imports take it for the object's.
    if twin != nil, !name.hasBeginning { return }
    if says(attribute, what: draft, saysOf: link, index) {
      draft.attributes.append(attribute)
      return
    }
    let relationship = RelationshipDraft(
      name: draft.freeName([property, attribute.name], at: attribute.path),
      path: attribute.path,
      target: kind(of: link, at: index, name) ?? link.target,
      isToMany: isToMany)
    relationship.isReference = true
    relationship.isMissing = attribute.isMissing
    relationship.isOrdered = isToMany
    relationship.node = index
    if isToMany {
      relationship.isShared = listOwners.haveSeveral(attribute.node)
    }
    if link.hasPrefix, let prefix = shapes.tree.prefixes[shapes.find(index)] {
      relationship.transformers = [Self.transformer(prefix, shapes.tree.samples[shapes.find(index)] ?? [])]
    }
    if shapes[index].emptyTexts > 0 { relationship.transformers.insert(TypeChoice.emptyIsNull, at: 0) }
    var zero = ""
    if !isToMany, let target = targets.first(where: { $0.draft === link.target }),
      Self.isZeroNone(shapes[index], target.node)
    {
      relationship.transformers.insert(TypeChoice.zeroIsNull, at: 0)
      zero = "; the number 0 names none"
    }
    relationship.certainty = link.certainty
    relationship.evidence = link.evidence + zero
    draft.relationships.append(relationship)
    for (key, value) in draft.values where value == attribute.name { draft.values[key] = relationship.name }
  }
}

/// Values of a store's attribute that may be keys of objects.
private struct StoredKeys {
  private(set) var texts: [String] = []
  let areNumbers: Bool
  /// Whether they are elements of lists.
  let areListed: Bool

  /// Nil if no value came, or if one is no key: a list with anything but texts, or anything but whole numbers, or with one twice.
  init?(_ values: [String], _ type: AttributeType) {
    guard type == .transformable else {
      (texts, areNumbers, areListed) = (values, type.isWholeNumber, false)
      return
    }
    areListed = true
    var (strings, numbers) = (0, 0)
    var known: Set<String> = []
    for value in values {
      guard case .array(let elements)? = JSONValue(text: value), Set(elements).count == elements.count else {
        return nil
      }
      for element in elements {
        guard let text = element.keyText else { return nil }
        if case .string = element { strings += 1 } else { numbers += 1 }
        if known.insert(text).inserted { texts.append(text) }
      }
    }
    guard (strings == 0) != (numbers == 0) else { return nil }
    areNumbers = numbers > 0
  }
}

extension JSONValue {
  /// A text, or a whole number, as a text; nil for anything else.
  fileprivate var keyText: String? {
    switch self {
    case .string(let text): text
    case .number(let text): Int64(text).map(String.init)
    default: nil
    }
  }
}
