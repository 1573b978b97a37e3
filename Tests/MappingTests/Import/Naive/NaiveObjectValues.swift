import ObjectModel

/// Reads the values of objects, and writes them to the state.
extension NaiveImport {
  struct ImportedValues {
    var values: [String: String?] = [:]
    /// Whether all required values can be used.
    var isUsable = true
  }

  /// "Absent keeps, null clears." An optional value that cannot be used is left out.
  mutating func values(_ members: [TestJSON.Member], _ kind: Int) -> ImportedValues {
    var result = ImportedValues()
    let identity = model.identity(kind).map(\.name)
    for member in members {
      guard case .attribute(let name) = property(member.key, kind), !identity.contains(name),
        let attribute = model.attributes(kind).first(where: { $0.name == name })
      else { continue }
      if let value = NaiveValues.convert(member.value, attribute) {
        result.values[name] = .some(value)
      } else if member.value == .null && attribute.isOptional {
        result.values[name] = .some(nil)
      } else {
        report.issueCount += 1
        if !attribute.isOptional { result.isUsable = false }
      }
    }
    return result
  }

  /// Whether a new object has all the attributes that it needs.
  mutating func isComplete(_ values: [String: String], _ kind: Int) -> Bool {
    if lacks(values, kind).isEmpty { return true }
    report.issueCount += 1
    return false
  }

  func lacks(_ values: [String: String?], _ kind: Int) -> [Attribute] {
    let identity = model.identity(kind).map(\.name)
    return model.attributes(kind).filter { attribute in
      !attribute.isOptional && !identity.contains(attribute.name)
        && (values[attribute.name] ?? NaiveValues.defaultValue(attribute)) == nil
    }
  }

  mutating func write(_ key: NaiveKey, _ kind: Int, _ values: [String: String?]) {
    guard var object = state.objects[key] else {
      insert(key, kind, values)
      return
    }
    let before = object
    object.kind = self.kind(of: key, importedAs: kind)
    object.values = self.values(of: key, object.kind, with: values)
    state.objects[key] = object
    if object.kind != before.kind { changeKind(key, from: before.kind, into: object.kind) }
    mark(key, object == before ? .unchanged : .updated)
  }

  /// "A default applies when an object is inserted."
  mutating func insert(_ key: NaiveKey, _ kind: Int, _ values: [String: String?]) {
    var object = NaiveObject(kind: kind)
    for attribute in model.attributes(kind) {
      object.values[attribute.name] = values[attribute.name] ?? NaiveValues.defaultValue(attribute)
    }
    for name in model.kinds[model.root(kind)].identity { object.values[name] = nil }
    state.objects[key] = object
    marks[key] = .inserted
  }

  /// An object that was inserted or updated stays so.
  mutating func mark(_ key: NaiveKey, _ mark: Mark) {
    if outdated.contains(key) { return }
    switch marks[key] {
    case nil: marks[key] = mark
    case .unchanged: marks[key] = mark
    case .inserted, .updated: break
    }
  }

  mutating func countUnmatched(_ members: [TestJSON.Member], _ kind: Int) {
    // "A key that tells the kind of objects is not unmatched."
    let hasRelatives = model.kinds.indices.contains { $0 != kind && model.root($0) == model.root(kind) }
    for member in members where property(member.key, kind) == nil && !(hasRelatives && member.key == "type") {
      report.unmatched[model.kinds[kind].name, default: [:]][member.key, default: 0] += 1
    }
  }
}
