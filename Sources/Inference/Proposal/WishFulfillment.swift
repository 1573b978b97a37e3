import Mapping
import ObjectModel

/// Follows what a person says of the model, and finds what does not fit the data.
struct WishFulfillment {
  private let wishes: InferenceWishes
  private let drafts: [EntityDraft]
  /// The attributes whose values name objects of an entity, and those whose values name none.
  private(set) var links: [(attribute: AttributeDraft, target: EntityDraft)] = []
  private(set) var values: [AttributeDraft] = []

  /// Renames entities, and takes the identities that are said.
  ///
  /// - Parameter records: The entities of the objects at the top.
  /// - Throws: ``InferenceError`` for what the JSON does not have.
  init(_ wishes: InferenceWishes, _ drafts: [EntityDraft], records: [EntityDraft]) throws {
    self.wishes = wishes
    self.drafts = drafts
    if let name = wishes.entity { try self.name(records, name) }
    for (old, new) in wishes.renames.sorted(by: { $0.key < $1.key }) { try rename(draft(old), new) }
    for (name, keys) in wishes.identities.sorted(by: { $0.key < $1.key }) {
      let draft = try draft(name)
      draft.identity = try keys.map { try attribute($0, of: draft).name }
      for name in draft.identity { draft.attributes.first { $0.name == name }?.isOptional = false }
    }
    links = try wishes.links.sorted { $0.key < $1.key }.map { (try attribute($0.key), try draft($0.value)) }
    values = try wishes.notLinks.sorted().map { try attribute($0) }
  }

  private func name(_ records: [EntityDraft], _ name: String) throws {
    guard let first = records.first?.root, records.allSatisfy({ $0.root === first }) else {
      throw InferenceError(
        "The objects at the top of the JSON are of several entities, which one name cannot name."
          + " Leave it out, and rename each of them.")
    }
    try rename(first, name)
  }

  private func rename(_ draft: EntityDraft, _ name: String) throws {
    guard !drafts.contains(where: { $0 !== draft && $0.name.lowercased() == name.lowercased() }) else {
      throw InferenceError("\(draft.name) cannot become \(name): there is an entity of that name.")
    }
    draft.name = name
  }

  // MARK: - Finding

  private func draft(_ name: String) throws -> EntityDraft {
    if let draft = drafts.first(where: { $0.name == name }) { return draft }
    throw InferenceError("The JSON has no entity \(name).\(Self.advice(name, drafts.map(\.name)))")
  }

  /// The attribute that `Entity.key` means.
  private func attribute(_ place: String) throws -> AttributeDraft {
    let parts = place.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw InferenceError("“\(place)” is no key of an entity. Write Entity.key.")
    }
    return try attribute(parts[1], of: draft(parts[0]))
  }

  private func attribute(_ key: String, of draft: EntityDraft) throws -> AttributeDraft {
    let found = draft.attributes.first { $0.name == key || JSONKeyPath.text(of: $0.path[...]) == key }
    if let found { return found }
    throw InferenceError(
      "\(draft.name) has no value under the key \(key).\(Self.advice(key, draft.attributes.map(\.name)))")
  }

  private static func advice(_ name: String, _ known: [String]) -> String {
    nearestName(to: name, in: known).map { " Did you mean \($0)?" }
      ?? " It has \(known.prefix(12).joined(separator: ", ")).\(known.count > 12 ? " And others." : "")"
  }
}
