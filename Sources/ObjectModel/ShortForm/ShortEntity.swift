/// An entity in the short form: its properties by their names, and what is said of the entity itself after a `$`.
struct ShortEntity {
  /// `LiveAlbum < Album`, `abstract Media`
  struct Head {
    var name: String
    var parent: String?
    var isAbstract: Bool

    init(name: String, parent: String?, isAbstract: Bool) {
      (self.name, self.parent, self.isAbstract) = (name, parent, isAbstract)
    }

    init(_ text: String) {
      let word = "abstract "
      isAbstract = text.hasPrefix(word)
      let rest = isAbstract ? text.dropFirst(word.count) : text[...]
      if let sign = rest.firstIndex(of: "<") {
        parent = ShortType.trimmed(rest[rest.index(after: sign)...])
        name = ShortType.trimmed(rest[..<sign])
      } else {
        name = isAbstract ? ShortType.trimmed(rest) : text
      }
    }
  }

  let name: String
  let parent: String?
  private(set) var properties: [ShortProperty] = []
  private var members: [FormValue.Member] = []
  private var userInfo: [FormValue.Member] = []

  private static let keys = [
    "abstract", "class", "fetchedProperties", "identity", "indexes", "other", "parent", "renamingIdentifier",
    "unique", "userInfo", "versionHashModifier",
  ]

  init(_ head: Head, _ value: FormValue, _ names: ShortNames) throws {
    name = head.name
    let said = value.members ?? []
    let written = said.last { $0.key == "$parent" }?.value
    parent = written?.text ?? head.parent
    guard value == .null || value.members != nil else {
      throw ModelError(
        .unexpected(value: value.summary, of: name, expected: "an object of properties", nearest: nil))
    }
    if let written, written.text == nil { throw unexpected(written, of: "parent", "the name of an entity") }
    if head.isAbstract { members.append(ShortProperty.member("abstract", .bool(true))) }
    for member in said where member.key != "$parent" {
      if member.key.hasPrefix("$") {
        try readOption(String(member.key.dropFirst()), member.value)
      } else {
        let property = try FormReader().located(property: member.key) {
          try ShortProperty(member.key, member.value, names)
        }
        properties.append(property)
      }
    }
    if let parent { members.append(ShortProperty.member("parent", .string(parent))) }
    identify()
  }

  private mutating func readOption(_ key: String, _ value: FormValue) throws {
    switch key {
    case "identity":
      let names = value.elements?.compactMap(\.text) ?? [value.text].compactMap(\.self)
      guard !names.isEmpty, names.count == value.elements?.count ?? 1 else {
        throw unexpected(value, of: key, "the name of a property, or a list of names")
      }
      userInfo.append(ShortProperty.member("broker.identity", .string(names.joined(separator: ","))))
    case "userInfo":
      guard let members = value.members else { throw unexpected(value, of: key, "an object") }
      userInfo += members
    case _ where Self.keys.contains(key): members.append(ShortProperty.member(key, value))
    default:
      let known = Self.keys.map { "$\($0)" }
      throw ModelError(.unknownKey("$\(key)", known: known, nearest: nearestName(to: "$\(key)", in: known)))
    }
  }

  private func unexpected(_ value: FormValue, of key: String, _ expected: String) -> ModelError {
    ModelError(.unexpected(value: value.summary, of: "$\(key)", expected: expected, nearest: nil))
  }

  // MARK: - Identity

  private mutating func identify() {
    let marked = properties.indices.filter { properties[$0].isIdentity }
    if marked.count == 1, let only = marked.first, !properties[only].isRelationship {
      properties[only].annotate("broker.identity", "true")
    } else if !marked.isEmpty {
      let names = marked.map { properties[$0].name }.joined(separator: ",")
      userInfo.append(ShortProperty.member("broker.identity", .string(names)))
    }
    let isSaid = !marked.isEmpty || parent != nil || userInfo.contains { $0.key == "broker.identity" }
    guard !isSaid else { return }
    for wanted in Self.usualIdentities(of: name) {
      guard let index = properties.firstIndex(where: { Self.folded($0.name) == wanted && !$0.isRelationship })
      else {
        continue
      }
      // Objects are known by it, so each has one.
      if !properties[index].saysOptional { properties[index].makeRequired() }
      return
    }
  }

  /// The names that say by themselves that an attribute is the identity of an entity.
  static func usualIdentities(of entity: String) -> [String] { ["id", "remoteid", folded(entity) + "id"] }

  static func folded(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

  // MARK: - The long form

  mutating func take(_ inverses: ShortInverses) {
    for index in properties.indices where properties[index].isRelationship {
      if let inverse = inverses[name, properties[index].name] { properties[index].setInverse(inverse) }
    }
  }

  var long: FormValue {
    var result = [ShortProperty.member("name", .string(name))] + members
    let attributes = properties.filter { !$0.isRelationship }.map(\.long)
    let relationships = properties.filter(\.isRelationship).map(\.long)
    if !attributes.isEmpty { result.append(ShortProperty.member("attributes", .array(attributes))) }
    if !relationships.isEmpty { result.append(ShortProperty.member("relationships", .array(relationships))) }
    if !userInfo.isEmpty { result.append(ShortProperty.member("userInfo", .object(userInfo))) }
    return .object(result)
  }
}
