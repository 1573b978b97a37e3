import Mapping
import ObjectModel

/// Makes entities of the places of objects, from the top of the JSON downwards.
struct DraftBuilder {
  let shapes: Shapes
  let chooser: IdentityChooser
  let types: TypeChooser
  let finder: MemberFinder
  let listOwners: ListOwners
  var drafts: [EntityDraft] = []
  var draftByNode: [Int32: EntityDraft] = [:]
  /// The entities of objects at the top that only their source can identify, where their like stands inside of others, which belong to
  /// these.
  private var draftsOfSources: [Int32: EntityDraft] = [:]
  var waiting: [EntityDraft] = []
  var guesses: [(draft: EntityDraft, guess: Guess)] = []

  init(
    _ shapes: Shapes, referenced: ReferencedPlaces, recordKeys: [(name: String, keys: Int32)],
    recordNodes: [Int32], isTable: Bool
  ) {
    self.shapes = shapes
    chooser = IdentityChooser(
      shapes: shapes, referenced: referenced.places, referencedNumbers: referenced.numbers,
      recordKeys: recordKeys, recordNodes: recordNodes)
    types = TypeChooser(shapes: shapes, isTable: isTable)
    finder = MemberFinder(shapes: shapes)
    listOwners = ListOwners(shapes)
  }

  // MARK: - Entities

  /// The entity of the objects of a place.
  ///
  /// - Parameters:
  ///   - names: What the objects may be called, beyond the keys around them.
  ///   - isKeyed: Whether they stand in a dictionary, whose keys identify them unless they have an identity by name.
  ///   - isUnderKeys: Whether they stand in the lists of a dictionary, whose keys say something of them: an object in two of these
  ///     lists would say one of both only.
  mutating func draft(
    at index: Int32, isRecord: Bool = false, names: [String] = [], isKeyed: Bool = false,
    isUnderKeys: Bool = false
  ) -> EntityDraft {
    let node = shapes.find(index)
    if isRecord, let known = draftsOfSources[node] { return known }
    if let known = draftByNode[node] { return known }
    let draft = EntityDraft(node: node)
    draft.isRecord = isRecord
    drafts.append(draft)
    if shapes.isSplit(node) {
      addKinds(to: draft)
    } else {
      chooseIdentity(of: draft, at: index, names, isKeyed: isKeyed, isUnderKeys: isUnderKeys)
    }
    if isRecord, draft.identity.isEmpty, draft.kindKey == nil, standsInRecords(node) {
      draftsOfSources[node] = draft
    } else {
      draftByNode[node] = draft
    }
    addTypeName(to: draft)
    if isRecord, let word = shapes.collectionWord(of: index),
      names.contains(where: { AddressCollection.isEnding(word, of: $0) })
    {
      draft.nameHints.append((word, EntityNamer.saidWeight))
    }
    waiting.append(draft)
    return draft
  }

  /// Whether objects of a place at the top stand inside of others too, as the nodes of a tree do.
  private func standsInRecords(_ node: Int32) -> Bool {
    let records = Set(chooser.recordNodes.map(shapes.find))
    return (0..<Int32(shapes.tree.count)).contains { place in
      guard shapes.find(place) == node else { return false }
      return shapes.tree.places(around: place).contains { records.contains(shapes.find($0)) }
    }
  }

  /// An entity of what stands for values that are no objects.
  mutating func draftOfValues() -> EntityDraft {
    let draft = EntityDraft(node: -1)
    drafts.append(draft)
    return draft
  }

  /// Fills the entities that were found with properties, and those found by that.
  mutating func finish() {
    while let draft = waiting.popLast() { fill(draft) }
  }

  mutating func chooseIdentity(
    of draft: EntityDraft, at index: Int32, _ names: [String], isKeyed: Bool, isUnderKeys: Bool
  ) {
    guard let choice = chooser.choice(of: index, isRecord: draft.isRecord, names: names) else { return }
    if isKeyed, !isStrong(choice, names) { return }
    if isUnderKeys, !shapes[choice.node].values.areUnique { return }
    addIdentity(choice, to: draft)
  }

