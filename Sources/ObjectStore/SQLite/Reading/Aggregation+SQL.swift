extension Aggregation {
  /// SQL for it, from SQL for the values.
  func sql(_ value: String) -> String {
    // Decimals are texts, which SQLite's own functions would compare as such and make doubles of.
    let ordered = isDecimal ? "\(value) COLLATE \(DecimalOrder.collation)" : value
    switch function {
    case .count: return "count(*)"
    case .minimum: return "min(\(ordered))"
    case .maximum: return "max(\(ordered))"
    case .sum: return isDecimal ? "coalesce(\(DecimalSum.sum)(\(value)), '0')" : "coalesce(sum(\(value)), 0)"
    case .average: return "\(isDecimal ? DecimalSum.average : "avg")(\(value))"
    }
  }
}
