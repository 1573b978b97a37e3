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