  func isStrong(_ choice: IdentityChoice, _ names: [String]) -> Bool {
    let key = shapes.key(of: choice.node)
    let ranks = (names + [""]).compactMap { IdentityNames.rank(of: key, owner: $0) }
    return (ranks.min() ?? .max) <= IdentityNames.strongest
  }

  static let typeKeys = ["__typename", "resourceType", "@type", "object"]

  /// Where a key says for all objects what they are, that is the best name.
  func addTypeName(to draft: EntityDraft) {
    if let word = shapes.collection(of: draft.node)?.word {
      draft.nameHints.append((word, EntityNamer.saidWeight))
    }
    for key in Self.typeKeys {
      guard let child = shapes.child(of: draft.node, named: key),
        shapes[child].strings == shapes[child].present,
        shapes[child].forms.contains(.word), let samples = shapes.tree.samples[shapes.find(child)],
        samples.count == 1, !GenericNames.isWrapper(samples[0])
      else { continue }
      draft.nameHints.append((samples[0], EntityNamer.saidWeight))
      return
    }
  }

  mutating func addIdentity(_ choice: IdentityChoice, to draft: EntityDraft) {
    let keys = choice.path.isEmpty ? [shapes.key(of: choice.node)] : choice.path
    // `_id` says all of an `$oid` in it, and `metadata` nothing.
    let key = keys.count > 1 && keys[keys.count - 1].hasPrefix("$") ? keys[0] : keys[keys.count - 1]
    let path = keys.count == 1 ? [shapes.step(to: choice.node, in: draft.node)] : keys.map { .key($0) }
    let name = draft.freeName(keys.count == 1 ? names(for: path, draft) : [Words.propertyName(key)])
    draft.attributes.append(
      AttributeDraft(
        name: name, path: path, node: shapes.find(choice.node),
        type: types.choice(of: choice.node, isIdentity: true), isOptional: false))
    draft.identity = [name]
    guesses.append(
      (
        draft,
        Guess(
          .identity, choice.certainty, property: name, choice: "is the identity", evidence: choice.evidence)
      ))
  }

  /// Gives an entity the key of the dictionary that its objects stand in as an attribute.
  mutating func addKey(of keys: Int32, to draft: EntityDraft, isIdentity: Bool) -> AttributeDraft {
    // A key that the objects have themselves is no key of a dictionary.
    let own =
      draft.node >= 0 ? Set(shapes.children(of: draft.node).map { Names.folded(shapes.key(of: $0)) }) : []
    let names = (isIdentity ? ["id", "key"] : ["key"]).filter { !own.contains($0) }
    let name = draft.freeName(names + ["dictionaryKey"])
    let node = shapes[keys]
    var type = types.choice(of: keys, isIdentity: isIdentity)
    if node.forms.contains(.integer) {
      type = TypeChoice(.integer64, "\(node.strings) keys that are whole numbers")
    }
    // An empty key is one, and no null.
    if type.type == .transformable || type.type == .binary || node.emptyTexts > 0 {
      type = TypeChoice(.string, "keys")
    }
    let attribute = AttributeDraft(
      name: name, path: [], node: shapes.find(keys), type: type, isOptional: !isIdentity)
    draft.attributes.insert(attribute, at: 0)
    if isIdentity { draft.identity = [name] }
    return attribute
  }

  // MARK: - Properties

  mutating func fill(_ draft: EntityDraft) {
    guard draft.node >= 0 else { return }
    var members: [Member]
    if let parent = draft.parent {
      members = finder.members(of: draft.node, isRecord: draft.isRecord)
      let shared = Set(commonMembers(of: parent).map(\.node).map(shapes.find))
      members.removeAll { shared.contains(shapes.find($0.node)) || $0.key == parent.kindKey }
    } else if draft.kindKey != nil {
      members = commonMembers(of: draft)
    } else {
      members = finder.members(of: draft.node, isRecord: draft.isRecord)
    }
    if draft.isRecord, let kind = shapes.documentKind { members.removeAll { $0.key == kind } }
    draft.ownKeys = Set(
      members.compactMap { member in
        if case .key(let key)? = member.path.first { Names.folded(key) } else { nil }
      })
    var rest = Array(members.reversed())
    while let member = rest.popLast() {
      let inner = add(member, to: draft)
      rest.append(contentsOf: inner.reversed())
    }
  }

