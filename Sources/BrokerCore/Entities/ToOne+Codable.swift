/// A relationship is encoded as its object if that was prefetched and its type is `Encodable`, else as the identity:
/// a text or a number, or for an identity of several attributes a list of these. Decoding takes either.
extension ToOne: Codable {
  public init(from decoder: any Decoder) throws {
    let link = try CodedLink<Target>(from: decoder)
    self = link.object.map { ToOne($0) } ?? ToOne(id: link.id)
  }

  public func encode(to encoder: any Encoder) throws { try CodedLink(id, object).encode(to: encoder) }
}
