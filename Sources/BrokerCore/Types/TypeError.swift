/// Types that do not fit a model, or one another.
public struct TypeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The mistakes, each a sentence without its full stop.
  public var differences: [String]

  init(_ differences: [String]) { self.differences = differences }

  public var description: String {
    "The types do not fit: \(differences.joined(separator: "; "))."
  }
}

extension TypeError {
  /// A type that the store does not know.
  static func unknown(_ type: any Storable.Type) -> TypeError {
    TypeError(["\(type.entityName) is no entity of the store: name its type when the store is opened"])
  }
}
