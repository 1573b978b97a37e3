import ObjectModel
import ObjectStore

/// A property of a ``Storable`` type: an attribute, a relationship, or the object of the entity that it inherits
/// from.
public struct Property<Root: Storable>: Sendable {
  enum Form: Sendable {
    case attribute(AttributeForm)
    case relationship(RelationshipForm)
    case inherited(any Storable.Type)
  }

  /// The property's name in the model.
  public let name: String
  let path: PathKey
  let form: Form
  /// Puts the property's value into a draft.
  let write: @Sendable (Root, borrowing PropertyDraft) throws -> Void
  /// An object's value of the property, to compare it with another object's.
  let content: @Sendable (Root) -> AnyHashable
  /// The key paths of the property behind a ``ToOne`` that leads to this type.
  let throughToOne: ToOnePaths
}

/// What a type says of an attribute.
struct AttributeForm: Sendable {
  var type: AttributeType
  var isOptional: Bool
  /// The type's name in Swift, for messages.
  var swiftType: String
  /// Bounds of the type itself, if they are narrower than those of ``type``.
  var typeBounds: (least: String, most: String)?
  /// If the type lists its cases, their values as the store keeps them.
  var cases: [SQLValue]?
  /// Whether a stored value is one of the type; nil if each value of ``type`` is.
  var accepts: (@Sendable (SQLValue) -> Bool)?
  /// What a stored value becomes when it is read and saved again; nil if it cannot be read.
  var restored: (@Sendable (SQLValue) -> SQLValue?)?
  var options: AttributeOptions
  /// Why the type cannot be that of an attribute.
  var mistake: String?
}

/// What a type says of a relationship.
struct RelationshipForm: Sendable {
  var target: any Storable.Type
  var isToMany: Bool
  var isOptional: Bool
  var options: RelationshipOptions
}
