package import ObjectModel

/// Which tables and columns Core Data gives a model.
package struct StoreLayout: Sendable {
  /// The column of a property, and what stands beside it.
  package struct Column: Sendable, Hashable {
    package var name: String
    /// `Z10_QUOTE`: the number of the entity that a to-one relationship leads to.
    package var entityColumn: String?
    /// `Z_FOK_BAND`: the place in the list that leads here.
    package var orderColumn: String?
    var type: String
  }

  /// A table of links.
  package struct JoinTable: Sendable, Hashable {
    package var name: String
    /// The relationship whose objects have the other's keys in ``ownerColumn``.
    var entity: String
    var relationship: String
    /// Where the keys of the objects that it leads to are.
    package var targetColumn: String
    package var ownerColumn: String
    /// The place of the target in its owner's list.
    var targetOrder: String?
    /// The place of the owner in the target's list.
    var ownerOrder: String?
  }

  let model: Model
  /// `Z_ENT` of each entity.
  package private(set) var numbers: [String: Int64] = [:]
  /// The columns of each entity's own properties.
  package private(set) var columns: [String: [String: Column]] = [:]
  package private(set) var joinTables: [JoinTable] = []

  package init(_ model: Model) {
    self.model = model
    for (index, name) in model.entities.map(\.name).sorted().enumerated() { numbers[name] = Int64(index + 1) }
    for root in model.entities where root.parent == nil { addColumns(of: root) }
    addJoinTables()
  }

  package func root(of entity: String) -> String {
    var name = entity
    while let parent = model[entity: name]?.parent { name = parent }
    return name
  }

  package func table(of entity: String) -> String { "Z" + root(of: entity).uppercased() }

  /// An entity and those above it, itself first.
  func line(of entity: String) -> [Entity] {
    var line: [Entity] = []
    var next = model[entity: entity]
    while let current = next {
      line.append(current)
      next = current.parent.flatMap { model[entity: $0] }
    }
    return line
  }

  /// The entities of a table, by their numbers.
  func family(of root: String) -> [Entity] {
    model.entities.filter { self.root(of: $0.name) == root }.sorted { number($0.name) < number($1.name) }
  }

  package func number(_ entity: String) -> Int64 { numbers[entity] ?? 0 }

  /// The column of a property that an entity has or inherits.
  package func column(_ property: String, of entity: String) -> Column? {
    line(of: entity).lazy.compactMap { columns[$0.name]?[property] }.first
  }

  func relationship(_ name: String, of entity: String) -> (owner: Entity, relationship: Relationship)? {
    for entity in line(of: entity) {
      if let relationship = entity[relationship: name] { return (entity, relationship) }
    }
    return nil
  }

  // MARK: - Columns

  private mutating func addColumns(of root: Entity) {
    // How many columns of the table have a name already: the first has no digit, the next 1, and so on.
    var uses: [String: Int] = [:]
    for entity in family(of: root.name) {
      for attribute in entity.attributes where !attribute.isTransient {
        add(attribute, of: entity.name, &uses)
      }
      for relationship in entity.relationships where !relationship.isToMany && !relationship.isTransient {
        let suffix = suffix(for: relationship.name, &uses)
        let name = relationship.name.uppercased() + suffix
        var column = Column(name: "Z" + name, type: "INTEGER")
        if hasRelatives(relationship.destination) {
          column.entityColumn = "Z\(number(relationship.destination))_" + name
        }
        if let inverse = inverse(of: relationship), inverse.isToMany, inverse.isOrdered {
          column.orderColumn = "Z_FOK_" + name
        }
        columns[entity.name, default: [:]][relationship.name] = column
      }
    }
  }

  private mutating func add(_ attribute: Attribute, of entity: String, _ uses: inout [String: Int]) {
    if case .composite(let name) = attribute.type {
      for part in model.composites.first(where: { $0.name == name })?.attributes ?? [] {
        add(part, of: entity, &uses)
      }
      return
    }
    let name = "Z" + attribute.name.uppercased() + suffix(for: attribute.name, &uses)
    columns[entity, default: [:]][attribute.name] = Column(name: name, type: Self.type(of: attribute.type))
  }

  private func suffix(for name: String, _ uses: inout [String: Int]) -> String {
    let count = uses[name.uppercased(), default: 0]
    uses[name.uppercased()] = count + 1
    return count == 0 ? "" : String(count)
  }

  private func hasRelatives(_ entity: String) -> Bool {
    model[entity: entity]?.parent != nil || model.entities.contains { $0.parent == entity }
  }

  func inverse(of relationship: Relationship) -> Relationship? {
    relationship.inverse.flatMap { self.relationship($0, of: relationship.destination)?.relationship }
  }

  private static func type(of type: AttributeType) -> String {
    switch type {
    case .boolean, .integer16, .integer32, .integer64: "INTEGER"
    case .decimal: "DECIMAL"
    case .double, .float: "FLOAT"
    case .string, .uri: "VARCHAR"
    case .date: "TIMESTAMP"
    case .binary, .uuid, .transformable, .undefined, .composite: "BLOB"
    }
  }

  // MARK: - Join tables

  private mutating func addJoinTables() {
    var names: [String: Int] = [:]
    func unique(_ name: String) -> String {
      let count = names[name, default: 0]
      names[name] = count + 1
      return count == 0 ? name : name + String(count)
    }
    var done: Set<String> = []
    for entity in model.entities.sorted(by: { number($0.name) < number($1.name) }) {
      for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
        guard let name = relationship.inverse,
          let (owner, inverse) = self.relationship(name, of: relationship.destination), inverse.isToMany,
          done.insert("\(entity.name).\(relationship.name)").inserted
        else { continue }
        done.insert("\(owner.name).\(inverse.name)")
        let isOwnInverse = owner.name == entity.name && inverse.name == relationship.name
        let target = "\(number(relationship.destination))" + relationship.name.uppercased()
        let source = "\(number(inverse.destination))" + inverse.name.uppercased()
        let targetColumn = unique("Z_" + target)
        let ownerColumn = isOwnInverse ? "REFLEXIVE" : unique("Z_" + source)
        joinTables.append(
          JoinTable(
            name: "Z_\(number(entity.name))" + relationship.name.uppercased(), entity: entity.name,
            relationship: relationship.name, targetColumn: targetColumn, ownerColumn: ownerColumn,
            targetOrder: relationship.isOrdered ? "Z_FOK_" + targetColumn.dropFirst(2) : nil,
            ownerOrder: inverse.isOrdered && !isOwnInverse ? "Z_FOK_" + ownerColumn.dropFirst(2) : nil))
      }
    }
  }
}
