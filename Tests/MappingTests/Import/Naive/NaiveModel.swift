import ObjectModel

/// A model as the naive store knows it: entities by index, and each relationship as two ends, of which one
/// may have no name. ``objectModel`` is the same for Broker.
struct NaiveModel {
  struct Kind {
    var name: String
    var parent: Int?
    var isAbstract = false
    /// Its own attributes, not the inherited ones.
    var attributes: [Attribute] = []
    /// The attributes that are the identity, for roots only. Parts have none.
    var identity: [String] = []
    var version: String?
  }

  struct End {
    /// Nil where the model has no inverse.
    var name: String?
    var owner: Int
    var target: Int
    /// The other end; the end itself, if it is its own inverse.
    var inverse: Int
    var isToMany = true
    var isOrdered = false
    /// Whether it leads from a part to its owner.
    var isBack = false
    var isRequired = false
    /// Whether it is a list that the model calls required without a minimum, which asks for nothing.
    var isRequiredList = false
    var rule = DeleteRule.nullify
    var toMany: ToManyPolicy?
    var references: ReferencePolicy?
  }

  var kinds: [Kind] = []
  var ends: [End] = []

  func root(_ kind: Int) -> Int { kinds[kind].parent.map(root) ?? kind }

  func isKind(_ kind: Int, of other: Int) -> Bool {
    kind == other || (kinds[kind].parent.map { isKind($0, of: other) } ?? false)
  }

  /// The attributes of a kind, the inherited ones first.
  func attributes(_ kind: Int) -> [Attribute] {
    (kinds[kind].parent.map(attributes) ?? []) + kinds[kind].attributes
  }

  /// The ends of a kind's objects, with those that they inherit.
  func ends(of kind: Int) -> [Int] {
    ends.indices.filter { isKind(kind, of: ends[$0].owner) }
  }

  func namedEnds(of kind: Int) -> [Int] { ends(of: kind).filter { ends[$0].name != nil } }

  func identity(_ kind: Int) -> [Attribute] {
    kinds[root(kind)].identity.compactMap { name in attributes(root(kind)).first { $0.name == name } }
  }

  func isPart(_ kind: Int) -> Bool { kinds[root(kind)].identity.isEmpty }

  var partNames: Set<String> { Set(kinds.indices.filter(isPart).map { kinds[$0].name }) }

  func name(_ end: Int) -> String { ends[end].name ?? "" }

  /// Whether the end's own row has the foreign key: a to-one, and of a one-to-one the required end or else
  /// the one that comes first in the model.
  func holds(_ end: Int) -> Bool {
    let one = ends[end]
    let other = ends[one.inverse]
    if one.isToMany || one.name == nil { return false }
    if other.isToMany || other.name == nil || one.inverse == end { return true }
    if one.isRequired != other.isRequired { return one.isRequired }
    return (one.owner, end) < (other.owner, one.inverse)
  }

  /// Whether the links are kept in a table of their own.
  func isJoin(_ end: Int) -> Bool { !holds(end) && !holds(ends[end].inverse) }
}

extension NaiveModel {
  var objectModel: Model { Model(entities: kinds.indices.map(entity)) }

  private func entity(_ kind: Int) -> Entity {
    let naive = kinds[kind]
    var entity = Entity(
      name: naive.name, parent: naive.parent.map { kinds[$0].name }, isAbstract: naive.isAbstract,
      attributes: naive.attributes)
    if !naive.identity.isEmpty {
      entity.userInfo["broker.identity"] = naive.identity.joined(separator: ",")
    }
    entity.userInfo["broker.version"] = naive.version
    entity.relationships = ends.filter { $0.owner == kind && $0.name != nil }.map(relationship)
    return entity
  }

  private func relationship(_ end: End) -> Relationship {
    var result = Relationship(
      name: end.name ?? "", destination: kinds[end.target].name, inverse: ends[end.inverse].name,
      isToMany: end.isToMany, isOrdered: end.isOrdered, isOptional: !end.isRequired && !end.isRequiredList,
      deleteRule: end.rule)
    result.userInfo["broker.toMany"] = end.toMany?.rawValue
    result.userInfo["broker.references"] = end.references?.rawValue
    return result
  }

  /// The model in the notation of these tests, for messages.
  var notation: String {
    kinds.indices.map { kind in
      let entity = kinds[kind]
      var head = entity.name + (entity.parent.map { " : \(kinds[$0].name)" } ?? "")
      if entity.isAbstract { head += " | abstract" }
      if !entity.identity.isEmpty { head += " | broker.identity=\(entity.identity.joined(separator: ","))" }
      if let version = entity.version { head += " | broker.version=\(version)" }
      let lines =
        entity.attributes.map(notation)
        + ends.filter { $0.owner == kind && $0.name != nil }.map(notation)
      return ([head] + lines).joined(separator: "\n  ")
    }.joined(separator: "\n")
  }

  private func notation(_ attribute: Attribute) -> String {
    var text = "\(attribute.name): \(attribute.type)\(attribute.isOptional ? "" : "!")"
    if let value = attribute.defaultValue { text += " | default=\(value)" }
    if let value = attribute.minimum { text += " | minimum=\(value)" }
    if let value = attribute.maximum { text += " | maximum=\(value)" }
    return text
  }

  private func notation(_ end: End) -> String {
    let target = kinds[end.target].name
    var text =
      "\(end.name ?? ""): \(end.isToMany ? "[\(target)]" : target)\(end.isRequired || end.isRequiredList ? "!" : "")"
    if let inverse = ends[end.inverse].name { text += " <- \(inverse)" }
    if end.isOrdered { text += " | ordered" }
    if end.rule != .nullify { text += " | delete=\(end.rule)" }
    if let policy = end.toMany { text += " | broker.toMany=\(policy)" }
    if let policy = end.references { text += " | broker.references=\(policy)" }
    return text
  }
}
