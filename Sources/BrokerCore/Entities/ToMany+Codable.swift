/// A list is coded as its objects, as far as they are known and their type is `Encodable`, else as their identities.
///
/// Of a list that was not fetched the key is left out, or null stands for it; if something was inserted or removed,
/// that is coded: `{"added": […], "removed": […]}`. A list that is decoded is set as a whole: saving it makes exactly
/// these links. Without its key, or with null, saving leaves the links as they are.
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

  /// Whether nothing is known of it and nothing was changed.
  fileprivate var isUntouched: Bool { ids == nil && changes.added.isEmpty && changes.removed.isEmpty }
}

// What the compiler writes for a `Codable` struct calls these, since they are made for the types of the properties.

extension KeyedEncodingContainer {
  /// Encodes a list; of one that was not fetched, the key is left out.
  public mutating func encode<Target>(_ list: ToMany<Target>, forKey key: Key) throws {
    try encodeIfPresent(list.isUntouched ? nil : list, forKey: key)
  }
}

extension KeyedDecodingContainer {
  /// Decodes a list, or if its key is missing, one that leaves the links as they are.
  public func decode<Target>(_ type: ToMany<Target>.Type, forKey key: Key) throws -> ToMany<Target> {
    try decodeIfPresent(type, forKey: key) ?? ToMany()
  }

  /// Decodes the place of an object, or if its key is missing, that of a new object.
  public func decode(_ type: RowID.Type, forKey key: Key) throws -> RowID {
    try decodeIfPresent(type, forKey: key) ?? RowID()
  }
}

/// Coded as the number, as the text that an identity of its own gives, or as null.
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
