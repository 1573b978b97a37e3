package import ObjectModel

/// What a cursor has of each object of a query. Some of these are several columns; see ``width(_:of:)``.
package enum SelectedColumn: Sendable {
  /// The number of the object's row.
  case row
  /// The name of the object's entity; null where all objects of the table are of one.
  case kind
  /// The object's key, as the store has it.
  case key
  /// All columns of the table, in their order.
  case stored
  /// The value, or the parts of the identity, at the end of a path to one; null where that is an object that has not
  /// arrived.
  case value(ResolvedPath)
  /// As ``value(_:)``, but references to objects that have not arrived too.
  case reference(ResolvedPath)
  /// The row of the object that a path to one leads to; null if it is not there.
  case targetRow(ResolvedPath)
  /// The row of the object whose relationship led to this one, in a query of related objects.
  case ownerRow
  /// How well the object fits what is searched for, the least the best.
  case rank

  /// How many columns it is.
  package func width(_ layout: Layout, of entity: SchemaEntity) -> Int {
    switch self {
    case .row, .kind, .targetRow, .ownerRow, .rank: 1
    case .key: layout.table(of: entity.index).key.count
    case .stored: layout.table(of: entity.index).columns.count
    case .value(let path), .reference(let path): path.types(layout, from: entity).count
    }
  }
}
