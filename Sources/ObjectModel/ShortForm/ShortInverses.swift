/// Finds the inverses that short forms leave out: those that are named at the other end, and those that are the only
/// ones possible.
struct ShortInverses {
  private struct Key: Hashable {
    var entity: String
    var name: String
    var text: String { "\(entity).\(name)" }
  }

  private struct Link {
    var key: Key
    var target: String
    var isOpen: Bool
  }

  private var found: [Key: String] = [:]
  private var links: [Link] = []
  /// By entity, the places in ``links`` of the relationships that lead to it.
  private var leading: [String: [Int]] = [:]
  /// By entity, itself and those that it inherits from.
  private var ancestry: [String: [String]] = [:]
  private var named: [(from: Key, to: Key)] = []

  init(_ entities: [ShortEntity]) {
    let parents = Dictionary(entities.map { ($0.name, $0.parent) }, uniquingKeysWith: { first, _ in first })
    for entity in entities {
      var line = [entity.name]
      while let last = line.last, let parent = parents[last] ?? nil, !line.contains(parent) {
        line.append(parent)
      }
      ancestry[entity.name] = line
      for property in entity.properties {
        guard let target = property.destination else { continue }
        let key = Key(entity: entity.name, name: property.name)
        if let inverse = property.inverse { named.append((key, Key(entity: target, name: inverse))) }
        leading[target, default: []].append(links.count)
        links.append(Link(key: key, target: target, isOpen: property.isOpen))
      }
    }
  }

  subscript(entity: String, name: String) -> String? { found[Key(entity: entity, name: name)] }

  mutating func find() throws {
    for (from, to) in named {
      found[from] = to.name
      let place = links.firstIndex {
        $0.key.name == to.name && ancestry[to.entity]?.contains($0.key.entity) ?? false
      }
      if let place, links[place].isOpen {
        if let other = found[links[place].key], links[place].key != from, other != from.name {
          throw ambiguity(links[place].key, [other, from.name])
        }
        found[links[place].key] = from.name
      }
    }
    for link in links { try pair(link) }
  }

  private func isOpen(_ link: Link) -> Bool { link.isOpen && found[link.key] == nil }

  /// Pairs a relationship with the only one that leads back.
  private mutating func pair(_ link: Link) throws {
    guard isOpen(link) else { return }
    let around = (ancestry[link.key.entity] ?? []).flatMap { leading[$0] ?? [] }.map { links[$0] }
    let candidates = around.filter { isOpen($0) && $0.key != link.key && leads(link, to: $0.key.entity) }
    guard let first = candidates.first else { return }
    let rivals = (leading[link.target] ?? []).map { links[$0] }.filter {
      isOpen($0) && $0.key.entity == link.key.entity && $0.key != link.key
    }
    // Both ends of a pair within one entity lead to the same one.
    let others = rivals.filter { $0.key != first.key }
    guard candidates.count == 1, others.isEmpty else {
      throw ambiguity(link.key, (candidates + others).map(\.key.text))
    }
    found[link.key] = first.key.name
    found[first.key] = link.key.name
  }

  /// Whether a relationship leads to the objects of an entity.
  private func leads(_ link: Link, to entity: String) -> Bool {
    ancestry[entity]?.contains(link.target) ?? false
  }

  private func ambiguity(_ key: Key, _ names: [String]) -> ModelError {
    let list = Set(names).sorted().joined(separator: ", ")
    return ModelError(
      .message(
        "its inverse is not clear among \(list): name it, as \(ModelError.shortened(key.entity)).… in the type at one"
          + " end, or write {type: …, inverse: null} where there is none"),
      entity: key.entity, property: key.name)
  }
}
