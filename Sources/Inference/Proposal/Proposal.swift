import JSONStream
import Mapping
import ObjectModel

/// Makes a model of what was read.
struct Proposal {
  private(set) var inferred: InferredModel
  private let shapes: Shapes

  init(_ reading: SourceReading, _ options: InferenceOptions) throws {
    shapes = reading.shapes
    shapes.sharedKeys = options.sharedKeys
    shapes.knownLists = options.knownLists
    shapes.knownLists.add(options.known)
    let form = try DocumentFinder(
      shapes, reading.roots, reading.names, dialects: options.dialects, mixedList: options.mixedList)
    let referenced = ReferencedPlaces(shapes, form.records)
    let recordKeys = form.records.compactMap { place in
      place.keys.map { (RecordDrafts.entityName(place), $0) }
    }
    var builder = DraftBuilder(
      shapes, referenced: referenced, recordKeys: recordKeys, recordNodes: form.records.map(\.node),
      isTable: reading.hasTables)
    var records = RecordDrafts(form)
    records.add(to: &builder)
    builder.finish()
    let drafts = builder.drafts
    var namer = EntityNamer(shapes, documentKeys: form.otherKeys, known: options.known)
    try namer.name(drafts)
    let wishes = try WishFulfillment(options.wishes, drafts, records: records.drafts.map(\.draft))
    let links = LinkFinder(shapes, drafts, wishes, KnownTargets(options.known, shapes, drafts))
    try links.run()
    KindLinks(drafts: drafts).run()
    IdentityTypes(shapes: shapes, drafts: drafts).run()
    FileLinks(shapes, drafts).add(to: records.drafts)
    let laterLinks = try links.laterLinks()
    let composites = CompositeIdentity(shapes, drafts)
    let owned = SourceIdentity(shapes, records.drafts, drafts)
    SharedTargets(shapes, drafts).run()
    InverseFinder(shapes, drafts, form).run()
    PartialLists(shapes).note(in: drafts)
    let amongNulls = AmongNulls(shapes, drafts)
    let assembly = ModelAssembly(drafts)
    inferred = InferredModel(model: assembly.model, mapping: assembly.mapping, guesses: [])
    inferred.laterLinks = laterLinks
    inferred.knownFiles = options.knownFiles
    try note(
      drafts.map { ReadObjects($0, shapes) }, besides: options.known, isSaid: options.wishes.entity != nil)
    for entity in options.known { inferred.knownTypes[entity.name] = try entity.types() }
    inferred.bytes = reading.bytes
    inferred.records = reading.records
    inferred.isWhole = reading.isWhole
    let owners = ListOwners(shapes)
    let types = TypeChooser(shapes: shapes, isTable: reading.hasTables)
    for draft in drafts {
      note(draft, owners)
      noteValueTypes(of: draft, types)
    }
    inferred.recordEntities = Set(drafts.filter(\.isRecord).map(\.name))
    inferred.keyedEntities = Set(
      records.drafts.filter { $0.place.keys != nil && !$0.place.isUnderKeys }.map(\.draft.name))
    for (place, draft) in records.drafts {
      guard let keys = place.keys, !place.isUnderKeys else { continue }
      inferred.keysOfEntities[draft.name, default: []] += shapes.tree.samples[shapes.find(keys)] ?? []
    }
    for draft in drafts {
      inferred.namesInData[draft.name] = draft.documentKeys + draft.fileNames
      inferred.documentKeys[draft.name] = draft.documentKeys
    }
    inferred.loneEntities = Set(
      drafts.filter { $0.isRecord && $0.node >= 0 && shapes.tree[$0.node].parent < 0 }.map(\.name))
    inferred.messageEntities = Set(
      records.drafts.filter { place, draft in
        GenericNames.areMessages(
          under: place.documentKey ?? "",
          with: shapes.keys(of: place.node).map { shapes.tree.text(ofKey: $0) })
      }.map(\.draft.root.name))
    form.describe(&inferred.mapping, drafts)
    form.describeForms(&inferred.mapping, records.drafts)
    inferred.forms = form.forms(of: records.drafts)
    inferred.formsUnderKeys = form.forms(underKeysOf: records.drafts)
    if reading.roots.contains(where: { $0.shape.rows?.hasNames ?? false }) {
      inferred.mapping.document.columns = "first"
    }
    if let given = reading.root { inferred.mapping.document.begin(at: given) }
    inferred.entity = form.entity(drafts)
    inferred.guesses =
      GuessList(
        builder.guesses + composites.guesses + owned.guesses + amongNulls.guesses, drafts, form, shapes
      ).guesses
  }

