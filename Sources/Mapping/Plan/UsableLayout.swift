import ObjectModel
import ObjectStore

/// A store's layout without the properties that an import or an export cannot use, and the reasons.
struct UsableLayout {
  let layout: Layout
  /// The problems, which are reported once for each import.
  let issues: [ImportIssue]
  /// Whether a relationship is left out. Its JSON may have held any objects.
  let lacksRelationships: Bool

  /// - Parameter includesAnnotations: Whether unknown annotations count too. Imports cannot know what they meant to change.
  init(_ layout: Layout, _ functions: MappingFunctions, includesAnnotations: Bool = true) throws {
    let schema = layout.schema
    let problems = schema.model.propertyProblems(functions, includesAnnotations: includesAnnotations)
    // Without their identity objects cannot be told apart, so a problem of an identity ends the import.
    var identities: [String: Set<String>] = [:]
    for entity in schema.entities {
      for attribute in entity.identityAttributes.map({ entity.attributes[$0] }) {
        identities[schema.entities[attribute.owner].name, default: []].insert(attribute.name)
      }
      for relationship in entity.identityRelationships.map({ schema.relationships[$0] }) {
        identities[schema.entities[relationship.owner].name, default: []].insert(relationship.name)
      }
    }
    func isIdentity(_ problem: PropertyProblem) -> Bool {
      problem.property.map { identities[problem.entity]?.contains($0) ?? false } ?? false
    }
    let leftOut = problems.filter { $0.property != nil && !isIdentity($0) }
    issues = problems.map { problem in
      ImportIssue(
        path: "$", entity: problem.entity, key: problem.property, expected: problem.expected,
        found: problem.found + (problem.property.map { " at \($0) in the model" } ?? " in the model"),
        action: problem.property == nil || isIdentity(problem) ? "not used" : "property left out")
    }
    let relationships = Set(schema.relationships.map(\.name))
    lacksRelationships = leftOut.contains { relationships.contains($0.property ?? "") }
    self.layout = leftOut.isEmpty ? layout : Layout(try Schema(schema.model.ignoring(leftOut)))
  }
}
