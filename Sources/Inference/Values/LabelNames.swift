import Mapping

/// Names of the keys whose texts stay the same as long as an object is the same.
enum LabelNames {
  private static let addresses: Set<String> = [
    "url", "htmlurl", "weburl", "apiurl", "href", "uri", "self", "permalink", "nodeid", "gid", "guid", "uuid",
    "globalid",
  ]
  private static let labels: Set<String> = [
    "name", "title", "label", "login", "username", "fullname", "displayname", "screenname", "email", "slug",
  ]
  private static let spaces: Set<String> = [
    "system", "codesystem", "scheme", "namespace", "realm", "tenant", "dataset", "lang", "locale",
  ]

  /// Whether the texts under a key are addresses, names, or the space in which an identity holds.
  static func flags(of key: String) -> ShapeNode.Flags {
    let folded = Names.folded(key)
    if addresses.contains(folded) { return .address }
    if spaces.contains(folded) { return .space }
    return labels.contains(folded) ? .label : []
  }
}
