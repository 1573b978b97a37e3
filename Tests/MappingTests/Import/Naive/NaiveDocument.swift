import Mapping

/// The forms that the JSON of an import has.
extension NaiveImport {
  /// Imports all that the JSON has, and does what has to wait for its end.
  mutating func importDocument(_ document: TestJSON) {
    if let name = options.entity {
      importAll(document, model.kinds.firstIndex { $0.name == name } ?? 0)
    } else if case .object(let lists) = document {
      // "A document whose keys name entities imports as all of them at once."
      for list in lists {
        importAll(list.value, model.kinds.firstIndex { $0.name.lowercased() + "s" == list.key } ?? 0)
      }
    }
    finish()
  }

  /// A list, a dictionary keyed by identity, or one object.
  private mutating func importAll(_ value: TestJSON, _ kind: Int) {
    if case .object(let members) = value, isKeyed(members, kind) {
      scopes.insert(kind)
      for member in members { importTopLevel(member.value, kind, filling: member.key) }
      return
    }
    if case .list = value { scopes.insert(kind) }
    for element in elements(value) { importTopLevel(element, kind, filling: nil) }
  }

  private mutating func importTopLevel(_ element: TestJSON, _ kind: Int, filling key: String?) {
    objectsInRecord = []
    withPartsInRecord = []
    lackingInRecord = []
    claimedInRecord = [:]
    guard case .object(let members) = element else {
      report.issueCount += 1
      return
    }
    if model.isPart(kind) {
      importTopLevelPart(members, kind)
    } else {
      _ = importObject(members, kind, isNested: false, filling: key)
    }
  }

  /// "If its first key is none of the entity's and that key's value is an object whose first key is."
  private mutating func isKeyed(_ members: [TestJSON.Member], _ kind: Int) -> Bool {
    guard let first = members.first, property(first.key, kind) == nil, case .object(let inner) = first.value,
      let innerFirst = inner.first
    else {
      if case .object(let inner)? = members.first?.value, inner.isEmpty {
        reasonNotToCompare = "a dictionary of nothing"
      }
      return false
    }
    return property(innerFirst.key, kind) != nil
  }
}
