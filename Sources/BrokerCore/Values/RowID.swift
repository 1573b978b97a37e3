import ObjectStore

/// What identifies an object of an entity without identity: its row in the store.
///
/// It stays the same while the object is in the store, and has no meaning elsewhere. A new object has none before it
/// is saved. If the object is of a sub-entity with an identity of its own, it is that identity with the name of the
/// entity.
public struct RowID: IdentityValue, CustomStringConvertible {
  private enum Place: Hashable {
    case none
    case row(Int64)
    /// The key of an object with an identity of its own: `Photo,5`.
    case key(String)
  }

  private let place: Place

  /// The row's number; nil before the object is saved, and for an object with an identity of its own.
  public var value: Int64? { if case .row(let row) = place { row } else { nil } }

  /// The key of an object with an identity of its own; nil for others.
  var key: String? { if case .key(let key) = place { key } else { nil } }

  /// Whether it can be that of an object in the store.
  var isStored: Bool { place != .none }

  /// The identity of an object that is not in a store yet.
  public init() { place = .none }

  init(_ row: Int64) { place = .row(row) }

  init(key: String) { place = .key(key) }

  public init(from parts: inout IdentityDecoder) throws {
    self = if let key = parts.nextText() { RowID(key: key) } else { RowID(try parts.next() as Int64) }
  }

  public func encode(to parts: inout IdentityEncoder) {
    switch place {
    case .none: parts.append(Int64.min)
    case .row(let row): parts.append(row)
    case .key(let key): parts.append(key)
    }
  }

  public var description: String {
    switch place {
    case .none: "new"
    case .row(let row): String(row)
    case .key(let key): key
    }
  }
}
