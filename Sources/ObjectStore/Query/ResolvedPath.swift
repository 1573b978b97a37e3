package import ObjectModel

/// A key path that a query orders by or selects, followed through the model: `label`, `band.name`,
/// `albums.label`, `albums.@count`.
package struct ResolvedPath {
  /// What is at the end of a path.
  package enum End {
    case attribute(Int, of: SchemaEntity)
    /// A relationship, of which the targets' identities are meant.
    case relationship(SchemaRelationship)
    /// What all that a path leads to give together.
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

  /// What an operator in a path makes of it; nil if there is none.
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
