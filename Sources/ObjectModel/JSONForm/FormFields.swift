/// The members of an object of the JSON form, taken one by one; what is left at the end is unknown.
struct FormFields {
  /// What the object is, for messages: “an attribute”.
  let owner: String
  private var members: [String: FormValue] = [:]
  /// The keys asked for, in that order: the ones there are.
  private var known: [String] = []

  init(_ value: FormValue, of owner: String) throws {
    self.owner = owner
    guard case .object(let list) = value else {
      throw ModelError(.unexpected(value: value.summary, of: owner, expected: "an object", nearest: nil))
    }
    for member in list { members[member.key] = member.value }
  }

  /// The member's value; `nil` where it is absent or null.
  mutating func value(_ key: String) -> FormValue? {
    known.append(key)
    guard let value = members.removeValue(forKey: key), value != .null else { return nil }
    return value
  }

  /// Whether the member is there, be it null.
  func has(_ key: String) -> Bool {
    members[key] != nil
  }

  mutating func required(_ key: String) throws -> String {
    guard let text = try string(key), !text.isEmpty else { throw ModelError(.missing(key, of: owner)) }
    return text
  }

  mutating func string(_ key: String) throws -> String? {
    switch value(key) {
    case nil: return nil
    case .string(let text)?: return text
    case let other?: throw unexpected(other, of: key, expected: "a string")
    }
  }

  /// A string, or a number or a boolean that stands for one.
  mutating func scalar(_ key: String) throws -> String? {
    switch value(key) {
    case nil: return nil
    case .string(let text)?: return text
    case .bool(let value)?: return value ? "YES" : "NO"
    case .integer(let number)?: return String(number)
    case .number(let digits)?: return digits
    case let other?: throw unexpected(other, of: key, expected: "a string, a number or a boolean")
    }
  }

  mutating func bool(_ key: String, default fallback: Bool = false) throws -> Bool {
    switch value(key) {
    case nil: return fallback
    case .bool(let bool)?: return bool
    case let other?: throw unexpected(other, of: key, expected: "true or false")
    }
  }

  mutating func integer(_ key: String) throws -> Int? {
    switch value(key) {
    case nil: return nil
    case .integer(let number)?: return Int(number)
    case let other?: throw unexpected(other, of: key, expected: "a whole number")
    }
  }

  mutating func list(_ key: String) throws -> [FormValue] {
    switch value(key) {
    case nil: return []
    case .array(let elements)?: return elements
    case let other?: throw unexpected(other, of: key, expected: "a list")
    }
  }

  mutating func strings(_ key: String) throws -> [String] {
    try list(key).map { try Self.string($0, of: key) }
  }

  /// Members whose values are strings: `userInfo`, `other`.
  mutating func dictionary(_ key: String) throws -> [String: String] {
    switch value(key) {
    case nil: return [:]
    case .object(let members)?:
      var result: [String: String] = [:]
      for member in members { result[member.key] = try Self.string(member.value, of: key) }
      return result
    case let other?: throw unexpected(other, of: key, expected: "an object")
    }
  }

  /// Throws if the object has keys that nobody asked for.
  func finish() throws {
    guard let key = members.keys.sorted().first else { return }
    throw ModelError(.unknownKey(key, known: known, nearest: nearestName(to: key, in: known)))
  }

  func unexpected(_ value: FormValue, of key: String, expected: String) -> ModelError {
    ModelError(.unexpected(value: value.summary, of: key, expected: expected, nearest: nil))
  }

  static func string(_ value: FormValue, of key: String) throws -> String {
    guard case .string(let text) = value else {
      throw ModelError(.unexpected(value: value.summary, of: key, expected: "a string", nearest: nil))
    }
    return text
  }
}
