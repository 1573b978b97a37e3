/// What one of an attribute's validation predicates says, where a model has a word for it.
enum ArchivedBound {
  case minimum(String)
  case maximum(String)
  case pattern(String)
  /// Seconds since 2001-01-01T00:00:00Z, as the XML has them.
  case earliest(String)
  case latest(String)

  var text: String {
    switch self {
    case .minimum(let text), .maximum(let text), .pattern(let text), .earliest(let text), .latest(let text):
      text
    }
  }

  /// Reads `SELF >= 1`, `length <= 80` or `SELF MATCHES "…"`; nil for all others.
  init?(_ predicate: ArchivedObject, _ type: AttributeType) throws(PropertyListError) {
    guard predicate.isKind(of: "NSComparisonPredicate"),
      let left = try predicate.value("NSLeftExpression").object,
      let right = try predicate.value("NSRightExpression").object,
      let operation = try ArchivedPredicate.operation(of: predicate), operation.hasNoOptions,
      let subject = try ArchivedPredicate.text(ofExpression: left),
      right.isKind(of: "NSConstantValueExpression")
    else { return nil }
    let constant = try right.value("NSConstantValue")
    switch (subject, operation.number) {
    case ("SELF", 6):
      guard type == .string, case .value(.string(let text)) = constant else { return nil }
      self = .pattern(text)
    case ("length", 1), ("length", 3):
      guard type == .string, case .value(.integer(let length)) = constant else { return nil }
      self = operation.number == 1 ? .maximum(String(length)) : .minimum(String(length))
    case ("SELF", 1), ("SELF", 3):
      let isMaximum = operation.number == 1
      if type == .date {
        guard let seconds = constant.object?.fields["NS.time"]?.number, seconds.isFinite else { return nil }
        let text = Int64(exactly: seconds).map { String($0) } ?? String(seconds)
        self = isMaximum ? .latest(text) : .earliest(text)
        return
      }
      guard type != .string, let text = ArchivedNumber(constant)?.text(as: type) else { return nil }
      self = isMaximum ? .maximum(text) : .minimum(text)
    default: return nil
    }
  }
}
