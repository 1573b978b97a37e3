import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// A key of an object that is no property's.
struct UnknownKey: Hashable, Sendable {
  let entity: String
  let key: String
}

/// A choice of rows, with what was found while each was read.
struct ReadChoice: Sendable {
  var choice: KindChoice
  /// The keys that matched nothing: in the first row, and in each of the others.
  var unknownKeys: [[UnknownKey]]
}

/// Objects that do not tell which sub-entity they are of. Of one that is in the store already that is known there, and all
/// keys of its kind count.
extension RecordReader {
  /// So many choices may be inside each other. Each multiplies what is read.
  private static let mostOpenChoices = 2
  /// So many kinds are tried of an object that stands in another such object.
  private static let mostNestedKinds = 8

  /// Notes a key that matched nothing. It stands apart, so that the loop over the keys stays small enough to have the
  /// reading of attributes in it.
  @inline(never)
  mutating func noteUnknownKey(_ index: Int, of node: KeyNode, _ entity: EntityPlan) {
    unknownKeys?.append(UnknownKey(entity: entity.entity.name, key: node.prefix + node.name(of: index)))
  }

  /// Reads an object, whose opening brace was just read, as one of the entity that is expected, and if it has keys that
  /// only sub-entities know, as one of each of these too.
  mutating func readOfEachKind(
    _ entity: EntityPlan, parent: Int, step: PathStep, position: Int, identity: KnownIdentity,
    nestedBy list: Int, isRoot: Bool
  ) throws(JSONError) -> Int {
    let around = unknownKeys
    unknownKeys = []
    openChoices += 1
    let start = json.checkpoint()
    let row = addRow(entity, parent: parent, step: step, position: position)
    if isRoot { batch.rows.roots.append(row) }
    try readObject(
      entity, into: row, identity: identity, nestedBy: list,
      takesAdditions: takesAdditions(isRoot, parent: parent))
    var read = ReadChoice(
      choice: KindChoice(row: row, end: batch.rows.rows.count), unknownKeys: [unknownKeys ?? []])
    for kind in kinds(of: entity, knowing: read.unknownKeys[0]) where !batch.rows.rows[row].isSkipped {
      json.rewind(to: start)
      unknownKeys = []
      let before = batch.rows.extent
      let other = addRow(kind, parent: parent, step: step, position: position)
      try readObject(
        kind, into: other, identity: identity, nestedBy: list,
        takesAdditions: takesAdditions(isRoot, parent: parent))
      read.choice.others.append(
        KindChoice.Other(entity: kind.entity.index, from: before, to: batch.rows.extent))
      read.unknownKeys.append(unknownKeys ?? [])
    }
    json.release(start)
    openChoices -= 1
    unknownKeys = around.map { $0 + read.unknownKeys.joined() }
    if !read.choice.others.isEmpty { batch.choices.append(read) }
    return row
  }

  /// The sub-entities that know some of the keys which an entity does not.
  private func kinds(of entity: EntityPlan, knowing keys: [UnknownKey]) -> [EntityPlan] {
    guard !keys.isEmpty, openChoices <= Self.mostOpenChoices else { return [] }
    let plan = plan
    let names = Set(keys.lazy.filter { $0.entity == entity.entity.name }.map(\.key))
    let kinds = plan.layout.schema.family(of: entity.entity.index).lazy.map { plan.entities[$0] }.filter {
      kind in
      kind !== entity && !kind.entity.isAbstract
        && names.contains { kind.keys.entry(kind.keys.index(of: $0)).action != .ignore }
    }
    return Array(openChoices > 1 ? kinds.prefix(Self.mostNestedKinds) : kinds.prefix(.max))
  }
}

extension RecordReader.KnownIdentity {
  /// Whether the object itself says which it is.
  var isOpen: Bool { if case .fixed = self { false } else { true } }
}
