/// A relationship is coded as its object, if that was fetched along and its type is `Encodable`, else as the identity:
/// a text, a number, or for an identity of several attributes a list of these. Decoding takes either.
extension ToOne: Codable {
  public init(from decoder: any Decoder) throws {
    let link = try CodedLink<Target>(from: decoder)
    self = link.object.map { ToOne($0) } ?? ToOne(id: link.id)
  }

  public func encode(to encoder: any Encoder) throws { try CodedLink(id, object).encode(to: encoder) }
}
