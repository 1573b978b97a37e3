package import ObjectModel

/// A key that changes: of an object, or of one that is not there and that others refer to.
package struct KeyChange {
  /// The entity at the root of the object's table.
  package let root: SchemaEntity
  package let table: Int
  /// Nil for a key of an object that is not there.
  package let row: Int64?
  package let old: [SQLValue]
  package let new: [SQLValue]

  package var oldText: String { KeyText.text(of: old) }
  package var newText: String { KeyText.text(of: new) }
}

/// Gives objects other identities, and makes two objects one that turn out to be it. The keys of objects whose identity names
/// the object follow, and every link, every reference that waits and the journal follow the keys.
package struct Renaming<Rows: RowStore> {
  private let rows: Rows
  private let pendingLinks: PendingLinks<Rows>

  package init(_ rows: Rows, _ pendingLinks: PendingLinks<Rows>) {
    (self.rows, self.pendingLinks) = (rows, pendingLinks)
  }

  private var layout: Layout { rows.layout }

  /// Gives an object another identity.
  ///
  /// - Parameters:
  ///   - entity: The object's entity, which has an identity.
  ///   - identity: The parts of the new identity, as the store keeps them.
  package func rename(_ row: Int64, of entity: SchemaEntity, to identity: [SQLValue]) throws -> RenameOutcome
  {
    guard let first = try change(of: row, entity, to: identity), first.old != first.new else {
      return .renamed(row: row)
    }
    let others = try changes(with: first)
    for change in [first] + others where change.row != nil {
      guard try otherHolder(of: change) == nil else { return .taken }
    }
    let result = try apply(first) ?? row
    for change in others {
      _ = try apply(change)
      try moveFormerKey(change)
    }
    if !rows.policy.isLocal { try rows.journal()?.forgetFormer(entity, key: first.newText) }
    let place = RowLocation(table: first.table, row: result)
    if entity.isIdentifiedBelowRoot {
      let described = layout.entities[entity.index]
      try rows.setValues(identity, of: described.identitySlots.map { described.slots[$0] }, in: place)
    }
    try leaveLists(place, entity, first)
    return .renamed(row: result)
  }

  /// Makes an object the one that has an identity already: that gets its links and the values of some of its properties, and
  /// the object itself goes. So do the objects whose identity names it.
  ///
  /// - Parameter properties: The names of the attributes, and the relationships that the row itself keeps.
  package func merge(
    _ row: Int64, of entity: SchemaEntity, into identity: [SQLValue], taking properties: Set<String>
  ) throws {
    guard let first = try change(of: row, entity, to: identity), let target = try otherHolder(of: first)
    else {
      return
    }
    let others = try changes(with: first)
    try merge(first, row, into: target, taking: properties)
    for change in others {
      try moveFormerKey(change)
      if let row = change.row, let target = try otherHolder(of: change) {
        let entry = try rows.journal()?.entry(of: change.root, key: change.oldText)
        try merge(change, row, into: target, taking: Set((entry?.properties ?? [:]).keys))
      } else {
        _ = try apply(change)
      }
    }
  }

  private func merge(
    _ change: KeyChange, _ row: Int64, into target: Int64, taking properties: Set<String>
  ) throws {
    let (place, other) = (
      RowLocation(table: change.table, row: row), RowLocation(table: change.table, row: target)
    )
    let columns = try columns(of: properties, in: place)
    let values = try rows.values(of: columns, in: place)
    try moveLinks(change)
    try rows.removeRow(place)
    try rows.setValues(values, of: columns, in: other)
    try rows.noteChange(of: other)
    try settleMutualLinks(of: other)
  }

  /// The columns of properties that a row keeps itself, but for its identity.
  private func columns(of properties: Set<String>, in place: RowLocation) throws -> [Int] {
    guard let entity = try rows.entity(of: place) else { return [] }
    let described = layout.entities[entity.index]
    var columns = entity.attributes.indices
      .filter { properties.contains(entity.attributes[$0].name) && !entity.identityAttributes.contains($0) }
      .map { described.slots[described.attributeSlots[$0]] }
    for index in entity.relationships where properties.contains(layout.schema.relationships[index].name) {
      if case .foreignKey(let own) = layout.relationships[index] { columns += own }
    }
    return columns
  }

  // MARK: - One key

  /// Gives an object another key, which none has, with all that leads to it. Returns its row, if it is there.
  private func apply(_ change: KeyChange) throws -> Int64? {
    let row = try change.row.map {
      try rows.setKey(of: RowLocation(table: change.table, row: $0), to: change.new)
    }
    try moveLinks(change)
    if let row { try rows.noteChange(of: RowLocation(table: change.table, row: row)) }
    // A link that waited for an object that is not there may find one under the new key.
    guard let arrived = try row ?? rows.row(withKey: change.new, inTable: change.table) else { return nil }
    let place = RowLocation(table: change.table, row: arrived)
    if let entity = try rows.entity(of: place) { try pendingLinks.connect(change.newText, place, entity) }
    try settleMutualLinks(of: place)
    return row
  }

  /// Has the other ends agree with an object's one-to-one links that are their own inverse, since others may have waited
  /// for its key. What the object says itself counts; where it says nothing, the one that waited for it does.
  private func settleMutualLinks(of place: RowLocation) throws {
    guard let entity = try rows.entity(of: place), let key = try rows.key(of: place) else { return }
    for index in entity.relationships {
      let relationship = layout.schema.relationships[index]
      guard relationship.isItsOwnInverse, !relationship.isIdentity,
        case .foreignKey(let columns) = layout.relationships[index]
      else { continue }
      func setLink(of place: RowLocation, to key: [SQLValue]) throws {
        try rows.setValues(key, of: columns, in: place)
        try rows.noteChange(of: place)
      }
      var own = try rows.values(of: columns, in: place)
      let others = try rows.owners(by: relationship, of: place).filter { $0 != place }
      if own.contains(.null), let first = others.first, let waiting = try rows.key(of: first) {
        own = waiting
        try setLink(of: place, to: own)
      }
      for other in others where try rows.key(of: other) != own {
        try setLink(of: other, to: columns.map { _ in .null })
      }
      for target in try rows.targets(of: relationship, from: place)
      where try rows.values(of: columns, in: target) != key {
        try setLink(of: target, to: key)
      }
    }
  }

  private func moveLinks(_ change: KeyChange) throws {
    try rows.moveLinks(change)
    try rows.movePending(change)
    try rows.journal()?.rename(change.root, key: change.oldText, to: change.newText)
  }

  /// Has the key follow under which the server knows an object whose key names one that was renamed.
  private func moveFormerKey(_ change: KeyChange) throws {
    try rows.journal()?.renameFormer(change.root, key: change.oldText, to: change.newText)
  }

  /// Clears the places of an object in the lists of owners that its key no longer names.
  private func leaveLists(_ place: RowLocation, _ entity: SchemaEntity, _ change: KeyChange) throws {
    let key = layout.tables[place.table].key
    for index in entity.identityRelationships {
      guard case .foreignKey(let columns) = layout.relationships[index],
        let inverse = layout.schema.relationships[index].inverse,
        case .inverse(_, let order?) = layout.relationships[inverse],
        columns.compactMap(key.firstIndex).contains(where: { change.old[$0] != change.new[$0] })
      else { continue }
      try rows.setValues([.null], of: [order], in: place)
    }
  }

  // MARK: - The keys that change

  private func change(of row: Int64, _ entity: SchemaEntity, to identity: [SQLValue]) throws -> KeyChange? {
    let table = layout.entities[entity.index].table
    guard let old = try rows.key(of: RowLocation(table: table, row: row)) else { return nil }
    return KeyChange(
      root: layout.schema.entities[entity.root], table: table, row: row, old: old,
      new: layout.key(ofIdentity: identity, of: entity))
  }

  /// The keys that have a changed one in them, since the identities of their objects name it. Keys of objects that are not
  /// there, which others refer to, are among them.
  private func changes(with first: KeyChange) throws -> [KeyChange] {
    var result: [KeyChange] = []
    for (number, table) in layout.tables.enumerated() where table.root != first.root.index {
      let root = layout.schema.entities[table.root]
      let places = KeyPlaces(of: first.root, in: root, layout.schema)
      guard !places.groups.isEmpty else { continue }
      func change(of key: [SQLValue], _ row: Int64?) -> KeyChange {
        KeyChange(
          root: root, table: number, row: row, old: key,
          new: places.replacing(first.old, by: first.new, in: key))
      }
      let present = try rows.objects(inTable: number, naming: first.old, at: places)
      result += present.map { change(of: $0.key, $0.row) }
      let absent = try referredKeys(of: root, first, places).subtracting(present.map(\.key))
      result += absent.sorted { KeyText.text(of: $0) < KeyText.text(of: $1) }.map { change(of: $0, nil) }
    }
    return result
  }

  /// The keys of a root entity that others refer to, or that the store remembers.
  private func referredKeys(
    of root: SchemaEntity, _ first: KeyChange, _ places: KeyPlaces
  ) throws -> Set<[SQLValue]> {
    var result: Set<[SQLValue]> = []
    for relationship in layout.schema.relationships
    where layout.schema.entities[relationship.destination].root == root.index && !relationship.isIdentity {
      result.formUnion(try rows.targetKeys(of: relationship, naming: first.old, at: places))
    }
    for text in try rows.awaitedKeys(of: root) + (rows.journal()?.keys(of: root) ?? []) {
      guard let key = layout.identity(text, of: root), places.contain(first.old, in: key) else { continue }
      result.insert(key)
    }
    return result
  }

  /// The row of another object that has the new key of one; nil if there is none.
  private func otherHolder(of change: KeyChange) throws -> Int64? {
    let row = try rows.row(withKey: change.new, inTable: change.table)
    return row == change.row ? nil : row
  }
}

