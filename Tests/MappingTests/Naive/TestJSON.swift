/// JSON as the random tests tell it: members keep their order, numbers their spelling.
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
    case .string(let text): "\"\(text)\""
    case .list(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\"\($0.key)\": \($0.value.text)" }.joined(separator: ", "))}"
    }
  }
}
