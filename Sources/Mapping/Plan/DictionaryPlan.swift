import ObjectModel

/// The dictionary that a relationship's targets stand in: JSON objects, maybe in one another, whose keys fill attributes
/// of the targets.
final class DictionaryPlan: Sendable {
  /// The names of the attributes that the keys fill, the outermost first.
  let keys: [String]
  /// The name of the property that a value fills if it is no object.
  let value: String?

  /// Nil if the model does not say that there is one, or what it says cannot be.
  init?(_ relationship: SchemaRelationship, _ schema: Schema) {
    let declared = relationship.relationship
    guard let rule = declared.dictionaryRule, declared.problem(with: rule, in: schema.model) == nil else {
      return nil
    }
    keys = rule.keys
    value = rule.value
  }
}
