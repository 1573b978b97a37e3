import ObjectModel

/// A model as a store of ours needs it to take over what a Core Data store has.
struct CoreDataAdaptation {
  private(set) var model: Model
  /// The changes, as sentences.
  private(set) var changes: [String] = []
  private let binding: CoreDataBinding
  private let handle: OpaquePointer

  init(
    _ model: Model, _ binding: CoreDataBinding, _ handle: OpaquePointer, _ identities: [CoreDataIdentity],
    externalAsNames: Bool
  ) throws {
    self.model = model
    self.binding = binding
    self.handle = handle
    for identity in identities { apply(identity) }
    try makeOptional()
    try relaxBrokenRules()
    try dropViolatedConstraints()
    if externalAsNames { nameExternalFiles() }
  }

  private func index(of entity: String) -> Int? { model.entities.firstIndex { $0.name == entity } }

  private mutating func apply(_ identity: CoreDataIdentity) {
    guard let index = index(of: identity.entity), let root = binding.schema.entity(identity.entity) else {
      return
    }
    if identity.isObjectID, let name = identity.attributes.first {
      model.entities[index].attributes.insert(Attribute(name: name, type: .string), at: 0)
    }
    model.entities[index].userInfo["broker.identity"] = identity.attributes.joined(separator: ",")
    // One identity holds for the whole table. What sub-entities say of theirs would contradict it.
    for member in binding.schema.family(of: root.index) where member != root.index {
      model.entities[member].userInfo["broker.identity"] = nil
      for attribute in model.entities[member].attributes.indices {
        model.entities[member].attributes[attribute].userInfo["broker.identity"] = nil
      }
    }
  }

  // MARK: - What is required and empty

  /// Core Data does not look again at what it has saved, so there may be nothing where the model requires something. The
  /// object is worth more than the rule.
  private mutating func makeOptional() throws {
    for index in model.entities.indices {
      guard let table = binding.rootTable(of: index) else { continue }
      let numbers = binding.numbers(of: index)
      guard !numbers.isEmpty, let place = binding.place(inFamilyOf: index)
      else { continue }
      makeOptionalWithoutColumn(index)
      let required = columns(required: index, place)
      guard !required.isEmpty else { continue }
      let counts = required.map { "sum(\(SQL.quoted($0.column)) IS NULL)" }.joined(separator: ", ")
      let statement = try PreparedStatement(
        "SELECT \(counts) FROM \(SQL.quoted(table)) WHERE Z_ENT IN (\(numbers.map(String.init).joined(separator: ",")))",
        on: handle)
      guard try statement.step() else { continue }
      for (column, property) in required.enumerated() {
        let count = statement.integer(column)
        if count > 0 { makeOptional(property, of: index, count) }
      }
    }
  }

  /// Makes optional what is required and has no column: no object has a value.
  private mutating func makeOptionalWithoutColumn(_ entity: Int) {
    let name = model.entities[entity].name
    let missing = binding.missing
    for index in model.entities[entity].attributes.indices {
      let attribute = model.entities[entity].attributes[index]
      guard !attribute.isOptional, missing.contains("\(name).\(attribute.name)") else { continue }
      model.entities[entity].attributes[index].isOptional = true
      changes.append(
        "\(name).\(attribute.name) is required by the model and has no column: it is optional now")
    }
    for index in model.entities[entity].relationships.indices {
      let relationship = model.entities[entity].relationships[index]
      guard !relationship.isOptional, missing.contains("\(name).\(relationship.name)") else { continue }
      model.entities[entity].relationships[index].isOptional = true
      changes.append(
        "\(name).\(relationship.name) is required by the model and has no place in the file: it is optional now"
      )
    }
  }

  private struct Required {
    let column: String
    let attribute: Int?
    let relationship: Int?
  }

  private func columns(required entity: Int, _ place: CoreDataBinding.EntityPlace) -> [Required] {
    let declared = model.entities[entity]
    let attributes = declared.attributes.enumerated().compactMap { index, attribute -> Required? in
      guard !attribute.isOptional, let column = place.attributes[attribute.name] else { return nil }
      return Required(column: column, attribute: index, relationship: nil)
    }
    let relationships = declared.relationships.enumerated().compactMap { index, relationship -> Required? in
      guard !relationship.isOptional, let column = place.toOnes[relationship.name] else { return nil }
      return Required(column: column, attribute: nil, relationship: index)
    }
    return attributes + relationships
  }

  private mutating func makeOptional(_ property: Required, of entity: Int, _ count: Int64) {
    var name = ""
    if let attribute = property.attribute {
      model.entities[entity].attributes[attribute].isOptional = true
      name = model.entities[entity].attributes[attribute].name
    } else if let relationship = property.relationship {
      model.entities[entity].relationships[relationship].isOptional = true
      name = model.entities[entity].relationships[relationship].name
    }
    changes.append(
      "\(model.entities[entity].name).\(name) is required by the model and empty in \(count)"
        + " \(count == 1 ? "object" : "objects"): it is optional now")
  }