  /// Keeps how the objects that came compare with those of a store.
  ///
  /// - Parameter isSaid: Whether the caller says of which entity the objects at the top are.
  /// - Throws: What the store throws that is asked for objects.
  private mutating func note(
    _ objects: [ReadObjects], besides known: [KnownEntity], isSaid: Bool
  ) throws {
    guard !known.isEmpty else { return }
    let all = objects.map(\.draft)
    for objects in objects {
      try shapes.checkCancellation()
      inferred.knownObjects[objects.draft.name] = try known.filter { try $0.has(objects) }.map(\.name)
    }
    let names = Set(known.map { Names.folded($0.name) })
    let new = all.filter { draft in
      !names.contains(Names.folded(draft.name)) && inferred.knownObjects[draft.name, default: []].isEmpty
    }
    for objects in objects {
      try shapes.checkCancellation()
      let name = objects.draft.name
      let owners = self.owners(of: objects.draft, in: all)
      let isOfNew = !owners.isEmpty && owners.allSatisfy { owner in new.contains { $0 === owner } }
      inferred.knownOthers[name] = try known.filter { try $0.areOthers(objects) }.map(\.name)
      inferred.knownElsewhere[name] = try known.filter { try $0.haveOtherAddresses(objects) }.map(\.name)
      if !isSaid || !objects.draft.isRecord {
        inferred.knownNamesakes[name] = try known.filter {
          try $0.areNamesakes(objects, isOfNew: isOfNew)
        }.map(\.name)
      }
      inferred.knownLabels[name] = try known.filter { try $0.hasLabels(of: objects) }.map(\.name)
      for entity in known where objects.draft.isRecord {
        let count = try entity.renamed(objects)
        if count > 1 { inferred.renamedObjects[name, default: [:]][entity.name] = count }
      }
      for entity in known {
        if objects.haveEmptyLists, try entity.saysOtherwise(objects) {
          inferred.changedObjects[name, default: []].insert(entity.name)
        }
        let named = try entity.otherIdentity(namedBy: objects)
        let refuted = try named == nil ? entity.otherIdentity(refutedBy: objects) : nil
        guard let attribute = try named ?? refuted ?? entity.identity(takenUpFrom: objects) else { continue }
        if refuted != nil { inferred.entitiesWithRefutedIdentity.insert(name) }
        inferred.otherIdentities[name, default: [:]][entity.name] = attribute
      }
    }
  }

  /// The objects in which others stand.
  private func owners(of draft: EntityDraft, in drafts: [EntityDraft]) -> [EntityDraft] {
    draft.isRecord
      ? []
      : drafts.filter { owner in
        owner !== draft && owner.relationships.contains { $0.target === draft && !$0.isReference }
      }
  }

  /// The type of keys that name objects; nil if it is not known.
  private func typeOfKeys(at node: Int32) -> AttributeType? {
    guard node >= 0, shapes[node].scalars > 0 else { return nil }
    return shapes[node].integers == shapes[node].scalars ? .integer64 : .string
  }

  /// Keeps what a later refinement of another model asks for.
  private mutating func note(_ draft: EntityDraft, _ owners: ListOwners) {
    for relationship in draft.relationships where relationship.isShared {
      inferred.sharedLists.insert("\(draft.name).\(relationship.name)")
    }
    for relationship in draft.relationships
    where relationship.path.isEmpty && !draft.values.values.contains(relationship.name) {
      inferred.derived.insert("\(draft.name).\(relationship.name)")
    }
    for relationship in draft.relationships where relationship.isReference {
      // Objects of the store may have an identity where those that came show none.
      let type = relationship.target.identityAttribute?.type.type ?? typeOfKeys(at: relationship.node)
      guard let type else { continue }
      inferred.references["\(draft.name).\(relationship.name)"] = Attribute(
        name: relationship.name, type: relationship.isToMany ? .transformable : type)
    }
    for relationship in draft.relationships where relationship.isMissing {
      inferred.missing[draft.name, default: []].insert(relationship.name)
    }
    noteAmbiguity(of: draft)
    noteIdentity(of: draft)
    noteRefutedKeys(of: draft)
    for attribute in draft.attributes {
      inferred.untyped["\(draft.name).\(attribute.name)"] = attribute.type.untyped
      if attribute.node >= 0, shapes[attribute.node].exponents > 0 {
        inferred.exponents.insert("\(draft.name).\(attribute.name)")
      }
      if attribute.isMissing { inferred.missing[draft.name, default: []].insert(attribute.name) }
      if attribute.isMissingInside {
        inferred.missingInside[draft.name, default: []].insert(attribute.name)
      }
      guard attribute.node >= 0 else { continue }
      if shapes[attribute.node].lists > 0, owners.haveSeveral(attribute.node) {
        inferred.sharedLists.insert("\(draft.name).\(attribute.name)")
      }
      if let element = shapes.element(of: attribute.node), shapes[element].nulls > 0,
        shapes[element].present == 0
      {
        inferred.listsOfNulls.insert("\(draft.name).\(attribute.name)")
      }
      if shapes.hasOnlyEmptyObjects(attribute.node) {
        inferred.emptyObjects.insert("\(draft.name).\(attribute.name)")
      }
      let values = shapes[attribute.node]
      if values.emptyTexts > 0, values.emptyTexts == values.present {
        inferred.emptyTexts.insert("\(draft.name).\(attribute.name)")
      }
      if values.scalars >= 3, values.values.isExact, values.values.count == 1 {
        inferred.constants.insert("\(draft.name).\(attribute.name)")
      }
      guard attribute.type.type == .string else { continue }
      inferred.texts["\(draft.name).\(attribute.name)"] = shapes.tree.samples[shapes.find(attribute.node)]
    }
  }

