import ObjectModel

/// Gives objects at the top of the JSON that nothing identifies the identity of their source: the name of a file that has
/// one object, or else the source and the position in it. The same source again replaces what came of it.
struct SourceIdentity {
  private(set) var guesses: [(draft: EntityDraft, guess: Guess)] = []

  /// - Parameters:
  ///   - records: The objects at the top, and their entities.
  ///   - drafts: All entities.
  init(_ records: [(place: RecordPlace, draft: EntityDraft)], _ drafts: [EntityDraft]) {
    let owned = Set(drafts.flatMap { $0.relationships.map { ObjectIdentifier($0.target.root) } })
    for (place, draft) in records {
      let draft = draft.root
      // What also stands inside other objects belongs to those.
      guard draft.identity.isEmpty, draft.added.isEmpty, place.hasSourceNames, !place.hasScalars,
        !owned.contains(ObjectIdentifier(draft)), draft.kinds.allSatisfy({ $0.draft.identity.isEmpty })
      else { continue }
      let places = records.filter { $0.draft.root === draft }.map(\.place)
      if places.allSatisfy(\.isOneEach) { addFile(to: draft) } else { addSource(to: draft) }
    }
  }

  private mutating func addFile(to draft: EntityDraft) {
    let name = draft.freeName(["file", "filePath"])
    add(name, Self.file, .string, to: draft, at: 0)
    draft.added = [Self.file: .filePath]
    draft.identity = [name]
    guesses.append(
      (
        draft,
        Guess(
          .identity, .likely, property: name, choice: "is the identity",
          evidence: "each file has one object, which no value of its own identifies")
      ))
  }

  private mutating func addSource(to draft: EntityDraft) {
    let names = [draft.freeName(["source", "sourceFile"]), draft.freeName(["position", "sourcePosition"])]
    add(names[0], Self.source, .string, to: draft, at: 0)
    add(names[1], Self.position, .integer64, to: draft, at: 1)
    draft.added = [Self.source: .source, Self.position: .position]
    draft.identity = names
    guesses.append(
      (
        draft,
        Guess(
          .identity, .doubtful, choice: "is owned by its source",
          evidence:
            "no key has a value that tells its objects apart: the same file again replaces what came of it,"
            + " and a pipe adds")
      ))
  }

  /// The keys that objects get these values under, which no service has.
  static let file = "@file"
  static let source = "@source"
  static let position = "@position"

  /// What the objects get under each of them.
  static let values: [String: AddedValue] = [file: .filePath, source: .source, position: .position]

  /// Whether a key or key path is one of those.
  static func isKey(_ path: String) -> Bool { values.keys.contains { isKey(path, $0) } }

  /// Whether a key path is a key.
  static func isKey(_ path: String, _ key: String) -> Bool {
    path == key || path == JSONKeyPath([.key(key)]).text
  }

  private func add(
    _ name: String, _ key: String, _ type: AttributeType, to draft: EntityDraft, at place: Int
  ) {
    draft.attributes.insert(
      AttributeDraft(
        name: name, path: [.key(key)], node: -1,
        type: TypeChoice(type, "what the import knows of the source"),
        isOptional: false), at: place)
  }
}
