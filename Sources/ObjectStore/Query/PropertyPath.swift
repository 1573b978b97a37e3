package import ObjectModel

/// A key path followed through the model, name by name.
///
/// Conditions, orders and selections all follow theirs here.
package struct PropertyPath {
  package enum End {
    /// An attribute, by its index in the entity.
    case attribute(Int, of: SchemaEntity)
    /// A member of an attribute that holds JSON, by its keys.
    case member(Int, of: SchemaEntity, keys: [String])
    case relationship(SchemaRelationship)
    /// The object itself, of a path without names.
    case object(SchemaEntity)
  }

  /// A name that leads no further.
  package struct Failure: Error {
    enum Reason {
      case unknown
      case tooLong
    }

    let reason: Reason
    /// The place of the name in the path.
    let index: Int
    /// The entity that it was looked for in.
    let entity: SchemaEntity
  }

  /// The relationships that are passed on the way to the end.
  package let passed: [SchemaRelationship]
  package let end: End

  /// SQLite joins 64 tables at most, and a relationship may be kept in one of its own.
  static let mostRelationships = 30

  package init(_ names: [String], from entity: SchemaEntity, _ layout: Layout) throws(Failure) {
    var passed: [SchemaRelationship] = []
    var current = entity
    var rest = names[...]
    while !rest.isEmpty {
      // Names may have dots in them, as those of the parts of a composite have.
      if let attribute = current.attribute(rest.joined(separator: ".")) {
        self.passed = passed
        end = .attribute(attribute, of: current)
        return
      }
      if let (attribute, count) = Self.holder(of: rest, in: current) {
        self.passed = passed
        end = .member(attribute, of: current, keys: Array(rest.dropFirst(count)))
        return
      }
      guard let (relationship, count) = Self.relationship(rest, of: current, layout) else {
        throw Failure(reason: .unknown, index: rest.startIndex, entity: current)
      }
      guard passed.count < Self.mostRelationships else {
        throw Failure(reason: .tooLong, index: rest.startIndex, entity: current)
      }
      rest = rest.dropFirst(count)
      if rest.isEmpty {
        self.passed = passed
        end = .relationship(relationship)
        return
      }
      passed.append(relationship)
      current = layout.schema.entities[relationship.destination]
    }
    self.passed = passed
    end = .object(current)
  }

  /// The attribute with the longest name that the names begin with and go on behind, if it holds JSON, and how many of
  /// them are its name.
  private static func holder(
    of names: ArraySlice<String>, in entity: SchemaEntity
  ) -> (attribute: Int, count: Int)? {
    var found: (attribute: Int, count: Int)?
    for (index, attribute) in entity.attributes.enumerated() {
      guard let count = count(of: attribute.name, in: names), count < names.count, count > found?.count ?? 0
      else {
        continue
      }
      found = (index, count)
    }
    guard let found, ComparedType(entity.attributes[found.attribute].type) == .json else { return nil }
    return found
  }

  /// How many names are a property's, which may have dots in it; nil if they do not begin with it.
  private static func count(of property: String, in names: ArraySlice<String>) -> Int? {
    if property == names.first { return 1 }
    guard property.contains(".") else { return nil }
    let parts = property.split(separator: ".", omittingEmptySubsequences: false)
    return names.starts(with: parts, by: { $0 == $1 }) ? parts.count : nil
  }

  /// The relationship that the names begin with, and how many of them are its name.
  private static func relationship(
    _ names: ArraySlice<String>, of entity: SchemaEntity, _ layout: Layout
  ) -> (SchemaRelationship, Int)? {
    var found: (SchemaRelationship, Int)?
    for index in entity.relationships {
      let relationship = layout.schema.relationships[index]
      guard let count = count(of: relationship.name, in: names), count > found?.1 ?? 0 else { continue }
      found = (relationship, count)
    }
    return found
  }
}

extension PropertyPath.Failure {
  /// The mistake in the path.
  package func message(_ names: [String], _ layout: Layout) -> String {
    switch reason {
    case .tooLong: "A key path can pass \(PropertyPath.mostRelationships) relationships and no more."
    case .unknown: UnknownName(names: Array(names[index...]), entity: entity, layout: layout).message
    }
  }
}

/// A name that leads nowhere.
private struct UnknownName {
  let names: [String]
  let entity: SchemaEntity
  let layout: Layout

  private var name: String { names.first ?? "" }

  var message: String {
    if entity.attribute(name) != nil, names.count > 1 {
      return "\(entity.name).\(name) is an attribute, so nothing can follow it."
    }
    let parts = entity.attributes.map(\.name).filter { $0.hasPrefix(name + ".") }
    if let first = parts.first {
      guard names.count > 1 else {
        return "\(entity.name).\(name) is a composite: name a part of it, \(first)."
      }
      return unknown(names.joined(separator: "."), among: parts)
    }
    if isTransient { return "\(entity.name).\(name) is transient, so the store does not have it." }
    let relationships = entity.relationships.map { layout.schema.relationships[$0].name }
    return unknown(name, among: entity.attributes.map(\.name) + relationships)
  }

