import Foundation
import JSONStream

/// A property in a short form, as the members of its long form.
struct ShortProperty {
  let name: String
  private(set) var members: [FormValue.Member]
  let isRelationship: Bool
  /// The entity that a relationship leads to.
  let destination: String?
  /// Whether it is marked as (a part of) the identity of its entity.
  private(set) var isIdentity = false
  private(set) var saysOptional = false
  /// The inverse that a relationship names.
  private(set) var inverse: String?
  /// Whether its inverse may be found by its type.
  private(set) var isOpen = false

  init(_ name: String, _ value: FormValue, _ names: ShortNames) throws {
    let given = value.members ?? []
    if given.contains(where: { $0.key == "destination" || $0.key == "composite" }) {
      self.init(name: name, long: given)
    } else if value.members != nil {
      guard let type = given.first(where: { $0.key == "type" })?.value else {
        throw ModelError(.missing("type", of: "a property"))
      }
      self.init(name: name, try ShortPropertyType(type, names), given.filter { $0.key != "type" })
    } else {
      self.init(name: name, try ShortPropertyType(value, names), [])
    }
  }

  /// - Parameter rest: What an object says besides the type.
  private init(name: String, _ type: ShortPropertyType, _ rest: [FormValue.Member]) {
    self.name = name
    destination = type.destination
    isRelationship = type.destination != nil
    isIdentity = type.isIdentity
    let given = Set(rest.map(\.key))
    saysOptional = type.saysOptional || given.contains("optional")
    inverse = rest.first { $0.key == "inverse" }?.value.text ?? type.inverse
    isOpen = isRelationship && inverse == nil && !given.contains("inverse")
    members = [FormValue.Member("name", .string(name))] + type.members.filter { !given.contains($0.key) }
    add(rest, type.userInfo)
  }

  private init(name: String, long members: [FormValue.Member]) {
    self.name = name
    self.members = [FormValue.Member("name", .string(name))] + members
    destination = members.last { $0.key == "destination" }?.value.text
    isRelationship = members.contains { $0.key == "destination" }
    saysOptional = true
    inverse = members.last { $0.key == "inverse" }?.value.text
  }

  /// Adds what an object says besides the type. `key` is short for annotations.
  private mutating func add(_ rest: [FormValue.Member], _ own: [FormValue.Member]) {
    var userInfo = own
    for member in rest {
      switch (member.key, member.value) {
      case ("key", .string(let key)): userInfo.append(FormValue.Member("broker.key", .string(key)))
      case ("key", .array(let keys)):
        for (index, key) in keys.enumerated() {
          userInfo.append(FormValue.Member(index == 0 ? "broker.key" : "broker.key.\(index)", key))
        }
      case ("userInfo", .object(let more)): userInfo += more
      default: members.append(member)
      }
    }
    if !userInfo.isEmpty { members.append(FormValue.Member("userInfo", .object(userInfo))) }
  }

  // MARK: - What the entity knows

  mutating func makeRequired() {
    members.removeAll { $0.key == "optional" }
    members.append(FormValue.Member("optional", .bool(false)))
  }

  mutating func annotate(_ key: String, _ text: String) {
    let member = FormValue.Member(key, .string(text))
    guard let index = members.firstIndex(where: { $0.key == "userInfo" }),
      let old = members[index].value.members
    else {
      members.append(FormValue.Member("userInfo", .object([member])))
      return
    }
    members[index].value = .object(old + [member])
  }

  mutating func setInverse(_ name: String) {
    members.removeAll { $0.key == "inverse" }
    members.append(FormValue.Member("inverse", .string(name)))
  }

  var long: FormValue { .object(members) }
}

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
      userInfo.append(FormValue.Member("broker.values", .string(json)))
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
    members.append(FormValue.Member(key, value))
  }
}

/// The declaration in a property's text: `int! = 3`, `string?`, `rock | jazz`, `Album.band`.
struct ShortType {
  enum Kind: Equatable {
    /// The name of the type in the JSON form.
    case attribute(String)
    case composite(String)
    case values([String])
    case relationship(String, inverse: String?)
  }

  let kind: Kind
  /// Nil if nothing says it.
  let isOptional: Bool?
  let isIdentity: Bool
  let defaultText: String?

  init(_ text: String, _ names: ShortNames) throws {
    var core = Substring(text)
    if let equals = text.firstIndex(of: "=") {
      core = text[..<equals]
      defaultText = Self.unquoted(Self.trimmed(text[text.index(after: equals)...]))
    } else {
      defaultText = nil
    }
    var name = Self.trimmed(core)
    var isOptional: Bool?
    var isIdentity = false
    while let mark = name.last, "!?*".contains(mark) {
      switch mark {
      case "!": isOptional = false
      case "?": isOptional = true
      default: isIdentity = true
      }
      name = Self.trimmed(name.dropLast())
    }
    self.isOptional = isOptional ?? (isIdentity ? false : nil)
    self.isIdentity = isIdentity
    kind = try Self.kind(name, names)
  }

  private static func kind(_ name: String, _ names: ShortNames) throws -> Kind {
    if name.contains("|") { return .values(name.split(separator: "|").map { unquoted(trimmed($0)) }) }
    if names.entities.contains(name) { return .relationship(name, inverse: nil) }
    if let dot = name.lastIndex(of: "."), names.entities.contains(String(name[..<dot])) {
      return .relationship(String(name[..<dot]), inverse: String(name[name.index(after: dot)...]))
    }
    if names.composites.contains(name) { return .composite(name) }
    if let type = FormNames.types.first(where: { $0.name == name })?.name { return .attribute(type) }
    if let type = FormNames.shortTypes[name] { return .attribute(type) }
    throw ModelError(
      .unexpected(
        value: name, of: "type", expected: "an entity or an attribute type", nearest: nearest(to: name, names)
      ))
  }

  private static func nearest(to name: String, _ names: ShortNames) -> String? {
    let entities = names.entities.sorted()
    let types = FormNames.types.map(\.name) + FormNames.shortTypes.keys.sorted() + names.composites.sorted()
    return nearestName(to: name.split(separator: ".").first.map(String.init) ?? name, in: entities)
      ?? FormNames.nearestType(to: name) ?? nearestName(to: name, in: types)
  }

  static func trimmed(_ text: some StringProtocol) -> String { text.trimmingCharacters(in: .whitespaces) }

  /// A text in quotation marks without them.
  private static func unquoted(_ text: String) -> String {
    guard text.hasPrefix("\""), case .string(let inner)? = try? FormValue(json: Data(text.utf8)) else {
      return text
    }
    return inner
  }
}
