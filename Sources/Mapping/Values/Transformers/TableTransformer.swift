import JSONStream
import ObjectModel

extension Transformer {
  /// Values that JSON writes as other values: `"A"` for `"active"`.
  static func table(
    _ pairs: [TransformerCall.TablePair], otherwise: TransformerCall.Otherwise.Kind
  ) -> Transformer {
    let (stored, json) = (
      ScalarTable(pairs.map { ($0.json, $0.stored) }), ScalarTable(pairs.map { ($0.stored, $0.json) })
    )
    let names = pairs.prefix(8).map(\.json.text).joined(separator: ", ")
    let expected = "one of \(names)\(pairs.count > 8 ? ", …" : "")"
    return Transformer(
      read: { value in
        guard value.isScalar else { return value }
        if let found = stored[value] { return found }
        if value == .null { return .null }
        switch otherwise {
        case .issue: throw TransformerError(expected: expected)
        case .keep: return value
        case .value(let other): return other
        }
      },
      write: { value in value.isScalar ? json[value] ?? value : value })
  }
}

/// Scalars by other scalars.
///
/// A number or a boolean is also found by a string of the same text, and the other way round, unless the table has that
/// itself: keys of JSON objects are always strings.
private struct ScalarTable: Sendable {
  private var values: [JSONValue: JSONValue] = [:]
  private var valuesByText: [String: JSONValue] = [:]

  /// Of several pairs with the same key, the first counts.
  init(_ pairs: [(JSONValue, JSONValue)]) {
    for (key, value) in pairs {
      if values[key] == nil { values[key] = value }
      if let text = key.scalarText, valuesByText[text] == nil { valuesByText[text] = value }
    }
  }

  subscript(key: JSONValue) -> JSONValue? {
    values[key] ?? key.scalarText.flatMap { valuesByText[$0] }
  }
}