  /// Properties that all kinds of an entity have, and lists of keys, or objects of one place, that several have.
  func commonMembers(of draft: EntityDraft) -> [Member] {
    let evidence = KindEvidence(draft.node, shapes)
    var found: Set<Int32> = []
    return evidence.variants.flatMap { finder.members(of: $0, isRecord: draft.isRecord) }.compactMap {
      member in
      let key = shapes.keyNumber(of: member.node)
      guard member.path.count == 1, evidence.common.contains(key) || evidence.shared.contains(key),
        member.key != draft.kindKey, found.insert(key).inserted
      else { return nil }
      var member = member
      member.owners = shapes[draft.node].objects
      return member
    }
  }

  /// Adds a property for a member. Gives the members that take its place where an object has no entity of its own.
  mutating func add(_ member: Member, to draft: EntityDraft) -> [Member] {
    let index = shapes.find(member.node)
    if draft.attributes.contains(where: { shapes.find($0.node) == index && $0.path == member.path }) {
      return []
    }
    if member.areLinkObjects {
      addLinkObjects(member, to: draft)
      return []
    }
    if let connected = member.connected {
      addRelationship(member, to: self.draft(at: connected), of: draft, isToMany: true)
      return []
    }
    let node = shapes[index]
    if node.present == 0 || node.scalars == node.present {
      addAttribute(member, to: draft)
      return []
    }
    if node.objects > 0, node.lists == 0 { return addObject(member, to: draft) }
    addList(member, to: draft)
    return []
  }

  mutating func addAttribute(_ member: Member, to draft: EntityDraft) {
    let node = shapes[member.node]
    let isMissingInside = node.nulls > 0 || ownTotal(member.node) < member.owners
    let isMissing = member.isMissing || isMissingInside
    var type = types.choice(of: member.node)
    // `"missing": ""` says yes where other objects have no such key.
    if type.untyped != nil, node.emptyTexts == node.present, node.emptyTexts > 0, node.nulls == 0,
      ownTotal(member.node) < member.owners
    {
      type = TypeChoice(.string, "empty texts, where other objects have no value", .likely)
    }
    let names = names(for: member.path, draft)
    // Kinds may have attributes of one name and type: they are one column.
    let isShared = draft.parent?.kinds.contains { kind in
      kind.draft.attributes.contains { $0.name == names[0] && $0.type.type == type.type }
    }
    let name = isShared == true ? names[0] : draft.freeName(names, at: member.path)
    let attribute = AttributeDraft(
      name: name, path: member.path, node: shapes.find(member.node), type: type,
      isOptional: isMissing || member.owners < Self.fewObjects || type.readsEmptyTexts)
    attribute.isMissing = isMissing
    attribute.isMissingInside = isMissingInside
    draft.attributes.append(attribute)
  }

  /// How many values stood under the key itself. What else is of the same entity may have them where this has none.
  private func ownTotal(_ node: Int32) -> Int {
    min(shapes[node].total, shapes.tree[node].totalOfItsOwn)
  }

  /// Of fewer objects it is not known that all have what these have.
  static let fewObjects = 10

  /// The only key of an object that is a value in another form.
  private static let valueKeys: Set<String> = [
    "$oid", "$date", "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal", "$uuid", "$ref", "$id",
    "$t", "$value",
  ]

