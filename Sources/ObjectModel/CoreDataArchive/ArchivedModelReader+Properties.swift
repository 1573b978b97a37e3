import Foundation
import JSONStream

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

  /// Words of Core Data's files that the model keeps and does not use.
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

extension ArchivedModelReader {
  mutating func relationship(
    _ object: ArchivedObject, named name: String
  ) throws(PropertyListError) -> Relationship? {
    guard let destination = try destination(of: object) else {
      remark("it leads to no entity, and is left out")
      return nil
    }
    var relationship = Relationship(name: name, destination: destination)
    relationship.inverse = try inverse(of: object)
    if relationship.inverse != nil { relationship.inverseEntity = destination }
    let most = try integer("NSMaxCount", of: object) ?? 0
    relationship.isToMany = most != 1
    if relationship.isToMany, most > 0 { relationship.maximumCount = most }
    if let least = try integer("NSMinCount", of: object), least > 0 { relationship.minimumCount = least }
    relationship.isOrdered = try flag("NSIsOrdered", of: object)
    relationship.isOptional = try flag("NSIsOptional", of: object)
    relationship.isTransient = try flag("NSIsTransient", of: object)
    relationship.deleteRule = try deleteRule(of: object)
    relationship.renamingIdentifier = try renamingIdentifier(of: object, name: name)
    relationship.versionHashModifier = try nonEmpty("NSVersionHashModifier", of: object)
    relationship.userInfo = try userInfo(of: object)
    return relationship
  }

  private mutating func destination(of object: ArchivedObject) throws(PropertyListError) -> String? {
    if let name = try nonEmpty("_NSDestinationEntityName", of: object) { return name }
    return try name("NSEntityName", of: object.value("NSDestinationEntity"))
  }

  private mutating func inverse(of object: ArchivedObject) throws(PropertyListError) -> String? {
    if let name = try nonEmpty("_NSInverseRelationshipName", of: object) { return name }
    return try name("NSPropertyName", of: object.value("NSInverseRelationship"))
  }

  private mutating func deleteRule(of object: ArchivedObject) throws(PropertyListError) -> DeleteRule {
    guard let number = try integer("NSDeleteRule", of: object) else { return .nullify }
    switch number {
    case 0: return .noAction
    case 1: return .nullify
    case 2: return .cascade
    case 3: return .deny
    default:
      remark("its delete rule \(number) is not known; it is taken for Nullify")
      return .nullify
    }
  }
}

extension ArchivedModelReader {
  /// The default in the words of Core Data's XML.
  private mutating func readDefault(
    of object: ArchivedObject, to attribute: inout Attribute
  ) throws(PropertyListError) {
    let value = try object.value("NSDefaultValue")
    if case .null = value { return }
    if attribute.type == .date {
      if let date = value.object, date.isKind(of: "NSDate"), let seconds = date.fields["NS.time"]?.number,
        seconds.isFinite
      {
        attribute.defaultDate = seconds
        return
      }
    } else if let text = try defaultText(value, attribute.type) {
      attribute.defaultValue = text
      return
    }
    remark("its default, \(value.kindName), is left out")
  }

  private mutating func defaultText(
    _ value: ArchivedValue, _ type: AttributeType
  ) throws(PropertyListError) -> String? {
    switch type {
    case .boolean: return ArchivedNumber(value)?.truth.map { $0 ? "YES" : "NO" }
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      return ArchivedNumber(value)?.text(as: type)
    case .string, .undefined: return try text(value)
    case .uuid, .uri:
      if let text = try text(value) { return text }
      return try scalarText(value).map { type == .uuid ? $0.uppercased() : $0 }
    case .binary:
      if case .value(.data(let bytes)) = value {
        try spend(bytes.count)
        return Data(bytes).base64EncodedString()
      }
      return try scalarText(value)
    case .transformable: return try json(value)
    case .date, .composite: return nil
    }
  }

  /// The text of an object such as a UUID, an address or data.
  private mutating func scalarText(_ value: ArchivedValue) throws(PropertyListError) -> String? {
    guard let object = value.object, case .text(let text)? = try PlainScalar(object) else { return nil }
    try spend(text.utf8.count)
    return text
  }

  /// A plain value as JSON, which is how the store keeps what is transformable.
  private mutating func json(_ value: ArchivedValue) throws(PropertyListError) -> String? {
    let archive = archive
    var className: String?
    let json = try JSONWriter.bytes { (writer) throws(PropertyListError) in
      var walk = PlainValueWalk(archive: archive, inputSize: 0, date: { _ in nil })
      className = try walk.write(value, to: &writer)
    }
    try spend(json.count)
    return className == nil ? String(decoding: json, as: UTF8.self) : nil
  }

  // MARK: - Bounds

