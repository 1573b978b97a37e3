/// A search, in the words that people type.
///
/// All words are wanted. `"words in quotes"` follow one another, `wor*` is the beginning of a word, `a OR b` is one of
/// the two, `-a` and `NOT a` are not wanted. Everything else separates words. Nothing that is typed is an error but too
/// much of it.
package struct SearchText: Sendable, Hashable {
  /// A word, or several that follow one another.
  struct Term: Sendable, Hashable {
    var text: String
    /// Whether the last word may go on.
    var isPrefix: Bool
  }

  struct Failure: Error {
    let message: String
  }

  /// All of these are wanted, each as one of several terms.
  private(set) var wanted: [[Term]] = []
  /// None of these is.
  private(set) var unwanted: [Term] = []

  /// More than anybody types; FTS5 looks for each.
  static let mostTerms = 1_000

  /// - Throws: ``Failure`` for too many words.
  init(_ text: String) throws(Failure) {
    var (joins, excludes) = (false, false)
    var count = 0
    for piece in SearchTokenizer.of(text) {
      switch piece {
      case .and: break
      // Behind what is not wanted, or at the beginning, there is nothing to join.
      case .or: joins = !wanted.isEmpty && !excludes
      case .not: excludes = true
      case .term(let term, let isExcluded):
        guard term.hasWords else { continue }
        count += 1
        guard count <= Self.mostTerms else {
          throw Failure(message: "A search can have \(Self.mostTerms) words and no more.")
        }
        if excludes || isExcluded {
          unwanted.append(term)
        } else if joins {
          wanted[wanted.count - 1].append(term)
        } else {
          wanted.append([term])
        }
        (joins, excludes) = (false, false)
      }
    }
  }
}

extension SearchText.Term {
  /// Whether anything of it is part of a word, as FTS5 tells words apart.
  fileprivate var hasWords: Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber,
        .letterNumber, .otherNumber, .privateUse:
        true
      default: false
      }
    }
  }
}

/// Takes apart what somebody typed.
private enum SearchTokenizer {
  enum Piece {
    case term(SearchText.Term, isExcluded: Bool)
    case and
    case or
    case not
  }

  static func of(_ text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Substring(text).unicodeScalars
    while let first = rest.first {
      if isSpace(first) {
        rest.removeFirst()
        continue
      }
      let minuses = rest.prefix { $0 == "-" }
      rest = rest.dropFirst(minuses.count)
      if let quote = rest.first, isQuote(quote) {
        pieces.append(phrase(&rest, isExcluded: !minuses.isEmpty))
      } else {
        pieces.append(word(&rest, isExcluded: !minuses.isEmpty))
      }
    }
    return pieces
  }

  /// The text in quotes; without a second one, all that follows.
  private static func phrase(_ rest: inout Substring.UnicodeScalarView, isExcluded: Bool) -> Piece {
    rest.removeFirst()
    let content = rest.prefix { !isQuote($0) }
    rest = rest.dropFirst(content.count + 1)
    let stars = rest.prefix { $0 == "*" }
    rest = rest.dropFirst(stars.count)
    return .term(term(content, isPrefix: !stars.isEmpty), isExcluded: isExcluded)
  }

  private static func word(_ rest: inout Substring.UnicodeScalarView, isExcluded: Bool) -> Piece {
    var content = rest.prefix { !isSpace($0) && !isQuote($0) }
    rest = rest.dropFirst(content.count)
    switch String(content) {
    case "AND" where !isExcluded: return .and
    case "OR" where !isExcluded: return .or
    case "NOT" where !isExcluded: return .not
    default: break
    }
    var isPrefix = false
    while content.last == "*" {
      content.removeLast()
      isPrefix = true
    }
    return .term(term(content, isPrefix: isPrefix), isExcluded: isExcluded)
  }

  private static func term(_ text: Substring.UnicodeScalarView, isPrefix: Bool) -> SearchText.Term {
    // A zero would end the text for FTS5.
    var scalars = String.UnicodeScalarView()
    for scalar in text { scalars.append(scalar == "\0" ? " " : scalar) }
    return SearchText.Term(text: String(scalars), isPrefix: isPrefix)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\0"
  }

  /// Straight quotes, and those that keyboards make of them.
  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool { "\"“”„‟".unicodeScalars.contains(scalar) }
}
