import ObjectModel

/// Objects without identity, which are parts of the object that holds them.
extension NaiveImport {
  mutating func parts(_ end: Int, _ value: Told) -> Link? {
    Link(end: end, value: .parts([]))
  }

  mutating func applyParts(_ end: Int, _ owner: NaiveKey, _ objects: [[Told.Member]]) {
  }
}
