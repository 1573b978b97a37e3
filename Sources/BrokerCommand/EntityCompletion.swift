import ArgumentParser
import Foundation
import ObjectModel
import ObjectStore
import Stores

/// The names of entities that a shell offers: those of the store or the model that the line names already.
enum EntityCompletion {
  static let names = CompletionKind.custom { words, _, start in
    names(in: words).filter { $0.hasPrefix(start) && isPlain($0) }
  }

  /// Whether a name says nothing to any shell, wherever a completion script puts it.
  ///
  /// The scripts, which a user installed once, hand names to the shell's own commands, and bash expands them there:
  /// `$(…)` would run. A store or a model may come from anybody, so only names of letters, digits, `_`, `-` and `.` are
  /// offered. Such a name is no option and no path either.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first != "-", first != "." else { return false }
    return name.unicodeScalars.allSatisfy { scalar in
      if scalar.isASCII { return scalar.isPlainInShells }
      return switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber,
        .nonspacingMark, .spacingMark:
        true
      default: false
      }
    }
  }

  private static func names(in words: [String]) -> [String] {
    // try?: a key press is no place for messages; nothing is offered.
    if let path = value(of: "--store", in: words), let store = try? Store(readingAt: path) {
      defer { try? store.close() }
      return store.model.entities.map(\.name).sorted()
    }
    guard let path = value(of: "--model", in: words) else { return [] }
    // try?: as above.
    let argument = try? ModelArgument(path)
    return argument?.model.entities.map(\.name).sorted() ?? []
  }

  /// The value of an option, behind it or behind its equals sign.
  private static func value(of option: String, in words: [String]) -> String? {
    for (index, word) in words.enumerated() {
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
      if word == option, index + 1 < words.count { return words[index + 1] }
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// Whether a shell takes an ASCII character for itself, in any place of a word.
  fileprivate var isPlainInShells: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", ".": true
    default: false
    }
  }
}
