/// JSON as random tests write it: members keep their order, and numbers their digits.
indirect enum TestJSON: Hashable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case list([TestJSON])
  case object([Member])

  struct Member: Hashable {
    var key: String
    var value: TestJSON

    init(_ key: String, _ value: TestJSON) {
      self.key = key
      self.value = value
    }
  }

  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let text): text
    case .string(let text): Self.quoted(text)
    case .list(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0.key)): \($0.value.text)" }.joined(separator: ", "))}"
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