  private func unknown(_ name: String, among names: [String]) -> String {
    let hint = nearestName(to: name, in: names).map { " Did you mean \($0)?" } ?? ""
    return "\(entity.name) has no property \(Excerpt.of(name)).\(hint)"
  }

  private var isTransient: Bool {
    entity.ancestry.contains { index in
      let ancestor = layout.schema.entities[index].name
      let declared = layout.schema.model.entities.first { $0.name == ancestor }
      return declared?.attributes.contains { $0.name == name && $0.isTransient } ?? false
    }
  }
}

/// A key path that a query orders by or selects, followed through the model: `label`, `band.name`,
/// `albums.label`, `albums.@count`.
package struct ResolvedPath {
  /// The end of a path.
  package enum End {
    case attribute(Int, of: SchemaEntity)
    /// A relationship, of which the targets' identities are meant.
    case relationship(SchemaRelationship)
    /// An aggregate of all that a path leads to.
    case aggregate(Aggregate, PredicatePath)
  }

  /// The path as it was written.
  package let text: String
  /// The relationships that are passed, the one at the end not among them unless its target has to be
  /// looked at for its key.
  package private(set) var relationships: [Int] = []
  package let end: End
  /// Whether it passes, or ends in, a to-many relationship.
  package private(set) var isToMany = false

  /// Follows a key path from an entity.
  ///
  /// - Throws: ``StoreError`` at the first name that is no property, with the nearest one.
  package init(_ text: String, from entity: SchemaEntity, _ layout: Layout) throws {
    self.text = text
    if text.contains("@"), let (aggregate, path) = try Self.aggregate(text) {
      end = .aggregate(aggregate, path)
      return
    }
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let path = try Self.path(names, entity, layout)
    relationships = path.passed.map(\.index)
    isToMany = path.passed.contains(where: \.isToMany)
    switch path.end {
    case .attribute(let attribute, let entity): end = .attribute(attribute, of: entity)
    case .relationship(let relationship):
      isToMany = isToMany || relationship.isToMany
      if case .foreignKey = layout.relationships[relationship.index] {
      } else {
        relationships.append(relationship.index)
      }
      end = .relationship(relationship)
    case .member(let attribute, let owner, let keys):
      throw StoreError.invalid(
        "\(owner.name).\(owner.attributes[attribute].name) holds JSON. Conditions can ask for \(keys.joined(separator: "."))"
          + " in it; orders and selections take the attribute as a whole.")
    case .object: throw StoreError.invalid("A key path cannot be empty.")
    }
  }

  private static func path(
    _ names: [String], _ entity: SchemaEntity, _ layout: Layout
  ) throws -> PropertyPath {
    do throws(PropertyPath.Failure) {
      return try PropertyPath(names, from: entity, layout)
    } catch {
      throw StoreError.invalid(error.message(names, layout))
    }
  }

  /// The aggregate of an operator in a path; nil if there is none.
  private static func aggregate(_ text: String) throws -> (Aggregate, PredicatePath)? {
    do throws(ObjectPredicateError) {
      let pieces = KeyPathComponents(KeyPathComponents.pieces(of: text, at: .none), in: text)
      guard case .aggregate(let aggregate, let path) = try pieces.expression(nil, .none).kind else {
        return nil
      }
      return (aggregate, path)
    } catch {
      throw StoreError.invalid(error.message)
    }
  }

  /// Leads to a property of the entity itself.
  package init(attribute: SchemaAttribute, of entity: SchemaEntity) {
    text = attribute.name
    end = .attribute(entity.attribute(attribute.name) ?? 0, of: entity)
  }

  /// The columns that hold the value, or the parts of the key, at the end; none of what is counted together.
  package func columns(_ layout: Layout) -> [Column] {
    switch end {
    case .attribute(let attribute, let entity): return [layout.column(of: attribute, in: entity)]
    case .relationship(let relationship):
      if case .foreignKey(let columns) = layout.relationships[relationship.index] {
        let table = layout.table(of: relationship.owner)
        return columns.map { table.columns[$0] }
      }
      let table = layout.table(of: relationship.destination)
      return table.key.map { table.columns[$0] }
    case .aggregate: return []
    }
  }

  /// The types of the value, or of the parts of the key, at the end.
  package func types(_ layout: Layout, from entity: SchemaEntity) -> [AttributeType] {
    switch end {
    case .relationship(let relationship):
      let target = layout.schema.entities[relationship.destination]
      if target.isIdentifiedBelowRoot { return target.identity.map(\.type) }
      return columns(layout).map(\.type)
    case .attribute: return columns(layout).map(\.type)
    case .aggregate(.count, _): return [.integer64]
    case .aggregate(let aggregate, let path):
      let last = try? PropertyPath(path.names.map(\.text), from: entity, layout)
      guard case .attribute(let attribute, let owner) = last?.end else { return [.undefined] }
      let type = owner.attributes[attribute].type
      return [aggregate == .average && type != .decimal ? .double : type]
    }
  }

  /// The entity whose objects a foreign key at the end may lack; nil if there is no foreign key.
  package func pendingReference(_ layout: Layout) -> Int? {
    guard case .relationship(let relationship) = end,
      case .foreignKey = layout.relationships[relationship.index]
    else { return nil }
    return relationship.destination
  }
}
