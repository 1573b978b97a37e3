import Mapping
import ObjectModel

/// Makes entities of what stands at the top of the JSON.
struct RecordDrafts {
  private let form: DocumentFinder
  /// The entity of each record.
  private(set) var drafts: [(place: RecordPlace, draft: EntityDraft)] = []

  init(_ form: DocumentFinder) {
    self.form = form
  }

  mutating func add(to builder: inout DraftBuilder) {
    var valueDrafts: [(place: RecordPlace, draft: EntityDraft)] = []
    let several = Set(form.records.filter { !$0.isOneEach }.map { builder.shapes.find($0.node) })
    builder.shapes.oneEach = Set(form.records.map { builder.shapes.find($0.node) }).subtracting(several)
    for place in form.records where place.isOneEach {
      builder.shapes.filesOfOneEach[builder.shapes.find(place.node), default: []].formUnion(
        place.places.fileNames)
    }
    // Those that others may refer to are there before any is filled.
    for place in form.records where !place.hasScalars {
      let isKeyed = place.keys != nil && !place.isUnderKeys
      let draft = builder.draft(
        at: place.node, isRecord: !isKeyed, names: place.names, isKeyed: isKeyed,
        isUnderKeys: place.isUnderKeys)
      draft.isRecord = true
      note(place, draft)
      addKeys(of: place, to: draft, &builder)
    }
    for place in form.records where place.hasScalars {
      if !place.isUnderKeys,
        let owner = valueDrafts.first(where: { isAbout($0.place, place, builder.shapes) })
      {
        addValues(of: place, to: owner.draft, &builder, named: rest(of: place, behind: owner.place))
        drafts.append((place, owner.draft))
        continue
      }
      let draft = builder.draftOfValues()
      draft.isRecord = true
      note(place, draft)
      addKeys(of: place, to: draft, &builder)
      addValues(of: place, to: draft, &builder, named: valueName(place))
      // Keys that hold in one source only identify nothing of which another dictionary may say more.
      if !place.isUnderKeys { valueDrafts.append((place, draft)) }
    }
  }

  /// How much speaks for the first of the names that a place at the top has.
  static let bestWeight = 200
  /// How much less speaks for the next of them.
  private static let step = 100
  /// How much less speaks for the name of a file: one of a single word, which ``EntityNamer`` counts twice, still has less than a key.
  private static let stepToFiles = 110

  private mutating func note(_ place: RecordPlace, _ draft: EntityDraft) {
    drafts.append((place, draft))
    // A list of customers is called like one of several kinds.
    let kinds = Set(draft.kinds.map { Words.entityName($0.value) })
    for (index, name) in place.names.enumerated() where !kinds.contains(Words.entityName(name)) {
      draft.nameHints.append(
        (
          place.hasScalars ? Self.withoutValue(name) : name,
          max(0, Self.bestWeight - index * (index < place.keyCount ? Self.step : Self.stepToFiles))
        ))
    }
    if let key = place.documentKey, !draft.documentKeys.contains(key) { draft.documentKeys.append(key) }
    if form.kind != nil || [.jsonapi, .fhir].contains(form.dialect) { draft.saysKind = true }
    if place.documentKey == nil { draft.wholeFileNames.formUnion(place.places.fileNames) }
    guard place.documentKey == nil, !form.hasForms else { return }
    for file in place.files where !draft.fileNames.contains(file) { draft.fileNames.append(file) }
  }

  /// Gives objects the keys that they stand under: as their identity, or as a value where these hold in one source only.
  private func addKeys(of place: RecordPlace, to draft: EntityDraft, _ builder: inout DraftBuilder) {
    guard let keys = place.keys else { return }
    if place.isUnderKeys {
      addOuterKey(keys, to: draft, &builder)
    } else if draft.identity.isEmpty {
      _ = builder.addKey(of: keys, to: draft, isIdentity: true)
    }
  }

  private func addOuterKey(_ keys: Int32, to draft: EntityDraft, _ builder: inout DraftBuilder) {
    guard !draft.hasProperty("key") else { return }
    let attribute = builder.addKey(of: keys, to: draft, isIdentity: false)
    attribute.path = [.key(attribute.name)]
  }

  // MARK: - Dictionaries of values

