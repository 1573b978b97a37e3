/// Something in the JSON that could not be used.
public struct ImportIssue: Sendable, Hashable, Codable {
  /// Where it is: `$.bands[3].formed`, after the file's path where there are several: `a.json: $.bands[3].formed`. Of
  /// values that follow one another, as in JSON Lines, with the line: `bands.jsonl:17: $.formed`, or `line 17: $.formed`.
  public var path: String
  /// The entity of the object.
  public var entity: String
  /// The object's identity, if it is known.
  public var identity: String?
  /// The key, or the key path.
  public var key: String?
  /// What could have been used.
  public var expected: String
  /// What is there, shortened.
  public var found: String
  /// What was done about it.
  public var action: String

  public init(
    path: String, entity: String, identity: String? = nil, key: String? = nil, expected: String,
    found: String, action: String
  ) {
    self.path = path
    self.entity = entity
    self.identity = identity
    self.key = key
    self.expected = expected
    self.found = found
    self.action = action
  }
}

extension ImportIssue: CustomStringConvertible {
  public var description: String {
    let object = identity.map { "\(entity) \($0)" } ?? entity
    return "\(path): expected \(expected), found \(found); \(action) (\(object))"
  }
}
