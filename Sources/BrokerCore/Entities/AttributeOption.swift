public import ObjectModel
import ObjectStore

/// The options of an attribute besides its name and type.
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

  /// The former name of the attribute: a store of an earlier version keeps its values.
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

/// The options of a relationship besides its name and its target.
public struct RelationshipOption<Target: Storable>: Sendable {
  let apply: @Sendable (inout RelationshipOptions) -> Void

  /// The object that the relationship leads to is a part of the identity. The relationship is to one object and not
  /// optional.
  public static var identity: Self { Self { $0.isIdentity = true } }

  /// The keys or key paths of the relationship in JSON, the preferred one first.
  public static func key(_ keys: String...) -> Self { Self { $0.keys = keys } }

  /// The transformers that the keys of target objects pass through when they are read.
  public static func transformers(_ calls: [TransformerCall]) -> Self { Self { $0.transformers = calls } }

  /// The relationship that leads back. It is enough to say it at one end. If only one relationship is possible,
  /// nothing needs to be said.
  public static func inverse(_ path: any PartialKeyPath<Target> & Sendable) -> Self {
    let key = PathKey(path)
    return Self { $0.inverse = key }
  }

  /// No relationship leads back.
  public static var noInverse: Self { Self { $0.hasNoInverse = true } }

  /// The delete rule: what happens to the target objects when the owner is deleted.
  public static func deleteRule(_ rule: DeleteRule) -> Self { Self { $0.deleteRule = rule } }

  /// The order of the objects is kept.
  public static var ordered: Self { Self { $0.isOrdered = true } }

  /// The least number of objects.
  public static func minimum(_ count: Int) -> Self { Self { $0.minimum = count } }

  /// The former name of the relationship: a store of an earlier version keeps its links.
  public static func renamedFrom(_ name: String) -> Self { Self { $0.formerName = name } }

  /// The greatest number of objects.
  public static func maximum(_ count: Int) -> Self { Self { $0.maximum = count } }
}

/// All options of a relationship.
struct RelationshipOptions: Sendable {
  var isIdentity = false
  var keys: [String] = []
  var transformers: [TransformerCall] = []
  var inverse: PathKey?
  var hasNoInverse = false
  var deleteRule = DeleteRule.nullify
  var isOrdered = false
  var minimum: Int?
  var maximum: Int?
  var formerName: String?

  init() {}

  init<Target: Storable>(_ options: [RelationshipOption<Target>]) {
    for option in options { option.apply(&self) }
  }
}
