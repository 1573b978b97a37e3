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

/// What an import may do with objects.
public struct Operations: OptionSet, Sendable, Hashable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Insert objects that are not there.
  public static let insert = Operations(rawValue: 1)
  /// Change objects that are there.
  public static let update = Operations(rawValue: 2)
  /// Delete objects: parts that their owner no longer has, and what is pruned.
  public static let delete = Operations(rawValue: 4)
  public static let all: Operations = [.insert, .update, .delete]
}
