extension ArchivedModelReader {
  mutating func attribute(
    _ object: ArchivedObject, named name: String, depth: Int = 0
  ) throws(PropertyListError) -> Attribute? {
    guard let type = try type(of: object, named: name, depth: depth) else { return nil }
    var attribute = Attribute(name: name, type: type)
    attribute.isOptional = try flag("NSIsOptional", of: object)
    attribute.isTransient = try flag("NSIsTransient", of: object)
    attribute.isIndexed = try flag("NSIsIndexed", of: object)
    try readDefault(of: object, to: &attribute)
    try readBounds(of: object, to: &attribute)
    if object.isKind(of: "NSDerivedAttributeDescription") {
      attribute.derivation = try derivation(of: object)
    }
    attribute.renamingIdentifier = try renamingIdentifier(of: object, name: name)
    attribute.versionHashModifier = try nonEmpty("NSVersionHashModifier", of: object)
    attribute.userInfo = try userInfo(of: object)
    attribute.other = try other(of: object, type: type)
    return attribute
  }

  private mutating func type(
    of object: ArchivedObject, named name: String, depth: Int
  ) throws(PropertyListError) -> AttributeType? {
    let number = try integer("NSAttributeType", of: object) ?? 0
    if number == CoreDataTypeNumbers.composite {
      return .composite(try composite(object, named: name, depth: depth))
    }
    guard let type = CoreDataTypeNumbers.types[number] else {
      remark("its type \(number) is not known, and it is left out")
      return nil
    }
    return type
  }

  /// What Core Data's files say in words that the model keeps and does not use.
  private mutating func other(
    of object: ArchivedObject, type: AttributeType
  ) throws(PropertyListError) -> [String: String] {
    var other: [String: String] = [:]
    if type == .transformable {
      other["valueTransformerName"] = try nonEmpty("NSValueTransformerName", of: object)
      // Of other types, the class follows from the type.
      if let name = try nonEmpty("NSAttributeValueClassName", of: object), name != "NSObject" {
        other["customClassName"] = name
      }
    }
    if [.binary, .string, .transformable].contains(type), isStoredOutside(object) {
      other["allowsExternalBinaryDataStorage"] = "YES"
    }
    return other
  }

  /// Parts of the names of the fields that say it, in one version of Core Data or another.
  private static let outsideWords = ["ExternalBinaryData", "BinaryDataExternal", "ExternalStorage"]

  /// Whether data may be in a file of its own.
  private func isStoredOutside(_ object: ArchivedObject) -> Bool {
    let keys = object.fields.keys
    return (0..<min(keys.count, 256)).contains { index in
      guard let key = keys.shortText(at: index), Self.outsideWords.contains(where: { key.contains($0) })
      else {
        return false
      }
      switch object.fields.values[index] {
      case .boolean(let flag): return flag
      case .integer(let number): return number != 0
      default: return false
      }
    }
  }

  // MARK: - Composites

  /// Composites are in each other only a few deep.
  private static let deepestComposite = 16

  /// The name of the composite that an attribute is of. The archive has its parts at each attribute, and no name: that
  /// of the first attribute stands for it.
  private mutating func composite(
    _ object: ArchivedObject, named name: String, depth: Int
  ) throws(PropertyListError) -> String {
    guard depth < Self.deepestComposite else {
      throw PropertyListError("composites are nested more than \(Self.deepestComposite) deep")
    }
    var attributes: [Attribute] = []
    for element in try parts(of: object) {
      let partName = try nonEmpty("NSPropertyName", of: element)
      guard let partName else { continue }
      if let part = try attribute(element, named: partName, depth: depth + 1) { attributes.append(part) }
    }
    attributes.sort { $0.name < $1.name }
    let first = name.prefix(1).uppercased() + name.dropFirst()
    var composite = Composite(name: first, attributes: attributes)
    var number = 2
    while let other = composites[composite.name], other.attributes != attributes {
      composite.name = "\(first)\(number)"
      number += 1
    }
    composites[composite.name] = composite
    return composite.name
  }

  /// The attributes in a field of a composite, whatever its name is.
  private mutating func parts(of object: ArchivedObject) throws(PropertyListError) -> [ArchivedObject] {
    for index in 0..<min(object.fields.count, 256) {
      let value = try archive.resolved(object.fields.values[index])
      guard let list = value.object, list.isKind(of: "NSArray") || list.isKind(of: "NSDictionary") else {
        continue
      }
      let parts = try elements(value).compactMap { $0.object }
        .filter { $0.isKind(of: "NSAttributeDescription") }
      if !parts.isEmpty { return parts }
    }
    return []
  }

  // MARK: - Derived attributes

  /// The expression in a field of a derived attribute, whatever its name is.
  private mutating func derivation(of object: ArchivedObject) throws(PropertyListError) -> String {
    for index in 0..<min(object.fields.count, 256) {
      guard let value = try archive.resolved(object.fields.values[index]).object,
        value.isKind(of: "NSExpression")
      else { continue }
      guard let text = try ArchivedPredicate.text(ofExpression: value) else { continue }
      try spend(text.utf8.count)
      return text
    }
    remark("the expression that it is derived from is left out")
    return ""
  }
}

/// The numbers of attribute types in Core Data's archives.
enum CoreDataTypeNumbers {
  static let types: [Int: AttributeType] = [
    0: .undefined, 100: .integer16, 200: .integer32, 300: .integer64, 400: .decimal, 500: .double,
    600: .float,
    700: .string, 800: .boolean, 900: .date, 1000: .binary, 1100: .uuid, 1200: .uri, 1800: .transformable,
  ]
  static let composite = 2100
}
