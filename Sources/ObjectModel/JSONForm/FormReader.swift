import Foundation

/// Turns Broker's JSON form into a model. Every error names the entity and the property.
struct FormReader {
  func model(from value: FormValue) throws -> Model {
    var fields = try FormFields(value, of: "a model")
    let model = Model(
      entities: try fields.list("entities").map(entity),
      composites: try fields.list("composites").map(composite),
      configurations: try fields.list("configurations").map(configuration),
      fetchRequests: try fields.list("fetchRequests").map(fetchRequest),
      versionIdentifier: try fields.string("versionIdentifier"),
      other: try fields.dictionary("other"))
    try fields.finish()
    return model
  }

  private func composite(from value: FormValue) throws -> Composite {
    var fields = try FormFields(value, of: "a composite")
    let name = try fields.required("name")
    return try ModelError.locating(entity: name) {
      let composite = Composite(
        name: name, attributes: try fields.list("attributes").map(attribute),
        other: try fields.dictionary("other"))
      try fields.finish()
      return composite
    }
  }

  private func configuration(from value: FormValue) throws -> Configuration {
    var fields = try FormFields(value, of: "a configuration")
    let configuration = Configuration(
      name: try fields.required("name"), entities: try fields.strings("entities"),
      other: try fields.dictionary("other"))
    try fields.finish()
    return configuration
  }

  func fetchRequest(from value: FormValue) throws -> FetchRequest {
    var fields = try FormFields(value, of: "a fetch request")
    let request = FetchRequest(
      name: try fields.required("name"), entity: try fields.string("entity"),
      predicate: try fields.string("predicate"), other: try fields.dictionary("other"))
    try fields.finish()
    return request
  }
}

extension FormReader {
  func entity(from value: FormValue) throws -> Entity {
    var fields = try FormFields(value, of: "an entity")
    let name = try fields.required("name")
    return try ModelError.locating(entity: name) {
      let entity = Entity(
        name: name,
        className: try fields.string("class"),
        parent: try fields.string("parent"),
        isAbstract: try fields.bool("abstract"),
        attributes: try fields.list("attributes").map(attribute),
        relationships: try fields.list("relationships").map(relationship),
        fetchedProperties: try fields.list("fetchedProperties").map(fetchedProperty),
        uniquenessConstraints: try uniquenessConstraints(from: &fields),
        indexes: try fields.list("indexes").map(index),
        userInfo: try fields.dictionary("userInfo"),
        renamingIdentifier: try fields.string("renamingIdentifier"),
        versionHashModifier: try fields.string("versionHashModifier"),
        other: try fields.dictionary("other"))
      try fields.finish()
      return entity
    }
  }

  /// A list of lists; a single name may stand for a list of one.
  private func uniquenessConstraints(from fields: inout FormFields) throws -> [[String]] {
    try fields.list("unique").map { constraint in
      guard case .array(let names) = constraint else {
        return [try FormFields.string(constraint, of: "unique")]
      }
      return try names.map { try FormFields.string($0, of: "unique") }
    }
  }

  private func fetchedProperty(from value: FormValue) throws -> FetchedProperty {
    var fields = try FormFields(value, of: "a fetched property")
    let name = try fields.required("name")
    return try ModelError.locating(property: name) {
      let property = FetchedProperty(
        name: name, isOptional: try fields.bool("optional", default: true),
        fetchRequest: try fields.value("fetchRequest").map(fetchRequest),
        userInfo: try fields.dictionary("userInfo"), other: try fields.dictionary("other"))
      try fields.finish()
      return property
    }
  }

  private func index(from value: FormValue) throws -> Index {
    var fields = try FormFields(value, of: "an index")
    let index = Index(
      name: try fields.required("name"),
      elements: try fields.list("elements").map(indexElement),
      predicate: try fields.string("predicate"),
      isCompound: try fields.bool("compound"),
      other: try fields.dictionary("other"))
    try fields.finish()
    return index
  }

  /// A property's name, or an object where there is more to say.
  private func indexElement(from value: FormValue) throws -> Index.Element {
    if case .string(let name) = value { return Index.Element(property: name) }
    var fields = try FormFields(value, of: "an element of an index")
    let element = Index.Element(
      property: try fields.string("property") ?? "",
      isAscending: try !fields.bool("descending"),
      other: try fields.dictionary("other"))
    try fields.finish()
    return element
  }
}

