/// An attribute whose type is an entity, or a link to one. If `@Entity` writes the description, the compiler refuses
/// it; if a program writes it by hand, it is refused when the model is made.
enum EntityMistake {
  /// What is wrong with a `Codable` type of an attribute.
  static func of(_ type: Any.Type) -> String? {
    switch type {
    case let optional as any WrappingType.Type where optional is any AnyOptional.Type: of(optional.inner)
    case is any Storable.Type: "\(type) is an entity, so the property has to be a ToOne<\(type)>"
    case is any LinkType.Type: "\(type) is a relationship, so it has to be listed as one"
    case let list as any WrappingType.Type where list.inner is any Storable.Type:
      "\(list.inner) is an entity, so the property has to be a ToMany<\(list.inner)>"
    default: nil
    }
  }
}

/// A type that holds values of another.
private protocol WrappingType {
  static var inner: Any.Type { get }
}

extension Optional: WrappingType { static var inner: Any.Type { Wrapped.self } }
extension Array: WrappingType { static var inner: Any.Type { Element.self } }
extension Set: WrappingType { static var inner: Any.Type { Element.self } }

private protocol LinkType {}

extension ToOne: LinkType {}
extension ToMany: LinkType {}
