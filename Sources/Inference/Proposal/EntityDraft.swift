import Mapping
import ObjectModel

/// An entity while it is proposed.
final class EntityDraft {
  /// The place of its objects; -1 for what stands for values that are no objects.
  let node: Int32
  var name = ""
  /// The attributes that are its identity; empty if nothing is.
  var identity: [String] = []
  var attributes: [AttributeDraft] = []
  var relationships: [RelationshipDraft] = []
  /// What may name it, with how much speaks for each name.
  var nameHints: [(key: String, weight: Int)] = []
  /// Whether its objects stand at the top of the JSON.
  var isRecord = false
  /// The keys of documents that hold its objects.
  var documentKeys: [String] = []
  /// The names of files that hold its objects.
  var fileNames: [String] = []
  /// The property that values fill which are no objects, by the key of the document.
  var values: [String: String] = [:]
  /// Values from outside that its objects get, by their keys.
  var added: [String: AddedValue] = [:]
  var parent: EntityDraft?
  /// The key that tells its sub-entities apart, and the values that stand for them.
  var kindKey: String?
  var kinds: [(value: String, draft: EntityDraft)] = []

  init(node: Int32) {
    self.node = node
  }

  /// Nothing identifies its objects: they belong to their owners.
  var isPart: Bool { identity.isEmpty && parent?.identity.isEmpty ?? true }

  var root: EntityDraft { parent ?? self }

  /// The attribute that is the whole identity.
  var identityAttribute: AttributeDraft? {
    let owner = root
    guard owner.identity.count == 1 else { return nil }
    return owner.attributes.first { $0.name == owner.identity[0] }
  }

  /// The entity that it inherits from, and all that inherit from that.
  private var family: [EntityDraft] { [root] + root.kinds.map(\.draft) }

  func hasProperty(_ name: String) -> Bool {
    let wanted = name.lowercased()
    return family.contains { draft in
      draft.attributes.contains { $0.name.lowercased() == wanted }
        || draft.relationships.contains { $0.name.lowercased() == wanted }
    }
  }

  /// A key that none of its objects has: the one given, or that with a number behind it.
  func freeKey(_ key: String) -> String {
    let paths = family.flatMap { $0.attributes.map(\.path) + $0.relationships.map(\.path) }
    func isTaken(_ key: String) -> Bool { paths.contains { $0.first == .key(key) } }
    guard isTaken(key) else { return key }
    var number = 2
    while isTaken("\(key)\(number)") { number += 1 }
    return "\(key)\(number)"
  }

  /// Whether a key of its objects comes to a property with this name by itself.
  private func hasKey(like name: String) -> Bool {
    let folded = Names.folded(name)
    var keys: Set<String> = []
    for draft in family {
      for path in draft.attributes.map(\.path) + draft.relationships.map(\.path) {
        if case .key(let key)? = path.first { keys.insert(Names.folded(key)) }
      }
    }
    return Names.singulars(folded).contains { stem in
      ["", "id", "ids", "attributes"].contains { keys.contains(stem + $0) }
    } || keys.contains(folded)
  }

  /// A name for a property that JSON does not tell of: no key may come to it.
  func freeInverseName(_ names: [String]) -> String {
    freeName(names.filter { !hasKey(like: $0) } + [(names.last ?? "owner") + "Inverse"])
  }

  /// A name that no property has: the first of those given, or the last with a number behind it.
  func freeName(_ names: [String]) -> String {
    for name in names where !hasProperty(name) { return name }
    let last = names.last ?? "value"
    var number = 2
    while hasProperty("\(last)\(number)") { number += 1 }
    return "\(last)\(number)"
  }
}

/// An attribute while it is proposed.
final class AttributeDraft {
  var name: String
  /// The way from the object to the value; empty if the value is the key of a dictionary.
  var path: [JSONKeyPath.Step]
  /// The place of its values.
  let node: Int32
  var type: TypeChoice
  var isOptional: Bool
  /// Whether objects came without it.
  var isMissing = false

  init(name: String, path: [JSONKeyPath.Step], node: Int32, type: TypeChoice, isOptional: Bool) {
    self.name = name
    self.path = path
    self.node = node
    self.type = type
    self.isOptional = isOptional
  }
}

/// A relationship while it is proposed.
final class RelationshipDraft {
  var name: String
  /// The way from the object to the targets; empty if JSON tells of it at the other end only.
  var path: [JSONKeyPath.Step]
  let target: EntityDraft
  var isToMany: Bool
  var isOrdered = false
  var isOptional = true
  var deleteRule = DeleteRule.nullify
  var inverse: RelationshipDraft?
  var dictionary: DictionaryRule?
  var transformers: [TransformerCall] = []
  /// The place of the keys that stand for targets, or of the targets; -1 for what JSON does not tell.
  var node: Int32 = -1
  /// Whether several objects have the same target.
  var isShared = false
  /// Whether the targets are named by keys.
  var isReference = false
  var certainty = Guess.Certainty.certain
  var evidence = ""

  init(name: String, path: [JSONKeyPath.Step], target: EntityDraft, isToMany: Bool) {
    self.name = name
    self.path = path
    self.target = target
    self.isToMany = isToMany
  }
}
