import ObjectModel
import ObjectStore

/// The result of an import.
public struct Report: Sendable, Hashable, Codable {
  /// How many objects of each entity were new.
  public var inserted: [String: Int] = [:]
  /// How many objects of each entity got other values or other links.
  public var updated: [String: Int] = [:]
  /// How many objects of each entity were the same in the JSON and in the store.
  public var unchanged: [String: Int] = [:]
  /// How many objects of each entity were deleted.
  public var deleted: [String: Int] = [:]
  /// How many objects of each entity in the JSON were skipped because of an issue.
  public var skipped: [String: Int] = [:]
  /// How many objects of each entity were skipped because the store has a newer version of them.
  public var outdated: [String: Int] = [:]
  /// How many objects of each entity were skipped because the options do not allow to insert or to update them.
  public var excluded: [String: Int] = [:]
  /// How many objects of each entity were left as they are, wholly or in part, since a program has changed them and
  /// the server has not been told yet.
  public var keptLocal: [String: Int] = [:]
  /// How often the JSON had an object that it had had before.
  public var duplicates = 0
  /// References to objects that are not there, at most 10,000, ordered by the objects that refer.
  public var pending: [PendingReference] = []
  /// How many such references there are.
  public var pendingCount = 0
  /// The keys that matched nothing and how often each came, by entity.
  public var unmatchedKeys: [String: [String: Int]] = [:]
  /// The entities whose objects had no key that matched anything.
  package var strangers: Set<String> = []
  /// The properties that those keys may be meant for, by entity and key.
  public var nearMisses: [String: [String: String]] = [:]
  /// The objects that were deleted; at most 10,000.
  public var deletedObjects: [ObjectReference] = []
  /// The objects at the top of the JSON, in its order, if the options ask for them.
  public var objects: [ObjectReference]?
  /// The choices where the source leaves one: for a Core Data store, the identity of each entity.
  public var notes: [String] = []
  /// The issues; at most as many as the options say.
  public var issues: [ImportIssue] = []
  /// How many issues there were.
  public var issueCount = 0
  /// How many transactions an import in chunks took; nil for an import that is one transaction.
  public var chunks: Int?
  /// The bytes of JSON that were read.
  public var bytes = 0
  /// How long it took, in seconds.
  public var seconds = 0.0

  public init() {}

  // All but `strangers`, which follows from `unmatchedKeys` and the model.
  private enum CodingKeys: String, CodingKey {
    case inserted, updated, unchanged, deleted, skipped, outdated, excluded, keptLocal, duplicates, pending
    case pendingCount, unmatchedKeys, nearMisses, deletedObjects, objects, notes, issues, issueCount, chunks,
      bytes,
      seconds
  }

  /// Whether there were no issues: everything in the JSON that has a place in the model was used.
  public var isComplete: Bool { issueCount == 0 }

  /// The objects of the JSON that are in the store now, and other objects that the import changed.
  public var objectCount: Int {
    [inserted, updated, unchanged].flatMap(\.values).reduce(0, +)
  }

  /// Whether the import changed the store.
  public var changesAnything: Bool {
    [inserted, updated, deleted].contains { $0.values.contains { $0 > 0 } }
  }
}

/// An object by its entity and its identity. The values of a composite identity are joined by commas. If the entity
/// has no identity, it is the row id that the store gave the object.
public struct ObjectReference: Sendable, Hashable, Codable {
  public var entity: String
  public var identity: String

  public init(entity: String, identity: String) {
    self.entity = entity
    self.identity = identity
  }
}

/// A relationship to an object that has not arrived.
public struct PendingReference: Sendable, Hashable, Codable {
  /// The entity and the identity of the object that refers to it.
  public var entity: String
  public var identity: String
  /// The relationship's name.
  public var relationship: String
  /// The entity and the identity of the object that has not arrived.
  public var target: String
  public var key: String

  init(_ reference: PendingSummary.Reference) {
    entity = reference.entity
    identity = reference.identity
    relationship = reference.relationship
    target = reference.target
    key = reference.key
  }
}

