import ObjectModel

/// Recognises the forms of JSON that many services share, by the keys around the objects.
struct DialectFinder {
  private let shapes: Shapes

  init(_ shapes: Shapes) {
    self.shapes = shapes
  }

  /// The dialect that all roots have; nil if there is none, or if they have several: then each is read by what is in it.
  func dialect(of roots: [RootPlace]) -> Dialect? {
    let found = roots.map { dialect(of: shapes.find($0.node)) }
    guard let first = found.first, found.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  private func dialect(of root: Int32) -> Dialect? {
    guard shapes[root].objects > 0, !shapes.isDictionary(root) else { return nil }
    let members = outer(root)
    if let data = member("data", members), isJSONAPI(data) { return .jsonapi }
    if let features = member("features", members), let feature = shapes.element(of: features),
      hasKeys(feature, ["geometry", "properties"])
    {
      return .geojson
    }
    if let entry = member("entry", members), let element = shapes.element(of: entry),
      let resource = inner(element, "resource"), hasKeys(resource, ["resourceType"])
    {
      return .fhir
    }
    if let embedded = member("_embedded", members), shapes[embedded].objects > 0 { return .hal }
    let keys = members.map { shapes.key(of: $0) }
    if keys.contains(where: { $0.hasPrefix("@odata.") }), member("value", members) != nil { return .odata }
    if let data = member("data", members),
      keys.allSatisfy({ ["data", "errors", "extensions"].contains($0) }),
      shapes[data].lists == 0, shapes[data].objects > 0, hasConnections(data)
    {
      return .graphql
    }
    return nil
  }

  /// The children of a root, whatever tells its kind.
  private func outer(_ root: Int32) -> [Int32] {
    shapes.isSplit(root)
      ? shapes.children(of: root).flatMap { shapes.children(of: $0) } : shapes.children(of: root)
  }

  private func member(_ key: String, _ members: [Int32]) -> Int32? {
    members.first { shapes.key(of: $0) == key }
  }

  private func inner(_ index: Int32, _ key: String) -> Int32? { member(key, outer(index)) }

  private func hasKeys(_ index: Int32, _ keys: [String]) -> Bool {
    let known = Set(shapes.keys(of: index).map { shapes.tree.text(ofKey: $0) })
    return keys.allSatisfy(known.contains)
  }

  private func isJSONAPI(_ data: Int32) -> Bool {
    let objects = shapes[data].lists > 0 ? shapes.element(of: data) : data
    guard let objects, isText("type", of: objects), isText("id", of: objects) else { return false }
    let parts = ["attributes", "relationships"].flatMap { members($0, of: objects) }
    // The members are objects. A shop's product has a list of attributes.
    return !parts.isEmpty
      && parts.allSatisfy { shapes[$0].objects > 0 && shapes[$0].objects == shapes[$0].present }
  }

  /// Whether all values under a key of objects are texts.
  private func isText(_ key: String, of index: Int32) -> Bool {
    let found = members(key, of: index)
    return !found.isEmpty
      && found.allSatisfy { shapes[$0].strings > 0 && shapes[$0].strings == shapes[$0].total }
  }

  /// The places under a key of objects, whatever tells their kind.
  private func members(_ key: String, of index: Int32) -> [Int32] {
    outer(index).filter { shapes.key(of: $0) == key }
  }

  /// Whether there are connections, or names of types, anywhere below.
  private func hasConnections(_ data: Int32) -> Bool {
    var rest = [data]
    var seen: Set<Int32> = []
    while let next = rest.popLast(), seen.count < 2_000 {
      guard seen.insert(next).inserted else { continue }
      if hasKeys(next, ["edges"]) || hasKeys(next, ["__typename"]) || hasKeys(next, ["nodes", "pageInfo"]) {
        return true
      }
      rest.append(contentsOf: shapes.children(of: next))
      if let element = shapes.element(of: next) { rest.append(element) }
    }
    return false
  }
}
