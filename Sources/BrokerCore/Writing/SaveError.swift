public import Mapping

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