  private static let valueWords: Set<String> = [
    "names", "name", "titles", "title", "labels", "label", "descriptions", "description", "texts", "prices",
    "counts",
    "values",
  ]

  /// `area` for `areaNames`.
  private static func withoutValue(_ key: String) -> String {
    var words = Words.words(key)
    if words.count > 1, let last = words.last, valueWords.contains(last) { words.removeLast() }
    return words.joined(separator: "_")
  }

  /// The name that the objects of a place will most likely have.
  static func entityName(_ place: RecordPlace) -> String {
    Words.entityName(place.names.first.map { place.hasScalars ? withoutValue($0) : $0 } ?? "")
  }

  private func valueName(_ place: RecordPlace) -> String {
    let last = place.names.first.flatMap { Words.words($0).last } ?? ""
    return Self.valueWords.contains(last) ? Words.singular(ofWord: last) : "value"
  }

  /// Whether a second dictionary tells more of the objects of a first one: its keys are among theirs, and its name begins
  /// with theirs.
  private func isAbout(_ first: RecordPlace, _ second: RecordPlace, _ shapes: Shapes) -> Bool {
    guard let keys = first.keys, let others = second.keys, !rest(of: second, behind: first).isEmpty else {
      return false
    }
    let (found, compared) = shapes[others].values.overlap(with: shapes[keys].values)
    return compared > 0 && found == compared
  }

  /// `subTopics` for `topicSubTopics` behind `topicNames`; empty if the names have nothing in common.
  private func rest(of place: RecordPlace, behind first: RecordPlace) -> String {
    guard let own = first.names.first, let other = place.names.first else { return "" }
    let name = Words.words(Self.withoutValue(own))
    let words = Words.words(other)
    guard words.count > name.count, !name.isEmpty, Array(words.prefix(name.count)) == name else { return "" }
    return Words.camelCase(Array(words.dropFirst(name.count)))
  }

  private func addValues(
    of place: RecordPlace, to draft: EntityDraft, _ builder: inout DraftBuilder, named name: String
  ) {
    let attribute = AttributeDraft(
      name: draft.freeName([name]), path: [], node: builder.shapes.find(place.node),
      type: builder.types.choice(of: place.node), isOptional: true)
    draft.attributes.append(attribute)
    if let key = place.documentKey {
      draft.values[key] = attribute.name
      if !draft.documentKeys.contains(key) { draft.documentKeys.append(key) }
    } else {
      draft.values[""] = attribute.name
    }
  }
}

/// An entity while it is proposed.
final class EntityDraft {
  /// The place of its objects; -1 for what stands for values that are no objects.
  let node: Int32
  var name = ""
  /// The attributes that are its identity; empty if nothing is.
  var identity: [String] = []
  /// Whether a person said what the identity is.
  var identityIsSaid = false
  var attributes: [AttributeDraft] = []
  var relationships: [RelationshipDraft] = []
  /// Names for it, with the evidence for each.
  var nameHints: [(key: String, weight: Int)] = []
  /// Whether its objects stand at the top of the JSON.
  var isRecord = false
  /// Whether each of its objects says in a word of what kind it is, which an export has to repeat.
  var saysKind = false
  /// The keys of documents that hold its objects, or the words by which these say of what kind they are.
  var documentKeys: [String] = []
  /// The names of files that hold its objects.
  var fileNames: [String] = []
  /// The names of files, as they are, that have its objects at the top.
  var wholeFileNames: Set<String> = []
  /// The property that values fill which are no objects, by the key of the document.
  var values: [String: String] = [:]
  /// Values from outside that its objects get, by their keys.
  var added: [String: AddedValue] = [:]
  /// The keys that its objects have themselves, folded. Each comes to a property with its name by itself.
  var ownKeys: Set<String> = []
  /// Whether nulls came among its objects, in lists or in a dictionary.
  var isAmongNulls = false
  var parent: EntityDraft?
  /// The key that tells its sub-entities apart, and the values that stand for them.
  var kindKey: String?
  var kinds: [(value: String, draft: EntityDraft)] = []

  init(node: Int32) {
    self.node = node
  }

  /// Nothing identifies its objects: they belong to their owners.
  var isPart: Bool { identity.isEmpty && parent?.identity.isEmpty ?? true }

  var root: EntityDraft { parent ?? self }