  // MARK: - Rules that are broken

  private mutating func relaxBrokenRules() throws {
    for breach in try CoreDataRules(model, binding, handle).breaches() {
      switch breach {
      case .values(let entity, let index, let count):
        note(
          entity, model.entities[entity].attributes[index].name,
          "has bounds that \(Self.counted(count, "value")) exceed")
        model.entities[entity].attributes[index].minimum = nil
        model.entities[entity].attributes[index].maximum = nil
      case .pattern(let entity, let index, let count):
        note(
          entity, model.entities[entity].attributes[index].name,
          "has a pattern that \(Self.counted(count, "value")) do not match")
        model.entities[entity].attributes[index].pattern = nil
      case .links(let entity, let index, let count):
        let relationship = model.entities[entity].relationships[index]
        let words = relationship.isToMany ? "has a number of objects" : "is required by the model,"
        changes.append(
          "\(model.entities[entity].name).\(relationship.name) \(words) that \(Self.counted(Int(count), "object"))"
            + " \(count == 1 ? "lacks" : "lack"): it is optional now")
        model.entities[entity].relationships[index].isOptional = true
        model.entities[entity].relationships[index].minimumCount = nil
        if relationship.isToMany { model.entities[entity].relationships[index].maximumCount = nil }
      }
    }
  }

  private mutating func note(_ entity: Int, _ property: String, _ words: String) {
    changes.append("\(model.entities[entity].name).\(property) \(words): the rule is left out")
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  // MARK: - What is to be unique and is not

  private mutating func dropViolatedConstraints() throws {
    for index in model.entities.indices {
      let numbers = binding.numbers(of: index).map(String.init).joined(separator: ", ")
      guard let place = binding.place(inFamilyOf: index) else { continue }
      let declared = model.entities[index].uniquenessConstraints
      let kept = try declared.filter { names in
        let columns = names.compactMap { place.attributes[$0] ?? place.toOnes[$0] }.map(SQL.quoted)
        guard columns.count == names.count, !columns.isEmpty else { return true }
        let all = columns.joined(separator: ", ")
        let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let statement = try PreparedStatement(
          """
          SELECT 1 FROM \(SQL.quoted(place.table)) WHERE Z_ENT IN (\(numbers)) AND \(present)
          GROUP BY \(all) HAVING count(*) > 1 LIMIT 1
          """, on: handle)
        return try !statement.step()
      }
      guard kept.count < declared.count else { continue }
      model.entities[index].uniquenessConstraints = kept
      changes.append(
        "\(model.entities[index].name) has a uniqueness constraint that its objects do not keep: it is left out"
      )
    }
  }

  /// Makes optional what another model has as optional: what was empty once may be so in the store still.
  mutating func keepOptional(as other: Model) {
    for entity in model.entities.indices {
      guard let known = other[entity: model.entities[entity].name] else { continue }
      for index in model.entities[entity].attributes.indices {
        guard let attribute = known[attribute: model.entities[entity].attributes[index].name] else {
          continue
        }
        if attribute.isOptional { model.entities[entity].attributes[index].isOptional = true }
        if attribute.minimum == nil { model.entities[entity].attributes[index].minimum = nil }
        if attribute.maximum == nil { model.entities[entity].attributes[index].maximum = nil }
        if attribute.pattern == nil { model.entities[entity].attributes[index].pattern = nil }
      }
      for index in model.entities[entity].relationships.indices {
        let name = model.entities[entity].relationships[index].name
        guard let relationship = known[relationship: name] else { continue }
        if relationship.isOptional { model.entities[entity].relationships[index].isOptional = true }
        if relationship.minimumCount == nil { model.entities[entity].relationships[index].minimumCount = nil }
        if relationship.maximumCount == nil { model.entities[entity].relationships[index].maximumCount = nil }
      }
    }
  }

  // MARK: - Values in files

  /// Attributes whose values are kept as files hold the names of these.
  private mutating func nameExternalFiles() {
    for entity in model.entities.indices {
      for index in model.entities[entity].attributes.indices
      where model.entities[entity].attributes[index].mayBeExternal {
        model.entities[entity].attributes[index].type = .string
        model.entities[entity].attributes[index].defaultValue = nil
      }
    }
  }
}

extension Attribute {
  /// The name in models of the flag for values in files of their own.
  static let externalFlag = "allowsExternalBinaryDataStorage"

  /// Whether Core Data may keep its values in files of their own.
  var mayBeExternal: Bool {
    guard type == .binary, let value = other[Self.externalFlag] else { return false }
    return ["yes", "true", "1"].contains(value.lowercased())
  }
}
