extension ArchivedModelReader {
  /// The members of a dictionary whose keys are texts, sorted by these; empty if a value is none.
  mutating func members(
    _ value: ArchivedValue
  ) throws(PropertyListError) -> [(key: String, value: ArchivedValue)] {
    let keys: PropertyListArray
    let values: PropertyListArray
    switch value {
    case .value(.dictionary(let members)): (keys, values) = (members.keys, members.values)
    case .object(let object):
      guard let archivedKeys = object.fields["NS.keys"]?.array,
        let archived = object.fields["NS.objects"]?.array
      else {
        return try namedObjects(in: object)
      }
      (keys, values) = (archivedKeys, archived)
    default: return []
    }
    guard keys.count == values.count else {
      throw .expected("a dictionary with as many values as keys", found: "\(values.count) and \(keys.count)")
    }
    var result: [(key: String, value: ArchivedValue)] = []
    for index in 0..<keys.count {
      guard let key = try text(archive.resolved(keys[index])) else { continue }
      result.append((key, try archive.resolved(values[index])))
    }
    result.sort { $0.key < $1.key }
    return result
  }

  /// Entities and properties by their names, in the lists that an object has: Core Data has dictionaries of its own, which
  /// keep their keys elsewhere.
  private mutating func namedObjects(
    in object: ArchivedObject
  ) throws(PropertyListError) -> [(key: String, value: ArchivedValue)] {
    var result: [String: ArchivedValue] = [:]
    let fields = object.fields.values
    for index in 0..<min(fields.count, 256) {
      for element in try elements(archive.resolved(fields[index])) {
        for key in ["NSPropertyName", "NSEntityName"] {
          if let name = try name(key, of: element) { result[name] = element }
        }
      }
    }
    return result.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
