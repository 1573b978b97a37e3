import Foundation
import JSONStream

/// Goes through a value and all that is in it, with a stack of its own.
struct PlainValueWalk {
  /// As deep as the readers of JSON go.
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

  /// Which container it is: an object of the archive, or a node of the property list.
  private enum Identity: Hashable {
    case object(Int)
    case node(Int)
  }

  /// The archive that references lead into; nil in a property list.
  private let archive: KeyedArchive?
  private let limit: Int
  private let date: (Double) -> String?
  private var open: [Open] = []
  /// What the keys of all dictionaries so far take.
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
