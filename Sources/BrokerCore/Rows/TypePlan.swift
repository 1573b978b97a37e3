import ObjectModel
import ObjectStore

/// How a type's properties lie in a store: made once for each connection.
final class TypePlan<Root: Storable>: Sendable {
  let entity: SchemaEntity
  /// Where each property of the type is, in their order.
  let places: [PropertyPlace]

  /// - Throws: ``TypeError`` if the store's model has no such entity or property.
  init(_ layout: Layout) throws {
    guard let entity = layout.schema.entity(Root.entityName) else {
      throw TypeError(
        ["\(Root.entityName) is no entity of the store: name its type when the store is opened"])
    }
    self.entity = entity
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

  /// - Parameter builder: Gets the joins that the columns need. Its own objects are the type's.
  init<Root: Storable>(of type: Root.Type, in builder: inout QueryBuilder) throws {
    var expressions = ["t0.rowid"]
    let table = builder.layout.table(of: builder.entity.index)
    let key = 1..<1 + table.key.count
    expressions += table.key.map { "t0.\(SQL.quoted(table.columns[$0].name))" }
    layout = try Self.add(type, to: &expressions, key: key, &builder)
    self.expressions = expressions
  }

  private static func add<Root: Storable>(
    _ type: Root.Type, to expressions: inout [String], key: Range<Int>, _ builder: inout QueryBuilder
  ) throws -> RowLayout {
    let plan = try TypePlan<Root>(builder.layout)
    var columns: [Int] = []
    var inherited: RowLayout?
    for (property, place) in zip(Root.properties.all, plan.places) {
      columns.append(expressions.count)
      switch (place, property.form) {
      case (.attribute, _):
        expressions += try builder.columns(
          of: try ResolvedPath(property.name, from: builder.entity, builder.layout))
      case (.relationship(let relationship), .relationship(let form)) where !relationship.isToMany:
        let path = try ResolvedPath(relationship.name, from: builder.entity, builder.layout)
        // What has not arrived reads as null, where the type has room for that.
        expressions += try form.isOptional ? builder.columns(of: path) : builder.keyColumns(of: path)
      case (.inherited, .inherited(let parent)):
        inherited = try add(parent, to: &expressions, key: key, &builder)
      default: break
      }
    }
    return RowLayout(
      entity: Root.entityName, names: Root.properties.all.map(\.name), columns: columns, key: key,
      inherited: inherited)
  }
}
