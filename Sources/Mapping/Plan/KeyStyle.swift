/// Which keys fill a property that no annotation gives a key.
public enum KeyStyle: String, Sendable, Hashable, CaseIterable {
  /// The name in any style: `listImageURL`, `list_image_url`, `ListImageUrl`.
  case auto
  /// The name in snake case: `list_image_url`.
  case snake
  /// The name in camel case: `listImageURL` or `listImageUrl`.
  case camel
  /// The name as it is.
  case exact
}
