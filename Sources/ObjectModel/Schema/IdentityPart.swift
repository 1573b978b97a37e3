/// One value of an identity: that of an attribute, or a value of the identity of the object that a to-one relationship
/// leads to.
package struct IdentityPart: Sendable {
  /// The attribute; for a value of another object, the names on the way joined by dots: `crate.id`.
  package let name: String
  /// The attribute, as an index into ``SchemaEntity/attributes``; nil for a value of another object.
  package let attribute: Int?
  /// The relationship that leads to the other object, as an index into ``Schema/relationships``.
  package let relationship: Int?
  /// Which value of the other object's identity it is.
  package let place: Int
  /// What the model says of the value.
  package let type: AttributeType
  /// The attribute that has the value, by its entity and its index there.
  package let source: AttributePlace

  package struct AttributePlace: Sendable {
    package let entity: Int
    package let attribute: Int
  }

  init(_ attribute: Int, of entity: Int, _ declared: SchemaAttribute) {
    name = declared.name
    self.attribute = attribute
    relationship = nil
    place = 0
    type = declared.type
    source = AttributePlace(entity: entity, attribute: attribute)
  }

  /// A value of the object that a relationship leads to.
  init(_ target: IdentityPart, at place: Int, by relationship: SchemaRelationship) {
    name = "\(relationship.name).\(target.name)"
    attribute = nil
    self.relationship = relationship.index
    self.place = place
    type = target.type
    source = target.source
  }
}

extension SchemaEntity {
  /// The attributes that are parts of the identity, as indices into ``attributes``.
  package var identityAttributes: [Int] { identity.compactMap(\.attribute) }

  /// The to-one relationships that are parts of the identity, as indices into ``Schema/relationships``.
  package var identityRelationships: [Int] {
    identity.filter { $0.place == 0 }.compactMap(\.relationship)
  }
}

extension Schema {
  /// The properties that are an entity's identity, as the model names them.
  package func identityNames(of entity: SchemaEntity) -> [String] {
    entity.identity.filter { $0.place == 0 }.map { part in
      part.relationship.map { relationships[$0].name } ?? part.name
    }
  }
}
