/// Words that the objects of a query have, and that say how well each fits.
package struct SearchCondition: Sendable, Hashable {
  /// What is looked for, as people type it.
  package var text: String
  /// The key paths of the attributes to look in; none for all of the object.
  package var attributes: [String]

  package init(_ text: String, in attributes: [String] = []) {
    self.text = text
    self.attributes = attributes
  }
}

/// How the place that was found is shown.
package struct SnippetStyle: Sendable, Hashable {
  package var start: String
  package var end: String
  package var ellipsis: String
  /// How many words there are at most; FTS5 shows 64.
  package var wordCount: Int

  package init(start: String, end: String, ellipsis: String, wordCount: Int) {
    self.start = start
    self.end = end
    self.ellipsis = ellipsis
    self.wordCount = min(64, max(1, wordCount))
  }
}

/// Gives the places of texts where what was searched for is.
package final class SnippetReader {
  /// Gives the place of the object whose row it is told; nil if nothing can be found.
  private let places: (any Cursor)?

  init(_ places: (any Cursor)?) { self.places = places }

  /// The place in the texts of the object in a row.
  package func snippet(ofRow row: Int64) throws -> String {
    guard let places else { return "" }
    places.bind(row, at: 1)
    defer { places.reset() }
    return try places.step() ? places.string(0) : ""
  }
}
