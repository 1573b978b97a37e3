import Mapping
import ObjectModel

/// Makes a model of what was read.
struct Proposal {
  private(set) var inferred: InferredModel
  private let shapes: Shapes

  init(_ reading: SourceReading, _ options: InferenceOptions) throws {
    shapes = reading.shapes
    let form = try DocumentFinder(shapes, reading.roots, reading.names, dialects: options.dialects)
    let referenced = ReferencedPlaces(shapes, form.records).places
    let recordKeys = form.records.compactMap { place in
      place.keys.map { (RecordDrafts.entityName(place), $0) }
    }
    var builder = DraftBuilder(
      shapes, referenced: referenced, recordKeys: recordKeys, isTable: reading.hasTables)
    var records = RecordDrafts(form)
    records.add(to: &builder)
    builder.finish()
    let drafts = builder.drafts
    var namer = EntityNamer(shapes, documentKeys: form.otherKeys)
    namer.name(drafts)
    let wishes = try WishFulfillment(options.wishes, drafts, records: records.drafts.map(\.draft))
    try LinkFinder(shapes, drafts, wishes, KnownTargets(options.known, shapes, drafts)).run()
    let composites = CompositeIdentity(shapes, drafts)
    let owned = SourceIdentity(shapes, records.drafts, drafts)
    SharedTargets(shapes, drafts).run()
    InverseFinder(drafts).run()
    let assembly = ModelAssembly(drafts)
    inferred = InferredModel(model: assembly.model, mapping: assembly.mapping, guesses: [])
    inferred.bytes = reading.bytes
    inferred.records = reading.records
    inferred.isWhole = reading.isWhole
    let owners = ListOwners(shapes)
    for draft in drafts { note(draft, owners) }
    inferred.recordEntities = Set(drafts.filter(\.isRecord).map(\.name))
    for draft in drafts { inferred.namesInData[draft.name] = draft.documentKeys + draft.fileNames }
    inferred.loneEntities = Set(
      drafts.filter { $0.isRecord && $0.node >= 0 && shapes.tree[$0.node].parent < 0 }.map(\.name))
    inferred.messageEntities = Set(
      records.drafts.filter { GenericNames.isMessage($0.place.documentKey ?? "") }.map(\.draft.root.name))
    form.describe(&inferred.mapping, drafts)
    form.describeForms(&inferred.mapping, records.drafts)
    inferred.forms = form.forms(of: records.drafts)
    if let given = reading.root { inferred.mapping.document.begin(at: given) }
    inferred.entity = form.entity(drafts)
    inferred.guesses =
      GuessList(builder.guesses + composites.guesses + owned.guesses, drafts, form, shapes).guesses
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
    for attribute in draft.attributes {
      if attribute.type.isUnknown { inferred.untyped.insert("\(draft.name).\(attribute.name)") }
      if attribute.isMissing { inferred.missing[draft.name, default: []].insert(attribute.name) }
      guard attribute.node >= 0 else { continue }
      if shapes[attribute.node].lists > 0, owners.haveSeveral(attribute.node) {
        inferred.sharedLists.insert("\(draft.name).\(attribute.name)")
      }
      guard attribute.type.type == .string else { continue }
      inferred.texts["\(draft.name).\(attribute.name)"] = shapes.tree.samples[shapes.find(attribute.node)]
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
