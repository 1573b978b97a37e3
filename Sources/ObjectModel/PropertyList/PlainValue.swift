import Foundation
import JSONStream

/// The content of an archive or a property list, if it is plain: texts, numbers, dates, data, addresses, UUIDs, and
/// arrays, sets and dictionaries of these.
package enum PlainValue {
  package enum Form: Sendable, Equatable {
    /// JSON text. Data is Base64, a UUID is in lower case, an attributed string is its text.
    case json([UInt8])
    /// The class of the first object that is not plain.
    case notPlain(className: String)
  }

  package struct Reading: Sendable {
    package let form: Form
    /// Whether a number was NaN or infinite, which JSON cannot have: null is in its place.
    package let hasNonFinite: Bool
  }

  /// Reads a property list or a keyed archive and writes what it holds as JSON.
  ///
  /// - Parameter date: The text of a date by its seconds since 2001-01-01T00:00:00Z; nil if it has none.
  /// - Throws: ``PropertyListError`` if the bytes are neither, if a value is in itself, or if it is nested too deeply or
  ///   becomes too long since its parts are shared.
  package static func json(
    of bytes: [UInt8], date: @escaping (Double) -> String?
  ) throws(PropertyListError) -> Form { try read(bytes, date: date).form }

  /// The same, with what was lost.
  package static func read(
    _ bytes: [UInt8], date: @escaping (Double) -> String?
  ) throws(PropertyListError) -> Reading {
    let list = try PropertyList(bytes)
    let archive = KeyedArchive.isArchive(list) ? try KeyedArchive(list) : nil
    let root = try archive?.root() ?? .value(list.root)
    var className: String?
    var hasNonFinite = false
    let json = try JSONWriter.bytes { (writer) throws(PropertyListError) in
      var walk = PlainValueWalk(archive: archive, inputSize: bytes.count, date: date)
      className = try walk.write(root, to: &writer)
      hasNonFinite = walk.hasNonFinite
    }
    return Reading(form: className.map(Form.notPlain) ?? .json(json), hasNonFinite: hasNonFinite)
  }
}

/// A plain value that has no others in it.
enum PlainScalar {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A number in its own digits, as JSON writes it.
  case digits(String)
  case real(Double)
  case text(String)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)

  /// A value of a property list; nil for containers and references.
  init?(_ value: PropertyListValue) {
    switch value {
    case .null: self = .null
    case .boolean(let value): self = .boolean(value)
    case .integer(let number): self = .integer(number)
    case .unsigned(let number): self = .digits(String(number))
    case .real(let number): self = .real(number)
    case .date(let seconds): self = .date(seconds)
    case .data(let bytes): self = .text(Data(bytes).base64EncodedString())
    case .string(let text): self = .text(text)
    case .uid, .array, .dictionary: return nil
    }
  }

  /// An object of an archive; nil if it is not plain.
  init?(_ object: ArchivedObject) throws(PropertyListError) {
    for name in object.classNames {
      guard let read = Self.classes[name] else { continue }
      guard let scalar = try read.scalar(of: object) else { return nil }
      self = scalar
      return
    }
    return nil
  }

  /// How an object of a class is read.
  private enum Reading {
    case null, string, attributedString, date, data, url, uuid, decimal, number

    func scalar(of object: ArchivedObject) throws(PropertyListError) -> PlainScalar? {
      switch self {
      case .null: return .null
      case .string: return try PlainScalar.string(object).map(PlainScalar.text)
      case .attributedString:
        switch try object.value("NSString") {
        case .value(.string(let text)): return .text(text)
        case .object(let string): return try PlainScalar.string(string).map(PlainScalar.text)
        default: return nil
        }
      case .date: return object.fields["NS.time"]?.number.map(PlainScalar.date)
      case .data:
        return try object.value("NS.data").value?.data.map { .text(Data($0).base64EncodedString()) }
      case .url: return try ArchivedURL.text(of: object).map(PlainScalar.text)
      case .uuid: return object.fields["NS.uuidbytes"]?.data.flatMap(ArchivedUUID.uuid).map(PlainScalar.uuid)
      case .decimal: return try ArchivedDecimal.decimal(of: object).map(PlainScalar.decimal)
      case .number:
        let keys = ["NS.boolval", "NS.intval", "NS.dblval"]
        return keys.lazy.compactMap { object.fields[$0] }.first.flatMap { PlainScalar($0) }
      }
    }
  }

  private static let classes: [String: Reading] = [
    "NSNull": .null, "NSString": .string, "NSAttributedString": .attributedString, "NSDate": .date,
    "NSData": .data, "NSURL": .url, "NSUUID": .uuid, "NSDecimalNumber": .decimal, "NSNumber": .number,
  ]

  private static func string(_ object: ArchivedObject) throws(PropertyListError) -> String? {
    if case .value(.string(let text)) = try object.value("NS.string") { return text }
    guard case .value(.data(let bytes)) = try object.value("NS.bytes") else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func uuid(_ uuid: UUID) -> PlainScalar { .text(uuid.uuidString.lowercased()) }

  private static func decimal(_ number: Decimal) -> PlainScalar {
    number.isNaN ? .real(.nan) : .digits(number.description)
  }

  /// A value as the key of an object in JSON; nil if it can be none.
  static func key(_ value: ArchivedValue) -> String? {
    switch value {
    case .value(.string(let text)): text
    case .value(.integer(let number)): String(number)
    case .value(.unsigned(let number)): String(number)
    case .object(let object):
      if case .text(let text)? = try? PlainScalar(object) { text } else { nil }
    default: nil
    }
  }
}

