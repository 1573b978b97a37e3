/// A relationship is coded as the identity of its object, so that predicates can bring one along:
/// `#Predicate<Album> { $0.band == japan }`.
extension ToOne: Codable where Target.ID: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(id: try decoder.singleValueContainer().decode(Target.ID.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}
