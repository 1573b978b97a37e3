import Foundation

extension ModelChecker {
  /// One attribute of an entity or a composite.
  mutating func check(_ attribute: Attribute, of entity: String) {
    checkComposite(of: attribute, of: entity)
    if attribute.type == .undefined, !attribute.isTransient {
      warning(
        "it has no type", entity: entity, property: attribute.name,
        advice: "give it one, or make it transient")
    }
    if attribute.derivation == "" {
      warning("it is derived from nothing", entity: entity, property: attribute.name)
    }
    checkDefault(of: attribute, of: entity)
    checkBounds(of: attribute, of: entity)
    checkPattern(of: attribute, of: entity)
    checkSearch(of: attribute, of: entity)
  }

  private mutating func checkSearch(of attribute: Attribute, of entity: String) {
    guard let word = attribute.annotations.search, !Annotations.isFalse(word) else { return }
    guard Annotations.isTrue(word) else {
      return error(
        "“broker.search” is \(Self.quoted(word)), which is neither true nor false", entity: entity,
        property: attribute.name)
    }
    if attribute.isTransient {
      return error(
        "it is to be searched, but is transient, so the store does not have it", entity: entity,
        property: attribute.name, advice: "remove “broker.search”")
    }
    guard !attribute.type.hasWords else { return }
    let isComposite = if case .composite = attribute.type { true } else { false }
    error(
      "it is to be searched, but a \(attribute.type.name) has no words", entity: entity,
      property: attribute.name,
      advice: isComposite ? "write “broker.search” at its parts" : "remove “broker.search”")
  }

  private mutating func checkDefault(of attribute: Attribute, of entity: String) {
    if attribute.defaultDate != nil, attribute.type != .date {
      warning(
        "it has the default of a date but is none", entity: entity, property: attribute.name,
        advice: "remove the default date")
    }
    guard let text = attribute.defaultValue else { return }
    if let expected = ValueRules.expectation(of: attribute.type, for: text) {
      error(
        "its default \(Self.quoted(text)) is not \(expected)", entity: entity, property: attribute.name)
    } else if attribute.type == .date, !text.isEmpty {
      warning(
        "its default \(Self.quoted(text)) is not used", entity: entity, property: attribute.name,
        advice: "set the default date instead")
    }
  }

  private mutating func checkBounds(of attribute: Attribute, of entity: String) {
    let name = attribute.name
    let bounds = [("minimum", attribute.minimum), ("maximum", attribute.maximum)].compactMap { which, text in
      text.map { (which, $0) }
    }
    guard !bounds.isEmpty else { return }
    switch attribute.type {
    case .string, .integer16, .integer32, .integer64, .float, .double, .decimal: break
    case .date, .boolean, .uuid, .uri, .binary, .transformable, .composite, .undefined:
      warning(
        "its \(bounds[0].0) has no effect on a \(attribute.type.name)", entity: entity, property: name)
      return
    }
    let isLength = attribute.type == .string
    var areReadable = true
    for (which, text) in bounds
    where isLength ? Int(text).map({ $0 < 0 }) ?? true : ValueRules.number(text) == nil {
      areReadable = false
      error(
        "its \(which) \(Self.quoted(text)) is not a \(isLength ? "length" : "number")", entity: entity,
        property: name)
    }
    guard areReadable else { return }
    let minimum = attribute.minimum.flatMap(ValueRules.number)
    let maximum = attribute.maximum.flatMap(ValueRules.number)
    if let minimum, let maximum, minimum > maximum {
      error("its minimum \(minimum) is above its maximum \(maximum)", entity: entity, property: name)
      return
    }
    let size =
      isLength
      ? attribute.defaultValue.map { Decimal($0.count) } : attribute.defaultValue.flatMap(ValueRules.number)
    if let size, minimum.map({ size < $0 }) ?? false || maximum.map({ size > $0 }) ?? false {
      warning(
        "its default \(Self.quoted(attribute.defaultValue ?? "")) is outside its own bounds", entity: entity,
        property: name, advice: "objects inserted without a value are invalid")
    }
  }

  private mutating func checkPattern(of attribute: Attribute, of entity: String) {
    guard let pattern = attribute.pattern else { return }
    if attribute.type != .string {
      warning(
        "its regular expression has no effect on a \(attribute.type.name)", entity: entity,
        property: attribute.name)
    }
    if (try? NSRegularExpression(pattern: pattern)) == nil {
      error(
        "its regular expression \(Self.quoted(pattern)) is invalid", entity: entity,
        property: attribute.name)
    }
  }
}

extension ModelChecker {
  mutating func check(_ relationship: Relationship, of entity: Entity) {
    checkCounts(of: relationship, of: entity.name)
    guard let destination = hierarchy[relationship.destination] else {
      error(
        "there is no entity \(Self.quoted(relationship.destination))", entity: entity.name,
        property: relationship.name,
        advice: Self.suggestion(relationship.destination, in: model.entities.map(\.name)))
      return
    }
    checkInverse(of: relationship, of: entity, destination: destination)
  }

