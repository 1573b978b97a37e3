/// What an import may do with objects.
public struct Operations: OptionSet, Sendable, Hashable {
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
