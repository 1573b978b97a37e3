import Mapping
import ObjectModel

/// Makes a model of what was read.
struct Proposal {
  private(set) var inferred: InferredModel
  private let shapes: Shapes

  init(_ reading: SourceReading) throws {
    shapes = reading.shapes
    let form = try DocumentFinder(shapes, reading.roots)
    let referenced = ReferencedPlaces(shapes, form.records).places
    let recordKeys = form.records.compactMap { place in
      place.keys.map { (RecordDrafts.entityName(place), $0) }
    }
    var builder = DraftBuilder(
      shapes, referenced: referenced, recordKeys: recordKeys, isTable: reading.hasTables)
    RecordDrafts(form).add(to: &builder)
    builder.finish()
    let drafts = builder.drafts
    var namer = EntityNamer(shapes)
    namer.name(drafts)
    LinkFinder(shapes, drafts).run()
    let composites = CompositeIdentity(shapes, drafts)
    InverseFinder(drafts).run()
    let assembly = ModelAssembly(drafts)
    inferred = InferredModel(model: assembly.model, mapping: assembly.mapping, guesses: [])
    inferred.bytes = reading.bytes
    inferred.records = reading.records
    inferred.isWhole = reading.isWhole
    for draft in drafts { note(draft) }
    inferred.recordEntities = Set(drafts.filter(\.isRecord).map(\.name))
    form.describe(&inferred.mapping, drafts)
    if let given = reading.root {
      let inner = inferred.mapping.document.root
      inferred.mapping.document.root = inner.map { JSONKeyPath.joined(given, $0) } ?? given
    }
    inferred.entity = form.entity(drafts)
    inferred.guesses = GuessList(builder.guesses + composites.guesses, drafts, form, shapes).guesses
  }

  /// Keeps what a later refinement of another model asks for.
  private mutating func note(_ draft: EntityDraft) {
    for relationship in draft.relationships
    where relationship.path.isEmpty && !draft.values.values.contains(relationship.name) {
      inferred.derived.insert("\(draft.name).\(relationship.name)")
    }
    for attribute in draft.attributes {
      if attribute.isMissing { inferred.missing[draft.name, default: []].insert(attribute.name) }
      guard attribute.type.type == .string else { continue }
      inferred.texts["\(draft.name).\(attribute.name)"] = shapes.tree.samples[shapes.find(attribute.node)]
    }
  }
}
