import SwiftSyntax
import SwiftSyntaxMacros

extension ExtensionWriter {
  /// The list of properties: what the model says of the entity.
  ///
  /// Each is described in statements of its own, which the compiler takes to be in the line of its declaration. So
  /// whatever it finds wrong is told once, and where it was made.
  var propertyList: String {
    let name = entity.nameArgument?.trimmedDescription ?? "\"\(entity.name)\""
    let lines = entity.properties.enumerated().flatMap { statements($1, number: $0) }
    let kinds = ["Kinds", "Kind"].compactMap { entity.structure.attributes.first(named: $0) }.flatMap {
      mark in
      [
        place(of: entity.structure.name),
        "    list.\(mark.plainName.lowercased())(\(mark.labeledArguments.trimmedDescription))",
      ]
    }
    let renaming = entity.formerName.map {
      [place(of: entity.structure.name), "    list.renamed(from: \($0.trimmedDescription))"]
    }
    let inherited = entity.inherited.map { [place(of: $0), "    list.add(.inherited(\\.\($0.code)))"] } ?? []
    return """
        \(access)static let properties = _brokerProperties()

        private static func _brokerProperties() -> _BrokerProperties<\(type)> {
          var list = _BrokerPropertyList<\(type)>(\(name))
      \((lines + inherited + kinds + (renaming ?? [])).compactMap(\.self).joined(separator: "\n"))
      #sourceLocation()
          return list.properties
        }
      """
  }

  private func place(of property: PropertyDeclaration) -> String? { place(of: property.identifier) }

  private func place(of token: TokenSyntax) -> String? {
    location(token).map { "#sourceLocation(file: \($0.file), line: \($0.line))" }
  }

  private func statements(_ property: PropertyDeclaration, number: Int) -> [String?] {
    let inverse = inverseName(of: property).map { "let inverse\(number) = \($0); " }
    let options = options(of: property, inverse: inverse == nil ? nil : "inverse\(number)")
    let parts = [property.nameArgument?.trimmedDescription ?? "\"\(property.name)\"", "\\.\(property.code)"]
    let item = "\(property.role.listName)(\((parts + options).joined(separator: ", ")))"
    return [
      place(of: property),
      "    \(inverse ?? "")let property\(number) = _BrokerProperty<\(type)>.\(item); list.add(property\(number))",
    ]
  }

  private func options(of property: PropertyDeclaration, inverse: String?) -> [String] {
    var options: [String] = []
    if entity.identity.contains(where: { $0.name == property.name }) { options.append(".identity") }
    if property.marks[.version] != nil { options.append(".version") }
    if !property.keys.isEmpty {
      options.append(".key(\(property.keys.map(\.trimmedDescription).joined(separator: ", ")))")
    }
    options += (property.marks[.attribute]?.arguments ?? []).compactMap { option($0, of: property) }
    options += (property.marks[.relationship]?.arguments ?? []).compactMap { option($0, of: property) }
    if let inverse { options.append(".inverse(\(inverse))") }
    if let value = property.defaultValue { options.append(".default(\(value.trimmedDescription))") }
    return options
  }

  /// The expansion of an argument of `@Attribute` or `@Relationship`; empty if it says what is so anyway.
  private func option(_ argument: LabeledExprSyntax, of property: PropertyDeclaration) -> String? {
    guard let label = argument.label?.text, label != "name" else { return nil }
    let value = argument.expression
    switch label {
    case "indexed", "unique", "ordered": return value.literalBool == true ? ".\(label)" : nil
    case "search": return value.literalBool == true ? ".searched" : nil
    case "exported": return value.literalBool == false ? ".notExported" : nil
    case "inverse": return inverse(of: property)
    default: return value.isNil ? nil : ".\(label)(\(value.trimmedDescription))"
    }
  }
}

extension ExtensionWriter {
  /// The inverse as an option, where it has no statement of its own.
  private func inverse(of property: PropertyDeclaration) -> String? {
    guard let target = property.role.target, let inverse = property.inverse else { return ".noInverse" }
    guard inverseName(of: property) == nil else { return nil }
    return ".inverse(\\\(inverse.root ?? target.trimmedDescription).\(inverse.property))"
  }

  /// An expression that is the inverse, or says why it cannot be.
  ///
  /// Nil for an entity that inherits: to what it inherits from its inverses may lead as well.
  private func inverseName(of property: PropertyDeclaration) -> String? {
    guard entity.inherited == nil, let target = property.role.target, let inverse = property.inverse else {
      return nil
    }
    let names = inverse.isName ? "_BrokerInverseName" : "_BrokerInversePathName"
    return "\(names)<\(inverse.root ?? target.trimmedDescription), \(type)>().\(inverse.property)"
  }
}

extension PropertyRole {
  fileprivate var listName: String {
    switch self {
    case .toOne: "toOne"
    case .toMany: "toMany"
    case .attribute, .inherited, .transient: "attribute"
    }
  }
}
