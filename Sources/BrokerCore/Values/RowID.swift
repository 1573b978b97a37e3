import ObjectStore

/// What identifies an object of an entity without identity: its place in the store.
///
/// It stays the same while the object is in the store, and means nothing elsewhere. A new object has none before
/// it is saved.
public struct RowID: IdentityValue, CustomStringConvertible {
  /// The row's number; nil before the object is saved.
  public let value: Int64?

  /// The identity of an object that is not in a store yet.
  public init() { value = nil }

  init(_ value: Int64) { self.value = value }

  public init(from parts: inout IdentityDecoder) throws { value = try parts.next() }

  public func encode(to parts: inout IdentityEncoder) { parts.append(value ?? Int64.min) }

  public var description: String { value.map(String.init) ?? "new" }
}
