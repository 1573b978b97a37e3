/// What FTS5 is asked.
extension SearchText {
  /// What FTS5 is asked; nil if no word is wanted, so that nothing can be found.
  var expression: String? {
    guard !wanted.isEmpty else { return nil }
    let all = wanted.map { "(\(Self.any($0)))" }.joined(separator: " AND ")
    return unwanted.isEmpty ? all : "(\(all)) NOT (\(Self.any(unwanted)))"
  }

  private static func any(_ terms: [Term]) -> String {
    terms.map(\.expression).joined(separator: " OR ")
  }
}

extension SearchText.Term {
  /// In quotes, nothing means anything to FTS5.
  fileprivate var expression: String { SQL.quoted(text) + (isPrefix ? " *" : "") }
}