  /// The attribute that is the whole identity.
  var identityAttribute: AttributeDraft? {
    let owner = root
    guard owner.identity.count == 1 else { return nil }
    return owner.attributes.first { $0.name == owner.identity[0] }
  }

  /// The keys of its objects that its properties come from.
  var firstKeys: [String] {
    let paths = attributes.map(\.path) + relationships.map(\.path)
    let keys = paths.compactMap { path -> String? in
      guard case .key(let key)? = path.first, added[key] == nil else { return nil }
      return key
    }
    return Set(keys).sorted()
  }

  /// The entity that it inherits from, and all that inherit from that.
  private var family: [EntityDraft] { [root] + root.kinds.map(\.draft) }

  func hasProperty(_ name: String) -> Bool {
    let wanted = name.lowercased()
    return family.contains { draft in
      draft.attributes.contains { $0.name.lowercased() == wanted }
        || draft.relationships.contains { $0.name.lowercased() == wanted }
    }
  }

  /// A key that none of its objects has: the one given, or that with a number behind it.
  func freeKey(_ key: String) -> String {
    let paths = family.flatMap { $0.attributes.map(\.path) + $0.relationships.map(\.path) }
    func isTaken(_ key: String) -> Bool { paths.contains { $0.first == .key(key) } }
    guard isTaken(key) else { return key }
    var number = 2
    while isTaken("\(key)\(number)") { number += 1 }
    return "\(key)\(number)"
  }

  /// Whether a key of its objects comes to a property with this name by itself.
  private func hasKey(like name: String) -> Bool {
    let folded = Names.folded(name)
    var keys: Set<String> = []
    for draft in family {
      for path in draft.attributes.map(\.path) + draft.relationships.map(\.path) {
        if case .key(let key)? = path.first { keys.insert(Names.folded(key)) }
      }
    }
    return Names.singulars(folded).contains { stem in
      ["", "id", "ids", "attributes"].contains { keys.contains(stem + $0) }
    } || keys.contains(folded)
  }

  /// A name for a property that JSON does not tell of: no key may come to it.
  func freeInverseName(_ names: [String]) -> String {
    freeName(names.filter { !hasKey(like: $0) } + [(names.last ?? "owner") + "Inverse"])
  }

  /// A name that no property has: the first of those given, or the last with a number behind it.
  ///
  /// - Parameter path: The way to the values of the property. Further inside, it takes the name of no other key that the objects
  ///   have themselves.
  func freeName(_ names: [String], at path: [JSONKeyPath.Step] = []) -> String {
    let first = if case .key(let key)? = path.first { Names.folded(key) } else { "" }
    func isFree(_ name: String) -> Bool {
      let folded = Names.folded(name)
      let isOfOtherKey = path.count > 1 && folded != first && family.contains { $0.ownKeys.contains(folded) }
      return !isOfOtherKey && !hasProperty(name)
    }
    for name in names where isFree(name) { return name }
    let last = names.last ?? "value"
    var number = 2
    while !isFree("\(last)\(number)") { number += 1 }
    return "\(last)\(number)"
  }
}

/// An attribute while it is proposed.
final class AttributeDraft {
  var name: String
  /// The way from the object to the value; empty if the value is the key of a dictionary.
  var path: [JSONKeyPath.Step]
  /// The place of its values.
  let node: Int32
  var type: TypeChoice
  var isOptional: Bool
  /// Whether objects came without it.
  var isMissing = false
  /// Whether objects that it stands in, at the end of its path, came without it.
  var isMissingInside = false
  /// Whether a person said that its values name no objects.
  var namesNoObjects = false

  init(name: String, path: [JSONKeyPath.Step], node: Int32, type: TypeChoice, isOptional: Bool) {
    self.name = name
    self.path = path
    self.node = node
    self.type = type
    self.isOptional = isOptional
  }
}

