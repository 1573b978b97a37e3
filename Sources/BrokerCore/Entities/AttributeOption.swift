public import ObjectModel
import ObjectStore

/// What a type says of an attribute besides its name and type.
public struct AttributeOption<Value>: Sendable {
  let apply: @Sendable (inout AttributeOptions) -> Void

  /// The attribute is the identity, or a part of it.
  public static var identity: Self { Self { $0.isIdentity = true } }

  /// The keys or key paths of the attribute in JSON, the preferred one first.
  public static func key(_ keys: String...) -> Self { Self { $0.keys = keys } }

  /// The store has an index of the attribute, so that it finds objects by it quickly, or by the elements of a list.
  public static var indexed: Self { Self { $0.isIndexed = true } }

  /// The store keeps a full-text index of the attribute, so that objects can be found by its words.
  ///
  /// It is for texts, addresses, and lists of texts.
  public static var searched: Self { Self { $0.isSearched = true } }

  /// No two objects have the same value.
  public static var unique: Self { Self { $0.isUnique = true } }

  /// The least value, or for a text the least length.
  public static func minimum(_ minimum: Double) -> Self { Self { $0.minimum = minimum } }

  /// The greatest value, or for a text the greatest length.
  public static func maximum(_ maximum: Double) -> Self { Self { $0.maximum = maximum } }

  /// A regular expression that must match the whole text.
  public static func pattern(_ pattern: String) -> Self { Self { $0.pattern = pattern } }

  /// How dates are written in JSON: `auto`, `seconds`, `milliseconds`, or a pattern of Unicode's letters.
  public static func dateFormat(_ format: String) -> Self { Self { $0.dateFormat = format } }

  /// The transformers that values pass through when they are read.
  public static func transformers(_ calls: [TransformerCall]) -> Self { Self { $0.transformers = calls } }

  /// The attribute is not exported.
  public static var notExported: Self { Self { $0.isExported = false } }

  /// What the attribute was called before: a store of an earlier version keeps its values.
  public static func renamedFrom(_ name: String) -> Self { Self { $0.formerName = name } }

  /// The attribute is the version of an object: JSON with an older version does not overwrite a newer one.
  public static var version: Self { Self { $0.isVersion = true } }
}

extension AttributeOption where Value: AttributeValue {
  /// The value of a new object whose JSON does not have the attribute.
  public static func `default`(_ value: Value) -> Self {
    let stored = value.storedValue
    return Self { $0.defaultValue = stored }
  }
}

extension AttributeOption where Value: RawRepresentable, Value.RawValue: AttributeValue {
  /// The value of a new object whose JSON does not have the attribute.
  public static func `default`(_ value: Value) -> Self {
    let stored = value.rawValue.storedValue
    return Self { $0.defaultValue = stored }
  }
}

extension AttributeOption where Value: Encodable {
  /// The value of a new object whose JSON does not have the attribute.
  @_disfavoredOverload
  public static func `default`(_ value: Value) -> Self {
    let stored = NestedJSON.stored(value)
    return Self { $0.defaultValue = stored }
  }
}

extension AttributeOption where Value: RawRepresentable, Value.RawValue: AttributeValue {
  /// The value to use for values of JSON that the enumeration does not have.
  public static func unknown(_ value: Value) -> Self {
    let stored = value.rawValue.storedValue
    return Self { $0.unknownValue = stored }
  }
}

extension AttributeOption {
  /// Prevents a second error where the type of the attribute cannot be stored.
  @_disfavoredOverload
  public static func `default`(_ value: Value) -> Self { Self { _ in } }
}

/// All options of an attribute.
struct AttributeOptions: Sendable {
  var isIdentity = false
  var keys: [String] = []
  var isIndexed = false
  var isSearched = false
  var isUnique = false
  var minimum: Double?
  var maximum: Double?
  var pattern: String?
  var dateFormat: String?
  var transformers: [TransformerCall] = []
  var isExported = true
  var isVersion = false
  var defaultValue: SQLValue?
  var unknownValue: SQLValue?
  var formerName: String?

  init() {}

  init<Value>(_ options: [AttributeOption<Value>]) {
    for option in options { option.apply(&self) }
  }
}