  /// Names for a property, the shortest first: of a path through an envelope, first the rest of it.
  func names(for path: [JSONKeyPath.Step], _ draft: EntityDraft) -> [String] {
    var keys: [String] = []
    for step in path {
      switch step {
      case .key(let key): keys.append(key)
      case .position(let place): keys.append("column \(place + 1)")
      case .elements: break
      }
    }
    // `{"$date": …}` is a value in another form.
    if keys.count > 1, keys.last.map(Self.valueKeys.contains) ?? false { keys.removeLast() }
    guard keys.count > 1 else { return [Words.propertyName(keys.first ?? "value")] }
    let whole = [Words.camelCase(keys.flatMap(Words.words))]
    // A resource of JSON:API has a `type` of its own beside that in its attributes.
    guard shapes.dialect != .jsonapi || keys.count > 2 || !["type", "id"].contains(keys[1]),
      FlatObject.isEnvelopeKey(keys[0]) || ["_embedded", "_links"].contains(keys[0])
    else { return whole }
    keys.removeFirst()
    return [keys.count == 1 ? Words.propertyName(keys[0]) : Words.camelCase(keys.flatMap(Words.words))]
      + whole
  }

  // MARK: - Objects

  /// So many keys may lead to an object whose values are attributes of the objects around it.
  private static let deepestFlat = 12

  /// A query gives at most 2,000 columns, some of which are those of relationships.
  private static let mostFlatValues = 1_200

  /// Whether what stands in the objects of an entity would make more attributes than a table has room for: each of these objects is one value
  /// then.
  private func isTooWide(_ draft: EntityDraft) -> Bool {
    guard draft.node >= 0, shapes.memberCount(of: draft.node) > Self.fewMembers else { return false }
    let values = shapes.children(of: draft.node).reduce(0) { sum, child in
      sum
        + max(1, shapes.isObject(child) && !shapes.isDictionary(child) ? shapes.children(of: child).count : 1)
    }
    return values > Self.mostFlatValues
  }

  private static let fewMembers: Int32 = 100

  mutating func addObject(_ member: Member, to draft: EntityDraft) -> [Member] {
    let index = shapes.find(member.node)
    let node = shapes[index]
    if FlatObject.isTreeOfKeys(index, shapes) || isTooWide(draft) {
      addAttribute(member, to: draft)
      return []
    }
    if shapes.isDictionary(index) {
      // A word in place of a dictionary is a value that no relationship takes.
      if node.scalars > node.emptyTexts {
        addAttribute(member, to: draft)
      } else {
        addDictionary(member, to: draft)
      }
      return []
    }
    if shapes.keys(of: index).isEmpty || FlatObject.holdsLinks(member, shapes) {
      addAttribute(member, to: draft)
      return []
    }
    if shapes.isSplit(index) {
      addRelationship(member, to: self.draft(at: index), of: draft, isToMany: false)
      return []
    }
    let identity = draft.identityAttribute?.path ?? []
    let holdsIdentity = identity.count > member.path.count && identity.starts(with: member.path)
    // Objects beside the identity, in the object that says it, have none of their own.
    let isInIdentity = identity.count > 1 && identity.first == member.path.first
    let isIdentified =
      draftByNode[index].map { !$0.isPart }
      ?? (!isInIdentity && !shapes.bareAddresses.contains(member.node)
        && !FlatObject.isHeader(member, shapes)
        && !FlatObject.tellsOfOwner(member.node, shapes) && chooser.choice(of: index, isRecord: false) != nil)
    if node.scalars > 0 {
      if isIdentified, areKeys(index, of: index) {
        addRelationship(member, to: self.draft(at: index), of: draft, isToMany: false)
      } else {
        addAttribute(member, to: draft)
      }
      return []
    }
    // An object that stands in its like again and again has an entity in the end.
    guard !isIdentified, draftByNode[index] == nil, draftsOfSources[index] == nil,
      member.path.count < Self.deepestFlat,
      holdsIdentity || !shapes.isEmptied(index),
      holdsIdentity || FlatObject.isEnvelope(member, shapes) || FlatObject.isFlat(index, shapes, finder)
    else {
      addRelationship(member, to: self.draft(at: index), of: draft, isToMany: false)
      return []
    }
    // What stands in it may stand elsewhere too, where that is as often missing as here.
    let own = shapes.tree[member.node]
    let isMissing = member.isMissing || own.nulls > 0 || own.objectsOfItsOwn < member.owners
    return finder.members(of: index, isRecord: false).map { inner in
      Member(
        path: member.outer + member.path + inner.path, node: inner.node, owners: inner.owners,
        isMissing: isMissing,
        connected: inner.connected)
    }
  }

