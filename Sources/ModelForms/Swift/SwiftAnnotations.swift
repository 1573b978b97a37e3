import ObjectModel

/// What `userInfo` says, in Swift's words.
enum SwiftAnnotations {
  /// The key of a text for those who read the model; forms that have comments show it.
  static let documentationKey = ModelDocumentation.key

  /// The annotations of Broker's that have no form in Swift, a sentence each.
  static func unsaid(_ userInfo: [String: String], besides known: [String]) -> [String] {
    userInfo.keys.sorted().compactMap { key in
      guard key.hasPrefix("broker.") || ["timeZone", "relatedByAttribute"].contains(key) else { return nil }
      if known.contains(key) || known.contains(where: { $0.hasSuffix(".*") && key.hasPrefix($0.dropLast()) })
      {
        return nil
      }
      return "\(key) is “\(userInfo[key] ?? "")”; say it in a mapping"
    }
  }

  static func documentation(_ userInfo: [String: String]) -> [String] {
    guard let text = userInfo[documentationKey] else { return [] }
    return text.split(whereSeparator: \.isNewline).map { onOneLine(String($0)) }
  }

  static func onOneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory.isUnseen ? " " : $0 }))
  }

  /// The mark with the keys of a property; none if it has none.
  static func keys(_ annotations: Annotations) -> [SwiftMark] {
    SwiftMark("Key", annotations.keys.map(SwiftLiteral.text)).ifNeeded
  }

  /// The transformers as an array of strings, each in the form of annotations; nil if there are none.
  static func transformers(_ annotations: Annotations) -> String? {
    let calls = annotations.transformers
    return calls.isEmpty
      ? nil : "[\(calls.map { SwiftLiteral.text($0.description) }.joined(separator: ", "))]"
  }
}

/// Where models keep texts that people wrote about their parts.
enum ModelDocumentation {
  static let key = "documentation"
}
