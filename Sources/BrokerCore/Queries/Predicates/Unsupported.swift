import Foundation

/// How messages name expressions of Swift's that the store cannot express.
enum Unsupported {
  private static let names = [
    "CollectionIndexSubscript": "a subscript [index]",
    "CollectionRangeSubscript": "a subscript [range]",
    "DictionaryKeySubscript": "a subscript [key] of a dictionary",
    "DictionaryKeyDefaultValueSubscript": "a subscript [key, default:] of a dictionary",
    "SequenceMaximum": "max()",
    "SequenceMinimum": "min()",
    "TypeCheck": "is, the check of a type,",
    "ConditionalCast": "as?, a cast,",
    "ForceCast": "as!, a cast,",
    "StringLocalizedCompare": "localizedCompare(_:), which goes by the user's language,",
  ]

  /// The name of a type of expressions.
  static func name(of type: Any.Type) -> String {
    let name = "\(type)".prefix { $0 != "<" }
    return names[String(name)] ?? "\(name)"
  }
}

extension QueryError {
  static func unsupported(_ expression: String) -> QueryError {
    QueryError(
      "\(expression) has no counterpart in the store; use a format string, or filter the objects after fetching"
        + " them")
  }
}