  private mutating func checkCounts(of relationship: Relationship, of entity: String) {
    let name = relationship.name
    if relationship.isOrdered, !relationship.isToMany {
      warning("it is ordered but to-one", entity: entity, property: name, advice: "remove “ordered”")
    }
    for count in [relationship.minimumCount, relationship.maximumCount] {
      if let count, count < 0 { error("its count \(count) is negative", entity: entity, property: name) }
    }
    // A maximum of 0 means that there is none.
    if let minimum = relationship.minimumCount, let maximum = relationship.maximumCount, maximum > 0,
      minimum > maximum
    {
      error(
        "its minimum count \(minimum) is above its maximum \(maximum)", entity: entity, property: name)
    }
  }

  private mutating func checkInverse(
    of relationship: Relationship, of entity: Entity, destination: Entity
  ) {
    let name = relationship.name
    guard let inverseName = relationship.inverse else {
      warning(
        "it has no inverse", entity: entity.name, property: name,
        advice: "give \(Self.quoted(destination.name)) a relationship that leads back")
      return
    }
    if let owner = relationship.inverseEntity, !hierarchy.entity(destination.name, is: owner) {
      error(
        "its inverse is said to be in \(Self.quoted(owner)), but it leads to \(Self.quoted(destination.name))",
        entity: entity.name, property: name)
      return
    }
    let candidates = hierarchy.relationships(of: destination)
    guard let inverse = candidates.last(where: { $0.name == inverseName }) else {
      let isAttribute = hierarchy.attributes(of: destination).contains { $0.name == inverseName }
      error(
        isAttribute
          ? "its inverse \(Self.quoted(inverseName)) is an attribute of \(Self.quoted(destination.name))"
          : "\(Self.quoted(destination.name)) has no relationship \(Self.quoted(inverseName)), its inverse",
        entity: entity.name, property: name,
        advice: Self.suggestion(inverseName, in: candidates.map(\.name)))
      return
    }
    // That its own destination may be unknown is reported where it is declared.
    let leadsBack =
      hierarchy[inverse.destination] == nil || hierarchy.entity(entity.name, is: inverse.destination)
      || hierarchy.entity(inverse.destination, is: entity.name)
    if !leadsBack {
      error(
        "its inverse \(Self.quoted(inverseName)) leads to \(Self.quoted(inverse.destination)), not back to "
          + Self.quoted(entity.name), entity: entity.name, property: name)
    } else if inverse.inverse != name {
      let other = inverse.inverse.map { "is \(Self.quoted($0))" } ?? "is not given"
      warning(
        "its inverse is \(Self.quoted(inverseName)), but the inverse of that \(other)", entity: entity.name,
        property: name, advice: "make each the inverse of the other")
    }
  }
}

/// The expected text of a default or a bound, for a type to take it.
enum ValueRules {
  /// The form that the type needs, if the text has another; `nil` where it is fine, odd spellings included.
  static func expectation(of type: AttributeType, for text: String) -> String? {
    // Real models have empty defaults for every type; they mean none.
    if text.isEmpty { return nil }
    let isFine =
      switch type {
      case .boolean: truth(text) != nil || number(text) != nil
      case .integer16: isInteger(text, in: Decimal(Int16.min)...Decimal(Int16.max))
      case .integer32: isInteger(text, in: Decimal(Int32.min)...Decimal(Int32.max))
      case .integer64: isInteger(text, in: Decimal(Int64.min)...Decimal(Int64.max))
      case .float, .double, .decimal: truth(text) != nil || Double(text)?.isFinite == true
      case .uuid: UUID(uuidString: text) != nil
      case .uri: URL(string: text) != nil
      case .string, .date, .binary, .transformable, .composite, .undefined: true
      }
    return isFine ? nil : name(of: type)
  }

  private static func name(of type: AttributeType) -> String {
    switch type {
    case .boolean: "a boolean"
    case .integer16: "an integer from -32768 to 32767"
    case .integer32: "an integer from -2147483648 to 2147483647"
    case .integer64: "a 64-bit integer"
    case .uuid: "a UUID"
    case .uri: "a URI"
    default: "a number"
    }
  }

  /// Whole numbers, `0.0` and `NO` among them.
  private static func isInteger(_ text: String, in range: ClosedRange<Decimal>) -> Bool {
    if truth(text) != nil { return true }
    guard let number = number(text), range.contains(number) else { return false }
    var value = number
    var whole = Decimal()
    NSDecimalRound(&whole, &value, 0, .plain)
    return whole == number
  }

  static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true": true
    case "no", "false": false
    default: nil
    }
  }

  /// The number that the whole text is. `Decimal` alone would take a number at its start.
  static func number(_ text: String) -> Decimal? {
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }),
      Double(text)?.isFinite == true
    else { return nil }
    return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}
