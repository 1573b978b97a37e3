/// A list is encoded as its objects if all are known and their type is `Encodable`, else as their identities.
///
/// If a list was not fetched, its key is left out or has null. If objects were inserted or removed, these are
/// encoded: `{"added": […], "removed": […]}`. A decoded list is set as a whole, so that saving it makes exactly these
/// links. Without its key, or with null, saving leaves the links as they are.
extension ToMany: Codable {
  private enum ChangeKey: String, CodingKey {
    case added
    case removed
  }

  public init(from decoder: any Decoder) throws {
    self.init()
    if let changes = try? decoder.container(keyedBy: ChangeKey.self) {
      for link in try changes.decode([CodedLink<Target>].self, forKey: .removed) { remove(id: link.id) }
      for link in try changes.decode([CodedLink<Target>].self, forKey: .added) { insert(id: link.id) }
    } else if try !decoder.singleValueContainer().decodeNil() {
      let links = try decoder.singleValueContainer().decode([CodedLink<Target>].self)
      let isNamed = !links.isEmpty && links.allSatisfy { $0.object == nil }
      self = isNamed ? ToMany(ids: EmptyCollection()) : ToMany(EmptyCollection())
      for link in links {
        if let object = link.object { insert(object) } else { insert(id: link.id) }
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let ids {
      var list = encoder.unkeyedContainer()
      for member in members(ids) { try list.encode(CodedLink(member.id, member.object)) }
    } else if isUntouched {
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    } else {
      var container = encoder.container(keyedBy: ChangeKey.self)
      try container.encode(changes.added.map { CodedLink<Target>($0, nil) }, forKey: .added)
      try container.encode(changes.removed.map { CodedLink<Target>($0, nil) }, forKey: .removed)
    }
  }

  /// Whether its objects are not known and nothing was changed.
  fileprivate var isUntouched: Bool { ids == nil && changes.added.isEmpty && changes.removed.isEmpty }
}

// The compiler uses these functions in the code that it writes for a `Codable` struct, since they fit the types of
// the properties best.

extension KeyedEncodingContainer {
  /// Encodes a list. If it was not fetched, its key is left out.
  public mutating func encode<Target>(_ list: ToMany<Target>, forKey key: Key) throws {
    try encodeIfPresent(list.isUntouched ? nil : list, forKey: key)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a list. If its key is missing, the list leaves the links as they are.
  public func decode<Target>(_ type: ToMany<Target>.Type, forKey key: Key) throws -> ToMany<Target> {
    try decodeIfPresent(type, forKey: key) ?? ToMany()
  }

  /// Decodes the row id of an object. If its key is missing, the object is new.
  public func decode(_ type: RowID.Type, forKey key: Key) throws -> RowID {
    try decodeIfPresent(type, forKey: key) ?? RowID()
  }
}

/// Encoded as a number, as the text of an identity of its own, or as null.
extension RowID: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self.init()
    } else if let key = try? container.decode(String.self) {
      self.init(key: key)
    } else {
      self.init(try container.decode(Int64.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let key {
      try container.encode(key)
    } else if let value {
      try container.encode(value)
    } else {
      try container.encodeNil()
    }
  }
}
