public import Foundation

/// A type whose least and greatest values a store can find: numbers, texts, dates, and optionals of them.
///
/// An ``AttributeValue`` of your own only has to declare the conformance. Its order is the one in which queries sort
/// it.
public protocol OrderedValue: Sendable {
  /// The type without the optional.
  associatedtype Plain: Sendable = Self
}

/// A type of values that a store can sum up: numbers, and optionals of them.
public protocol SummableValue: OrderedValue {
  /// The type of a sum.
  associatedtype Sum: Sendable
  /// The type of an average.
  associatedtype Average: Sendable
}

extension Optional: OrderedValue where Wrapped: OrderedValue {
  public typealias Plain = Wrapped.Plain
}

extension Optional: SummableValue where Wrapped: SummableValue {
  public typealias Sum = Wrapped.Sum
  public typealias Average = Wrapped.Average
}

extension String: OrderedValue {}
extension Date: OrderedValue {}
extension UUID: OrderedValue {}

extension Int: SummableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension Int64: SummableValue {
  public typealias Sum = Int64
  public typealias Average = Double
}

extension Int32: SummableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension Int16: SummableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension Int8: SummableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension UInt8: SummableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension UInt16: SummableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension UInt32: SummableValue {
  public typealias Sum = Int
  public typealias Average = Double
}

extension Double: SummableValue {
  public typealias Sum = Double
  public typealias Average = Double
}

extension Float: SummableValue {
  public typealias Sum = Double
  public typealias Average = Double
}

/// Sums of decimals are exact, and averages rounded to 38 digits.
extension Decimal: SummableValue {
  public typealias Sum = Decimal
  public typealias Average = Decimal
}
