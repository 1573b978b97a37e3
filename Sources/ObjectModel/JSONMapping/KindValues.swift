/// The values of a discriminator, or the keys around objects, with the sub-entity that each stands for.
///
/// Several values may stand for one entity. Their order counts: an export writes the first one, unless the store knows
/// which one an object came with.
///
/// ```swift
/// mapping["Media"].discriminator = .key("type", values: ["image": "Photo", "photo": "Photo", "clip": "Video"])
/// ```
public struct KindValues: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The values and the names of their entities, in their order.
  public private(set) var pairs: [(value: String, entity: String)] = []

  public init(dictionaryLiteral elements: (String, String)...) {
    for (value, entity) in elements { self[value] = entity }
  }

  /// The values in alphabetical order.
  public init(_ entities: [String: String]) {
    pairs = entities.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The entity that a value stands for. A new value comes last.
  public subscript(value: String) -> String? {
    get { pairs.first { $0.value == value }?.entity }
    set {
      let index = pairs.firstIndex { $0.value == value }
      switch (index, newValue) {
      case (let index?, let entity?): pairs[index].entity = entity
      case (let index?, nil): pairs.remove(at: index)
      case (nil, let entity?): pairs.append((value, entity))
      case (nil, nil): break
      }
    }
  }

  public static func == (first: Self, second: Self) -> Bool {
    first.pairs.elementsEqual(second.pairs) { $0 == $1 }
  }

  public func hash(into hasher: inout Hasher) {
    for pair in pairs {
      hasher.combine(pair.value)
      hasher.combine(pair.entity)
    }
  }
}

/// A list of pairs, since the members of a JSON object have no order.
extension KindValues: Codable {
  public init(from decoder: any Decoder) throws {
    for pair in try [[String]](from: decoder) where pair.count == 2 { self[pair[0]] = pair[1] }
  }

  public func encode(to encoder: any Encoder) throws {
    try pairs.map { [$0.value, $0.entity] }.encode(to: encoder)
  }
}
