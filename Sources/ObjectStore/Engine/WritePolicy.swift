package import ObjectModel

/// How lists, references and objects are treated.
package struct WritePolicy: Sendable {
  /// What lists mean where their relationships do not say it themselves.
  package var toMany: ToManyPolicy
  package var references: ReferencePolicy
  package var operations: Operations
  /// The entity of the objects at the top of the JSON, if they are of one; nil if any may come.
  package var entity: Int?
  /// The relationship whose lists are pruned whatever the rest says.
  package var prunedRelationship: Int?
  /// Whether a program writes, not an import: then what the model says of imports does not matter.
  package private(set) var isLocal = false
  /// Whether every object that is deleted is to be named, however many there are.
  package var namesAllDeleted = false
  /// Whether an import may change what a program has changed and the server has not been told of.
  package var overwritesUnsent = false

  /// That of a program that says exactly what is to be.
  package static var local: WritePolicy {
    var policy = WritePolicy()
    policy.isLocal = true
    return policy
  }

  package init(
    toMany: ToManyPolicy = .replace, references: ReferencePolicy = .pending, operations: Operations = .all
  ) {
    self.toMany = toMany
    self.references = references
    self.operations = operations
  }
}

extension WritePolicy {
  /// What the lists of a relationship mean.
  package func meaning(ofList relationship: SchemaRelationship) -> ToManyPolicy {
    let own = isLocal ? nil : relationship.relationship.annotations.toMany.flatMap(ToManyPolicy.init)
    // The far end of a one-to-one is no list, though its link is written as one.
    guard relationship.isToMany else { return .replace }
    let wanted = relationship.index == prunedRelationship ? .prune : own ?? toMany
    let allowed = operations.intersection(operations(for: relationship))
    return wanted == .prune && !allowed.contains(.delete) ? .replace : wanted
  }

  /// What may be done with the objects that a relationship nests.
  package func operations(for relationship: SchemaRelationship) -> Operations {
    isLocal ? .all : relationship.relationship.annotations.only ?? .all
  }

  /// What is done about references of a relationship to objects that are not there.
  package func treatment(ofReferences relationship: SchemaRelationship) -> ReferencePolicy {
    let own = isLocal ? nil : relationship.relationship.annotations.references
    return own.flatMap(ReferencePolicy.init) ?? references
  }
}
