import Mapping
import ObjectModel

/// Gives objects at the top of the JSON that nothing identifies the identity of their source: its name, and the position
/// in it. The same source again replaces what came of it.
struct SourceIdentity {
  private(set) var guesses: [(draft: EntityDraft, guess: Guess)] = []
  private let shapes: Shapes

  /// - Parameters:
  ///   - records: The objects at the top, and their entities.
  ///   - drafts: All entities.
  init(
    _ shapes: Shapes, _ records: [(place: RecordPlace, draft: EntityDraft)], _ drafts: [EntityDraft]
  ) {
    self.shapes = shapes
    let owned = Set(drafts.flatMap { $0.relationships.map { ObjectIdentifier($0.target.root) } })
    for (place, draft) in records {
      let draft = draft.root
      // An object that came from several folders has none.
      if place.places.areInFolders, draft.added.isEmpty,
        draft.identityAttribute.map({ $0.node >= 0 && shapes[$0.node].values.areUnique })
          ?? draft.identity.isEmpty
      {
        add(draft.freeName(["folder", "folderName"]), Self.folder, .string, to: draft, at: 0).isOptional =
          true
        draft.added[Self.folder] = .folderName
      }
      // Objects that stand inside others too belong to those.
      guard draft.identity.isEmpty, draft.added.keys.allSatisfy({ [Self.folder, Self.file].contains($0) }),
        !place.hasScalars || place.keys == nil || place.isUnderKeys,
        !owned.contains(ObjectIdentifier(draft)), draft.kinds.allSatisfy({ $0.draft.identity.isEmpty })
      else { continue }
      if takeOwn(draft) { continue }
      let places = records.filter { $0.draft.root === draft }.map(\.place)
      guard places.contains(where: \.hasSourceNames) else { continue }
      if places.allSatisfy(\.isOneEach), draft.added[Self.file] == nil { addFileName(to: draft) }
      addIdentity(to: draft)
    }
  }

  /// The keys that objects get the name of their source and their position under, and the short name of a file.
  static let source = "@source"
  static let position = "@position"
  static let file = "@file"
  private static let folder = "@folder"

  /// Whether a key path is a key.
  static func isKey(_ path: String, _ key: String) -> Bool {
    path == key || path == JSONKeyPath([.key(key)]).text
  }

  /// Takes the source and the position that the objects say themselves, as those of an export do, if no two are the same.
  private mutating func takeOwn(_ draft: EntityDraft) -> Bool {
    guard let source = attribute(Self.source, of: draft), source.type.type == .string, !source.isMissing,
      let position = attribute(Self.position, of: draft), !position.isMissing,
      [.integer16, .integer32, .integer64].contains(position.type.type), draft.node >= 0,
      let columns = columns(of: draft, [Self.source, Self.position]),
      shapes.tree.rows.areUnique(shapes[draft.node], columns: columns)
    else { return false }
    source.type = Self.type(.string)
    position.type = Self.type(.integer64)
    for attribute in [source, position] { attribute.isOptional = false }
    identify(draft, by: source.name, Self.source, position.name, Self.position)
    return true
  }

  private func columns(of draft: EntityDraft, _ keys: [String]) -> [Int]? {
    let places = keys.compactMap { shapes.child(of: draft.node, named: $0) }
    return places.count == keys.count ? places.map { Int(shapes.tree[$0].ordinal) } : nil
  }

  /// The attribute that a key fills.
  private func attribute(_ key: String, of draft: EntityDraft) -> AttributeDraft? {
    draft.attributes.first { $0.path == [.key(key)] }
  }

  private func addFileName(to draft: EntityDraft) {
    let key = draft.freeKey(Self.file)
    add(draft.freeName(["file", "fileName"]), key, .string, to: draft, at: 0).isOptional = true
    draft.added[key] = .fileName
  }

  private mutating func addIdentity(to draft: EntityDraft) {
    let keys = (draft.freeKey(Self.source), draft.freeKey(Self.position))
    let source = add(draft.freeName(["source", "sourceFile"]), keys.0, .string, to: draft, at: 0)
    let position = add(draft.freeName(["position", "sourcePosition"]), keys.1, .integer64, to: draft, at: 1)
    identify(draft, by: source.name, keys.0, position.name, keys.1)
  }

  private mutating func identify(
    _ draft: EntityDraft, by source: String, _ sourceKey: String, _ position: String, _ positionKey: String
  ) {
    draft.identity = [source, position]
    draft.added[sourceKey] = .source
    draft.added[positionKey] = .position
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

  private func add(
    _ name: String, _ key: String, _ type: AttributeType, to draft: EntityDraft, at place: Int
  ) -> AttributeDraft {
    let attribute = AttributeDraft(
      name: name, path: [.key(key)], node: -1, type: Self.type(type), isOptional: false)
    draft.attributes.insert(attribute, at: place)
    return attribute
  }

  private static func type(_ type: AttributeType) -> TypeChoice {
    TypeChoice(type, "the import knows it of the source")
  }
}
