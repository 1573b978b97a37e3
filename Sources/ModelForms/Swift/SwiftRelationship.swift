import ObjectModel

/// A relationship as a stored property.
struct SwiftRelationship {
  private let relationship: Relationship
  private let name: String
  private let target: String
  var isIdentity = false
  var inverse = SwiftInverses.Form.none
  private(set) var remarks: [String] = []

  /// - Parameter target: The type that it leads to.
  init(_ relationship: Relationship, name: String, target: String) {
    self.relationship = relationship
    self.name = name
    self.target = SwiftNames.code(target)
  }

  /// Nil if the type leaves it out.
  mutating func property() -> SwiftProperty? {
    if relationship.isTransient {
      remarks.append("it is not stored, so the type leaves it out")
      return nil
    }
    let isOptional = relationship.isOptional && !isIdentity
    let type = relationship.isToMany ? "ToMany<\(target)>" : "ToOne<\(target)>\(isOptional ? "?" : "")"
    var property = SwiftProperty(name: name, type: type)
    property.documentation = SwiftAnnotations.documentation(relationship.userInfo)
    if isIdentity { property.marks.append(SwiftMark("Identity")) }
    property.marks += SwiftAnnotations.keys(relationship.annotations)
    property.marks += mark().ifNeeded
    remarks += SwiftAnnotations.unsaid(
      relationship.userInfo, besides: ["broker.key", "broker.key.*", "broker.transformer", "broker.identity"])
    return property
  }

  private mutating func mark() -> SwiftMark {
    var mark = SwiftMark("Relationship")
    if name != relationship.name { mark.add("name", SwiftLiteral.text(relationship.name)) }
    switch inverse {
    case .named(let text): mark.add("inverse", text)
    case .found: break
    case .none: mark.add("inverse", "nil")
    case .unsayable(let message):
      mark.add("inverse", "nil")
      remarks.append(message)
    }
    if relationship.deleteRule != .nullify { mark.add("deleteRule", ".\(relationship.deleteRule.rawValue)") }
    if relationship.isToMany {
      if relationship.isOrdered { mark.add("ordered", "true") }
      addCounts(to: &mark)
    }
    mark.add("transformers", SwiftAnnotations.transformers(relationship.annotations))
    mark.add("renamedFrom", relationship.renamingIdentifier.map(SwiftLiteral.text))
    return mark
  }

  private mutating func addCounts(to mark: inout SwiftMark) {
    let least = relationship.leastCount
    if !relationship.isOptional {
      if least > 0 { mark.add("minimum", String(least)) }
    } else if least > 0 {
      remarks.append("it is optional and has \(least) objects at least; the type allows any number")
    }
    if let most = relationship.maximumCount, most > 0 { mark.add("maximum", String(most)) }
  }
}
