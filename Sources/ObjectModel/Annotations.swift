package import JSONStream

/// The annotations in a model's `userInfo`, in whichever dialect they are written.
///
/// | meaning | keys, first wins |
/// |---|---|
/// | identity, on an attribute | `broker.identity`, `JC.isIdentifier`, `sync.isPrimaryKey`, `hyper.isPrimaryKey` |
/// | identity, on an entity | `broker.identity`, `identityAttributes`, `identityAttribute`, `relatedByAttribute`, `primaryKey`, `primaryAttributeKey` |
/// | identity of a relationship's target | `relatedByAttribute`, `primaryRelationshipKey` |
/// | keys in JSON | `broker.key`, `sync.remoteKey`, `hyper.remoteKey`, `JSONKeyPath`, `jsonKeyName`, `mappedKeyName`, `entityMapperName` (of an entity), then each with `.1`, `.2` … |
/// | the attribute that a scalar in a keyed dictionary fills | `broker.value` |
/// | default, where the model's own cannot say it | `broker.default` |
/// | date format | `broker.dateFormat`, `dateFormat` |
/// | time zone of dates without one | `broker.timeZone`, `timeZone` |
/// | transformers, in the order of reading | `broker.transformer`, `JSONTransformerName`, `sync.valueTransformer`, `hyper.valueTransformer` |
/// | neither read nor written | `broker.ignored` |
/// | not exported | `broker.exported` (false); `sync.nonExportable` and `hyper.nonExportable`, whatever their value |
/// | the key or key path that tells an object's sub-entity | `broker.discriminator` |
/// | the name of the function that tells it | `broker.discriminator.function` |
/// | the sub-entity of objects that do not tell theirs | `broker.discriminator.default` |
/// | whether the key around an object tells it | `broker.discriminator.wrapper` |
/// | the values, or the wrapping keys, that stand for a sub-entity | `broker.kind` |
/// | what a to-many list means for the links that are there | `broker.toMany` |
/// | what to do about keys of objects that are not there | `broker.references` |
/// | the attributes of its targets that a dictionary's keys fill; the property that its values fill | `broker.dictionary`, `broker.dictionary.value` |
/// | the objects inside an entity's JSON that hold its properties | `broker.inside.attributes`, `broker.inside.relationships`, `broker.inside.targets` |
/// | the key that exports write, where it is not the first that imports read | `broker.exportedKey` |
/// | on a relationship, what an import may do with the objects that it nests | `broker.only` |
/// | keys that lead to objects of any of several entities, as a JSON object | `broker.polymorphic` |
/// | keys of fixed values that its exports have, as a JSON object | `broker.constants` |
/// | the attribute that says how old an object's JSON is | `broker.version` |
/// | the values that an attribute can have, as a JSON list | `broker.values` |
/// | what stands for a value that is none of these; on an entity, what becomes of a kind that is not known: `skip`, or a sub-entity | `broker.unknown` |
/// | whether the store keeps a full-text index of the attribute | `broker.search` |
package struct Annotations: Sendable, Hashable {
  let userInfo: [String: String]

  init(_ userInfo: [String: String]) {
    self.userInfo = userInfo
  }

  /// The keys on properties that say what a store is like, and not its JSON.
  static let namesOfStores: Set = [
    "broker.identity", "JC.isIdentifier", "sync.isPrimaryKey", "hyper.isPrimaryKey", "relatedByAttribute",
    "primaryRelationshipKey", "broker.default", "broker.search",
  ]

  /// Whether the attribute is, or is part of, its entity's identity.
  package var isIdentity: Bool {
    first(of: ["broker.identity", "JC.isIdentifier", "sync.isPrimaryKey", "hyper.isPrimaryKey"])
      .map(Self.isTrue) ?? false
  }

  /// The attributes that are the entity's identity.
  package var identityAttributes: [String]? {
    identityAttributes(first: nil)
  }

  /// The attributes of an entity that `relatedByAttribute` names as its identity.
  var relatedByAttributes: [String]? { first(of: ["relatedByAttribute"]).flatMap(Self.list) }

  /// The attributes that are the identity of an entity with some attributes. `relatedByAttribute` may name others:
  /// then it says nothing.
  func identityAttributes(among names: [String]) -> [String]? { identityAttributes(first: names) }

  private func identityAttributes(first names: [String]?) -> [String]? {
    let before = first(of: ["broker.identity", "identityAttributes", "identityAttribute"])
    if let before { return Self.list(before) }
    if let related = relatedByAttributes, names.map({ Set(related).isSubset(of: $0) }) ?? true {
      return related
    }
    return first(of: ["primaryKey", "primaryAttributeKey"]).flatMap(Self.list)
  }

  /// On a relationship, the attributes of its target by which it refers to it.
  package var targetIdentityAttributes: [String]? {
    first(of: ["relatedByAttribute", "primaryRelationshipKey"]).flatMap(Self.list)
  }

  private static let keyNames = [
    "broker.key", "sync.remoteKey", "hyper.remoteKey", "JSONKeyPath", "jsonKeyName", "mappedKeyName",
    "entityMapperName",
  ]

  /// The keys or key paths that the property goes by in JSON, the best, which is exported, first.
  package var keys: [String] {
    var result: [String] = []
    for suffix in suffixes {
      for name in Self.keyNames {
        if let key = userInfo[name + suffix], !key.isEmpty, !result.contains(key) { result.append(key) }
      }
    }
    return result
  }

  /// The key or key path that exports write, if it is another than the first of ``keys``.
  package var exportedKey: String? { first(of: ["broker.exportedKey"]) }

  /// The keys that are no key paths, and why.
  package var unreadableKeys: [(key: String, error: JSONKeyPathError)] {
    (keys + [discriminatorKey].compactMap(\.self)).compactMap { key in
      do throws(JSONKeyPathError) {
        _ = try JSONKeyPath(key)
        return nil
      } catch {
        return (key, error)
      }
    }
  }

  /// Removes all keys, whatever the dialect.
  static func removeKeys(from userInfo: inout [String: String]) {
    let suffixes = Annotations(userInfo).suffixes
    for name in keyNames { for suffix in suffixes { userInfo[name + suffix] = nil } }
  }

  /// The attribute that a scalar fills where JSON is a dictionary from identity to scalar.
  package var valueAttribute: String? { first(of: ["broker.value"]) }

  /// The property that a value fills, by the key of the dictionary: `broker.value` goes with `broker.key`,
  /// `broker.value.1` with `broker.key.1`, and so on.
  package var valueProperties: [String: String] {
    var result: [String: String] = [:]
    for suffix in suffixes {
      guard let key = userInfo["broker.key" + suffix], let value = userInfo["broker.value" + suffix] else {
        continue
      }
      result[key] = value
    }
    return result
  }

  /// The value of new objects whose JSON has none, in the form in which the store keeps it.
  package var defaultValue: String? { first(of: ["broker.default"]) }

  /// The format of dates, in the pattern letters of Unicode.
  package var dateFormat: String? { first(of: ["broker.dateFormat", "dateFormat"]) }

  /// The zone of dates that name none.
  package var timeZone: String? { first(of: ["broker.timeZone", "timeZone"]) }

  /// The transformers that values pass through when they are read, the first first.
  package var transformers: [TransformerCall] {
    let text = first(of: [
      "broker.transformer", "JSONTransformerName", "sync.valueTransformer", "hyper.valueTransformer",
    ])
    let list = text.map(TransformerCall.list) ?? []
    return list == ["none"] ? [] : list
  }

  /// Whether the property is left alone, by imports and exports.
  package var isIgnored: Bool { userInfo["broker.ignored"].map(Self.isTrue) ?? false }

  /// On an entity, the key or key path whose value tells the sub-entity of an object.
  package var discriminatorKey: String? { first(of: ["broker.discriminator"]) }

  /// The same as a path; nil also if it is none.
  package var discriminatorPath: JSONKeyPath? { discriminatorKey.flatMap { try? JSONKeyPath($0) } }

  /// On an entity, the name of the function that tells the sub-entity of an object.
  package var discriminatorFunction: String? { first(of: ["broker.discriminator.function"]) }

  /// On an entity, the sub-entity of objects that do not tell theirs.
  package var defaultKind: String? { first(of: ["broker.discriminator.default"]) }

  /// On an entity, whether its objects stand in a key that tells their sub-entity.
  package var isWrapped: Bool { userInfo["broker.discriminator.wrapper"].map(Self.isTrue) ?? false }

  /// On a sub-entity, the values of the discriminator, or the keys around an object, that stand for it.
  package var kinds: [String] { first(of: ["broker.kind"]).flatMap(Self.list) ?? [] }

  /// On a relationship, what a list means for the links that are there: `replace`, `merge` or `prune`.
  package var toMany: String? { first(of: ["broker.toMany"]) }

  /// On a relationship, what to do about keys of objects that are not there: `pending`, `stub` or `error`.
  package var references: String? { first(of: ["broker.references"]) }

  /// On a relationship whose targets stand in a dictionary, the attributes that its keys fill, the outermost first.
  package var dictionaryKeys: [String]? { first(of: ["broker.dictionary"]).flatMap(Self.list) }

  /// On an entity, members that its exports have, and that imports pass over.
  package var constants: [(key: String, value: String)] {
    guard let text = first(of: ["broker.constants"]), case .object(let members)? = JSONValue(text: text)
    else {
      return []
    }
    return members.sorted { $0.key < $1.key }.compactMap { key, value in
      if case .string(let text) = value { (key, text) } else { nil }
    }
  }

  /// The property that the dictionary's values fill.
  package var dictionaryValue: String? { first(of: ["broker.dictionary.value"]) }

  /// On an entity, the attribute that says how old an object's JSON is.
  package var versionAttribute: String? { first(of: ["broker.version"]) }

  /// The values that an attribute can have, as the store keeps them; nil if it can have any.
  package var values: [JSONValue]? {
    guard let text = first(of: ["broker.values"]), case .array(let values) = JSONValue(text: text) else {
      return nil
    }
    return values
  }

  /// The substitute for a value that an attribute cannot have. On an entity, what an object of an unknown kind becomes:
  /// `skip` for nothing, or the name of an entity.
  package var unknown: String? { first(of: ["broker.unknown"]) }

  /// Whether the store keeps a full-text index of the attribute.
  package var isSearched: Bool { search.map(Self.isTrue) ?? false }

  /// The value of the annotation, true or not.
  var search: String? { first(of: ["broker.search"]) }

  /// Whether the property appears in exported JSON.
  package var isExported: Bool {
    if isIgnored { return false }
    if let exported = userInfo["broker.exported"] { return Self.isTrue(exported) }
    // As Sync has it, the key says so, whatever its value is.
    return userInfo["sync.nonExportable"] == nil && userInfo["hyper.nonExportable"] == nil
  }

  /// The endings of the names of alternatives: nothing, then `.1`, `.2` and so on.
  private var suffixes: [String] {
    let numbers = userInfo.keys.compactMap { key in
      key.lastIndex(of: ".").flatMap { Int(key[key.index(after: $0)...]) }
    }
    return [""] + Set(numbers).sorted().map { ".\($0)" }
  }

  func first(of names: [String]) -> String? {
    for name in names {
      if let value = userInfo[name], !value.isEmpty { return value }
    }
    return nil
  }

  /// The words that stand for true in any dialect: `true`, `YES`, `1`, in any case.
  static func isTrue(_ word: String) -> Bool {
    ["true", "yes", "1"].contains(word.lowercased())
  }

  /// The words that stand for false in any dialect: `false`, `NO`, `0`, in any case.
  static func isFalse(_ word: String) -> Bool {
    ["false", "no", "0"].contains(word.lowercased())
  }

  /// Names separated by commas; `nil` if there are none.
  static func list(_ text: String) -> [String]? {
    let names = text.split(separator: ",").map(trimmed).filter { !$0.isEmpty }
    return names.isEmpty ? nil : names
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

extension Entity {
  package var annotations: Annotations { Annotations(userInfo) }
}

extension Attribute {
  package var annotations: Annotations { Annotations(userInfo) }
}

extension Relationship {
  package var annotations: Annotations { Annotations(userInfo) }
}
