import Foundation
import JSONStream
import Mapping

/// The keys under which the members of `Codable` types are encoded.
///
/// Swift does not tell which key belongs to a key path. So two values of the type are decoded that differ only in the
/// value of one key. If a key path leads to different things in them, it belongs to that key.
enum MemberKeys {
  /// The key of a member, from its key path; nil if it cannot be found out.
  static func key(of keyPath: AnyKeyPath, in type: any Codable.Type) -> String? {
    search(keyPath, type)
  }

  private static func search<Value: Codable>(_ keyPath: AnyKeyPath, _ type: Value.Type) -> String? {
    let probe = ProbeKeys()
    guard let path = keyPath as? PartialKeyPath<Value>,
      let base = try? Value(from: ProbeDecoder(changing: nil, noting: probe)),
      let before = text(base[keyPath: path])
    else { return nil }
    var found: [String] = []
    for key in probe.names {
      guard let changed = try? Value(from: ProbeDecoder(changing: key)),
        let now = text(changed[keyPath: path]),
        now != before
      else { continue }
      // The member must be encoded as itself, and in no other form.
      guard encoded(changed, under: key) == now else { return nil }
      found.append(key)
    }
    return found.count == 1 ? found[0] : nil
  }

  private static func text(_ value: Any) -> JSONValue? {
    guard let value = value as? any Encodable else { return nil }
    // Encoded in a list, since a value by itself may be nil.
    guard let text = try? Exporter.text(of: [AnyEncodable(value: value)]) else { return nil }
    guard case .array(let elements)? = JSONValue(text: text) else { return nil }
    return elements.first
  }

  private static func encoded(_ value: some Encodable, under key: String) -> JSONValue? {
    guard let text = try? Exporter.text(of: value) else { return nil }
    return JSONValue(text: text)?[key]
  }
}

private struct AnyEncodable: Encodable {
  let value: any Encodable

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

/// The keys that a type has asked for.
private final class ProbeKeys {
  var names: [String] = []
}

/// A decoder that gives every type a value, which is one of two.
private struct ProbeDecoder: Decoder {
  /// The place where the value differs from the plain one.
  enum Change {
    case nothing
    case key(String)
    case everything
  }

  let change: Change
  /// The keys that were asked for; nil at deeper levels.
  let keys: ProbeKeys?
  /// The level. Types may hold values of their own type.
  let depth: Int

  /// From this level on nothing is changed. So optionals are nil and lists are empty there, which ends the recursion.
  private static let mostChanged = 8
  private static let deepest = 40

  init(changing key: String?, noting keys: ProbeKeys? = nil) {
    change = key.map(Change.key) ?? .nothing
    self.keys = keys
    depth = 0
  }

  fileprivate init(isChanged: Bool, depth: Int) {
    change = isChanged && depth < Self.mostChanged ? .everything : .nothing
    keys = nil
    self.depth = depth
  }

  /// - Throws: An error for types that would never end.
  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard depth < Self.deepest else { throw ProbeError() }
    return try ProbeValues.value(type, self)
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(ProbeMembers<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    ProbeElements(decoder: self, count: isChanged ? 1 : 0)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { ProbeValue(decoder: self) }

  var isChanged: Bool { if case .everything = change { true } else { false } }

  /// The decoder for the value of a key.
  func inner(_ key: any CodingKey) -> ProbeDecoder {
    if let keys, !keys.names.contains(key.stringValue) { keys.names.append(key.stringValue) }
    let isMeant = if case .key(let name) = change { name == key.stringValue } else { isChanged }
    return ProbeDecoder(isChanged: isMeant, depth: depth + 1)
  }

  /// The decoder for an element of a list.
  var element: ProbeDecoder { ProbeDecoder(isChanged: isChanged, depth: depth + 1) }
}

/// A type decodes itself in a way that does not show its members.
private struct ProbeError: Error {}

/// The values of types that do not decode themselves by keys.
private enum ProbeValues {
  static func value<Value: Decodable>(_ type: Value.Type, _ decoder: ProbeDecoder) throws -> Value {
    let isChanged = decoder.isChanged
    if let known = known(type, isChanged) as? Value { return known }
    if let cases = (type as? any CaseIterable.Type)?.ends,
      let one = (isChanged ? cases.last : cases.first) as? Value
    {
      return one
    }
    return try Value(from: decoder)
  }

  private static func known(_ type: Any.Type, _ isChanged: Bool) -> Any? {
    switch type {
    case is Bool.Type: isChanged
    case is String.Type: isChanged ? "1" : "0"
    case is Double.Type: isChanged ? 1.0 : 0.0
    case is Float.Type: isChanged ? Float(1) : Float(0)
    case let type as any FixedWidthInteger.Type: integer(type, isChanged)
    case is Decimal.Type: isChanged ? Decimal(1) : Decimal(0)
    case is Date.Type: Date(timeIntervalSince1970: isChanged ? 1 : 0)
    case is Data.Type: Data([isChanged ? 1 : 0])
    case is UUID.Type: UUID(uuid: (isChanged ? 1 : 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    case is URL.Type: URL(string: isChanged ? "a:1" : "a:0")
    default: nil
    }
  }

  private static func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ isChanged: Bool) -> Any {
    (isChanged ? 1 : 0) as Value
  }
}

extension CaseIterable {
  fileprivate static var ends: (first: Any?, last: Any?) {
    let all = Array(allCases)
    return (all.first, all.last)
  }
}

private struct ProbeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ProbeDecoder

  var codingPath: [any CodingKey] { [] }
  /// A dictionary has one key in the changed value.
  var allKeys: [Key] { decoder.isChanged ? [Key(stringValue: "1")].compactMap(\.self) : [] }

  // An optional has a value only in the changed value.

  func contains(_ key: Key) -> Bool { decoder.inner(key).isChanged }
  func decodeNil(forKey key: Key) -> Bool { !decoder.inner(key).isChanged }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.inner(key).value(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw ProbeError() }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw ProbeError() }
  func superDecoder() throws -> any Decoder { throw ProbeError() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw ProbeError() }
}

private struct ProbeElements: UnkeyedDecodingContainer {
  let decoder: ProbeDecoder
  let count: Int?
  var currentIndex = 0

  var codingPath: [any CodingKey] { [] }
  var isAtEnd: Bool { currentIndex >= count ?? 0 }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // A type that reads elements without asking how many there are may never stop.
    guard !isAtEnd else { throw ProbeError() }
    currentIndex += 1
    return try decoder.element.value(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { throw ProbeError() }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw ProbeError() }
  mutating func superDecoder() throws -> any Decoder { throw ProbeError() }
}

private struct ProbeValue: SingleValueDecodingContainer {
  let decoder: ProbeDecoder

  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { !decoder.isChanged }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.element.value(type) }
}
