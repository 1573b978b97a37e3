/// What a list in JSON means for the links that its owner has.
public enum ToManyPolicy: String, Sendable, Hashable, CaseIterable, Codable {
  /// The list is all there is: other links go, the objects stay.
  case replace
  /// The list is added to what is there.
  case merge
  /// The list is all there is: other links go, and the objects with them.
  case prune
}

/// What to do about a key of an object that is not there.
public enum ReferencePolicy: String, Sendable, Hashable, CaseIterable, Codable {
  /// Keep it; it becomes the relationship when the object comes.
  case pending
  /// Create the object, with its identity only.
  case stub
  /// Give up; nothing is imported.
  case error
}