  /// The conditions on an attribute, as far as a model can say them.
  private mutating func readBounds(
    of object: ArchivedObject, to attribute: inout Attribute
  ) throws(PropertyListError) {
    for element in try elements(object.value("NSValidationPredicates")) {
      guard let predicate = element.object, let bound = try ArchivedBound(predicate, attribute.type) else {
        remark("a condition on its values is left out")
        continue
      }
      try spend(bound.text.utf8.count)
      switch bound {
      case .minimum(let text): attribute.minimum = text
      case .maximum(let text): attribute.maximum = text
      case .pattern(let text): attribute.pattern = text
      case .earliest(let text): attribute.other["minDateTimeInterval"] = text
      case .latest(let text): attribute.other["maxDateTimeInterval"] = text
      }
    }
  }
}

/// A number of an archive.
enum ArchivedNumber {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case decimal(String)

  /// A number of a property list, or an `NSDecimalNumber`; nil if a value is none.
  init?(_ value: ArchivedValue) {
    switch value {
    case .value(.boolean(let flag)): self = .boolean(flag)
    case .value(.integer(let number)): self = .integer(number)
    case .value(.unsigned(let number)): self = .decimal(String(number))
    case .value(.real(let number)): self = .real(number)
    case .object(let object):
      guard object.isKind(of: "NSNumber"), let scalar = try? PlainScalar(object) else { return nil }
      switch scalar {
      case .boolean(let flag): self = .boolean(flag)
      case .integer(let number): self = .integer(number)
      case .real(let number): self = .real(number)
      case .digits(let digits): self = .decimal(digits)
      default: return nil
      }
    default: return nil
    }
  }

  var truth: Bool? {
    switch self {
    case .boolean(let flag): flag
    case .integer(let number): number != 0
    case .real(let number): number != 0
    case .decimal: nil
    }
  }

  var text: String? {
    switch self {
    case .boolean(let flag): flag ? "YES" : "NO"
    case .integer(let number): String(number)
    case .real(let number): number.isFinite ? String(number) : nil
    case .decimal(let digits): digits
    }
  }

  /// The text of a number of some type; nil if it is not finite.
  func text(as type: AttributeType) -> String? {
    switch (self, type) {
    case (.boolean(let flag), _): flag ? "1" : "0"
    case (.real(let number), .float) where number.isFinite: String(Float(number))
    case (.real(let number), .integer16), (.real(let number), .integer32), (.real(let number), .integer64),
      (.real(let number), .decimal):
      Int64(exactly: number).map { String($0) } ?? text
    case (.integer(let number), .double), (.integer(let number), .float): String(Double(number))
    default: text
    }
  }
}

/// The rule of an attribute's validation predicate, where a model has a word for it.
enum ArchivedBound {
  case minimum(String)
  case maximum(String)
  case pattern(String)
  /// Seconds since 2001-01-01T00:00:00Z, as the XML has them.
  case earliest(String)
  case latest(String)

  var text: String {
    switch self {
    case .minimum(let text), .maximum(let text), .pattern(let text), .earliest(let text), .latest(let text):
      text
    }
  }

  /// Reads `SELF >= 1`, `length <= 80` or `SELF MATCHES "…"`; nil for all others.
  init?(_ predicate: ArchivedObject, _ type: AttributeType) throws(PropertyListError) {
    guard predicate.isKind(of: "NSComparisonPredicate"),
      let left = try predicate.value("NSLeftExpression").object,
      let right = try predicate.value("NSRightExpression").object,
      let operation = try ArchivedPredicate.operation(of: predicate), operation.hasNoOptions,
      let subject = try ArchivedPredicate.text(ofExpression: left),
      right.isKind(of: "NSConstantValueExpression")
    else { return nil }
    let constant = try right.value("NSConstantValue")
    switch (subject, operation.number) {
    case ("SELF", 6):
      guard type == .string, case .value(.string(let text)) = constant else { return nil }
      self = .pattern(text)
    case ("length", 1), ("length", 3):
      guard type == .string, case .value(.integer(let length)) = constant else { return nil }
      self = operation.number == 1 ? .maximum(String(length)) : .minimum(String(length))
    case ("SELF", 1), ("SELF", 3):
      let isMaximum = operation.number == 1
      if type == .date {
        guard let seconds = constant.object?.fields["NS.time"]?.number, seconds.isFinite else { return nil }
        let text = Int64(exactly: seconds).map { String($0) } ?? String(seconds)
        self = isMaximum ? .latest(text) : .earliest(text)
        return
      }
      guard type != .string, let text = ArchivedNumber(constant)?.text(as: type) else { return nil }
      self = isMaximum ? .maximum(text) : .minimum(text)
    default: return nil
    }
  }
}
