/// Whether an object is part of the object around it rather than one of its own.
enum FlatObject {
  private static let mostLeaves = 10
  /// Keys under which services put all that an object has, but for its identity.
  private static let envelopes: Set<String> = [
    "fields", "attributes", "properties", "_source", "snippet", "data", "payload", "details", "document",
  ]

  private static let headers: Set<String> = ["metadata", "meta", "header", "headers", "info"]

  /// Whether what stands under a key tells of the object around it.
  static func isHeaderKey(_ key: String) -> Bool { headers.contains(key.lowercased()) || isEnvelopeKey(key) }

  static func isEnvelopeKey(_ key: String) -> Bool { envelopes.contains(key.lowercased()) }

  /// Whether an object is all that the object around it has besides its identity, so that its members are the other's.
  static func isEnvelope(_ member: Member, _ shapes: Shapes) -> Bool {
    let own = shapes.tree[member.node]
    return member.path.count == 1 && isEnvelopeKey(member.key) && own.nulls == 0
      && !own.flags.contains(.merged) && own.objects == member.owners
  }

  private static let linkKeys: Set<String> = [
    "href", "rel", "title", "type", "templated", "method", "methods", "name", "media", "hreflang",
    "embeddable",
    "targethints", "taxonomy", "count", "deprecation", "profile",
  ]

  /// Whether an object only holds addresses of other documents, each in an object or a list of objects, as `_links` does.
  /// They are no objects of the model.
  static func holdsLinks(_ member: Member, _ shapes: Shapes) -> Bool {
    guard ["_links", "links"].contains(member.key.lowercased()), !shapes.isDictionary(member.node) else {
      return false
    }
    let members = shapes.children(of: member.node)
    return !members.isEmpty
      && members.allSatisfy { child in
        guard let link = shapes.listedObjects(child) ?? (shapes.isObject(child) ? child : nil) else {
          return false
        }
        let keys = shapes.keys(of: link).map { shapes.tree.text(ofKey: $0).lowercased() }
        return keys.contains("href") && linkKeys.isSuperset(of: keys)
      }
  }

  /// Whether an object has few members, so that key paths lead to them.
  static func isFlat(_ index: Int32, _ shapes: Shapes, _ finder: MemberFinder) -> Bool {
    var leaves = 0
    var rest = [shapes.find(index)]
    var seen: Set<Int32> = []
    while let next = rest.popLast() {
      guard seen.insert(next).inserted, seen.count <= mostLeaves else { return false }
      for member in finder.members(of: next, isRecord: false) {
        let place = shapes.find(member.node)
        leaves += 1
        guard leaves <= mostLeaves, place != shapes.find(index) else { return false }
        let node = shapes[place]
        if shapes.isSplit(place) { continue }
        if node.objects > 0, node.lists == 0, node.scalars == 0, !shapes.isDictionary(place) {
          leaves -= 1
          rest.append(place)
        }
      }
    }
    return true
  }
}