  /// Whether scalars beside objects are identities of such objects.
  func areKeys(_ scalars: Int32, of objects: Int32) -> Bool {
    guard let choice = chooser.choice(of: objects, isRecord: false) else { return false }
    let (identity, keys) = (shapes[choice.node], shapes[scalars])
    guard keys.fractions == 0, keys.trues + keys.falses == 0, keys.emptyTexts == 0,
      (identity.integers > 0) == (keys.strings == 0)
    else { return false }
    if keys.strings == 0 || keys.values.overlap(with: identity.values).found > 0 { return true }
    let texts = shapes.tree.samples[shapes.find(scalars)] ?? []
    return Self.areLike(texts, shapes.tree.samples[shapes.find(choice.node)] ?? [])
  }

  /// Whether texts may be identities as others are: these have digits, or no spaces.
  private static func areLike(_ texts: [String], _ identities: [String]) -> Bool {
    func all(_ isSo: (String) -> Bool) -> Bool { !identities.allSatisfy(isSo) || texts.allSatisfy(isSo) }
    return all { $0.contains(where: \.isNumber) } && all { !$0.contains(" ") }
  }
}

/// Lists, and the relationships that they become.
extension DraftBuilder {
  mutating func addList(_ member: Member, to draft: EntityDraft) {
    let index = shapes.find(member.node)
    let node = shapes[index]
    guard node.scalars == 0, node.objects == 0, let element = shapes.element(of: index),
      shapes[element].lists == 0, shapes[element].objects > 0,
      !shapes.isDictionary(element),
      !shapes.keys(of: element).isEmpty
    else { return addAttribute(member, to: draft) }
    if shapes[element].scalars > 0 {
      guard chooser.choice(of: element, isRecord: false) != nil, areKeys(element, of: element) else {
        return addAttribute(member, to: draft)
      }
    }
    addRelationship(member, to: self.draft(at: element), of: draft, isToMany: true)
  }

  mutating func addRelationship(
    _ member: Member, to target: EntityDraft, of draft: EntityDraft, isToMany: Bool
  ) {
    let key = meaningfulKey(member)
    let whole = names(for: member.path, draft)
    let name = draft.freeName(
      isRepeated(member, in: draft) ? whole : [Words.propertyName(key)] + whole, at: member.path)
    let relationship = RelationshipDraft(name: name, path: member.path, target: target, isToMany: isToMany)
    relationship.isOrdered = isToMany
    if shapes.isEmptied(member.node) { relationship.transformers = [TypeChoice.emptyIsNull] }
    relationship.node = isToMany ? member.connected ?? shapes[member.node].element : member.node
    (relationship.isConnection, relationship.isPage) = (member.isConnection, member.isPage)
    relationship.deleteRule = target.isPart ? .cascade : .nullify
    relationship.isShared = isToMany && !target.isPart && listOwners.haveSeveral(list(of: member))
    relationship.evidence = Self.evidence(relationship, shapes[member.node])
    relationship.holdsShortForms = !target.isPart && shapes.shortForms.contains(relationship.node)
    relationship.holdsBareObjects = holdsBareObjects(relationship.node)
    draft.relationships.append(relationship)
    // Lists may be empty: the objects in them count.
    let count = max(
      1,
      isToMany && relationship.node >= 0
        ? shapes.tree[relationship.node].objectsOfItsOwn : shapes.tree[member.node].objects)
    // A name that an object of the same entity gives is a role.
    let isRole = target === draft || LinkName.isRole(key)
    target.nameHints.append(
      (hint(for: member, key, in: draft), isRole ? 1 : isToMany ? 10 + count : 3 + count))
  }

