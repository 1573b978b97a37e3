import Mapping
import ObjectModel

/// Puts together what was taken from the data, what is least sure first.
struct GuessList {
  private(set) var guesses: [Guess] = []

  init(
    _ known: [(draft: EntityDraft, guess: Guess)], _ drafts: [EntityDraft], _ form: DocumentFinder,
    _ shapes: Shapes
  ) {
    addDocument(form, shapes)
    for (draft, guess) in known {
      var guess = guess
      guess.entity = draft.name
      guesses.append(guess)
    }
    for draft in drafts { add(draft, shapes) }
    let order = Dictionary(drafts.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    // The order is stable within one certainty.
    guesses = guesses.enumerated().sorted { first, second in
      let keys = [first, second].map {
        ($0.element.certainty.rawValue, order[$0.element.entity] ?? -1, $0.offset)
      }
      return keys[0] < keys[1]
    }.map(\.element)
  }

  /// More keys that are left out are told by their number.
  private static let mostKeys = 6

  private mutating func addDocument(_ form: DocumentFinder, _ shapes: Shapes) {
    if let dialect = form.dialect {
      guesses.append(
        Guess(
          .document, .likely, choice: "the dialect \(dialect.rawValue)",
          evidence: "the keys around the objects are its"))
    }
    if let root = form.root {
      guesses.append(
        Guess(
          .document, .likely, choice: "the objects are at “\(root)”",
          evidence: "what stands around them says nothing of objects"))
    }
    if let kind = form.kind {
      guesses.append(
        Guess(
          .document, .likely, choice: "“\(kind)” names the entity of each object",
          evidence: "objects with different values of it have hardly any keys in common"))
    }
    addLeftOut(form.leftOut)
    if shapes.tree.isTruncated {
      guesses.append(
        Guess(
          .document, .doubtful, choice: "not all keys were looked at",
          evidence: "there are more than \(ShapeTree.mostNodes) different places"))
    }
  }

  /// Tells what stands around the objects of documents and is left out.
  private mutating func addLeftOut(_ leftOut: Set<LeftOutKeys>) {
    let places = Dictionary(grouping: leftOut, by: \.beside)
    for (beside, places) in places.sorted(by: { $0.key < $1.key }) {
      let keys = Set(places.flatMap(\.keys)).sorted()
      let named = keys.prefix(Self.mostKeys).map { "“\($0)”" }.joined(separator: ", ")
      let rest = keys.count - Self.mostKeys
      let isOne = keys.count == 1
      guesses.append(
        Guess(
          .document, .doubtful,
          choice: named + (rest > 0 ? " and \(rest) more" : "") + (isOne ? " is left out" : " are left out"),
          evidence: (isOne ? "it stands" : "they stand") + " beside “\(beside)”, and "
            + (isOne ? "says" : "say") + " nothing of the objects there"))
    }
  }

  private mutating func add(_ draft: EntityDraft, _ shapes: Shapes) {
    if draft.parent == nil, draft.identity.isEmpty {
      guesses.append(
        Guess(
          .identity, draft.isRecord ? .doubtful : .likely, entity: draft.name, choice: "has no identity",
          evidence: draft.isRecord
            ? "no key has a value that tells its objects apart: importing them again adds them again"
            : "nothing tells its objects apart: they belong to their owners"))
    }
    for attribute in draft.attributes where !draft.identity.contains(attribute.name) || attribute.path.isEmpty
    {
      guesses.append(
        Guess(
          .attribute, attribute.type.certainty, entity: draft.name, property: attribute.name,
          choice: Self.words(attribute), evidence: attribute.type.evidence))
    }
    for relationship in draft.relationships where !relationship.path.isEmpty || relationship.node >= 0 {
      guesses.append(
        Guess(
          .relationship, relationship.certainty, entity: draft.name, property: relationship.name,
          choice: "\(relationship.isToMany ? "to many" : "to one"), \(relationship.target.name)"
            + (relationship.dictionary == nil ? "" : ", a dictionary"),
          evidence: relationship.evidence))
    }
  }

  private static func words(_ attribute: AttributeDraft) -> String {
    var result = attribute.type.type.word
    if attribute.isOptional { result += ", optional" }
    if let cases = attribute.type.cases { result += ", one of \(cases.joined(separator: ", "))" }
    return result
  }
}

extension AttributeType {
  /// Its name in the JSON form of models.
  var word: String {
    switch self {
    case .boolean: "boolean"
    case .integer16: "integer16"
    case .integer32: "integer32"
    case .integer64: "integer64"
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal"
    case .string: "string"
    case .date: "date"
    case .uuid: "uuid"
    case .uri: "uri"
    case .binary: "binary"
    case .transformable: "JSON"
    case .composite(let name): name
    case .undefined: "of no type"
    }
  }
}

/// Something that was taken from the data, and how sure that is.
public struct Guess: Sendable, Hashable, Codable {
  /// The subject of a guess.
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
  /// The choice: `identity id`, `to-many, to Album`.
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
