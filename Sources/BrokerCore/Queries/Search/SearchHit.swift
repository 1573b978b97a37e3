import ObjectStore

/// An object that was found by words.
public struct SearchHit<Found: Sendable>: Sendable {
  public let object: Found
  /// How well it matches; a lower number is better. It is FTS5's `bm25`, which depends on how often the words are in
  /// the object, how long its texts are, and how rare the words are among all objects.
  public let rank: Double
  /// The place of the words: a piece of the attribute that has most of them.
  public let snippet: String
}

extension SearchHit: Equatable where Found: Equatable {}
extension SearchHit: Hashable where Found: Hashable {}

/// How to show the piece of a text in which words were found.
///
/// ```swift
/// let marks = SearchSnippets(start: "<b>", end: "</b>")
/// let hits = try await store.search(Band.matching("rock"), snippets: marks)
/// ```
public struct SearchSnippets: Sendable, Hashable {
  /// The text before each word that was found.
  public var start: String
  /// The text behind each word that was found.
  public var end: String
  /// The text in place of what is left out.
  public var ellipsis: String
  /// How many words of the text are shown at most, from 1 to 64.
  public var wordCount: Int

  /// If the text itself has these marks, they cannot be told apart. For HTML, choose marks that no text has, escape
  /// the snippet, and then replace the marks by tags.
  public init(start: String = "[", end: String = "]", ellipsis: String = "…", wordCount: Int = 16) {
    self.start = start
    self.end = end
    self.ellipsis = ellipsis
    self.wordCount = wordCount
  }

  var style: SnippetStyle {
    SnippetStyle(start: start, end: end, ellipsis: ellipsis, wordCount: wordCount)
  }
}