extension FormReader {
  func attribute(from value: FormValue) throws -> Attribute {
    var fields = try FormFields(value, of: "an attribute")
    let name = try fields.required("name")
    return try ModelError.locating(property: name) {
      let attribute = Attribute(
        name: name,
        type: try type(from: &fields),
        isOptional: try fields.bool("optional"),
        isTransient: try fields.bool("transient"),
        defaultValue: try fields.scalar("default"),
        defaultDate: try defaultDate(from: &fields),
        minimum: try fields.scalar("minimum"),
        maximum: try fields.scalar("maximum"),
        pattern: try fields.string("pattern"),
        derivation: try fields.string("derivation"),
        isIndexed: try fields.bool("indexed"),
        userInfo: try fields.dictionary("userInfo"),
        renamingIdentifier: try fields.string("renamingIdentifier"),
        versionHashModifier: try fields.string("versionHashModifier"),
        other: try fields.dictionary("other"))
      try fields.finish()
      return attribute
    }
  }

  private func type(from fields: inout FormFields) throws -> AttributeType {
    let name = try fields.required("type")
    if name == FormNames.composite { return .composite(try fields.required("composite")) }
    if let type = FormNames.types.first(where: { $0.name == name })?.type { return type }
    throw ModelError(
      .unexpected(
        value: name, of: "type", expected: "an attribute type", nearest: FormNames.nearestType(to: name)))
  }

  /// A date as ISO 8601, or as seconds since 2001.
  private func defaultDate(from fields: inout FormFields) throws -> Double? {
    guard let value = fields.value("defaultDate") else { return nil }
    switch value {
    case .integer(let seconds): return Double(seconds)
    case .number(let digits):
      if let seconds = Double(digits), seconds.isFinite { return seconds }
    case .string(let text):
      if let date = try? Date.ISO8601FormatStyle().parse(text) { return date.timeIntervalSinceReferenceDate }
    default: break
    }
    throw fields.unexpected(value, of: "defaultDate", expected: "a date like 2001-01-01T00:00:00Z")
  }

  func relationship(from value: FormValue) throws -> Relationship {
    var fields = try FormFields(value, of: "a relationship")
    let name = try fields.required("name")
    return try ModelError.locating(property: name) {
      var relationship = Relationship(name: name, destination: try fields.required("destination"))
      relationship.isToMany = try fields.bool("toMany")
      relationship.isOrdered = try fields.bool("ordered")
      relationship.isOptional = try fields.bool("optional", default: true)
      relationship.isTransient = try fields.bool("transient")
      relationship.inverse = try fields.string("inverse")
      // Nearly always the destination, and then left out. Null says that there is none.
      let hasInverseEntity = fields.has("inverseEntity")
      relationship.inverseEntity = try fields.string("inverseEntity")
      if relationship.inverse != nil, !hasInverseEntity {
        relationship.inverseEntity = relationship.destination
      }
      relationship.deleteRule = try deleteRule(from: &fields)
      relationship.minimumCount = try fields.integer("minimumCount")
      relationship.maximumCount = try fields.integer("maximumCount")
      relationship.userInfo = try fields.dictionary("userInfo")
      relationship.renamingIdentifier = try fields.string("renamingIdentifier")
      relationship.versionHashModifier = try fields.string("versionHashModifier")
      relationship.other = try fields.dictionary("other")
      try fields.finish()
      return relationship
    }
  }

  private func deleteRule(from fields: inout FormFields) throws -> DeleteRule {
    guard let name = try fields.string("deleteRule") else { return .nullify }
    if let rule = DeleteRule(rawValue: name) { return rule }
    let names = DeleteRule.allCases.map(\.rawValue)
    throw ModelError(
      .unexpected(
        value: name, of: "deleteRule", expected: "a delete rule", nearest: nearestName(to: name, in: names)))
  }
}

/// The members of an object of the JSON form, taken one by one; what is left at the end is unknown.
struct FormFields {
  /// The object, for messages: “an attribute”.
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
