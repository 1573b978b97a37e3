/// Everything in a mapping that does not make sense.
///
///     mapping.yaml:12: Band.keys: there is no property “nmae”; did you mean “name”?
public struct MappingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A mistake.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The file and the line, if the mapping was read from one.
    public var place: String?
    public var entity: String?
    /// The property, or the part of the entity's mapping.
    public var property: String?
    /// What is wrong.
    public var message: String
    /// What to do about it.
    public var advice: String?

    public var description: String {
      let subject = [entity, property].compactMap { $0 }.joined(separator: ".")
      let text = [message, advice].compactMap { $0 }.joined(separator: "; ")
      return [place, subject.isEmpty ? nil : subject, text].compactMap { $0 }.joined(separator: ": ")
    }
  }

  /// At least one.
  public let problems: [Problem]

  init(_ problems: [Problem]) {
    self.problems = problems
  }

  public var description: String {
    (["The mapping cannot be used."] + problems.map(\.description)).joined(separator: "\n")
  }
}

/// A place in a mapping: an entity, one of its sections, and in that a property.
struct MappingPlace: Hashable {
  var entity: String
  var section = ""
  var property = ""
}
