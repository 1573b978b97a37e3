import JSONStream

/// The type of a property in a short form: a text, or for many objects a list, `[Album, ordered, cascade]`.
struct ShortPropertyType {
  private(set) var members: [FormValue.Member] = []
  private(set) var userInfo: [FormValue.Member] = []
  private(set) var destination: String?
  private(set) var inverse: String?
  private(set) var isIdentity = false
  private(set) var saysOptional = false

  private static let options = ["ordered", "cascade", "nullify", "deny", "noAction"]

  init(_ value: FormValue, _ names: ShortNames) throws {
    switch value {
    case .string(let text): try read(ShortType(text, names))
    case .array(let elements): try read(list: elements, names)
    default:
      throw ModelError(
        .unexpected(value: value.summary, of: "type", expected: "a type, as int or [Album]", nearest: nil))
    }
  }

  private mutating func read(_ type: ShortType) throws {
    isIdentity = type.isIdentity
    saysOptional = type.isOptional != nil
    switch type.kind {
    case .attribute(let name):
      add("type", .string(name))
      if let text = type.defaultText {
        add(name == "date" ? "defaultDate" : "default", Self.value(text, of: name))
      }
    case .composite(let name):
      add("type", .string(FormNames.composite))
      add("composite", .string(name))
    case .values(let values):
      add("type", .string("string"))
      let json = JSONValue.array(values.map(JSONValue.string)).text
      userInfo.append(ShortProperty.member("broker.values", .string(json)))
      if let text = type.defaultText { add("default", .string(text)) }
    case .relationship(let entity, let inverse):
      destination = entity
      self.inverse = inverse
      add("destination", .string(entity))
      if let text = type.defaultText {
        throw ModelError(
          .message("a relationship has no default, and “\(ModelError.shortened(text))” is one"))
      }
    }
    add("optional", .bool(type.isOptional ?? true))
  }

  private static func value(_ text: String, of type: String) -> FormValue {
    if type == "boolean", text == "true" || text == "false" { return .bool(text == "true") }
    if type == "date", let seconds = Double(text) { return .number(String(seconds)) }
    return .string(text)
  }

  private mutating func read(list: [FormValue], _ names: ShortNames) throws {
    guard let text = list.first?.text else {
      throw ModelError(
        .message("a list of objects begins with the name of their entity, as [Album, ordered]"))
    }
    try read(ShortType(text, names))
    guard destination != nil else {
      throw ModelError(
        .message(
          "a list of “\(ModelError.shortened(text))” is no relationship: take the type transformable for lists of"
            + " values"))
    }
    add("toMany", .bool(true))
    for option in list.dropFirst() {
      switch option.text {
      case "ordered": add("ordered", .bool(true))
      case let rule? where Self.options.contains(rule): add("deleteRule", .string(rule))
      default:
        throw ModelError(
          .unexpected(
            value: option.summary, of: "option of a list",
            expected: "one of \(Self.options.joined(separator: ", "))",
            nearest: nearestName(to: option.summary, in: Self.options)))
      }
    }
  }

  private mutating func add(_ key: String, _ value: FormValue) {
    members.append(ShortProperty.member(key, value))
  }
}
