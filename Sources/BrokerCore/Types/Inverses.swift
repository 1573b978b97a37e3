/// The inverses of the relationships of some types.
struct Inverses {
  /// A relationship, by the name of its entity and its own name.
  struct Key: Hashable {
    var entity: String
    var name: String
    var text: String { "\(entity).\(name)" }
  }

  private struct Link {
    var key: Key
    var target: String
    var form: RelationshipForm
  }

  /// The inverse of each relationship that has one.
  private(set) var paired: [Key: Key] = [:]
  private(set) var problems: [String] = []
  private var links: [Link] = []
  /// By entity, the entity itself and those that it inherits from.
  private var ancestry: [String: [String]] = [:]
  private let types: [String: any Storable.Type]

  init(_ types: [any Storable.Type]) {
    self.types = Dictionary(types.map { ($0.entityName, $0) }, uniquingKeysWith: { first, _ in first })
    for type in types {
      links += type.relationshipForms().map {
        Link(key: Key(entity: type.entityName, name: $0), target: $1.target.entityName, form: $1)
      }
      var line = [type.entityName]
      var parent = type.parentType()
      while let next = parent, !line.contains(next.entityName) {
        line.append(next.entityName)
        parent = next.parentType()
      }
      ancestry[type.entityName] = line
    }
  }

  mutating func pair() {
    for link in links { pairNamed(link) }
    for link in links { pairOnly(link) }
  }

  // MARK: - Inverses that are named

  private mutating func pairNamed(_ link: Link) {
    guard let path = link.form.options.inverse else { return }
    guard let name = types[link.target]?.propertyName(at: path),
      let inverse = links.first(where: { $0.key == Key(entity: link.target, name: name) })
    else {
      problems.append("the inverse of \(link.key.text) is no relationship of \(link.target)")
      return
    }
    guard leads(inverse, to: link.key.entity) else {
      problems.append(
        "\(inverse.key.text) is named as the inverse of \(link.key.text), but leads to \(inverse.target)")
      return
    }
    for (one, other) in [(link.key, inverse.key), (inverse.key, link.key)] {
      if let known = paired[one], known != other {
        problems.append("\(one.text) has two inverses, \(known.text) and \(other.text)")
      }
    }
    if inverse.form.options.hasNoInverse {
      problems.append(
        "\(inverse.key.text) says that it has no inverse, and \(link.key.text) that it has this one")
    }
    paired[link.key] = inverse.key
    paired[inverse.key] = link.key
  }

  // MARK: - Inverses that are not

  /// Pairs a relationship with its inverse, if only one is possible.
  private mutating func pairOnly(_ link: Link) {
    guard isOpen(link) else { return }
    let candidates = links.filter { other in
      isOpen(other) && other.key != link.key && leads(other, to: link.key.entity)
        && leads(link, to: other.key.entity)
    }
    let rivals = links.filter { other in
      isOpen(other) && other.key.entity == link.key.entity && other.target == link.target
    }
    guard !candidates.isEmpty else { return }
    guard candidates.count == 1, rivals.count == 1 else {
      let names = (candidates + rivals.filter { $0.key != link.key }).map(\.key.text)
      problems.append(
        "the inverse of \(link.key.text) is not clear among \(Set(names).sorted().joined(separator: ", ")): name it,"
          + " or say that there is none with inverse: nil")
      return
    }
    paired[link.key] = candidates[0].key
    paired[candidates[0].key] = link.key
  }

  private func isOpen(_ link: Link) -> Bool {
    paired[link.key] == nil && !link.form.options.hasNoInverse && link.form.options.inverse == nil
  }

  /// Whether a relationship leads to the objects of an entity.
  private func leads(_ link: Link, to entity: String) -> Bool {
    ancestry[entity]?.contains(link.target) ?? false
  }
}

extension Storable {
  fileprivate static func relationshipForms() -> [(String, RelationshipForm)] {
    properties.all.compactMap { property in
      if case .relationship(let form) = property.form { (property.name, form) } else { nil }
    }
  }

  static func parentType() -> (any Storable.Type)? { properties.parent }

  /// The name of the property at a key path of the type.
  fileprivate static func propertyName(at path: PathKey) -> String? {
    properties.property(at: path.path)?.name
  }
}