  /// Keeps the type that the values of an identity would have if they identified nothing, as they do in the objects that a store has.
  private mutating func noteValueTypes(of draft: EntityDraft, _ types: TypeChooser) {
    for attribute in draft.attributes where draft.identity.contains(attribute.name) && attribute.node >= 0 {
      let value = types.choice(of: attribute.node)
      guard value.type != attribute.type.type, value.dates == nil, value.transformers.isEmpty else {
        continue
      }
      inferred.valueTypes["\(draft.name).\(attribute.name)"] = value.type
    }
  }

  /// Keeps that the identity of objects is called so, and long.
  private mutating func noteIdentity(of draft: EntityDraft) {
    guard let identity = draft.identityAttribute, identity.node >= 0, let key = identity.path.last,
      case .key(let name) = key,
      (IdentityNames.rank(of: name, owner: draft.name) ?? .max) <= IdentityNames.strongest
    else { return }
    if shapes.areMadeByProgram(identity.node) { inferred.surelyIdentified.insert(draft.name) }
  }

  /// Keeps the keys that are called like identities and are none: those of which, in one document, most values that came again came
  /// with another object, and those that objects in lists at the top share, but for an `id`.
  private mutating func noteRefutedKeys(of draft: EntityDraft) {
    guard draft.node >= 0, !shapes.isSplit(draft.node) else { return }
    let (node, own) = (shapes[draft.node], draft.identityAttribute.map { shapes.find($0.node) })
    var refuted: Set<String> = []
    if !draft.isRecord, node.identity >= 0, node.identityRank <= IdentityNames.strongest,
      own != shapes.find(node.identity),
      node.conflictsWithin > 0, node.conflictsWithin * 2 >= node.knownRepetitions.repeats
    {
      refuted.insert(shapes.key(of: node.identity))
    }
    for child in shapes.children(of: draft.node) where draft.isRecord {
      let values = shapes[child]
      guard own != shapes.find(child), values.scalars == node.objects, !values.values.areUnique,
        // An object by itself that a list has too came twice.
        !shapes.uniqueApart.contains(shapes.find(child)),
        LinkName(shapes.key(of: child)).hasEnding,
        IdentityNames.rank(of: shapes.key(of: child), owner: "") == nil
      else { continue }
      refuted.insert(shapes.key(of: child))
    }
    if !refuted.isEmpty { inferred.refutedKeys[draft.name] = refuted }
  }

  /// Keeps that values which may identify objects came with different ones: with so many that they would not be taken for an
  /// identity.
  private mutating func noteAmbiguity(of draft: EntityDraft) {
    guard draft.node >= 0, shapes[draft.node].identity >= 0 else { return }
    let place = shapes[draft.node]
    if !draft.isRecord, draft.identity.isEmpty, draft.identityAttribute == nil, place.conflictsWithin > 0,
      place.conflictsWithin * 2 >= place.knownRepetitions.repeats
    {
      let names =
        draft.attributes.filter { $0.node >= 0 && shapes.find($0.node) == shapes.find(place.identity) }.map(
          \.name)
        + draft.relationships.filter { $0.node >= 0 && shapes.find($0.node) == shapes.find(place.identity) }
        .map(\.name)
      for name in names { inferred.repeatedIdentities.insert("\(draft.name).\(name)") }
    }
    let ambiguous = place.ambiguousIdentities
    guard ambiguous > 0, ambiguous * 20 >= place.knownRepetitions.repeats else { return }
    for attribute in draft.attributes
    where attribute.node >= 0 && shapes.find(attribute.node) == shapes.find(place.identity) {
      inferred.ambiguous["\(draft.name).\(attribute.name)"] = ambiguous
    }
    // Values that are those of other objects too name these.
    for link in draft.relationships
    where link.node >= 0 && shapes.find(link.node) == shapes.find(place.identity) {
      inferred.ambiguous["\(draft.name).\(link.name)"] = ambiguous
    }
  }
}

