package import ObjectModel

/// The objects that a relationship leads to from some objects.
package struct RelatedObjects: Sendable {
  package enum Owners: Sendable {
    /// The one with this key, as the store keeps it.
    case key([SQLValue])
    /// Those in these rows.
    case rows([Int64])
  }

  package let relationship: SchemaRelationship
  package let owners: Owners

  package init(_ relationship: SchemaRelationship, of owners: Owners) {
    self.relationship = relationship
    self.owners = owners
  }
}
