import Foundation
import ObjectStore

/// How identities are encoded: as the property itself, or if they have several parts, as a list of these.
enum IdentityCoding {
  static func encode<Target: Storable>(
    _ id: Target.ID, of type: Target.Type, to encoder: any Encoder
  ) throws {
    var container = encoder.singleValueContainer()
    if !type.isStored(id) { return try container.encodeNil() }
    let parts = type.storedParts(of: id)
    guard parts.count == 1 else { return try container.encode(parts.map(Scalar.init)) }
    // These types are encoded in another form than the store's.
    switch id {
    case let id as UUID: try container.encode(id)
    case let id as Date: try container.encode(id)
    case let id as URL: try container.encode(id)
    case let id as Decimal: try container.encode(id)
    case let id as Bool: try container.encode(id)
    default: try container.encode(Scalar(parts[0]))
    }
  }

  /// The identity at a decoder's place; nil if there is none.
  static func decode<Target: Storable>(_ type: Target.Type, from decoder: any Decoder) -> Target.ID? {
    guard let container = try? decoder.singleValueContainer() else { return nil }
    if container.decodeNil() { return RowID() as? Target.ID }
    let whole: (any IdentityValue)? =
      switch Target.ID.self {
      case is UUID.Type: try? container.decode(UUID.self)
      case is Date.Type: try? container.decode(Date.self)
      case is URL.Type: try? container.decode(URL.self)
      case is Decimal.Type: try? container.decode(Decimal.self)
      case is Bool.Type: try? container.decode(Bool.self)
      default: nil
      }
    if let whole { return whole as? Target.ID }
    let scalars = (try? container.decode(Scalar.self)).map { [$0] } ?? (try? container.decode([Scalar].self))
    guard let scalars else { return nil }
    var parts = IdentityDecoder(scalars.map(\.value))
    return try? type.identity(from: &parts)
  }

  /// A value of the store as a scalar.
  private struct Scalar: Codable {
    let value: SQLValue

    init(_ value: SQLValue) { self.value = value }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let integer = try? container.decode(Int64.self) {
        value = .integer(integer)
      } else if let number = try? container.decode(Double.self) {
        value = .real(number)
      } else {
        value = .text(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .null: try container.encodeNil()
      case .integer(let integer): try container.encode(integer)
      case .real(let number): try container.encode(number)
      case .text(let text): try container.encode(text)
      case .blob(let bytes): try container.encode(Data(bytes))
      }
    }
  }
}

/// How a link is encoded: as the object if it is known and can be encoded, else as the identity.
struct CodedLink<Target: Storable>: Codable {
  let id: Target.ID
  let object: Target?

  init(_ id: Target.ID, _ object: Target?) {
    self.id = id
    self.object = object
  }

  init(from decoder: any Decoder) throws {
    if let id = IdentityCoding.decode(Target.self, from: decoder) {
      self.init(id, nil)
    } else if let type = Target.self as? any Decodable.Type,
      let object = try type.init(from: decoder) as? Target
    {
      self.init(object.id, object)
    } else {
      throw DecodingError.typeMismatch(
        Target.ID.self,
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription:
            "This is no identity of \(Target.entityName), and \(Target.self) is not Decodable."))
    }
  }

  func encode(to encoder: any Encoder) throws {
    if let object = object as? any Encodable { return try object.encode(to: encoder) }
    guard object == nil || Target.isStored(id) else {
      throw EncodingError.invalidValue(
        id,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription:
            "A new \(Target.entityName) has no identity yet, and \(Target.self) is not Encodable."))
    }
    try IdentityCoding.encode(id, of: Target.self, to: encoder)
  }
}