extension DocumentMapping {
  /// Puts a path before all that are said.
  fileprivate mutating func begin(at given: String) {
    guard forms.isEmpty else {
      for index in forms.indices {
        forms[index].root = forms[index].root.map { JSONKeyPath.joined(given, $0) } ?? given
      }
      return
    }
    root = root.map { JSONKeyPath.joined(given, $0) } ?? given
  }
}

/// Makes identities texts where keys that name objects are no UUIDs, as the parent `virtual` of a term is none.
struct IdentityTypes {
  let shapes: Shapes
  let drafts: [EntityDraft]

  func run() {
    for relationship in drafts.flatMap(\.relationships)
    where relationship.isReference && relationship.node >= 0 {
      guard let identity = relationship.target.identityAttribute, identity.type.type == .uuid else {
        continue
      }
      let keys = shapes[shapes.child(of: relationship.node, named: "id") ?? relationship.node]
      if keys.strings > keys.emptyTexts, !keys.forms.contains(.uuid) {
        identity.type = TypeChoice(.string, "texts, since not all keys of objects are UUIDs")
      }
    }
  }
}

/// Finds entities among whose objects nulls came, which name nothing.
struct AmongNulls {
  private(set) var guesses: [(draft: EntityDraft, guess: Guess)] = []

  init(_ shapes: Shapes, _ drafts: [EntityDraft]) {
    let places = shapes.placesAmongNulls()
    for draft in drafts where draft.node >= 0 && places.contains(shapes.find(draft.node)) {
      guard !draft.root.isAmongNulls else { continue }
      draft.root.isAmongNulls = true
      guesses.append(
        (
          draft.root,
          Guess(.entity, .certain, choice: "leaves out nulls", evidence: "nulls came among its objects")
        ))
    }
  }
}

/// Makes a model and a mapping of what was proposed.
struct ModelAssembly {
  private(set) var model = Model()
  private(set) var mapping = JSONMapping()

  init(_ drafts: [EntityDraft]) {
    for draft in drafts {
      model.entities.append(Self.entity(draft))
      let rules = MappingRules(draft).rules
      if rules != EntityMapping() { mapping[draft.name] = rules }
    }
  }

  private static func entity(_ draft: EntityDraft) -> Entity {
    var entity = Entity(name: draft.name)
    entity.parent = draft.parent?.name
    entity.isAbstract = draft.kindKey != nil
    if draft.isAmongNulls { entity.omitsNulls = true }
    if draft.identityIsSaid { entity.identityIsSaid = true }
    entity.attributes = draft.attributes.map { attribute(of: $0) }
    entity.relationships = draft.relationships.map { relationship(of: $0) }
    return entity
  }

  private static func attribute(of draft: AttributeDraft) -> Attribute {
    var attribute = Attribute(name: draft.name, type: draft.type.type, isOptional: draft.isOptional)
    attribute.untyped = draft.type.untyped
    if draft.namesNoObjects { attribute.namesNoObjects = true }
    if let cases = draft.type.cases {
      attribute.userInfo["broker.values"] = JSONValue.array(cases.map(JSONValue.string)).text
    }
    return attribute
  }

  private static func relationship(of draft: RelationshipDraft) -> Relationship {
    Relationship(
      name: draft.name, destination: draft.target.name, inverse: draft.inverse?.name,
      inverseEntity: draft.inverse == nil ? nil : draft.target.name,
      isToMany: draft.isToMany,
      isOrdered: draft.isToMany && draft.isOrdered, isOptional: draft.isOptional, deleteRule: draft.deleteRule
    )
  }
}

/// The rules of an entity's JSON beyond the names of the model.
struct MappingRules {
  private(set) var rules = EntityMapping()
  private let draft: EntityDraft
  /// Whether exports write its keys in snake case, since those that came were.
  private let isSnake: Bool

