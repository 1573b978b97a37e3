import ObjectModel

/// The properties of an object in a JSON Schema. Those with key paths lie in objects inside it: `release.date`.
///
/// Key paths into lists have no form here and are left out.
struct SchemaProperties {
  private(set) var members: [FormValue.Member] = []

  static func isPath(_ key: String) -> Bool { key.contains { ".[]*".contains($0) } }

  mutating func add(_ property: FormValue.Member) {
    guard Self.isPath(property.key) else {
      set(property.key, property.value)
      return
    }
    guard !property.key.contains(where: { "[]*".contains($0) }) else { return }
    let steps = property.key.split(separator: ".").map(String.init)
    guard let first = steps.first else { return }
    let before = members.first { $0.key == first }?.value
    // A whole object that is kept as JSON may stand there as well: it says nothing of what is inside.
    set(first, Self.merged(before, steps.dropFirst(), property.value))
  }

  private mutating func set(_ key: String, _ value: FormValue) {
    guard let index = members.firstIndex(where: { $0.key == key }) else {
      members.append(FormMember(key, value))
      return
    }
    // What lies deeper says more than the whole.
    if members[index].value["properties"] == nil || value["properties"] != nil {
      members[index].value = value
    }
  }

  /// An object with the property at the end of a path, beside what it has already. Paths are short.
  private static func merged(_ before: FormValue?, _ steps: ArraySlice<String>, _ value: FormValue)
    -> FormValue
  {
    guard let first = steps.first, steps.count <= 32 else { return value }
    var inner = SchemaProperties()
    inner.members = before?["properties"]?.members ?? []
    let next = inner.members.first { $0.key == first }?.value
    inner.set(first, merged(next, steps.dropFirst(), value))
    return .object([
      FormMember("type", .array([.string("object"), .string("null")])),
      FormMember("properties", .object(inner.members)),
    ])
  }
}