extension PropertyListValue {
  /// The number, whole or not; nil if it is none.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
}

/// Goes through a value and all that is in it, with a stack of its own.
struct PlainValueWalk {
  /// The depth that the readers of JSON go to.
  static let deepest = 500
  /// How many times as long as the input its JSON may be, where parts are shared; so much is always allowed.
  private static let mostTimes = 8
  private static let alwaysAllowed = 1 << 20

  /// A container that is being written.
  private struct Open {
    let values: ArchivedElements
    /// The keys of a dictionary.
    var keys: PropertyListArray?
    var next = 0
    let identity: Identity
    /// Members of a dictionary whose key comes again. The last one counts.
    var repeated: Set<Int> = []
  }

  /// The identity of a container: an object of the archive, or a node of the property list.
  private enum Identity: Hashable {
    case object(Int)
    case node(Int)
  }

  /// The archive that references lead into; nil in a property list.
  private let archive: KeyedArchive?
  private let limit: Int
  private let date: (Double) -> String?
  private var open: [Open] = []
  /// The memory of the keys of all dictionaries so far.
  private var keyBytes = 0
  /// Whether there was a number that is NaN or infinite.
  private(set) var hasNonFinite = false
  private var openIdentities: Set<Identity> = []
  /// The fields of all ordered sets so far: to put them in order takes time, also where few are elements.
  private var sortedFields = 0

  init(archive: KeyedArchive?, inputSize: Int, date: @escaping (Double) -> String?) {
    self.archive = archive
    self.date = date
    limit = max(Self.alwaysAllowed, inputSize * Self.mostTimes)
  }

  /// Writes a value.
  ///
  /// - Returns: The name of the first class that is not plain; nil if all are. What was written then is of no use.
  mutating func write(
    _ root: ArchivedValue, to writer: inout JSONWriter
  ) throws(PropertyListError) -> String? {
    if let name = try writeOne(root, to: &writer) { return name }
    while var container = open.popLast() {
      guard container.next < container.values.count else {
        if container.keys == nil { writer.endArray() } else { writer.endObject() }
        openIdentities.remove(container.identity)
        continue
      }
      let index = container.next
      container.next += 1
      open.append(container)
      if let keys = container.keys {
        if container.repeated.contains(index) { continue }
        guard let key = PlainScalar.key(try resolved(keys[index])) else { return "NSDictionary" }
        writer.key(key)
      }
      if let name = try writeOne(resolved(container.values[index]), to: &writer) { return name }
      guard writer.count <= limit else {
        throw PropertyListError("its JSON becomes longer than \(limit) bytes, since its parts are shared")
      }
      guard sortedFields <= limit else {
        throw PropertyListError(
          "its ordered sets are shared so often that more than \(limit) fields would be read")
      }
    }
    return nil
  }

