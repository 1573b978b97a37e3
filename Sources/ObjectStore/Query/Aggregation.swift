/// What a store makes of the values of many objects.
package struct Aggregation: Sendable {
  package enum Function: Sendable {
    case count, sum, minimum, maximum, average
  }

  package let function: Function
  /// Whether the values are decimals, which a store may keep in a form of their own.
  package let isDecimal: Bool

  package init(_ function: Function, isDecimal: Bool = false) {
    self.function = function
    self.isDecimal = isDecimal
  }
}
