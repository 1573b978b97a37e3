extension JSONReader {
  /// Reads a value, whose first token was just read, as a whole. Of a key that comes twice, the last counts.
  package mutating func value(from token: JSONToken) throws(JSONError) -> JSONValue {
    switch token {
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number: return .number(String(decoding: text, as: UTF8.self))
    case .string: return .string(String(decoding: text, as: UTF8.self))
    case .beginArray:
      var elements: [JSONValue] = []
      var element = try next()
      while element != .endArray {
        elements.append(try value(from: element))
        element = try next()
      }
      return .array(elements)
    case .beginObject:
      var members: [String: JSONValue] = [:]
      while try next() == .key {
        let key = String(decoding: text, as: UTF8.self)
        members[key] = try value(from: next())
      }
      return .object(members)
    case .null, .key, .endObject, .endArray, .end: return .null
    }
  }
}

extension JSONWriter {
  /// Writes a value, the keys of its objects in order.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .number(let digits): raw(digits)
    case .string(let text): string(text)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        self.key(key)
        self.value(member)
      }
      endObject()
    }
  }
}
