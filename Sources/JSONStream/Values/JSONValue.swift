/// A JSON value as a whole, for code that looks at single values: transformers and discriminators.
///
/// Numbers are kept as they are written, so that none loses a digit. Each value allocates memory, so an import makes
/// one only for such code, and reads everything else as tokens.
public indirect enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  /// A number, in the digits of the JSON.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// A whole number.
  public static func integer(_ value: Int64) -> JSONValue { .number(String(value)) }

  /// A floating-point number; null for an infinite one or none, which JSON does not have.
  public static func double(_ value: Double) -> JSONValue {
    value.isFinite ? .number(value.description) : .null
  }

  /// The value of a key, if this is an object that has it.
  public subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The string, if it is one.
  public var stringValue: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The whole number, if it is one that fits.
  public var integerValue: Int64? {
    guard case .number(let digits) = self else { return nil }
    return Int64(digits) ?? Double(digits).flatMap(Int64.init(exactly:))
  }

  /// The number, rounded to what a `Double` can hold, if it is one.
  public var doubleValue: Double? {
    if case .number(let digits) = self { Double(digits) } else { nil }
  }

  /// Whether it is true or false, if it is either.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(nilLiteral: ()) { self = .null }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
