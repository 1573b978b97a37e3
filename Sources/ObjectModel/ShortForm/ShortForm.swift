/// Models whose entities are an object, by their names, with a short form for each property.
///
///     entities:
///       Band: {id: int!, name: string, formed: int = 1970, albums: [Album, cascade]}
///       Album: {id: int!, title: string!, band: Band}
///
/// It becomes the long form here, which ``FormReader`` reads. What is written in the long form stays as it is.
struct ShortForm {
  private let value: FormValue
  /// Whether the entities may stand at the top of the document, as in YAML.
  private let allowsEntitiesAtTop: Bool

  init(_ value: FormValue, allowsEntitiesAtTop: Bool = false) {
    self.value = value
    self.allowsEntitiesAtTop = allowsEntitiesAtTop
  }

  /// The model in the long form.
  func expanded() throws -> FormValue {
    guard var members = value.members else { return value }
    if allowsEntitiesAtTop, !members.isEmpty, members.allSatisfy(Self.isEntity) {
      members = [FormValue.Member(key: "entities", value: value)]
    }
    guard let index = members.firstIndex(where: { $0.key == "entities" }),
      let entities = members[index].value.members
    else { return value }
    var composites: Set<String> = []
    if let place = members.firstIndex(where: { $0.key == "composites" }) {
      let list = members[place].value
      composites.formUnion(list.members?.map(\.key) ?? list.elements?.compactMap { $0["name"]?.text } ?? [])
      if let short = list.members {
        members[place].value = .array(try short.map { try composite($0, composites) })
      }
    }
    members[index].value = .array(try expanded(entities, composites))
    return .object(members)
  }

  private static func isEntity(_ member: FormValue.Member) -> Bool {
    guard member.key != "entities" else { return false }
    return member.value == .null || member.value.members != nil
  }

  private func expanded(_ members: [FormValue.Member], _ composites: Set<String>) throws -> [FormValue] {
    let heads = members.map { ShortEntity.Head($0.key) }
    let names = Set(heads.map(\.name))
    var entities = try zip(heads, members).map { head, member in
      try FormReader().located(entity: head.name) {
        try ShortEntity(head, member.value, ShortNames(entities: names, composites: composites))
      }
    }
    var inverses = ShortInverses(entities)
    try inverses.find()
    for entity in entities.indices { entities[entity].take(inverses) }
    return entities.map(\.long)
  }

  private func composite(_ member: FormValue.Member, _ composites: Set<String>) throws -> FormValue {
    let names = ShortNames(entities: [], composites: composites)
    let head = ShortEntity.Head(name: member.key, parent: nil, isAbstract: false)
    let entity = try FormReader().located(entity: member.key) { try ShortEntity(head, member.value, names) }
    let members = (entity.long.members ?? []).filter { $0.key != "relationships" }
    return .object(members)
  }
}

/// The names that a short form can mean.
struct ShortNames {
  let entities: Set<String>
  let composites: Set<String>
}
