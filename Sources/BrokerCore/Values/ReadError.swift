import ObjectStore

/// A stored value that does not fit the type that it is read as.
public struct ReadError: Error, Sendable, Hashable, CustomStringConvertible {
  public var entity: String
  /// The object's identity. The values of a composite one are joined by commas. For an entity without identity, the
  /// row id.
  public var identity = ""
  /// The property's name in the model.
  public var property: String
  public var expected: String
  public var found: String

  public var description: String {
    let object = identity.isEmpty ? entity : "\(entity) \(identity)"
    let place = entity.isEmpty ? property : "\(object).\(property)"
    return "\(place) cannot be read: expected \(expected), found \(found)."
  }

  /// A stored value, shortened, for messages.
  static func text(of value: SQLValue) -> String {
    switch value {
    case .null: "nothing"
    case .integer(let integer): String(integer)
    case .real(let number): String(number)
    case .text(let text): "\"\(text.prefix(40))\(text.count > 40 ? "…" : "")\""
    case .blob(let bytes): "\(bytes.count) bytes"
    }
  }
}
