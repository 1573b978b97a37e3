import ArgumentParser
import Foundation
import ObjectModel
import ObjectStore
import Stores

/// The names of entities that a shell offers: those of the store or the model that the line names already.
enum EntityCompletion {
  static let names = CompletionKind.custom { words, _, start in
    names(in: words).filter { $0.hasPrefix(start) }
  }

  private static func names(in words: [String]) -> [String] {
    if let path = value(of: "--store", in: words), let store = try? Store(readingAt: path) {
      defer { try? store.close() }
      return store.model.entities.map(\.name).sorted()
    }
    guard let path = value(of: "--model", in: words) else { return [] }
    let model = try? Model(contentsOf: URL(fileURLWithPath: HomeFolder.expanding(path)))
    return model?.entities.map(\.name).sorted() ?? []
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