  /// Whether objects at a place may have nothing but what identifies them: none of their other keys is in all.
  private func holdsBareObjects(_ index: Int32) -> Bool {
    guard index >= 0, !shapes.isSplit(index), !shapes.isDictionary(index), shapes[index].identity >= 0 else {
      return false
    }
    let (objects, identity) = (shapes[index].objects, shapes.find(shapes[index].identity))
    return shapes.children(of: index).allSatisfy {
      shapes.find($0) == identity || shapes.flags(of: $0).contains(.space) || shapes[$0].total < objects
    }
  }

  /// The name of what a member holds: that of the object around, where the key is one of two sides. Of a connection whose edges are
  /// objects, the targets are called like it, not the edges.
  private func hint(for member: Member, _ key: String, in draft: EntityDraft) -> String {
    // The teams of a match stand under `teams.home` and `teams.away`.
    if member.path.count > 1, ShapeMatcher.sides.contains(Names.folded(key)),
      case .key(let outer)? = member.path.dropLast().last, !GenericNames.isWrapper(outer)
    {
      return outer
    }
    let isEdge = shapes.listedObjects(member.node).flatMap { shapes.child(of: $0, named: "node") } != nil
    if member.key == "edges", key != "edges", isEdge { return Words.entityName(key) + "Edge" }
    guard member.key == "node", draft.node >= 0, shapes.tree.ownerName(of: draft.node) == "edges" else {
      return key
    }
    return shapes.tree.meaningfulName(of: draft.node)
  }

  /// Whether several objects inside of an object have an object or a list under the last key of a member, as `white.user` and
  /// `black.user`: then only the whole path names one of them.
  private func isRepeated(_ member: Member, in draft: EntityDraft) -> Bool {
    guard member.path.count == 2, member.connected == nil, draft.node >= 0, draft.kindKey == nil else {
      return false
    }
    let holders = shapes.children(of: draft.node).filter { child in
      shapes.isObject(child) && !shapes.isSplit(child)
        && shapes.child(of: child, named: member.key).map { shapes[$0].objects + shapes[$0].lists > 0 }
          ?? false
    }
    return holders.count > 1
  }

  /// The last key of a path that says something: of `refunds.data`, the first, and so of `members.nodes`.
  func meaningfulKey(_ member: Member) -> String {
    let keys = member.path.compactMap { step -> String? in
      if case .key(let key) = step { key } else { nil }
    }
    return keys.last { !GenericNames.isWrapper($0) } ?? keys.last(where: GenericNames.areObjects)
      ?? member.key
  }

  static func evidence(_ relationship: RelationshipDraft, _ node: ShapeNode) -> String {
    guard relationship.isToMany else { return "\(node.objects) objects stand in it" }
    let shared =
      relationship.isShared ? "objects stand in several of them" : "no object stands in two of them"
    return relationship.target.isPart
      ? "\(node.lists) lists of objects without identity" : "\(node.lists) lists of objects; \(shared)"
  }

  /// The place of the list that holds the objects of a member.
  private func list(of member: Member) -> Int32 {
    guard let connected = member.connected else { return member.node }
    let place = shapes.tree[connected]
    // `edges[].node` stands in an element of the list.
    return place.key >= 0 ? shapes.tree[place.parent].parent : place.parent
  }
}

/// The links of JSON:API, which name a type and an identity.
extension DraftBuilder {
  mutating func addLinkObjects(_ member: Member, to draft: EntityDraft) {
    let node = shapes[member.node]
    let isToMany = node.lists > 0
    guard let objects = isToMany ? shapes.element(of: member.node) : shapes.find(member.node) else { return }
    guard let target = linked(objects) ?? draftOfLinked(objects) else {
      return addAttribute(member, to: draft)
    }
    addRelationship(member, to: target, of: draft, isToMany: isToMany)
    draft.relationships.last?.isReference = true
  }