  init(_ draft: EntityDraft) {
    self.draft = draft
    isSnake = Self.isSnake(draft)
    sayIdentity()
    for attribute in draft.attributes { say(attribute) }
    for relationship in draft.relationships { say(relationship) }
    // A key in any style names an entity; a word that an export has to repeat must be the same.
    let words = draft.documentKeys.filter { draft.saysKind ? $0 != draft.name : !names($0, draft.name) }
    for key in words + draft.fileNames.filter({ !names($0, draft.name) }) where draft.values[key] == nil {
      if !rules.names.contains(key) { rules.names.append(key) }
    }
    rules.values = draft.values
    if let key = draft.kindKey {
      var values: KindValues = [:]
      for kind in draft.kinds { values[kind.value] = kind.draft.name }
      rules.discriminator = .key(key, values: values)
    }
  }

  /// Whether a key of a document or a file names an entity by itself.
  private func names(_ key: String, _ entity: String) -> Bool {
    Names.singulars(Names.folded(key)).contains(Names.folded(entity))
  }

  private mutating func sayIdentity() {
    let declared = ModelAssemblyIdentity.declared(draft)
    guard draft.parent == nil else {
      // `userId` of a kind called `User` names another object.
      if draft.root.identity.isEmpty, declared != nil { rules.identity = [] }
      return
    }
    if draft.identity.isEmpty {
      if declared != nil { rules.identity = [] }
    } else if declared != draft.identity {
      rules.identity = draft.identity
    }
  }

  private mutating func say(_ attribute: AttributeDraft) {
    if let key = key(attribute.path, attribute.name) { rules.keys[attribute.name] = [key] }
    rules.dates[attribute.name] = attribute.type.dates
    if !attribute.type.transformers.isEmpty {
      rules.transformers[attribute.name] = attribute.type.transformers
    }
  }

  private mutating func say(_ relationship: RelationshipDraft) {
    if let key = key(relationship.path, relationship.name) { rules.keys[relationship.name] = [key] }
    if !relationship.transformers.isEmpty {
      rules.transformers[relationship.name] = relationship.transformers
    }
    // JSON does not tell of it, so exports, which are to be like it, do not either.
    if relationship.path.isEmpty, relationship.isToMany || !draft.isPart,
      !draft.values.values.contains(relationship.name)
    {
      rules.notExported.append(relationship.name)
    }
    if relationship.isPartial { rules.toMany[relationship.name] = .merge }
    if relationship.holdsShortForms { rules.only[relationship.name] = .insert }
    if relationship.holdsBareObjects, !relationship.isReference, sayWhole(relationship.target.root) {
      rules.references[relationship.name] = .stub
    }
    if let dictionary = relationship.dictionary { rules.dictionaries[relationship.name] = dictionary }
  }

  /// Whether what identifies objects says all of them: `{"email": "ann@example.com"}`, `{"system": "http://loinc.org", "code": "8302-2"}`.
  private func sayWhole(_ target: EntityDraft) -> Bool {
    if target.identity.count > 1 { return true }
    guard case .key(let key)? = target.identityAttribute?.path.last else { return false }
    return LabelNames.flags(of: key).contains(.label)
  }

  /// The key or path that has to be said; nil where the property's name says it.
  private func key(_ path: [JSONKeyPath.Step], _ name: String) -> String? {
    guard !path.isEmpty else { return nil }
    let text = JSONKeyPath.text(of: path[...])
    if path.count == 1, case .key(let key) = path[0], key == (isSnake ? Names.snakeCase(name) : name),
      !isQualified(name)
    {
      return nil
    }
    return text
  }

  /// Whether an export would write a reserved word for a name that has the entity's name before it: `type` for `sessionType`.
  private func isQualified(_ name: String) -> Bool {
    sequence(first: draft, next: \.parent).contains { Names.isReserved(name, qualifiedBy: $0.name) }
  }

  /// Whether most keys of several words that match names by themselves are in snake case.
  private static func isSnake(_ draft: EntityDraft) -> Bool {
    var (snake, camel) = (0, 0)
    let named =
      draft.attributes.map { ($0.path, $0.name) } + draft.relationships.map { ($0.path, $0.name) }
    for (path, name) in named {
      guard path.count == 1, case .key(let key) = path[0], Names.words(key).count > 1 else { continue }
      if key.contains("_"), key == Names.snakeCase(name) { snake += 1 }
      if key == name, Names.snakeCase(name) != name { camel += 1 }
    }
    return snake > camel
  }
}

/// The identity that a model's names suggest.
enum ModelAssemblyIdentity {
  static func declared(_ draft: EntityDraft) -> [String]? {
    var entity = Entity(name: draft.name)
    entity.attributes = draft.attributes.map { Attribute(name: $0.name, type: $0.type.type) }
    return entity.declaredIdentity?.properties
  }
}
