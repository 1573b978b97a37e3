import ObjectModel

/// Which relationship of a pair names the other in Swift: one end says it, since Swift cannot resolve key paths that
/// lead to each other.
struct SwiftInverses {
  enum Form: Equatable {
    /// It names its inverse: `\Album.band`, or `"friends"`.
    case named(String)
    /// The other end names it, or it is the only one that it can be.
    case found
    case none
    /// Swift cannot say it.
    case unsayable(String)
  }

  /// By the relationship's index in the schema.
  private var forms: [Form]
  private let schema: Schema

  init(_ schema: Schema, _ names: SwiftNames) {
    self.schema = schema
    forms = schema.relationships.map { _ in .none }
    for relationship in schema.relationships {
      guard let index = relationship.inverse else { continue }
      let inverse = schema.relationships[index]
      guard inverse.inverse == relationship.index else {
        forms[relationship.index] = .unsayable(
          "its inverse \(inverse.name) has another inverse, so the type says that it has none")
        continue
      }
      guard relationship.destination == inverse.owner || inverse.destination == relationship.owner else {
        forms[relationship.index] = .unsayable("its inverse is inherited at both ends")
        continue
      }
      if Self.names(relationship, before: inverse) {
        let target = schema.entities[relationship.destination].name
        let property = SwiftNames.code(names.property(inverse.name, of: schema.entities[inverse.owner].name))
        let isSame = relationship.owner == relationship.destination
        forms[relationship.index] = .named(
          isSame
            ? SwiftLiteral.text(names.property(inverse.name, of: target))
            : "\\\(names.type(of: target)).\(property)")
      } else {
        forms[relationship.index] = .found
      }
    }
  }

  func form(of name: String, of entity: String) -> Form {
    guard let owner = schema.index(of: entity),
      let index = schema.relationships.first(where: { $0.owner == owner && $0.name == name })?.index
    else { return .none }
    return forms[index]
  }

  /// Whether the first names the second. The property of a key path is one of the type itself, not an inherited one.
  private static func names(_ first: SchemaRelationship, before second: SchemaRelationship) -> Bool {
    if first.index == second.index { return true }
    let canFirst = first.destination == second.owner
    let canSecond = second.destination == first.owner
    if canFirst != canSecond { return canFirst }
    if first.isToMany != second.isToMany { return first.isToMany }
    return first.index < second.index
  }
}
