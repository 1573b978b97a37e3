public import JSONStream

/// Turns values of JSON into values that an attribute's type takes, and back.
///
/// ```swift
/// let cents = Transformer(
///   read: { $0.integerValue.map { .double(Double($0) / 100) } ?? $0 },
///   write: { $0.doubleValue.map { .integer(Int64(($0 * 100).rounded())) } ?? $0 })
/// ```
///
/// It works before conversion: what it gives is then converted to the attribute's type as any JSON value is. It
/// sees null as well, and is not asked about what is absent.
public struct Transformer: Sendable {
  /// From the value in JSON to the one that is converted.
  public let read: @Sendable (JSONValue) throws -> JSONValue
  /// From the value that would be exported to the one that is.
  public let write: @Sendable (JSONValue) throws -> JSONValue

  /// Makes a transformer of two functions. Either may throw a ``TransformerError`` for a value that it cannot
  /// use, which becomes an issue on import.
  public init(
    read: @escaping @Sendable (JSONValue) throws -> JSONValue,
    write: @escaping @Sendable (JSONValue) throws -> JSONValue
  ) {
    self.read = read
    self.write = write
  }
}

/// Why a transformer cannot use a value.
public struct TransformerError: Error, Sendable, Hashable {
  /// What it could have used, as issues say it: `a comma-separated list`.
  public var expected: String

  public init(expected: String) {
    self.expected = expected
  }
}
