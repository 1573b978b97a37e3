import Foundation

/// An archive of objects in the layout of `NSKeyedArchiver`, as values.
///
/// Nothing is instantiated: an object is the name of its class and its fields. Each reference is looked up when it is
/// followed, so that circles and objects that are shared by many cost nothing here.
package struct KeyedArchive: Sendable {
  private let objects: PropertyListArray
  /// The place of the class of an object with very many fields, an ordered set's, by the object's node.
  private let distantClasses: [Int: Int]
  /// The names in the archive: `root` in most.
  package let top: PropertyListDictionary

  /// - Throws: ``PropertyListError`` if the property list is no keyed archive.
  package init(_ list: PropertyList) throws(PropertyListError) {
    guard let members = list.root.dictionary else {
      throw .expected("a keyed archive, which is a dictionary", found: list.root.kindName)
    }
    guard let archiver = members["$archiver"] else {
      throw .expected("a keyed archive", found: "a dictionary without “$archiver”")
    }
    guard archiver.text == "NSKeyedArchiver" else {
      throw .expected(
        "“NSKeyedArchiver” for “$archiver”",
        found: archiver.text.map(PropertyListError.shown) ?? archiver.kindName)
    }
    guard let objects = members["$objects"]?.array else {
      throw .expected("an array “$objects”", found: members["$objects"]?.kindName ?? "none")
    }
    guard let top = members["$top"]?.dictionary else {
      throw .expected("a dictionary “$top”", found: members["$top"]?.kindName ?? "none")
    }
    self.objects = objects
    self.top = top
    distantClasses = Self.distantClasses(in: objects)
  }

  /// Looks for the classes of objects whose fields are too many to be searched each time.
  private static func distantClasses(in objects: PropertyListArray) -> [Int: Int] {
    var result: [Int: Int] = [:]
    for index in objects.indices {
      guard let fields = objects.largeDictionary(at: index), result[fields.node] == nil else { continue }
      let keys = fields.keys
      result[fields.node] = keys.indices.first { keys.shortText(at: $0) == "$class" } ?? -1
    }
    return result
  }

  private func classReference(in fields: PropertyListDictionary) -> PropertyListValue? {
    guard let index = distantClasses[fields.node] else { return fields["$class"] }
    return index < 0 ? nil : fields.values[index]
  }

  /// Whether a property list says that it is a keyed archive.
  package static func isArchive(_ list: PropertyList) -> Bool { list.root.dictionary?["$archiver"] != nil }

  package var count: Int { objects.count }

  /// The root of the archive: the value `root`, or the only one.
  package func root() throws(PropertyListError) -> ArchivedValue {
    guard let root = top["root"] ?? (top.count == 1 ? top.values[0] : nil) else {
      throw .expected("“root” in “$top”", found: "\(top.count) other names")
    }
    return try resolved(root)
  }

  /// The object, or the value, at a number.
  ///
  /// - Throws: ``PropertyListError`` if there is none, or if it is no object.
  package func object(at reference: Int) throws(PropertyListError) -> ArchivedValue {
    guard reference >= 0, reference < objects.count else {
      throw .expected("the number of one of \(objects.count) archived objects", found: "\(reference)")
    }
    let value = objects[reference]
    switch value {
    case .uid(let other):
      throw .expected("an object at number \(reference)", found: "a reference to \(other)")
    case .string("$null") where reference == 0, .null: return .null
    case .dictionary(let fields):
      guard let isa = classReference(in: fields) else { return .value(value) }
      guard case .uid(let number) = isa, number < objects.count,
        case .dictionary(let description) = objects[number]
      else {
        throw .expected("a description of the class of object \(reference)", found: isa.kindName)
      }
      let kind = ArchivedClass(description)
      return .object(ArchivedObject(number: reference, kind: kind, fields: fields, archive: self))
    default: return .value(value)
    }
  }

  /// The meaning of a value: what it refers to, or itself.
  package func resolved(_ value: PropertyListValue) throws(PropertyListError) -> ArchivedValue {
    switch value {
    case .uid(let number): try object(at: number)
    case .null: .null
    default: .value(value)
    }
  }
}

/// The value of a field of an archived object.
package enum ArchivedValue: Sendable {
  case null
  /// A text, a number, data: what a property list has by itself.
  case value(PropertyListValue)
  case object(ArchivedObject)

  package var object: ArchivedObject? { if case .object(let object) = self { object } else { nil } }

  package var value: PropertyListValue? { if case .value(let value) = self { value } else { nil } }

  /// The name in messages.
  package var kindName: String {
    switch self {
    case .null: "nil"
    case .value(let value): value.kindName
    case .object(let object): "an object of \(object.className)"
    }
  }
}

/// An object of a keyed archive: its class by name, and its fields.
package struct ArchivedObject: Sendable {
  /// Its number in the archive: two with the same are one object.
  package let number: Int
  private let kind: ArchivedClass
  package let fields: PropertyListDictionary
  let archive: KeyedArchive

  init(number: Int, kind: ArchivedClass, fields: PropertyListDictionary, archive: KeyedArchive) {
    self.number = number
    self.kind = kind
    self.fields = fields
    self.archive = archive
  }

  package var className: String { kind.name }

  /// The names of its class and of those above it, as far as they are told.
  package var classNames: [String] { kind.names }

  /// Whether its class is this one or is below it.
  package func isKind(of name: String) -> Bool { kind.isKind(of: name) }

  /// The value of a field; ``ArchivedValue/null`` if it is not there.
  package func value(_ key: String) throws(PropertyListError) -> ArchivedValue {
    guard let value = fields[key] else { return .null }
    return try archive.resolved(value)
  }
}

