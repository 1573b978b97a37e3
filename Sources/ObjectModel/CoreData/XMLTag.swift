/// An element of an XML file, without its text: model files say everything in attributes.
struct XMLTag {
  var name: String
  var attributes: [String: String]
  var children: [XMLTag] = []
  /// The line on which its start tag ends.
  var line: Int

  /// The children with this name, in order.
  func all(_ name: String) -> [XMLTag] {
    children.filter { $0.name == name }
  }

  /// A copy of the attributes from which a reader takes what it knows; what is left is kept as it is.
  func fields(of owner: String) -> XMLFields {
    XMLFields(tag: self, owner: owner)
  }
}

/// The attributes of an element, taken one by one.
struct XMLFields {
  let tag: XMLTag
  /// What the element is, for messages: “an entity”.
  let owner: String
  /// What nobody has taken.
  private(set) var rest: [String: String]

  init(tag: XMLTag, owner: String) {
    self.tag = tag
    self.owner = owner
    self.rest = tag.attributes
  }

  mutating func text(_ name: String) -> String? {
    rest.removeValue(forKey: name)
  }

  /// The text, or `nil` where the attribute is absent or empty.
  mutating func nonEmpty(_ name: String) -> String? {
    text(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func required(_ name: String) throws -> String {
    guard let text = nonEmpty(name) else { throw error(.missing(name, of: owner)) }
    return text
  }

  /// `YES` or `NO`, which some models write `true` or `false`. Absent means `NO`.
  mutating func flag(_ name: String) throws -> Bool {
    guard let text = text(name) else { return false }
    switch text.lowercased() {
    case "yes", "true", "1": return true
    case "no", "false", "0", "": return false
    default: throw unexpected(text, of: name, expected: "YES or NO")
    }
  }

  mutating func integer(_ name: String) throws -> Int? {
    guard let text = nonEmpty(name) else { return nil }
    guard let number = Int(text) else { throw unexpected(text, of: name, expected: "a whole number") }
    return number
  }

  mutating func number(_ name: String) throws -> Double? {
    guard let text = nonEmpty(name) else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw unexpected(text, of: name, expected: "a number")
    }
    return number
  }

  func unexpected(
    _ value: String, of name: String, expected: String, nearest: String? = nil
  ) -> ModelError {
    error(.unexpected(value: value, of: name, expected: expected, nearest: nearest))
  }

  func error(_ reason: ModelError.Reason) -> ModelError {
    ModelError(reason, line: tag.line)
  }
}
