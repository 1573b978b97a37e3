/// A property in a short form, as the members of its long form.
struct ShortProperty {
  let name: String
  private(set) var members: [FormValue.Member]
  let isRelationship: Bool
  /// The entity that a relationship leads to.
  let destination: String?
  /// Whether it is marked as (a part of) the identity of its entity.
  private(set) var isIdentity = false
  /// Whether something says if it is optional.
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
    members = [Self.member("name", .string(name))] + type.members.filter { !given.contains($0.key) }
    add(rest, type.userInfo)
  }

  /// A property in the long form.
  private init(name: String, long members: [FormValue.Member]) {
    self.name = name
    self.members = [Self.member("name", .string(name))] + members
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
      case ("key", .string(let key)): userInfo.append(Self.member("broker.key", .string(key)))
      case ("key", .array(let keys)):
        for (index, key) in keys.enumerated() {
          userInfo.append(Self.member(index == 0 ? "broker.key" : "broker.key.\(index)", key))
        }
      case ("userInfo", .object(let more)): userInfo += more
      default: members.append(member)
      }
    }
    if !userInfo.isEmpty { members.append(Self.member("userInfo", .object(userInfo))) }
  }

  // MARK: - What the entity knows

  mutating func makeRequired() {
    members.removeAll { $0.key == "optional" }
    members.append(Self.member("optional", .bool(false)))
  }

  mutating func annotate(_ key: String, _ text: String) {
    let member = Self.member(key, .string(text))
    guard let index = members.firstIndex(where: { $0.key == "userInfo" }),
      let old = members[index].value.members
    else {
      members.append(Self.member("userInfo", .object([member])))
      return
    }
    members[index].value = .object(old + [member])
  }

  mutating func setInverse(_ name: String) {
    members.removeAll { $0.key == "inverse" }
    members.append(Self.member("inverse", .string(name)))
  }

  var long: FormValue { .object(members) }

  static func member(_ key: String, _ value: FormValue) -> FormValue.Member {
    FormValue.Member(key: key, value: value)
  }
}
