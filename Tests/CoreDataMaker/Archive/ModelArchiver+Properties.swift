import Foundation
import ObjectModel

extension ModelArchiver {
  mutating func add(_ relationship: Relationship, of entity: Entity, at number: Int?) {
    let rules: [DeleteRule: Int64] = [.noAction: 0, .nullify: 1, .cascade: 2, .deny: 3]
    let inverse = relationship.inverse.flatMap { name in inverseNumber(name, in: relationship.destination) }
    let most = relationship.isToMany ? relationship.maximumCount ?? 0 : 1
    writer.object(
      ["NSRelationshipDescription", "NSPropertyDescription"],
      common(
        relationship.name, relationship.isOptional, relationship.isTransient, relationship.userInfo,
        relationship.renamingIdentifier, relationship.versionHashModifier) + [
          ("NSEntity", reference(entity.name)),
          ("NSDestinationEntity", reference(relationship.destination)),
          ("_NSDestinationEntityName", writer.text(relationship.destination)),
          ("NSInverseRelationship", .uid(inverse ?? 0)),
          ("_NSInverseRelationshipName", writer.text(relationship.inverse)),
          ("NSMinCount", .integer(Int64(relationship.minimumCount ?? 0))),
          ("NSMaxCount", .integer(Int64(most))), ("NSIsOrdered", .boolean(relationship.isOrdered)),
          ("NSDeleteRule", .integer(rules[relationship.deleteRule] ?? 1)),
        ], at: number)
  }

  private func inverseNumber(_ name: String, in entity: String) -> Int? {
    var next: String? = entity
    while let current = next {
      if let found = properties[current]?.first(where: { $0.name == name }) { return found.number }
      next = model[entity: current]?.parent
    }
    return nil
  }

  private mutating func common(
    _ name: String, _ isOptional: Bool, _ isTransient: Bool, _ userInfo: [String: String],
    _ renamingIdentifier: String?, _ versionHashModifier: String?
  ) -> [(String, PropertyListTree)] {
    [
      ("NSPropertyName", writer.text(name)), ("NSIsOptional", .boolean(isOptional)),
      ("NSIsTransient", .boolean(isTransient)), ("NSUserInfo", self.userInfo(userInfo)),
      ("NSRenamingIdentifier", writer.text(renamingIdentifier ?? name)),
      ("NSVersionHashModifier", writer.text(versionHashModifier)),
    ]
  }

  @discardableResult
  mutating func add(_ attribute: Attribute, of entity: Entity?, at number: Int?) -> Int {
    let type = Self.typeNumber(attribute.type)
    var fields = common(
      attribute.name, attribute.isOptional, attribute.isTransient, attribute.userInfo,
      attribute.renamingIdentifier, attribute.versionHashModifier)
    fields += [
      ("NSAttributeType", .integer(type)), ("NSDefaultValue", defaultValue(of: attribute)),
      ("NSIsIndexed", .boolean(attribute.isIndexed)), ("NSEntity", reference(entity?.name)),
      ("NSValueTransformerName", writer.text(attribute.other["valueTransformerName"])),
      ("NSAttributeValueClassName", writer.text(attribute.other["customClassName"] ?? valueClass(attribute))),
      (
        "NSAllowsExternalBinaryDataStorage",
        .boolean(attribute.other["allowsExternalBinaryDataStorage"] == "YES")
      ),
      ("NSValidationPredicates", writer.array(bounds(of: attribute))),
    ]
    var classes = ["NSAttributeDescription", "NSPropertyDescription"]
    if attribute.derivation != nil {
      classes.insert("NSDerivedAttributeDescription", at: 0)
      fields.append(("NSDerivationExpression", derivation(of: attribute)))
    }
    if case .composite(let name) = attribute.type {
      classes.insert("NSCompositeAttributeDescription", at: 0)
      let parts = model.composites.first { $0.name == name }?.attributes ?? []
      fields.append(("NSElements", writer.array(parts.map { .uid(add($0, of: nil, at: nil)) })))
    }
    return writer.object(classes, fields, at: number)
  }

  static func typeNumber(_ type: AttributeType) -> Int64 {
    switch type {
    case .undefined: 0
    case .integer16: 100
    case .integer32: 200
    case .integer64: 300
    case .decimal: 400
    case .double: 500
    case .float: 600
    case .string: 700
    case .boolean: 800
    case .date: 900
    case .binary: 1000
    case .uuid: 1100
    case .uri: 1200
    case .transformable: 1800
    case .composite: 2100
    }
  }

  private func valueClass(_ attribute: Attribute) -> String? {
    switch attribute.type {
    case .undefined, .composite, .transformable: nil
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .decimal: "NSDecimalNumber"
    default: "NSNumber"
    }
  }

  // MARK: - Defaults

