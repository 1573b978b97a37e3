/// How many objects an import may prune. If it came to more, none is.
public enum DeletionLimit: Sendable, Hashable {
  case objects(Int)
  /// Of the objects that the pruned entities have.
  case percent(Double)
}
