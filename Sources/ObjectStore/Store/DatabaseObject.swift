/// A table or an index of a store.
package struct DatabaseObject: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case table
    case index
    case uniqueIndex
  }

  package var name: String
  package var kind: Kind
  /// The table; of an index, the one that it belongs to.
  package var table: String
  /// The columns of an index; empty where it is made of expressions.
  package var columns: [String]
  /// The bytes of its pages; nil if that cannot be told.
  package var bytes: Int?

  package init(name: String, kind: Kind, table: String, columns: [String], bytes: Int?) {
    (self.name, self.kind, self.table) = (name, kind, table)
    (self.columns, self.bytes) = (columns, bytes)
  }
}
