import ObjectModel
import ObjectStore

/// How a type's properties lie in a store: made once for each connection.
final class TypePlan<Root: Storable>: Sendable {
  let entity: SchemaEntity
  /// Where each property of the type is, in their order.
  let places: [PropertyPlace]
  /// By attribute, what a stored value becomes that is read and saved again.
  let restoring: RestoredValues

  /// - Throws: ``TypeError`` if the store's model has no such entity or property.
  init(_ layout: Layout) throws {
    guard let entity = layout.schema.entity(Root.entityName) else {
      throw TypeError(
        ["\(Root.entityName) is no entity of the store: name its type when the store is opened"])
    }
    self.entity = entity
    restoring = RestoredValues(of: Root.self)
    places = try Root.properties.all.map { property in
      switch property.form {
      case .inherited: return .inherited
      case .attribute:
        guard let index = entity.attribute(property.name) else { break }
        return .attribute(index)
      case .relationship:
        let found = entity.relationships.first { layout.schema.relationships[$0].name == property.name }
        guard let found else { break }
        return .relationship(layout.schema.relationships[found])
      }
      throw TypeError(["\(Root.entityName).\(property.name) is not in the store's model"])
    }
  }
}

/// Where a property is.
enum PropertyPlace: Sendable {
  /// An attribute, by its index.
  case attribute(Int)
  case relationship(SchemaRelationship)
  /// The inherited entity's object, in the same row.
  case inherited
}

/// What is selected of objects of a type, and where it will be.
struct TypeColumns {
  private(set) var expressions: [String]
  let layout: RowLayout
  /// The columns with the rows of the objects that relationships lead to.
  private(set) var targetRows: [RelationshipPlace: Int] = [:]

  /// - Parameters:
  ///   - linked: The relationships to one object whose objects' rows are selected too.
  ///   - builder: Gets the joins that the columns need. Its own objects are the type's.
  init<Root: Storable>(
    of type: Root.Type, linked: Set<RelationshipPlace> = [], in builder: inout QueryBuilder
  ) throws {
    var selection = Selection(linked: linked)
    let table = builder.layout.table(of: builder.entity.index)
    selection.expressions += table.key.map { "t0.\(SQL.quoted(table.columns[$0].name))" }
    selection.key = 1..<selection.expressions.count
    if table.holdsMixedKeys { selection.storedKey = 1 }
    layout = try selection.add(type, depth: 0, &builder)
    expressions = selection.expressions
    targetRows = selection.targetRows
  }
}

/// What is selected, while it is put together.
private struct Selection {
  let linked: Set<RelationshipPlace>
  var expressions = ["t0.rowid"]
  var key = 0..<0
  var storedKey: Int?
  var targetRows: [RelationshipPlace: Int] = [:]

  init(linked: Set<RelationshipPlace>) { self.linked = linked }

  /// - Parameter depth: How many types inherit from this one.
  mutating func add<Root: Storable>(
    _ type: Root.Type, depth: Int, _ builder: inout QueryBuilder
  ) throws -> RowLayout {
    let plan = try TypePlan<Root>(builder.layout)
    var columns: [Int] = []
    var inherited: RowLayout?
    for (index, (property, place)) in zip(Root.properties.all, plan.places).enumerated() {
      columns.append(expressions.count)
      switch (place, property.form) {
      case (.attribute, _):
        expressions += try builder.columns(
          of: try ResolvedPath(property.name, from: builder.entity, builder.layout))
      case (.relationship(let relationship), .relationship(let form)) where !relationship.isToMany:
        let path = try ResolvedPath(relationship.name, from: builder.entity, builder.layout)
        try add(path, form, RelationshipPlace(depth: depth, index: index), &builder)
      case (.inherited, .inherited(let parent)):
        inherited = try add(parent, depth: depth + 1, &builder)
      default: break
      }
    }
    return RowLayout(
      entity: Root.entityName, names: Root.properties.all.map(\.name), columns: columns, key: key,
      storedKey: storedKey, inherited: inherited)
  }

  private mutating func add(
    _ path: ResolvedPath, _ form: RelationshipForm, _ place: RelationshipPlace, _ builder: inout QueryBuilder
  ) throws {
    guard linked.contains(place) else {
      // What has not arrived reads as null, where the type has room for that.
      expressions += try form.isOptional ? builder.columns(of: path) : builder.keyColumns(of: path)
      return
    }
    // The row tells whether it has arrived.
    expressions += try builder.keyColumns(of: path)
    targetRows[place] = expressions.count
    expressions.append(try builder.targetRow(of: path))
  }
}
