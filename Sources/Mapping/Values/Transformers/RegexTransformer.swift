import JSONStream
import ObjectModel
import ObjectStore
import Synchronization

extension Transformer {
  /// Values inside texts that match a pattern; nil if the pattern is none.
  ///
  /// - Parameter write: The text that is written, with `$1` for the value. If it is nil, it is derived from the pattern
  ///   where that is possible; otherwise the value is written as it is.
  static func regex(_ pattern: String, write: String?) -> Transformer? {
    guard let search = try? GroupSearch(pattern) else { return nil }
    let expected = "a text that matches \(quoted(pattern))"
    let template = (write ?? RegexTemplate.derived(from: pattern)).map(RegexTemplate.init)
    let transformer = ofReferences(expected: expected) { text in
      switch search.group(in: text) {
      case .group(let value): return value
      case .none: return nil
      case .tooMuchWork:
        throw TransformerError(expected: "\(expected), without more work than an import does to tell")
      }
    } write: {
      template?.text(for: $0) ?? $0
    }
    return template == nil ? Transformer(read: transformer.read, write: { $0 }) : transformer
  }
}

/// A regular expression with the work that is left for it. The transformers of an import are made for it, so the work is
/// bounded for each import.
private final class GroupSearch: Sendable {
  private let match: GroupMatch
  private let budget = Mutex(MatchBudget())

  init(_ pattern: String) throws {
    match = try GroupMatch(pattern)
  }

  func group(in text: String) -> GroupMatch.Result {
    budget.withLock { match.group(in: text, &$0) }
  }
}

/// A text with places for a value.
struct RegexTemplate: Sendable {
  /// The texts between those places.
  private let parts: [String]

  /// Reads a text in which `$1` is a place for the value and `$$` a dollar.
  init(_ text: String) {
    var (parts, part) = ([String](), "")
    var rest = text[...]
    while let first = rest.popFirst() {
      if first == "$", rest.first == "$" {
        part.append("$")
        rest.removeFirst()
      } else if first == "$", rest.first == "1" {
        parts.append(part)
        part = ""
        rest.removeFirst()
      } else {
        part.append(first)
      }
    }
    self.parts = parts + [part]
  }

  func text(for value: String) -> String { parts.joined(separator: value) }

  /// The template that a pattern gives which is literal but for its one group; nil if it is not.
  static func derived(from pattern: String) -> String? {
    var rest = pattern[...]
    if rest.hasPrefix("^") { rest.removeFirst() } else if rest.hasPrefix("\\A") { rest.removeFirst(2) }
    guard let start = literal(from: &rest), rest.popFirst() == "(", skipGroup(&rest),
      let end = literal(from: &rest), ["", "$", "\\z", "\\Z"].contains(rest)
    else { return nil }
    return start.replacing("$", with: "$$") + "$1" + end.replacing("$", with: "$$")
  }

  /// Takes characters that stand for themselves. Nil if a character is not literal after all: a quantifier follows it.
  private static func literal(from rest: inout Substring) -> String? {
    var text = ""
    while let first = rest.first, !"(.[{^$|)".contains(first) {
      if "*+?".contains(first) { return nil }
      if first == "\\" {
        guard let escaped = rest.dropFirst().first, !escaped.isLetter, !escaped.isNumber else { return text }
        text.append(escaped)
        rest.removeFirst(2)
      } else {
        text.append(first)
        rest.removeFirst()
      }
    }
    return rest.first == "{" ? nil : text
  }

  /// Skips to the end of the group whose parenthesis was taken. False if it is none that captures, or if a quantifier
  /// follows it.
  private static func skipGroup(_ rest: inout Substring) -> Bool {
    if rest.hasPrefix("?") {
      guard rest.hasPrefix("?<"), let next = rest.dropFirst(2).first, next.isLetter else { return false }
    }
    var (depth, isInSet) = (1, false)
    while let first = rest.popFirst() {
      switch first {
      case "\\": _ = rest.popFirst()
      case "[": isInSet = true
      case "]": isInSet = false
      case "(" where !isInSet: depth += 1
      case ")" where !isInSet:
        depth -= 1
        if depth == 0 { return !"*+?{".contains(rest.first ?? " ") }
      default: break
      }
    }
    return false
  }
}
