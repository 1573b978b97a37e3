import ObjectModel

/// Which sub-entity an object is of.
extension NaiveImport {
  /// A value of `type` that names a sub-entity tells it; who does not tell is of the entity itself.
  func kind(_ members: [TestJSON.Member], _ kind: Int) -> Int {
    guard case .string(let name)? = members.last(where: { $0.key == "type" })?.value else { return kind }
    return sketch.kinds.indices.first {
      sketch.isKind($0, of: kind) && sketch.kinds[$0].name.lowercased() == name
    }
      ?? kind
  }

  /// The kind that an object has when it was told as one: a more special one stays what it is, any other
  /// "keeps its identity, and needs what that one requires".
  func kind(of key: NaiveKey, toldAs kind: Int) -> Int {
    guard let former = state.objects[key]?.kind, sketch.isKind(former, of: kind) else { return kind }
    return former
  }

  /// The values that an object has after it was told.
  func values(of key: NaiveKey, _ kind: Int, with told: [String: String?]) -> [String: String] {
    let object = state.objects[key]
    let former = object.map { sketch.attributes($0.kind).map(\.name) } ?? []
    let identity = sketch.identity(kind).map(\.name)
    var result: [String: String] = [:]
    for attribute in sketch.attributes(kind) where !identity.contains(attribute.name) {
      let stored =
        former.contains(attribute.name)
        ? object?.values[attribute.name] : NaiveValues.defaultValue(attribute)
      result[attribute.name] = told[attribute.name] ?? stored
    }
    return result
  }

  /// "What only its former kind had, it has no more: attributes, links and parts."
  mutating func turn(_ key: NaiveKey, from former: Int, into kind: Int) {
    for end in sketch.ends(of: former) where !sketch.isKind(kind, of: sketch.ends[end].owner) {
      if sketch.ends[end].name == nil { continue }
      for target in state.list(end, key) {
        if sketch.isPart(sketch.ends[end].target) {
          delete(target, losing: end, of: key)
        } else {
          disconnect(end, key, target, by: key)
        }
      }
    }
  }
}
