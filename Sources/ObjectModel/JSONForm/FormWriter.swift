import Foundation

/// Turns a model into Broker's JSON form. What has its default is left out.
struct FormWriter {
  func value(of model: Model) -> FormValue {
    var members = Members()
    members.add("versionIdentifier", model.versionIdentifier)
    members.add("entities", always: model.entities.map(value))
    members.add("composites", model.composites.map(value))
    members.add("configurations", model.configurations.map(value))
    members.add("fetchRequests", model.fetchRequests.map(value))
    members.add("other", model.other)
    return members.object
  }

  private func value(of composite: Composite) -> FormValue {
    var members = Members(name: composite.name)
    members.add("attributes", composite.attributes.map(value))
    members.add("other", composite.other)
    return members.object
  }

  private func value(of configuration: Configuration) -> FormValue {
    var members = Members(name: configuration.name)
    members.add("entities", configuration.entities.map(FormValue.string))
    members.add("other", configuration.other)
    return members.object
  }

  func value(of request: FetchRequest) -> FormValue {
    var members = Members(name: request.name)
    members.add("entity", request.entity)
    members.add("predicate", request.predicate)
    members.add("other", request.other)
    return members.object
  }

  /// The members of an object in the order they are added, without those that say nothing.
  struct Members {
    private var members: [FormValue.Member] = []

    init() {}

    init(name: String) {
      add("name", name)
    }

    var object: FormValue { .object(members) }

    mutating func add(_ key: String, always elements: [FormValue]) {
      add(key, FormValue.array(elements))
    }

    mutating func add(_ key: String, _ value: FormValue) {
      members.append(FormValue.Member(key, value))
    }

    mutating func add(_ key: String, _ text: String?) {
      if let text { add(key, FormValue.string(text)) }
    }

    mutating func add(_ key: String, _ number: Int?) {
      if let number { add(key, FormValue.integer(Int64(number))) }
    }

    mutating func add(_ key: String, _ flag: Bool, unless fallback: Bool = false) {
      if flag != fallback { add(key, FormValue.bool(flag)) }
    }

    mutating func add(_ key: String, _ elements: [FormValue]) {
      if !elements.isEmpty { add(key, FormValue.array(elements)) }
    }

    mutating func add(_ key: String, _ dictionary: [String: String]) {
      guard !dictionary.isEmpty else { return }
      let sorted = dictionary.sorted { $0.key < $1.key }
      add(key, FormValue.object(sorted.map { FormValue.Member($0.key, .string($0.value)) }))
    }
  }
}

extension FormWriter {
  func value(of entity: Entity) -> FormValue {
    var members = Members(name: entity.name)
    members.add("class", entity.className)
    members.add("parent", entity.parent)
    members.add("abstract", entity.isAbstract)
    members.add("attributes", entity.attributes.map(value))
    members.add("relationships", entity.relationships.map(value))
    members.add("fetchedProperties", entity.fetchedProperties.map(value))
    members.add("unique", entity.uniquenessConstraints.map { .array($0.map(FormValue.string)) })
    members.add("indexes", entity.indexes.map(value))
    members.add("userInfo", entity.userInfo)
    members.add("renamingIdentifier", entity.renamingIdentifier)
    members.add("versionHashModifier", entity.versionHashModifier)
    members.add("other", entity.other)
    return members.object
  }

  private func value(of property: FetchedProperty) -> FormValue {
    var members = Members(name: property.name)
    members.add("optional", property.isOptional, unless: true)
    if let request = property.fetchRequest { members.add("fetchRequest", value(of: request)) }
    members.add("userInfo", property.userInfo)
    members.add("other", property.other)
    return members.object
  }

  private func value(of index: Index) -> FormValue {
    var members = Members(name: index.name)
    members.add("elements", index.elements.map(value))
    members.add("predicate", index.predicate)
    members.add("compound", index.isCompound)
    members.add("other", index.other)
    return members.object
  }

  private func value(of element: Index.Element) -> FormValue {
    if element.isAscending, element.other.isEmpty { return .string(element.property) }
    var members = Members()
    members.add("property", element.property)
    members.add("descending", !element.isAscending)
    members.add("other", element.other)
    return members.object
  }
}

extension FormWriter {
  func value(of attribute: Attribute) -> FormValue {
    var members = Members(name: attribute.name)
    members.add("type", FormNames.name(of: attribute.type))
    if case .composite(let name) = attribute.type { members.add("composite", name) }
    members.add("optional", attribute.isOptional)
    members.add("transient", attribute.isTransient)
    if let text = attribute.defaultValue { members.add("default", scalar(text, as: attribute.type)) }
    if let seconds = attribute.defaultDate { members.add("defaultDate", date(seconds)) }
    // The bounds of a string are lengths.
    let boundType = attribute.type == .string ? .integer64 : attribute.type
    if let text = attribute.minimum { members.add("minimum", scalar(text, as: boundType)) }
    if let text = attribute.maximum { members.add("maximum", scalar(text, as: boundType)) }
    members.add("pattern", attribute.pattern)
    members.add("derivation", attribute.derivation)
    members.add("indexed", attribute.isIndexed)
    members.add("userInfo", attribute.userInfo)
    members.add("renamingIdentifier", attribute.renamingIdentifier)
    members.add("versionHashModifier", attribute.versionHashModifier)
    members.add("other", attribute.other)
    return members.object
  }

  /// A number or a boolean where reading it gives the same text again; else the text.
  private func scalar(_ text: String, as type: AttributeType) -> FormValue {
    switch type {
    case .boolean where text == "YES": return .bool(true)
    case .boolean where text == "NO": return .bool(false)
    case .boolean, .integer16, .integer32, .integer64, .float, .double, .decimal:
      if let number = Int64(text), String(number) == text { return .integer(number) }
      // Whole numbers may be read as integers, and very large or small ones in another notation.
      if let number = Double(text), String(number) == text, (1e-3..<1e15).contains(abs(number)),
        number != number.rounded()
      {
        return .number(text)
      }
      return .string(text)
    default: return .string(text)
    }
  }

  /// ISO 8601 where that is exact, else seconds since 2001.
  private func date(_ seconds: Double) -> FormValue {
    let text = Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    if let date = try? Date.ISO8601FormatStyle().parse(text), date.timeIntervalSinceReferenceDate == seconds {
      return .string(text)
    }
    return .number(String(seconds))
  }

  func value(of relationship: Relationship) -> FormValue {
    var members = Members(name: relationship.name)
    members.add("destination", relationship.destination)
    members.add("toMany", relationship.isToMany)
    members.add("ordered", relationship.isOrdered)
    members.add("optional", relationship.isOptional, unless: true)
    members.add("transient", relationship.isTransient)
    members.add("inverse", relationship.inverse)
    if let entity = relationship.inverseEntity {
      if relationship.inverse == nil || entity != relationship.destination {
        members.add("inverseEntity", entity)
      }
    } else if relationship.inverse != nil {
      members.add("inverseEntity", FormValue.null)
    }
    if relationship.deleteRule != .nullify { members.add("deleteRule", relationship.deleteRule.rawValue) }
    members.add("minimumCount", relationship.minimumCount)
    members.add("maximumCount", relationship.maximumCount)
    members.add("userInfo", relationship.userInfo)
    members.add("renamingIdentifier", relationship.renamingIdentifier)
    members.add("versionHashModifier", relationship.versionHashModifier)
    members.add("other", relationship.other)
    return members.object
  }
}