  /// An entity for objects that only links name: their type and their identity are all that is known of them.
  private mutating func draftOfLinked(_ objects: Int32) -> EntityDraft? {
    guard let type = typeName(ofLinks: objects) else { return nil }
    let links = shapes.isSplit(objects) ? shapes.children(of: objects)[0] : objects
    guard let identity = shapes.child(of: links, named: "id"), shapes[identity].strings > 0 else {
      return nil
    }
    let target = EntityDraft(node: -1)
    target.isRecord = true
    target.documentKeys = [type]
    target.nameHints = [(type, RecordDrafts.bestWeight)]
    target.attributes = [
      AttributeDraft(
        name: "id", path: [.key("id")], node: shapes.find(identity),
        type: types.choice(of: identity, isIdentity: true), isOptional: false)
    ]
    target.identity = ["id"]
    drafts.append(target)
    return target
  }

  /// The entity that link objects name by their type.
  func linked(_ objects: Int32) -> EntityDraft? {
    guard let type = typeName(ofLinks: objects) else { return nil }
    return drafts.first { $0.documentKeys.contains(type) }
  }

  /// The type that link objects name; nil if they name several, or none.
  private func typeName(ofLinks objects: Int32) -> String? {
    if shapes.isSplit(objects) {
      let variants = shapes.children(of: objects)
      return variants.count == 1 ? shapes.key(of: variants[0]) : nil
    }
    let texts = shapes.child(of: objects, named: "type").flatMap { shapes.tree.samples[$0] }
    return texts?.count == 1 ? texts?[0] : nil
  }
}

/// Relationships whose targets stand in dictionaries.
extension DraftBuilder {
  mutating func addDictionary(_ member: Member, to draft: EntityDraft) {
    guard let target = dictionaryTarget(member) else { return addAttribute(member, to: draft) }
    let name = draft.freeName(names(for: member.path, draft), at: member.path)
    let relationship = RelationshipDraft(name: name, path: member.path, target: target.draft, isToMany: true)
    relationship.isOrdered = true
    relationship.dictionary = target.rule
    relationship.deleteRule = target.draft.isPart ? .cascade : .nullify
    relationship.isShared = !target.draft.isPart && listOwners.haveSeveral(target.list)
    relationship.certainty = .likely
    relationship.evidence =
      "its keys are data: \(shapes[shapes[member.node].keys].values.estimatedCount) different ones"
    draft.relationships.append(relationship)
    target.draft.nameHints.append((member.key, 10))
  }

  /// The entity of what stands in a dictionary, or in dictionaries in one another, and the list or dictionary around it.
  mutating func dictionaryTarget(
    _ member: Member
  ) -> (draft: EntityDraft, rule: DictionaryRule, list: Int32)? {
    var keys = [shapes[member.node].keys]
    guard var values = shapes.element(of: member.node) else { return nil }
    var list = member.node
    while shapes.isDictionary(values), keys.count < 4, shapes[values].objects == shapes[values].present {
      keys.append(shapes[values].keys)
      guard let inner = shapes.element(of: values) else { return nil }
      (list, values) = (values, inner)
    }
    if shapes.listedObjects(values) != nil { list = values }
    guard keys.allSatisfy({ $0 >= 0 }) else { return nil }
    let node = shapes[values]
    let objects = shapes.isObject(values) ? values : shapes.listedObjects(values)
    if let objects, node.nulls == 0, !shapes.isSplit(objects) {
      // Long keys with digits are the same only where they mean the same. An empty key says that the next dictionary has one too.
      let isKeyed =
        keys.count == 1 && objects == values && shapes.areMadeByProgram(keys[0])
        && shapes[keys[0]].emptyTexts == 0
      let target = draft(at: objects, isKeyed: isKeyed)
      if let identity = target.identityAttribute, keys.count == 1, identity.node != shapes.find(keys[0]),
        areAll(keys[0], in: identity.node)
      {
        return (target, DictionaryRule(target.identity[0]), list)
      }
      guard !target.attributes.contains(where: { $0.path.isEmpty }) else {
        return (target, rule(target.attributes.filter(\.path.isEmpty).map(\.name), nil), list)
      }
      let isIdentity = isKeyed && target.identity.isEmpty
      let names = keys.reversed().map { addKey(of: $0, to: target, isIdentity: isIdentity).name }
      return (target, rule(names.reversed(), nil), list)
    }
    guard node.objects == 0, node.nulls == 0, node.present > 0 else { return nil }
    let target = draftOfValues()
    let names = keys.reversed().map { addKey(of: $0, to: target, isIdentity: false).name }
    target.attributes.append(
      AttributeDraft(name: "value", path: [], node: values, type: types.choice(of: values), isOptional: true))
    return (target, rule(names.reversed(), "value"), list)
  }

