/// What an import may do with objects.
public struct Operations: OptionSet, Sendable, Hashable, Codable {
  public let rawValue: Int

  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Insert objects that are not there.
  public static let insert = Operations(rawValue: 1)
  /// Change objects that are there.
  public static let update = Operations(rawValue: 2)
  /// Delete objects: parts that their owner no longer has, and what is pruned.
  public static let delete = Operations(rawValue: 4)
  public static let all: Operations = [.insert, .update, .delete]
}

extension Operations {
  private static let words: [(word: String, operation: Operations)] = [
    ("insert", .insert), ("update", .update), ("delete", .delete),
  ]

  /// Their words: `insert`, `update` and `delete`, in any case. Nil for other words, and for none.
  package init?(words: [String]) {
    let named = words.map { word in Self.words.first { $0.word == word.lowercased() }?.operation }
    guard !named.isEmpty, !named.contains(nil) else { return nil }
    self = named.compactMap(\.self).reduce(into: []) { $0.formUnion($1) }
  }

  /// The words for these operations.
  package var words: [String] { Self.words.filter { contains($0.operation) }.map(\.word) }
}

extension Annotations {
  /// On a relationship, what an import may do with the objects that it nests; nil if nothing is said.
  package var only: Operations? {
    first(of: ["broker.only"]).flatMap(Self.list).flatMap(Operations.init(words:))
  }

  /// What is said, whether it can be understood or not.
  var onlyText: String? { first(of: ["broker.only"]) }
}
