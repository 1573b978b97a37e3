public import Foundation

/// A value for a place in a predicate's format.
///
/// Literals of Swift are arguments as they stand; for other values there are initializers.
///
/// ```swift
/// try ObjectPredicate(format: "formed IN %@ AND founded < %@", [[1974, 1981], .init(Date())])
/// ```
public struct PredicateArgument: Sendable, Hashable {
  enum Value: Sendable, Hashable {
    case constant(PredicateConstant)
    case list([PredicateArgument])
  }

  let value: Value

  private init(_ constant: PredicateConstant) {
    value = .constant(constant)
  }

  public init(_ value: String) { self.init(.string(value)) }
  public init(_ value: Bool) { self.init(.boolean(value)) }
  public init(_ value: some BinaryInteger) { self.init(.number("\(value)")) }
  public init(_ value: Double) { self.init(.number("\(value)")) }
  /// A number with all its digits.
  public init(_ value: Decimal) { self.init(.number("\(value)")) }
  /// A moment, with as many digits as it takes to read the same number, nine of a second at most.
  public init(_ value: Date) { self.init(.moment(value.timeIntervalSinceReferenceDate)) }
  public init(_ value: UUID) { self.init(.string(value.uuidString)) }
  public init(_ value: Data) { self.init(.data([UInt8](value))) }

  /// A list, for `IN` and `BETWEEN`.
  public init(_ values: [PredicateArgument]) { value = .list(values) }

  /// No value.
  public static let null = PredicateArgument(.null)
}

extension PredicateArgument: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }
}

extension PredicateArgument: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self.init(value) }
}

extension PredicateArgument: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Double) { self.init(value) }
}

extension PredicateArgument: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self.init(value) }
}

extension PredicateArgument: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) { self = .null }
}

extension PredicateArgument: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: PredicateArgument...) { self.init(elements) }
}