/// The description of a class in an archive.
struct ArchivedClass: Sendable {
  private let description: PropertyListDictionary
  /// More than any class of Apple's frameworks has above it.
  private static let mostNames = 16

  init(_ description: PropertyListDictionary) {
    self.description = description
  }

  var name: String { description.shortText("$classname") ?? "a class without a name" }

  func isKind(of name: String) -> Bool {
    description["$classes"]?.array?.contains(name, amongFirst: Self.mostNames) ?? (self.name == name)
  }

  /// Its name, then those of the classes above it.
  var names: [String] {
    guard let all = description["$classes"]?.array else { return [name] }
    return (0..<min(all.count, Self.mostNames)).compactMap(all.shortText)
  }
}

/// The elements of an archived array or set.
package struct ArchivedElements: Sendable {
  private let values: PropertyListArray
  /// The place of each element among the values; nil if they are in order.
  private let order: [Int]?

  package let count: Int

  init(_ values: PropertyListArray) {
    self.values = values
    order = nil
    count = values.count
  }

  /// The elements of an object of `NSArray`, `NSSet`, `NSOrderedSet` or a class below them; nil if it has none.
  package init?(of object: ArchivedObject) {
    if let objects = object.fields["NS.objects"]?.array {
      self.init(objects)
    } else if object.isKind(of: "NSOrderedSet") {
      self.init(numbered: object.fields)
    } else {
      return nil
    }
  }

  private static let numberedKey = "NS.object."

  /// The elements of an ordered set are fields of their own, `NS.object.0`, `NS.object.1` and so on, in any order.
  private init?(numbered fields: PropertyListDictionary) {
    let keys = fields.keys
    let numbers = (0..<keys.count).compactMap { index -> (number: Int, index: Int)? in
      guard let key = keys.shortText(at: index), key.hasPrefix(Self.numberedKey),
        let number = Int(key.dropFirst(Self.numberedKey.count)), (0..<keys.count).contains(number)
      else { return nil }
      return (number, index)
    }
    var order = [Int](repeating: -1, count: numbers.count)
    for (number, index) in numbers {
      guard number < order.count, order[number] < 0 else { return nil }
      order[number] = index
    }
    values = fields.values
    self.order = order
    count = order.count
  }

  package subscript(index: Int) -> PropertyListValue { values[order?[index] ?? index] }
}

/// The bytes of an archived UUID.
enum ArchivedUUID {
  static func uuid(_ bytes: ArraySlice<UInt8>) -> UUID? {
    guard bytes.count == 16 else { return nil }
    var uuid = UUID_NULL
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
    return UUID(uuid: uuid)
  }

  private static let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

/// An archived `NSURL`: a text, and maybe an address that it is relative to.
enum ArchivedURL {
  /// The whole address; nil if the object has none.
  static func text(of object: ArchivedObject) throws(PropertyListError) -> String? {
    guard let relative = try relative(of: object) else { return nil }
    guard let base = try object.value("NS.base").object else { return relative }
    // No address is relative to one that is relative itself.
    guard let base = try self.relative(of: base).flatMap({ URL(string: $0) }) else { return nil }
    return URL(string: relative, relativeTo: base)?.absoluteString
  }

  private static func relative(of object: ArchivedObject) throws(PropertyListError) -> String? {
    switch try object.value("NS.relative") {
    case .value(.string(let text)): text
    // A mutable string is an object of its own.
    case .object(let string): try string.value("NS.string").value?.text
    default: nil
    }
  }
}

/// An archived `NSDecimalNumber`: digits in units of 16 bits, and an exponent of ten.
enum ArchivedDecimal {
  /// The number; nil if its fields are not as they should be.
  static func decimal(of object: ArchivedObject) throws(PropertyListError) -> Decimal? {
    let fields = object.fields
    guard let length = fields["NS.length"]?.integer, (0...8).contains(length),
      let exponent = fields["NS.exponent"]?.integer, (-128...127).contains(exponent),
      case .boolean(let isNegative)? = fields["NS.negative"],
      let bytes = try object.value("NS.mantissa").value?.data, bytes.count == 16
    else { return nil }
    // 1 is little-endian.
    let isLittle = fields["NS.mantissa.bo"]?.integer != 2
    var value = Decimal()
    var place = bytes.startIndex
    let units = (0..<8).map { _ in
      defer { place += 2 }
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return isLittle ? first | second << 8 : first << 8 | second
    }
    if length == 0 { return isNegative ? Decimal.nan : 0 }
    for unit in units.prefix(Int(length)).reversed() { value = value * 65_536 + Decimal(unit) }
    guard value.isFinite else { return nil }
    let sign: FloatingPointSign = isNegative ? .minus : .plus
    return Decimal(sign: sign, exponent: Int(exponent), significand: value)
  }
}
