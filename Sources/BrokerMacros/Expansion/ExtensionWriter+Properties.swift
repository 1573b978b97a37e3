import SwiftSyntax

extension ExtensionWriter {
  /// The list of properties: what the model says of the entity.
  var propertyList: String {
    var items = [entity.nameArgument?.trimmedDescription ?? "\"\(entity.name)\""]
    items += entity.properties.map(item)
    if let inherited = entity.inherited { items.append(".inherited(\\.\(inherited.code))") }
    return """
        \(access)static let properties = Properties<\(type)>(
      \(items.map { "    \($0)" }.joined(separator: ",\n"))
        )
      """
  }

  private func item(_ property: PropertyDeclaration) -> String {
    let name = property.nameArgument?.trimmedDescription ?? "\"\(property.name)\""
    let parts = [name, "\\.\(property.code)"] + options(of: property)
    return ".\(property.role.listName)(\(parts.joined(separator: ", ")))"
  }

  private func options(of property: PropertyDeclaration) -> [String] {
    var options: [String] = []
    if entity.identity.contains(where: { $0.name == property.name }) { options.append(".identity") }
    if property.marks[.version] != nil { options.append(".version") }
    if !property.keys.isEmpty {
      options.append(".key(\(property.keys.map(\.trimmedDescription).joined(separator: ", ")))")
    }
    options += (property.marks[.attribute]?.arguments ?? []).compactMap { option($0, of: property) }
    options += (property.marks[.relationship]?.arguments ?? []).compactMap { option($0, of: property) }
    if let value = property.defaultValue { options.append(".default(\(value.trimmedDescription))") }
    return options
  }

  /// What an argument of `@Attribute` or `@Relationship` becomes; nothing if it says what is so anyway.
  private func option(_ argument: LabeledExprSyntax, of property: PropertyDeclaration) -> String? {
    guard let label = argument.label?.text, label != "name" else { return nil }
    let value = argument.expression
    switch label {
    case "indexed", "unique", "ordered": return value.literalBool == true ? ".\(label)" : nil
    case "exported": return value.literalBool == false ? ".notExported" : nil
    case "inverse": return inverse(of: property)
    default: return value.isNil ? nil : ".\(label)(\(value.trimmedDescription))"
    }
  }
}

extension ExtensionWriter {
  private func inverse(of property: PropertyDeclaration) -> String {
    guard let target = property.role.target, let inverse = property.inverse else { return ".noInverse" }
    return ".inverse(\\\(inverse.root ?? target.trimmedDescription).\(inverse.property))"
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
