import Foundation

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
