/// Something in the JSON that could not be used.
public struct ImportIssue: Sendable, Hashable, Codable {
  /// Where it is: `$.bands[3].formed`. If there are several files, the path of the file comes first: `a.json:
  /// $.bands[3].formed`. If values follow one another, as in JSON Lines, the line is named: `bands.jsonl:17:
  /// $.formed`, or `line 17: $.formed`.
  public var path: String
  /// The entity of the object.
  public var entity: String
  /// The object's identity, if it is known.
  public var identity: String?
  /// The key, or the key path.
  public var key: String?
  /// What was expected.
  public var expected: String
  /// What was found, shortened.
  public var found: String
  /// What was done.
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
    return "\(path): expected \(expected), found \(found); \(action)" + (object.isEmpty ? "" : " (\(object))")
  }
}