  private mutating func defaultValue(of attribute: Attribute) -> PropertyListTree {
    if let seconds = attribute.defaultDate {
      return .uid(writer.object(["NSDate"], [("NS.time", .real(seconds))]))
    }
    guard let text = attribute.defaultValue else { return .uid(0) }
    switch attribute.type {
    case .boolean: return .uid(writer.add(.boolean(["YES", "1", "true"].contains(text))))
    case .integer16, .integer32, .integer64: return .uid(writer.add(.integer(Int64(text) ?? 0)))
    case .double: return .uid(writer.add(.real(Double(text) ?? 0)))
    case .float: return .uid(writer.add(.float(Float(text) ?? 0)))
    case .decimal: return .uid(decimal(Decimal(string: text) ?? 0))
    case .uuid:
      let bytes = withUnsafeBytes(of: (UUID(uuidString: text) ?? UUID()).uuid) { Array($0) }
      return .uid(writer.object(["NSUUID"], [("NS.uuidbytes", .data(bytes))]))
    case .uri:
      let relative = writer.text(text)
      return .uid(writer.object(["NSURL"], [("NS.base", .uid(0)), ("NS.relative", relative)]))
    case .binary: return .uid(writer.add(.data([UInt8](Data(base64Encoded: text) ?? Data()))))
    case .string, .undefined, .date, .transformable, .composite: return writer.text(text)
    }
  }

  private mutating func decimal(_ number: Decimal) -> Int {
    // Digits of the number's units of 16 bits, by hand.
    let digits = number.significand
    var rest = digits
    var units: [UInt16] = []
    while rest > 0 {
      var quotient = rest / 65_536
      var whole = Decimal()
      NSDecimalRound(&whole, &quotient, 0, .down)
      units.append(UInt16(truncating: (rest - whole * 65_536) as NSDecimalNumber))
      rest = whole
    }
    let length = units.count
    units += [UInt16](repeating: 0, count: 8 - length)
    let bytes = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return writer.object(
      ["NSDecimalNumber", "NSNumber", "NSValue"],
      [
        ("NS.mantissa", .data(bytes)), ("NS.mantissa.bo", .integer(1)),
        ("NS.exponent", .integer(Int64(number.exponent))), ("NS.length", .integer(Int64(length))),
        ("NS.negative", .boolean(number.sign == .minus)), ("NS.compact", .boolean(true)),
      ])
  }

  // MARK: - Conditions and expressions

  private mutating func bounds(of attribute: Attribute) -> [PropertyListTree] {
    let subject = attribute.type == .string ? keyPath("length") : expression("NSSelfExpression", [])
    var result: [PropertyListTree] = []
    for (text, number) in [(attribute.minimum, Int64(3)), (attribute.maximum, 1)] {
      guard let text else { continue }
      result.append(comparison(subject, number, constant(bound(text, attribute.type))))
    }
    if let pattern = attribute.pattern {
      result.append(comparison(expression("NSSelfExpression", []), 6, constant(writer.text(pattern))))
    }
    return result
  }

  private mutating func bound(_ text: String, _ type: AttributeType) -> PropertyListTree {
    switch type {
    case .double, .float: .uid(writer.add(.real(Double(text) ?? 0)))
    case .decimal: .uid(decimal(Decimal(string: text) ?? 0))
    default: .uid(writer.add(.integer(Int64(text) ?? 0)))
    }
  }

  private mutating func expression(
    _ name: String, _ fields: [(String, PropertyListTree)], below: [String] = []
  ) -> PropertyListTree {
    .uid(writer.object([name] + below + ["NSExpression"], fields))
  }

  private mutating func constant(_ value: PropertyListTree) -> PropertyListTree {
    expression("NSConstantValueExpression", [("NSConstantValue", value), ("NSExpressionType", .integer(0))])
  }

  mutating func keyPath(_ path: String) -> PropertyListTree {
    let specifier = expression(
      "NSKeyPathSpecifierExpression", [("NSKeyPath", writer.text(path)), ("NSExpressionType", .integer(10))])
    let owner = expression("NSSelfExpression", [("NSExpressionType", .integer(1))])
    return expression(
      "NSKeyPathExpression",
      [
        ("NSOperand", owner), ("NSSelectorName", writer.text("valueForKeyPath:")),
        ("NSArguments", writer.array([specifier])), ("NSExpressionType", .integer(3)),
      ], below: ["NSFunctionExpression"])
  }

  private mutating func comparison(
    _ left: PropertyListTree, _ number: Int64, _ right: PropertyListTree
  ) -> PropertyListTree {
    let operation = writer.object(
      ["NSComparisonPredicateOperator", "NSPredicateOperator"],
      [("NSOperatorType", .integer(number)), ("NSModifier", .integer(0))])
    return .uid(
      writer.object(
        ["NSComparisonPredicate", "NSPredicate"],
        [("NSLeftExpression", left), ("NSRightExpression", right), ("NSPredicateOperator", .uid(operation))]))
  }

  /// `canonical:(name)`, `now()` or a key path.
  private mutating func derivation(of attribute: Attribute) -> PropertyListTree {
    let text = attribute.derivation ?? ""
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return keyPath(text) }
    let argument = text[text.index(after: open)...].dropLast()
    let arguments = argument.isEmpty ? [] : [keyPath(String(argument))]
    let owner = constant(writer.text("_NSPredicateUtilities"))
    return expression(
      "NSFunctionExpression",
      [
        ("NSOperand", owner), ("NSSelectorName", writer.text(String(text[..<open]))),
        ("NSArguments", writer.array(arguments)), ("NSExpressionType", .integer(4)),
      ])
  }
}
