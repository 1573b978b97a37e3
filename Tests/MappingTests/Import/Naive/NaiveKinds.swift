import ObjectModel

/// Which sub-entity an object is of.
extension NaiveImport {
  /// The value of `type` may name a sub-entity. An object without it is of the entity itself.
  func kind(_ members: [TestJSON.Member], _ kind: Int) -> Int {
    guard case .string(let name)? = members.last(where: { $0.key == "type" })?.value else { return kind }
    return model.kinds.indices.first {
      model.isKind($0, of: kind) && model.kinds[$0].name.lowercased() == name
    }
      ?? kind
  }

  /// The kind of an object after an import as `kind`. An object of a sub-entity of it stays what it is; any other
  /// "keeps its identity, and needs what that one requires".
  func kind(of key: NaiveKey, importedAs kind: Int) -> Int {
    guard let former = state.objects[key]?.kind, model.isKind(former, of: kind) else { return kind }
    return former
  }

  /// The values that an object has after the import.
  func values(of key: NaiveKey, _ kind: Int, with imported: [String: String?]) -> [String: String] {
    let object = state.objects[key]
    let former = object.map { model.attributes($0.kind).map(\.name) } ?? []
    let identity = model.identity(kind).map(\.name)
    var result: [String: String] = [:]
    for attribute in model.attributes(kind) where !identity.contains(attribute.name) {
      let stored =
        former.contains(attribute.name)
        ? object?.values[attribute.name] : NaiveValues.defaultValue(attribute)
      result[attribute.name] = imported[attribute.name] ?? stored
    }
    return result
  }

  /// "What only its former kind had, it has no more: attributes, links and parts."
  mutating func changeKind(_ key: NaiveKey, from former: Int, into kind: Int) {
    for end in model.ends(of: former) where !model.isKind(kind, of: model.ends[end].owner) {
      if model.ends[end].name == nil { continue }
      for target in state.list(end, key) {
        if model.isPart(model.ends[end].target) {
          delete(target, losing: end, of: key)
        } else {
          disconnect(end, key, target, by: key)
        }
      }
    }
  }
}
