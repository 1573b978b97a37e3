/// Something that was taken from the data, and how sure that is.
public struct Guess: Sendable, Hashable, Codable {
  /// What a guess is about.
  public enum Subject: String, Sendable, Hashable, Codable {
    case document, entity, identity, attribute, relationship, kinds
  }

  /// How sure it is.
  public enum Certainty: Int, Sendable, Hashable, Codable, Comparable {
    /// Look at it before you use the model.
    case doubtful
    case likely
    case certain

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  public var subject: Subject
  public var certainty: Certainty
  /// The entity that it is about; empty for documents.
  public var entity: String
  /// The property that it is about; empty for the entity itself.
  public var property: String
  /// What was taken: `identity id`, `to-many, to Album`.
  public var choice: String
  /// Why: `all 36 values differ`.
  public var evidence: String

  public init(
    _ subject: Subject, _ certainty: Certainty, entity: String = "", property: String = "", choice: String,
    evidence: String
  ) {
    self.subject = subject
    self.certainty = certainty
    self.entity = entity
    self.property = property
    self.choice = choice
    self.evidence = evidence
  }
}