  /// Whether all keys of dictionaries are identities. One of them may be so by chance: the symbol of CHF is “CHF”.
  private func areAll(_ keys: Int32, in identities: Int32) -> Bool {
    let (found, compared) = shapes[keys].values.overlap(with: shapes[identities].values)
    return compared > 0 && found == compared
  }

  func rule(_ keys: [String], _ value: String?) -> DictionaryRule {
    var rule = DictionaryRule("key", value: value)
    rule.keys = keys
    return rule
  }
}

/// Objects of several kinds under one parent.
extension DraftBuilder {
  mutating func addKinds(to draft: EntityDraft) {
    let evidence = KindEvidence(draft.node, shapes)
    draft.kindKey = shapes.tree.text(ofKey: shapes[draft.node].kindKey)
    guard let first = evidence.variants.first else { return }
    let identity = chooser.choice(of: first, isRecord: draft.isRecord).flatMap { choice in
      evidence.common.contains(shapes.keyNumber(of: choice.node))
        && evidence.variants.allSatisfy { holds(choice, for: $0, isRecord: draft.isRecord) }
        && tellsKindsApart(choice, evidence.variants) ? choice : nil
    }
    // The type of the identity is that of all kinds.
    shareCommon(evidence)
    if let identity { addIdentity(identity, to: draft) }
    for variant in evidence.variants {
      let kind = EntityDraft(node: shapes.find(variant))
      kind.parent = draft
      kind.isRecord = draft.isRecord
      drafts.append(kind)
      draftByNode[kind.node] = kind
      draft.kinds.append((shapes.key(of: variant), kind))
      waiting.append(kind)
    }
    let values = draft.kinds.map(\.value).joined(separator: ", ")
    guesses.append(
      (
        draft,
        Guess(
          .kinds, .likely, choice: "has a sub-entity for each value of “\(draft.kindKey ?? "")”",
          evidence: "objects with \(values) have \(evidence.common.count) keys in common, and"
            + " \(evidence.all.count - evidence.common.count) that not all have")
      ))
  }

  /// Whether no two kinds have objects of one identity: a way and a node of the same number are two.
  private func tellsKindsApart(_ choice: IdentityChoice, _ variants: [Int32]) -> Bool {
    let key = shapes.keyNumber(of: choice.node)
    let places = variants.compactMap { variant in
      shapes.children(of: variant).first { shapes.keyNumber(of: $0) == key }
    }
    return places.indices.allSatisfy { index in
      places[..<index].allSatisfy { shapes[$0].values.overlap(with: shapes[places[index]].values).found == 0 }
    }
  }

  func holds(_ choice: IdentityChoice, for variant: Int32, isRecord: Bool) -> Bool {
    guard let other = chooser.choice(of: variant, isRecord: isRecord) else { return false }
    return shapes.keyNumber(of: other.node) == shapes.keyNumber(of: choice.node)
  }

  /// Makes one place of what the kinds have under the same key.
  func shareCommon(_ evidence: KindEvidence) {
    // In one order: what is made one place may make others one.
    for key in evidence.common.union(evidence.shared).sorted() {
      let places = evidence.variants.compactMap { variant in
        shapes.children(of: variant).first { shapes.keyNumber(of: $0) == key }
      }
      for place in places.dropFirst() { shapes.tree.merge(places[0], place) }
    }
  }
}
