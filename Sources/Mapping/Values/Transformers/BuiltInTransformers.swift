public import ObjectModel

extension Transformer {
  /// The transformers that come with Broker, by the names that annotations give them.
  package static let builtIn: [String: Transformer] = [
    "trimmed": .trimmed,
    "lowercase": .lowercase,
    "uppercase": .uppercase,
    "emptyIsNull": .emptyIsNull,
    "htmlEntities": .htmlEntities,
    "numberAsString": .numberAsString,
    "stringAsNumber": .stringAsNumber,
    "milliseconds": .milliseconds,
    "yesNo": .yesNo,
    "onOff": .onOff,
    "zeroOne": .zeroOne,
    "not": .not,
    "commaSeparated": .commaSeparated,
    "embeddedJSON": .embeddedJSON,
  ]

  /// The names of the transformers that come with Broker, in alphabetical order.
  public static var builtInNames: [String] { builtIn.keys.sorted() }
}
