/// A value that every object of an entity has.
public struct Attribute: Sendable, Hashable {
  public var name: String
  public var type: AttributeType
  public var isOptional: Bool
  /// Whether it is left out of the store.
  public var isTransient: Bool
  /// The default as the source writes it: `NO`, `0.0`, an empty string. ``defaultDate`` for a date.
  public var defaultValue: String?
  /// The default of a date, in seconds since 2001-01-01T00:00:00Z.
  public var defaultDate: Double?
  /// The least value, or for a string the least length, as the source writes it.
  public var minimum: String?
  /// The greatest value, or for a string the greatest length, as the source writes it.
  public var maximum: String?
  /// A regular expression that the whole string must match.
  public var pattern: String?
  /// The expression that a derived attribute is computed from; `nil` for an ordinary attribute.
  public var derivation: String?
  public var isIndexed: Bool
  public var userInfo: [String: String]
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  /// Further attributes of the source, kept for a round trip: `valueTransformerName`, `customClassName`,
  /// `usesScalarValueType`, `syncable`, `allowsExternalBinaryDataStorage` …
  public var other: [String: String]

  public init(
    name: String, type: AttributeType, isOptional: Bool = false, isTransient: Bool = false,
    defaultValue: String? = nil, defaultDate: Double? = nil, minimum: String? = nil,
    maximum: String? = nil, pattern: String? = nil, derivation: String? = nil,
    isIndexed: Bool = false, userInfo: [String: String] = [:], renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, other: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.defaultDate = defaultDate
    self.minimum = minimum
    self.maximum = maximum
    self.pattern = pattern
    self.derivation = derivation
    self.isIndexed = isIndexed
    self.userInfo = userInfo
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.other = other
  }
}

/// The type that an attribute's values are converted to.
public enum AttributeType: Sendable, Hashable {
  case boolean
  case integer16
  case integer32
  case integer64
  case float
  case double
  /// A decimal number, exact, as many digits as written.
  case decimal
  case string
  case date
  case uuid
  case uri
  case binary
  /// A value only its app understands; Broker keeps JSON text.
  case transformable
  /// The composite with this name.
  case composite(String)
  /// The source gives no type, as Core Data allows for transient attributes.
  case undefined
}

extension AttributeType {
  /// Whether its values can be searched for words: texts, addresses, and JSON, as of lists of texts.
  package var hasWords: Bool {
    switch self {
    case .string, .uri, .transformable, .undefined: true
    case .boolean, .integer16, .integer32, .integer64, .float, .double, .decimal, .date, .uuid, .binary,
      .composite:
      false
    }
  }
}

extension Attribute {
  /// Whether the store keeps a full-text index of it.
  package var isSearched: Bool { annotations.isSearched && type.hasWords && !isTransient }
}

extension Attribute {
  /// The integer or boolean of a text of a model, which writes them as `0`, `0.0`, `NO`, `YES`, `true`.
  package static func integer(_ text: String) -> Int64? {
    if let value = Int64(text) { return value }
    if let value = Double(text) { return Int64(exactly: value) }
    switch text.uppercased() {
    case "YES", "TRUE": return 1
    case "NO", "FALSE": return 0
    default: return nil
    }
  }
}
