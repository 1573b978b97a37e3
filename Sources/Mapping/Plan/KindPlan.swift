import JSONStream
import ObjectModel
import ObjectStore

/// How the objects of an entity tell which of its sub-entities they are of.
final class KindPlan {
  /// What tells the sub-entity.
  enum Form {
    /// The value of a key path.
    case key(JSONKeyPath)
    /// The key around the object.
    case wrapper
    case function(@Sendable (JSONValue) -> String?)
    /// The model says nothing: a wrapper, or the value of a common key such as `type`, if it names a sub-entity.
    case convention
  }

  /// What happens to an object of an unknown kind.
  enum Unknown {
    /// It is skipped, and that is an issue.
    case issue
    /// It is skipped.
    case skip
    /// It becomes an object of this entity.
    case entity(Int)
  }

  let form: Form
  let unknown: Unknown
  /// Whether its objects can be of no other entity. Then the value that tells the kind is kept, whatever it is.
  let isAlone: Bool
  /// The names of the kinds, for messages.
  let names: [String]
  /// The entity of objects that do not tell theirs; nil if it is the one that is expected.
  let defaultKind: Int?
  private let kindByValue: [String: Int]
  /// Values with wildcards, in the order of the model.
  private let kindsByPattern: [(pattern: String, kind: Int)]
  private let kindByName: [String: Int]

  /// Common keys that tell what an object is, folded.
  private static let commonKeys: Set<String> = [
    "type", "kind", "entity", "class", "object", "objecttype", "@type", "@class", "typename",
  ]

  /// Nil for an entity without sub-entities, unless a value tells its objects from those of its relatives.
  ///
  /// - Throws: ``PlanError`` for an unknown function, and for a value that stands for two entities.
  init?(_ entity: SchemaEntity, _ schema: Schema, _ functions: MappingFunctions) throws(PlanError) {
    let family = schema.family(of: entity.index).map { schema.entities[$0] }
    let annotations = entity.ancestry.map { schema.model.entities[$0].annotations }
    isAlone = family.count == 1
    let hasRelatives = schema.family(of: entity.root).count > 1
    let isToldByKey = annotations.contains { $0.discriminatorPath != nil && $0.discriminatorFunction == nil }
    guard !isAlone || (hasRelatives && isToldByKey) else { return nil }
    if let name = annotations.compactMap(\.discriminatorFunction).first {
      guard let function = functions.discriminators[name] else {
        throw PlanError(
          entity: entity.name, property: "discriminator",
          message: "is the function \(name), which is not known. Register it under that name")
      }
      form = .function(function)
    } else if let path = annotations.compactMap(\.discriminatorPath).first {
      form = .key(path)
    } else {
      form = annotations.contains(where: \.isWrapped) ? .wrapper : .convention
    }
    unknown =
      isAlone ? .issue : try Self.unknown(entity, family, annotations.compactMap(\.unknown).first, form)
    names = family.filter { !$0.isAbstract }.map(\.name)
    kindByName = Dictionary(
      family.map { (Names.folded($0.name), $0.index) }, uniquingKeysWith: { first, _ in first })
    let defaultName = annotations.compactMap(\.defaultKind).first
    defaultKind =
      isAlone && defaultName != nil ? entity.index : try Self.defaultKind(entity, family, defaultName)
    var kindByValue: [String: Int] = [:]
    var kindsByPattern: [(pattern: String, kind: Int)] = []
    for kind in family {
      for value in schema.model.entities[kind.index].annotations.kinds {
        if value.contains("*") {
          kindsByPattern.append((value, kind.index))
          continue
        }
        if let other = kindByValue.updateValue(kind.index, forKey: value) {
          throw PlanError(
            entity: kind.name, property: "discriminator",
            message: "and \(schema.entities[other].name) both stand for \(value)")
        }
      }
    }
    self.kindByValue = kindByValue
    self.kindsByPattern = kindsByPattern
  }

  private static func defaultKind(
    _ entity: SchemaEntity, _ family: [SchemaEntity], _ name: String?
  ) throws(PlanError) -> Int? {
    guard let name else { return nil }
    guard let kind = family.first(where: { $0.name == name && !$0.isAbstract }) else {
      throw PlanError(
        entity: entity.name, property: "discriminator",
        message:
          "has \(name) for objects that do not say their kind, which is no sub-entity that objects can be of")
    }
    return kind.index
  }

  private static func unknown(
    _ entity: SchemaEntity, _ family: [SchemaEntity], _ name: String?, _ form: Form
  ) throws(PlanError) -> Unknown {
    guard let name else { return .issue }
    if name == "skip" { return .skip }
    let isWrapped = if case .wrapper = form { true } else { false }
    guard !isWrapped, let kind = family.first(where: { $0.name == name && !$0.isAbstract }) else {
      throw PlanError(
        entity: entity.name, property: "discriminator",
        message: isWrapped
          ? "has \(name) for kinds that are not known; where a key around objects tells the kind, only skip can be said"
          : "has \(name) for kinds that are not known, which is no sub-entity that objects can be of")
    }
    return .entity(kind.index)
  }

  /// The entity that the key of a wrapper stands for.
  func kind(named key: String) -> Int? {
    kindByValue[key] ?? kindByName[Names.folded(key)] ?? kindByPattern(key)
  }

  /// The entity that a value stands for, which may be its name in the plural: `photos`.
  func kind(ofValue value: String) -> Int? {
    if let kind = kindByValue[value] { return kind }
    for name in Names.singulars(Names.folded(value)) { if let kind = kindByName[name] { return kind } }
    return kindByPattern(value)
  }

  private func kindByPattern(_ value: String) -> Int? {
    guard !kindsByPattern.isEmpty else { return nil }
    return Array(value.utf8).withUnsafeBufferPointer { text in
      kindsByPattern.first { pattern, _ in
        Array(pattern.utf8).withUnsafeBufferPointer { Wildcards.match(text, $0) }
      }?.kind
    }
  }

  /// Whether a key is one of the common ones that tell what an object is.
  static func isCommon(_ key: String) -> Bool { commonKeys.contains(Names.folded(key)) }

  /// Whether a key of an object may tell what the object is.
  func mayTell(_ key: String) -> Bool {
    switch form {
    case .key(let path): key == path.firstKey
    case .wrapper: kind(named: key) != nil
    case .function: false
    case .convention: Self.isCommon(key) || kind(named: key) != nil
    }
  }

  /// The kinds that are known, for issues about an object of another one.
  var expectation: String {
    "a kind of object: " + names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
  }
}
