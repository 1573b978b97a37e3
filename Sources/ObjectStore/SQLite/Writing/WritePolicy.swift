package import ObjectModel

/// How lists, references and objects are treated.
package struct WritePolicy: Sendable {
  /// What lists mean where their relationships do not say it themselves.
  package var toMany: ToManyPolicy
  package var references: ReferencePolicy
  package var operations: Operations
  /// The relationship whose lists are pruned whatever the rest says.
  package var prunedRelationship: Int?
  /// Whether a program writes, not an import: then what the model says of JSON does not matter.
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