/// Where keys of one entity are in those of another.
package struct KeyPlaces {
  /// For each time that the key is in the other, the places of its values there.
  package let groups: [[Int]]

  package init(of entity: SchemaEntity, in other: SchemaEntity, _ schema: Schema) {
    groups = Self.groups(of: entity.root, in: other, schema)
  }

  private static func groups(of root: Int, in other: SchemaEntity, _ schema: Schema) -> [[Int]] {
    var result: [[Int]] = []
    for relationship in other.identityRelationships {
      let places = other.identity.indices.filter { other.identity[$0].relationship == relationship }
      let target = schema.entities[schema.relationships[relationship].destination]
      if target.root == root {
        result.append(places)
      } else {
        // Identities lead in no circle, and only a few steps far.
        result += groups(of: root, in: target, schema).map { $0.map { places[$0] } }
      }
    }
    return result
  }

  /// Whether a key has another in it.
  package func contain(_ key: [SQLValue], in other: [SQLValue]) -> Bool {
    groups.contains { $0.map { other[$0] } == key }
  }

  /// A key with another in place of one that is in it.
  package func replacing(_ old: [SQLValue], by new: [SQLValue], in key: [SQLValue]) -> [SQLValue] {
    var result = key
    for group in groups where group.map({ key[$0] }) == old {
      for (place, value) in zip(group, new) { result[place] = value }
    }
    return result
  }
}