/// A relationship while it is proposed.
final class RelationshipDraft {
  var name: String
  /// The way from the object to the targets; empty if JSON tells of it at the other end only.
  var path: [JSONKeyPath.Step]
  let target: EntityDraft
  var isToMany: Bool
  var isOrdered = false
  var isOptional = true
  /// Whether objects came without the key that names its object.
  var isMissing = false
  var deleteRule = DeleteRule.nullify
  var inverse: RelationshipDraft?
  var dictionary: DictionaryRule?
  var transformers: [TransformerCall] = []
  /// The place of the keys that stand for targets, or of the targets; -1 for what JSON does not tell.
  var node: Int32 = -1
  /// Whether several objects have the same target.
  var isShared = false
  /// Whether the targets are named by keys.
  var isReference = false
  /// Whether the objects that stand in it are short forms of the targets, which come in full elsewhere.
  var holdsShortForms = false
  /// Whether an object that stands in it may have nothing but its identity.
  var holdsBareObjects = false
  /// Whether its lists do not have all objects that name their owners.
  var isPartial = false
  /// Whether its lists are connections of GraphQL, and whether these are pages.
  var isConnection = false
  var isPage = false
  var certainty = Guess.Certainty.certain
  var evidence = ""

  init(name: String, path: [JSONKeyPath.Step], target: EntityDraft, isToMany: Bool) {
    self.name = name
    self.path = path
    self.target = target
    self.isToMany = isToMany
  }
}

/// Follows what a person says of the model, and finds what does not fit the data.
struct WishFulfillment {
  private let wishes: InferenceWishes
  private let drafts: [EntityDraft]
  /// The attributes whose values name objects of an entity, and those whose values name none.
  private(set) var links: [(attribute: AttributeDraft, target: EntityDraft)] = []
  private(set) var values: [AttributeDraft] = []

  /// Renames entities, and takes the identities that are said.
  ///
  /// - Parameter records: The entities of the objects at the top.
  /// - Throws: ``InferenceError`` for what the JSON does not have.
  init(_ wishes: InferenceWishes, _ drafts: [EntityDraft], records: [EntityDraft]) throws {
    self.wishes = wishes
    self.drafts = drafts
    if let name = wishes.entity { try self.name(records, name) }
    for (old, new) in wishes.renames.sorted(by: { $0.key < $1.key }) { try rename(draft(old), new) }
    for (name, keys) in wishes.identities.sorted(by: { $0.key < $1.key }) {
      let draft = try draft(name)
      draft.identity = try keys.map { try attribute($0, of: draft).name }
      draft.identityIsSaid = true
      for name in draft.identity { draft.attributes.first { $0.name == name }?.isOptional = false }
    }
    links = try wishes.links.sorted { $0.key < $1.key }.map { (try attribute($0.key), try draft($0.value)) }
    values = try wishes.notLinks.sorted().map { try attribute($0) }
    for attribute in values { attribute.namesNoObjects = true }
  }

  private func name(_ records: [EntityDraft], _ name: String) throws {
    guard let first = records.first?.root, records.allSatisfy({ $0.root === first }) else {
      throw InferenceError(
        "The objects at the top of the JSON are of several entities, which one name cannot name."
          + " Leave it out, and rename each of them.")
    }
    try rename(first, name)
  }

  private func rename(_ draft: EntityDraft, _ name: String) throws {
    guard !drafts.contains(where: { $0 !== draft && $0.name.lowercased() == name.lowercased() }) else {
      throw InferenceError("\(draft.name) cannot become \(name): there is an entity of that name.")
    }
    draft.name = name
  }

  // MARK: - Finding

  private func draft(_ name: String) throws -> EntityDraft {
    if let draft = drafts.first(where: { $0.name == name }) { return draft }
    throw InferenceError("The JSON has no entity \(name).\(Self.advice(name, drafts.map(\.name)))")
  }

  /// The attribute that `Entity.key` means.
  private func attribute(_ place: String) throws -> AttributeDraft {
    let parts = place.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw InferenceError("“\(place)” is no key of an entity. Write Entity.key.")
    }
    return try attribute(parts[1], of: draft(parts[0]))
  }

  private func attribute(_ key: String, of draft: EntityDraft) throws -> AttributeDraft {
    let found = draft.attributes.first { $0.name == key || JSONKeyPath.text(of: $0.path[...]) == key }
    if let found { return found }
    throw InferenceError(
      "\(draft.name) has no value under the key \(key).\(Self.advice(key, draft.attributes.map(\.name)))")
  }

  private static func advice(_ name: String, _ known: [String]) -> String {
    nearestName(to: name, in: known).map { " Did you mean \($0)?" }
      ?? " It has \(known.prefix(12).joined(separator: ", ")).\(known.count > 12 ? " And others." : "")"
  }
}