extension Report {
  /// Adds what the store counted.
  mutating func add(_ written: WriteCounts, _ layout: Layout) {
    duplicates += written.duplicates
    for (counts, entity) in zip(written.entities, layout.schema.entities) {
      Self.add(counts.inserted, entity.name, to: &inserted)
      Self.add(counts.updated, entity.name, to: &updated)
      Self.add(counts.unchanged, entity.name, to: &unchanged)
      Self.add(counts.deleted, entity.name, to: &deleted)
      Self.add(counts.skipped, entity.name, to: &skipped)
      Self.add(counts.outdated, entity.name, to: &outdated)
      Self.add(counts.excluded, entity.name, to: &excluded)
      Self.add(counts.unsent, entity.name, to: &keptLocal)
    }
  }

  /// Adds the keys of all entities that matched nothing, and the properties whose names are close to them.
  mutating func addUnmatchedKeys(of plan: Plan) {
    for entity in plan.entities { addUnmatchedKeys(of: entity) }
    // A key that an object's owner takes by a key path is not the object's own.
    for owner in plan.entities {
      for (node, relationship) in owner.nodesInLinks {
        let destination = relationship.relationship.destination
        let family = plan.layout.schema.family(of: plan.layout.schema.entities[destination].root)
        for (key, count) in node.filledKeys {
          for entity in family {
            removeUnmatchedKey(UnknownKey(entity: plan.entities[entity].entity.name, key: key), count)
          }
        }
      }
    }
  }

  private mutating func addUnmatchedKeys(of entity: EntityPlan) {
    // The targets of relationships tell which of their keys match nothing.
    let inLinks = entity.nodesInLinks.map(\.node)
    let unmatched = entity.nodes.filter { node in !inLinks.contains { $0 === node } }.flatMap(\.unmatched)
    guard !unmatched.isEmpty else { return }
    let name = entity.entity.name
    unmatchedKeys[name] = Dictionary(unmatched.map { ($0.key, $0.count) }, uniquingKeysWith: +)
    if entity.nodes.allSatisfy(\.filled.isEmpty) { strangers.insert(name) }
    let properties = entity.unfilled.compactMap(entity.name)
    for (key, _) in unmatched {
      let last = key.split(separator: ".").last.map(String.init) ?? key
      if let nearest = nearestName(to: last, in: properties) { nearMisses[name, default: [:]][key] = nearest }
    }
  }

  /// Takes back that a key matched nothing, so many times.
  mutating func removeUnmatchedKey(_ unknown: UnknownKey, _ count: Int) {
    guard let counted = unmatchedKeys[unknown.entity]?[unknown.key] else { return }
    unmatchedKeys[unknown.entity]?[unknown.key] = counted > count ? counted - count : nil
    guard counted <= count else { return }
    nearMisses[unknown.entity]?[unknown.key] = nil
    if unmatchedKeys[unknown.entity]?.isEmpty ?? false { unmatchedKeys[unknown.entity] = nil }
  }

  private static func add(_ count: Int, _ entity: String, to counts: inout [String: Int]) {
    if count != 0 { counts[entity, default: 0] += count }
  }
}

/// Something in the JSON that could not be used.
public struct ImportIssue: Sendable, Hashable, Codable {
  /// The place in the JSON: `$.bands[3].formed`. If there are several files, the path of the file comes first: `a.json:
  /// $.bands[3].formed`. If values follow one another, as in JSON Lines, the line is named: `bands.jsonl:17: $.formed`,
  /// or `line 17: $.formed`.
  public var path: String
  /// The entity of the object.
  public var entity: String
  /// The object's identity, if it is known.
  public var identity: String?
  /// The key, or the key path.
  public var key: String?
  /// The expected value.
  public var expected: String
  /// The value that was found, shortened.
  public var found: String
  /// The steps.
  public var action: String

  public init(
    path: String, entity: String, identity: String? = nil, key: String? = nil, expected: String,
    found: String, action: String
  ) {
    self.path = path
    self.entity = entity
    self.identity = identity
    self.key = key
    self.expected = expected
    self.found = found
    self.action = action
  }
}

extension ImportIssue: CustomStringConvertible {
  public var description: String {
    let object = identity.map { "\(entity) \($0)" } ?? entity
    return "\(path): expected \(expected), found \(found); \(action)" + (object.isEmpty ? "" : " (\(object))")
  }
}
