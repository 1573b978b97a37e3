public import Mapping
import ObjectModel
import ObjectStore

extension WriteTransaction {
  /// Saves the values of an object: updates the object with its identity, or inserts a new one.
  ///
  /// Other properties keep their values. In a new object, they get their defaults.
  ///
  /// - Returns: The object as it is in the store.
  /// - Throws: ``SaveError`` if a value is not what the model allows; ``StoreError`` for names that are not in it.
  @discardableResult
  public func save(_ object: Object) throws -> Object {
    let entity = try entity(named: object.entity)
    let row = try write(over: try existingRow(of: object, entity)) { draft in
      try draft.add(object, entity)
    }
    return try self.object(inRow: row, of: entity)
  }

  /// Deletes the object of an entity with an identity, and other objects by its delete rules.
  ///
  /// - Throws: ``ObjectNotFound`` if there is none; ``SaveError`` if a rule denies it; ``StoreError`` if there is no
  ///   such entity or it has no identity.
  public func delete(_ entity: String, _ identity: String) throws {
    guard let found = try transaction.find(entity, identity: identity) else {
      throw ObjectNotFound(object: ObjectReference(entity: entity, identity: identity))
    }
    try delete(found.rowID, of: transaction.layout.schema.entities[found.entity])
  }

  /// Deletes the objects of a query, and other objects by their delete rules.
  ///
  /// - Returns: How many objects of the query were deleted.
  /// - Throws: ``SaveError`` if a rule denies one, and then none is deleted; ``StoreError`` for names that are not in the model.
  @discardableResult
  public func delete(_ query: ObjectQuery) throws -> Int {
    try delete(transaction.rows(of: query.stored), of: transaction.layout.entity(named: query.entity))
  }

  /// Imports JSON as a part of the transaction.
  ///
  /// - Parameters:
  ///   - json: The JSON: `Data`, a `String`, a file's `URL`, any ``ImportSource``.
  ///   - entity: What its objects are.
  ///   - options: How to go about it.
  /// - Throws: ``ImportError`` if the JSON cannot be read, ``PlanError`` if the mapping contradicts itself.
  @discardableResult
  public func `import`(
    _ json: some JSONInput, as entity: String, options: ImportOptions = ImportOptions()
  ) throws -> Report {
    var options = options
    options.entity = entity
    return try `import`(json, options: options)
  }

  private func entity(named name: String) throws -> SchemaEntity {
    try transaction.layout.entity(named: name)
  }

  private func existingRow(of object: Object, _ entity: SchemaEntity) throws -> Int64? {
    guard entity.hasIdentity else { return object.identity.flatMap { Int64($0) } }
    var parts: [SQLValue] = []
    for part in entity.identity where part.place == 0 {
      guard let values = object.identityValues(of: part, in: transaction.layout.schema) else { return nil }
      parts += values
    }
    return try transaction.find(entity.name, identity: KeyText.text(of: parts))?.rowID
  }

  private func object(inRow row: Int64, of entity: SchemaEntity) throws -> Object {
    let reader = try ObjectReader(of: entity, transaction.layout)
    let cursor = try transaction.keptCursor(StoredQuery(entity.name, .givenRow), reader.selected)
    cursor.bind(row, at: 1)
    guard try cursor.step() else {
      throw ObjectNotFound(object: ObjectReference(entity: entity.name, identity: String(row)))
    }
    defer { cursor.reset() }
    return reader.object(cursor)
  }
}

extension ObjectDraft {
  /// Adds an object with its values.
  ///
  /// - Throws: ``StoreError`` for a name that is not in the model.
  func add(_ object: Object, _ entity: SchemaEntity) throws -> Int {
    let row = addRow(entity)
    restoring.append(RestoredValues(of: entity))
    let identity = layout.schema.identityNames(of: entity)
    for name in identity where object[name] ?? .null == .null {
      note(name, of: row, expected: "an identity", found: "nothing")
    }
    // The identity comes first, for messages.
    let rest = object.values.keys.filter { !identity.contains($0) }.sorted()
    for name in identity + rest {
      guard let value = object[name] else { continue }
      if let attribute = entity.attribute(name) {
        set(attribute, entity.attributes[attribute], of: row, to: value)
      } else {
        try set(try transaction.relationship(name, of: entity), of: row, to: value)
      }
    }
    return row
  }

  private func set(_ index: Int, _ attribute: SchemaAttribute, of row: Int, to value: Object.Value) {
    guard value != .null else { return set(index, of: row, to: nil) }
    guard let stored = value.stored(as: attribute.type) else {
      return note(attribute.name, of: row, expected: "\(attribute.type)", found: value.text)
    }
    set(index, of: row, to: stored)
  }

  private func set(_ relationship: SchemaRelationship, of row: Int, to value: Object.Value) throws {
    switch value {
    case .null where !relationship.isToMany: try set(relationship, of: row, to: [SQLValue]?.none)
    case .link(let identity) where !relationship.isToMany:
      if let key = key(identity, of: relationship, row) { try set(relationship, of: row, to: key) }
    case .links(let identities) where relationship.isToMany:
      let keys = identities.compactMap { key($0, of: relationship, row) }
      addList(relationship, to: row, keys: keys)
    default:
      note(
        relationship.name, of: row, expected: relationship.isToMany ? "links" : "a link", found: value.text)
    }
  }

  /// The parts of a key from its text.
  private func key(_ text: String, of relationship: SchemaRelationship, _ row: Int) -> [SQLValue]? {
    let target = layout.schema.entities[relationship.destination]
    guard target.hasIdentity else { return Int64(text).map { [.integer($0)] } }
    guard let values = Object.Value.identity(text, of: target) else {
      note(relationship.name, of: row, expected: "an identity of \(target.name)", found: "\"\(text)\"")
      return nil
    }
    return values
  }
}

extension Object {
  /// The values of an identity that the object gives by an attribute or a link; nil if it does not give them all.
  fileprivate func identityValues(of part: IdentityPart, in schema: Schema) -> [SQLValue]? {
    guard let index = part.relationship else {
      return (self[part.name] ?? .null).stored(as: part.type).map { [$0] }
    }
    let relationship = schema.relationships[index]
    guard case .link(let identity)? = self[relationship.name] else { return nil }
    return Value.identity(identity, of: schema.entities[relationship.destination])
  }
}

extension Object.Value {
  /// The values of an identity that is given as text; nil if it is none of the entity.
  fileprivate static func identity(_ text: String, of entity: SchemaEntity) -> [SQLValue]? {
    let parts = KeyText.split(text, count: entity.identity.count) ?? []
    let values = zip(entity.identity, parts).compactMap { part, text in
      Self(keyPart: text, part.type).stored(as: part.type)
    }
    return values.count == entity.identity.count ? values : nil
  }

  /// One part of an identity, from its text.
  fileprivate init(keyPart text: String, _ type: AttributeType) {
    switch type {
    case .boolean, .integer16, .integer32, .integer64: self = Int64(text).map(Self.integer) ?? .string(text)
    case .float, .double: self = Double(text).map(Self.double) ?? .string(text)
    default: self = .string(text)
    }
  }
}