  private func resolved(_ value: PropertyListValue) throws(PropertyListError) -> ArchivedValue {
    if let archive { return try archive.resolved(value) }
    if case .null = value { return .null }
    return .value(value)
  }

  /// Writes a scalar, or begins a container.
  private mutating func writeOne(
    _ value: ArchivedValue, to writer: inout JSONWriter
  ) throws(PropertyListError) -> String? {
    switch value {
    case .null: writer.null()
    case .value(.array(let array)):
      try begin(Open(values: ArchivedElements(array), identity: .node(array.node)), &writer)
    case .value(.dictionary(let members)):
      try begin(
        Open(values: ArchivedElements(members.values), keys: members.keys, identity: .node(members.node)),
        &writer)
    case .value(let value):
      guard let scalar = PlainScalar(value) else { return value.kindName }
      return write(scalar, of: value.kindName, to: &writer)
    case .object(let object):
      if let container = try container(object) {
        try begin(container, &writer)
        return nil
      }
      guard let scalar = try PlainScalar(object) else { return object.className }
      return write(scalar, of: object.className, to: &writer)
    }
    return nil
  }

  private mutating func begin(_ container: Open, _ writer: inout JSONWriter) throws(PropertyListError) {
    guard openIdentities.insert(container.identity).inserted else {
      throw PropertyListError("a container is in itself")
    }
    guard open.count < Self.deepest else {
      throw PropertyListError("its values are nested more than \(Self.deepest) deep")
    }
    var container = container
    if let keys = container.keys {
      container.repeated = try repeated(keys)
      writer.beginObject()
    } else {
      writer.beginArray()
    }
    open.append(container)
  }

  /// The places of keys that come again later.
  private mutating func repeated(_ keys: PropertyListArray) throws(PropertyListError) -> Set<Int> {
    var places: [String: Int] = [:]
    var repeated: Set<Int> = []
    for index in 0..<keys.count {
      let key = PlainScalar.key(try resolved(keys[index]))
      // A member takes at least so much JSON. What is repeated is not written, and takes time nevertheless.
      keyBytes += (key?.utf8.count ?? 0) + 4
      guard keyBytes <= limit else {
        throw PropertyListError("its keys take more than \(limit) bytes, since its parts are shared")
      }
      if let key, let earlier = places.updateValue(index, forKey: key) { repeated.insert(earlier) }
    }
    return repeated
  }

  private mutating func write(_ scalar: PlainScalar, of className: String, to writer: inout JSONWriter)
    -> String?
  {
    switch scalar {
    case .null: writer.null()
    case .boolean(let value): writer.bool(value)
    case .integer(let number): writer.integer(number)
    case .digits(let digits): writer.raw(digits)
    case .real(let number):
      if !number.isFinite { hasNonFinite = true }
      writer.double(number)
    case .text(let text): writer.string(text)
    case .date(let seconds):
      guard let text = date(seconds) else { return className }
      writer.string(text)
    }
    return nil
  }

  /// The elements of an object that is a container; nil if it is none.
  private mutating func container(_ object: ArchivedObject) throws(PropertyListError) -> Open? {
    let identity = Identity.object(object.number)
    for name in object.classNames {
      switch name {
      case "NSArray", "NSSet", "NSOrderedSet":
        if name == "NSOrderedSet" { sortedFields += object.fields.count }
        return ArchivedElements(of: object).map { Open(values: $0, identity: identity) }
      case "NSDictionary":
        guard let keys = object.fields["NS.keys"]?.array, let values = object.fields["NS.objects"]?.array
        else { return nil }
        guard keys.count == values.count else {
          throw .expected("as many values as keys", found: "\(values.count) and \(keys.count)")
        }
        return Open(values: ArchivedElements(values), keys: keys, identity: identity)
      default: continue
      }
    }
    return nil
  }
}
