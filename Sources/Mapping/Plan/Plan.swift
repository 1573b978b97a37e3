import ObjectModel
import ObjectStore

/// The plans of all entities of a store, under the conventions of a call.
///
/// Plans learn the keys that come up, so a plan serves one call at a time.
final class Plan {
  let layout: Layout
  let conventions: Conventions
  private(set) var entities: [EntityPlan] = []
  private var entityByKey: [String: Int] = [:]

  init(_ layout: Layout, _ functions: MappingFunctions, _ conventions: Conventions) throws(PlanError) {
    self.layout = layout
    self.conventions = conventions
    let forms = try ValueForms(layout.schema, functions, dates: conventions.dates)
    for entity in layout.schema.entities {
      entities.append(try EntityPlan(entity, layout, forms, functions, conventions))
    }
    for (index, entity) in layout.schema.model.entities.enumerated() {
      for key in entity.annotations.keys { entityByKey[key] = index }
    }
    for entity in layout.schema.entities {
      let name = Names.folded(entity.name)
      if entityByKey[name] == nil { entityByKey[name] = entity.index }
    }
  }

  /// The entity that a key of a document, or the name of a file, names: `bands`, `band_members`, `Album`.
  func entity(namedBy key: String) -> Int? {
    if let known = entityByKey[key] { return known }
    for name in Names.singulars(Names.folded(key)) {
      if let known = entityByKey[name] { return known }
    }
    return nil
  }
}
