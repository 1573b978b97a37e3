import ObjectStore

extension Value {
  package func compare(with other: Value) -> Int { precedes(other) ? -1 : other.precedes(self) ? 1 : 0 }

  /// Compares decimals, which are kept as texts.
  package func compareAsDecimal(with other: Value) -> Int {
    guard case .text(let left) = self, case .text(let right) = other else { return compare(with: other) }
    return left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { Int(DecimalOrder.compare(left, $0)) }
    }
  }
}
