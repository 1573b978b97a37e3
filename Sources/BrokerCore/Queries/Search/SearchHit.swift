import ObjectStore

/// An object that was found by words.
public struct SearchHit<Found: Sendable>: Sendable {
  public let object: Found
  /// How well it fits: the less, the better. It is FTS5's `bm25`, which goes by how often the words are in the object, how
  /// long its texts are, and how rare the words are among all objects.
  public let rank: Double
  /// Where the words are: a piece of the attribute that has most of them.
  public let snippet: String
}

extension SearchHit: Equatable where Found: Equatable {}
extension SearchHit: Hashable where Found: Hashable {}

/// What pieces of texts look like that words were found in.
///
/// ```swift
/// let marks = SearchSnippets(start: "<b>", end: "</b>")
/// let hits = try await store.search(Band.matching("rock"), snippets: marks)
/// ```
public struct SearchSnippets: Sendable, Hashable {
  /// What stands before each word that was found.
  public var start: String
  /// What stands behind it.
  public var end: String
  /// What stands for text that is left out.
  public var ellipsis: String
  /// How many words of the text are shown at most, from 1 to 64.
  public var wordCount: Int

  /// Marks that the text itself may have are not told apart from these: for HTML, choose marks that no text has, escape
  /// the snippet, and put the tags in their place.
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
