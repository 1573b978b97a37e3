import ObjectModel
import ObjectStore

/// An attribute as a stored property.
struct SwiftAttribute {
  private let attribute: Attribute
  private let name: String
  private let isIdentity: Bool
  private let enumeration: SwiftEnumeration?
  var isIndexed = false
  var isUnique = false
  var isVersion = false
  /// Whether `@Identity` is written.
  var isMarked = false
  private(set) var remarks: [String] = []

  /// - Parameter taken: Whether a type of the code around it has a name.
  init(_ attribute: Attribute, name: String, isIdentity: Bool, taken: (String) -> Bool) {
    self.attribute = attribute
    self.name = name
    self.isIdentity = isIdentity
    enumeration = SwiftEnumeration(attribute, property: name, taken: taken)
  }

  /// Nil if the type leaves it out.
  mutating func property() -> SwiftProperty? {
    guard let type = enumeration.map({ SwiftNames.code($0.name) }) ?? plainType else { return nil }
    if attribute.isTransient {
      remarks.append("it is not stored, so the type leaves it out")
      return nil
    }
    let isOptional = attribute.isOptional && !isIdentity
    if attribute.isOptional, isIdentity {
      remarks.append("it identifies objects, so it is not optional in Swift")
    }
    var property = SwiftProperty(name: name, type: type + (isOptional ? "?" : ""))
    property.enumeration = enumeration
    property.initialValue = initialValue()
    property.documentation = SwiftAnnotations.documentation(attribute.userInfo)
    property.marks = marks()
    remarkOnAnnotations()
    return property
  }

  private var plainType: String? {
    mutating get {
      switch attribute.type {
      case .boolean: return "Bool"
      case .integer16: return "Int16"
      case .integer32: return "Int32"
      case .integer64: return "Int"
      case .float: return "Float"
      case .double: return "Double"
      case .decimal: return "Decimal"
      case .string: return "String"
      case .date: return "Date"
      case .uuid: return "UUID"
      case .uri: return "URL"
      case .binary: return "Data"
      case .transformable: return SwiftJSONText.name
      case .composite(let composite):
        remarks.append("it is of the composite type \(composite), so the type leaves it out")
        return nil
      case .undefined:
        remarks.append("it has no type, so the type leaves it out")
        return nil
      }
    }
  }

  private mutating func initialValue() -> String? {
    guard let stored = attribute.storedDefault else { return nil }
    let literal: String?
    if let enumeration {
      literal =
        attribute.annotations.defaultValue.flatMap(enumeration.member)
        ?? attribute.defaultValue.flatMap(enumeration.member)
    } else {
      literal = SwiftLiteral.value(stored, of: attribute.type)
    }
    if literal == nil {
      remarks.append("its default, \(Self.words(stored)), is no literal of Swift's")
    }
    return literal
  }

  private static func words(_ value: SQLValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let integer): String(integer)
    case .real(let number): String(number)
    case .text(let text): "“\(text)”"
    case .blob: "a blob"
    }
  }

  private mutating func marks() -> [SwiftMark] {
    var marks: [SwiftMark] = []
    if isMarked { marks.append(SwiftMark("Identity")) }
    if isVersion { marks.append(SwiftMark("Version")) }
    marks += SwiftAnnotations.keys(attribute.annotations)
    return marks + attributeMark().ifNeeded
  }

  private mutating func attributeMark() -> SwiftMark {
    var mark = SwiftMark("Attribute")
    if name != attribute.name { mark.add("name", SwiftLiteral.text(attribute.name)) }
    if isIndexed { mark.add("indexed", "true") }
    if let unknown = attribute.annotations.unknown {
      if let enumeration, let member = enumeration.member(unknown) {
        // This form of the macro takes few arguments.
        mark.add("unknown", SwiftNames.code(enumeration.name) + member)
        mark.add("renamedFrom", attribute.renamingIdentifier.map(SwiftLiteral.text))
        remarkOnWhatUnknownExcludes()
        return mark
      }
      remarks.append("the value for unknown ones, “\(unknown)”, is no case of an enumeration")
    }
    if attribute.annotations.isSearched { mark.add("search", "true") }
    if isUnique { mark.add("unique", "true") }
    mark.add("minimum", bound(attribute.minimum, "minimum"))
    mark.add("maximum", bound(attribute.maximum, "maximum"))
    mark.add("pattern", attribute.pattern.map(SwiftLiteral.pattern))
    mark.add("dateFormat", attribute.annotations.dateFormat.map(SwiftLiteral.text))
    mark.add("transformers", SwiftAnnotations.transformers(attribute.annotations))
    if !attribute.annotations.isExported, !attribute.annotations.isIgnored { mark.add("exported", "false") }
    mark.add("renamedFrom", attribute.renamingIdentifier.map(SwiftLiteral.text))
    return mark
  }

  private mutating func bound(_ text: String?, _ label: String) -> String? {
    guard let text else { return nil }
    let literal = SwiftLiteral.bound(text)
    if literal == nil { remarks.append("its \(label), \(text), is no exact Double") }
    return literal
  }

  private mutating func remarkOnWhatUnknownExcludes() {
    let annotations = attribute.annotations
    let others: [(String, Bool)] = [
      ("search", annotations.isSearched), ("unique", isUnique), ("minimum", attribute.minimum != nil),
      ("maximum", attribute.maximum != nil), ("pattern", attribute.pattern != nil),
      ("transformers", !annotations.transformers.isEmpty), ("exported", !annotations.isExported),
    ]
    for (word, isThere) in others where isThere {
      remarks.append("\(word) cannot be said beside a case for unknown values")
    }
  }

  private mutating func remarkOnAnnotations() {
    let known = [
      "broker.identity", "broker.key", "broker.key.*", "broker.default", "broker.dateFormat",
      "broker.transformer",
      "broker.exported", "broker.unknown", "broker.search",
    ]
    let values = enumeration == nil ? [] : ["broker.values"]
    remarks += SwiftAnnotations.unsaid(attribute.userInfo, besides: known + values)
    if let derivation = attribute.derivation { remarks.append("it is derived from \(derivation)") }
  }
}
