import ObjectModel
import ObjectStore

/// The plans of all entities of a store, under the conventions of a call.
///
/// Plans note the keys that come, so a plan serves one call at a time.
final class Plan {
  let layout: Layout
  let conventions: Conventions
  /// What types demand of values.
  let checks: [ValueCheck.Place: ValueCheck]
  private(set) var entities: [EntityPlan] = []
  /// For each entity, the index of its table.
  let tables: [Int]
  /// The entities of the keys of documents that the model gives.
  private var entityByKey: [String: Int] = [:]
  /// The entities by their folded names. If names differ in case only, the first entity has it.
  private var entityByName: [String: Int] = [:]
  /// The problems of single properties, which are left out.
  var modelIssues: [ImportIssue] = []
  /// Whether relationships of the model are left out.
  var lacksRelationships = false
  /// The work that is left for regular expressions.
  var matchBudget = MatchBudget()
  /// The attributes with values that were too much work to check.
  var uncheckedAttributes: Set<String> = []
  /// The properties that two keys of one object came for. Each is reported once.
  var reportedRivals: Set<String> = []

  init(
    _ layout: Layout, _ functions: MappingFunctions, _ conventions: Conventions,
    checks: [ValueCheck.Place: ValueCheck] = [:]
  ) throws(PlanError) {
    self.layout = layout
    self.conventions = conventions
    self.checks = checks
    tables = layout.entities.map(\.table)
    try Self.check(layout.schema)
    let forms = try ValueForms(
      layout.schema, functions, checks, dates: conventions.dates,
      isOfSwiftValues: conventions.isOfSwiftValues)
    for entity in layout.schema.entities {
      entities.append(
        try EntityPlan(entity, in: layout, forms: forms, functions: functions, conventions: conventions))
    }
    for (index, entity) in layout.schema.model.entities.enumerated() {
      for key in entity.annotations.keys {
        guard let other = entityByKey.updateValue(index, forKey: key), other != index else { continue }
        throw PlanError(
          entity: entity.name, property: "names",
          message: "and \(layout.schema.entities[other].name).names both claim the key \(key) of documents")
      }
    }
    for entity in layout.schema.entities {
      let name = Names.folded(entity.name)
      if entityByName[name] == nil { entityByName[name] = entity.index }
    }
  }

  /// Checks the annotations that the store follows at places where it cannot report a problem.
  private static func check(_ schema: Schema) throws(PlanError) {
    for relationship in schema.relationships {
      let annotations = relationship.relationship.annotations
      let toMany = annotations.toMany.map { ("broker.toMany", $0, ToManyPolicy(rawValue: $0) == nil) }
      let references = annotations.references.map {
        ("broker.references", $0, ReferencePolicy(rawValue: $0) == nil)
      }
      for case (let key, let word, true)? in [toMany, references] {
        throw PlanError(
          entity: schema.entities[relationship.owner].name, property: relationship.name,
          message: "has \(word) for \(key), which it does not know")
      }
    }
    for entity in schema.entities {
      guard let name = schema.model.entities[entity.index].annotations.versionAttribute else { continue }
      guard let index = entity.attribute(name), entity.attributes[index].attribute.canBeVersion else {
        throw PlanError(
          entity: entity.name, property: name,
          message: "is named as version, and is no attribute with an order")
      }
    }
  }

  /// The entity that a key of a document, or the name of a file, names: `bands`, `band_members`, `Album`.
  func entity(namedBy key: String) -> Int? {
    // The exact name wins over a name that differs in its case or its style.
    if let known = entityByKey[key] ?? layout.schema.index(of: key) { return known }
    for name in Names.singulars(Names.folded(key)) {
      if let known = entityByName[name] { return known }
    }
    return nil
  }
}
