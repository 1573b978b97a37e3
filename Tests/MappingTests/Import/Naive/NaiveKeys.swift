import ObjectModel

/// Which property a key is for, by the rules of docs/MAPPING.md that the random documents' spellings need.
extension NaiveImport {
  enum Property: Hashable {
    case attribute(String)
    case end(Int)
  }

  func property(_ key: String, _ kind: Int) -> Property? {
    let folded = Self.folded(key)
    if let attribute = model.attributes(kind).first(where: { Self.folded($0.name) == folded }) {
      return .attribute(attribute.name)
    }
    let ends = model.namedEnds(of: kind)
    if let end = ends.first(where: { Self.folded(model.name($0)) == folded }) { return .end(end) }
    let identity = model.identity(kind)
    if key == "id", identity.count == 1 { return .attribute(identity[0].name) }
    return ends.first { keyNames($0).contains(folded) }.map(Property.end)
  }

  /// The names of keys that hold keys of objects: `home_id`, `albumIDs`.
  private func keyNames(_ end: Int) -> [String] {
    let name = Self.folded(model.name(end))
    return model.ends[end].isToMany ? [name + "ids", name.dropLast() + "ids"] : [name + "id"]
  }

  /// "Without regard to case style."
  static func folded(_ key: String) -> String { key.lowercased().filter { $0 != "_" } }
}
