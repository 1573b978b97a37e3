public import Mapping
import ObjectModel
import ObjectStore

/// Why objects could not be saved or deleted. Nothing was changed.
public struct SaveError: Error, Sendable, Hashable, CustomStringConvertible {
  public var problems: [SaveProblem]

  init(_ problems: [SaveProblem]) { self.problems = problems }

  public var description: String {
    problems.map(\.description).joined(separator: "; ")
  }
}

/// A reason why an object cannot be saved or deleted.
public struct SaveProblem: Sendable, Hashable, CustomStringConvertible {
  /// The object.
  public var object: ObjectReference
  /// The property's name in the model; nil if it is the object itself.
  public var property: String?
  public var expected: String
  public var found: String

  public var description: String {
    let name = object.entity + (object.identity.isEmpty ? "" : " \(object.identity)")
    return "\(name)\(property.map { ".\($0)" } ?? ""): expected \(expected), found \(found)"
  }
}

/// There is no such object.
public struct ObjectNotFound: Error, Sendable, Hashable, CustomStringConvertible {
  public var object: ObjectReference

  public var description: String { "There is no \(object.entity) \(object.identity)." }
}

/// Describes the reasons why something cannot be written.
extension WriteTransaction {
  func describe(_ reason: RowProblem.Reason, _ object: ObjectReference) -> SaveProblem {
    let schema = transaction.layout.schema
    var problem = SaveProblem(object: object, property: nil, expected: "", found: "")
    switch reason {
    case .missing(let attribute):
      problem.property = schema.entity(object.entity)?.attributes[attribute].name
      (problem.expected, problem.found) = ("a value", "nothing")
    case .missingLink(let relationship):
      problem.property = schema.relationships[relationship].name
      problem.expected = schema.entities[schema.relationships[relationship].destination].name
      problem.found = "nothing"
    case .notUnique(let columns), .valueNotUnique(let columns):
      problem.expected = "values that no other object has"
      problem.found = "another with the same \(columns)"
    case .needsOwner(let relationship, let key):
      problem.property = schema.relationships[relationship].name
      problem.expected = "\(key) in the list, since it cannot be without its owner"
      problem.found = "a list without it"
    case .belongsToAnother(let relationship, let key):
      problem.property = schema.relationships[relationship].name
      problem.expected = "objects whose identity names this one"
      problem.found = "\(key), which belongs to another"
    case .deletionDenied(let relationship, let key):
      problem.expected = "\(key) to be deleted"
      problem.found = schema.relationships[relationship].denial
    case .deletionLeavesWithout(let relationship, let key, let entity, let holder):
      problem.expected = "\(key) to be deleted"
      problem.found =
        "\(schema.entities[entity].name) \(holder), which requires it as its"
        + " \(schema.relationships[relationship].name)"
    case .attributeNotKept(let attribute, let limit):
      problem.property = schema.entity(object.entity)?.attributes[attribute].name
      describe(limit, in: &problem)
    case .linkNotKept(let relationship, let limit):
      problem.property = schema.relationships[relationship].name
      describe(limit, in: &problem)
    case .deletionTakesListed, .severalOwners, .unknownKind, .deletionTakesUnsent, .pruneWithheld,
      .scopeWithheld, .tooManyDeletions,
      .deferred:
      problem.found = "\(reason)"
    }
    return problem
  }

  /// The part of a value that the database does not keep.
  private func describe(_ limit: ValueLimit, in problem: inout SaveProblem) {
    switch limit {
    case .zero: (problem.expected, problem.found) = ("a text without U+0000", "one with it")
    case .fraction: (problem.expected, problem.found) = ("at most six digits of a second", "more")
    case .identity(let bytes):
      (problem.expected, problem.found) = ("an identity of at most 2,600 bytes", "\(bytes) bytes")
    }
  }
}
