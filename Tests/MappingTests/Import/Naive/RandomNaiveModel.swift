import TestSettings
import ObjectModel

/// What random models may have besides attributes and relationships.
struct ModelFeatures {
  var parts = false
  var kinds = false
  var requiredLinks = false
  var deleteRules = false
  var policies = false
  var versions = false
}

/// Makes random models.
struct RandomNaiveModel {
  private var model = NaiveModel()
  private let features: ModelFeatures
  private var toOne = ["leader", "label", "home", "origin", "sponsor", "author", "cover", "rival"]
  private var toMany = ["albums", "tags", "songs", "books", "guests", "fans", "chapters", "tours"]

  static func make(_ features: ModelFeatures, _ random: inout Seeded) -> NaiveModel {
    var maker = RandomNaiveModel(features: features)
    maker.addKinds(&random)
    for _ in 0..<1 + random.below(4) { maker.addLink(&random) }
    if features.parts { maker.addParts(&random) }
    return maker.model
  }

  private init(features: ModelFeatures) {
    self.features = features
  }

  // MARK: - Entities

  private mutating func addKinds(_ random: inout Seeded) {
    // Some are called as what statements name themselves. A copy chooses, so that nothing else depends on it.
    var names = random
    let kinds = names.pick([
      ["Band", "Person", "Venue"], ["Band", "Person", "Venue"], ["k", "text", "found"],
      ["t", "o", "excluded"],
    ])
    for name in kinds.prefix(1 + random.below(3)) {
      var kind = NaiveModel.Kind(name: name)
      kind.attributes = Self.attributes(name, random.below(4), &random)
      let identity = Self.identity(&random)
      kind.identity = identity.map(\.name)
      kind.attributes.insert(contentsOf: identity, at: 0)
      if features.versions && random.flip() {
        kind.version = "edition"
        kind.attributes.append(
          Attribute(name: "edition", type: random.pick([.integer32, .decimal]), isOptional: true))
      }
      model.kinds.append(kind)
    }
    if features.kinds { addSubKinds(&random) }
  }

  private mutating func addSubKinds(_ random: inout Seeded) {
    let root = random.below(model.kinds.count)
    model.kinds[root].isAbstract = random.below(3) == 0
    for name in ["Solo", "Group"].prefix(1 + random.below(2)) {
      var kind = NaiveModel.Kind(name: name, parent: root)
      kind.attributes = Self.attributes(name, random.below(3), &random)
      model.kinds.append(kind)
    }
  }

  private static func identity(_ random: inout Seeded) -> [Attribute] {
    switch random.below(5) {
    case 0: [Attribute(name: "code", type: .string)]
    case 1: [Attribute(name: "token", type: .uuid)]
    case 2: [Attribute(name: "suit", type: .string), Attribute(name: "rank", type: .integer16)]
    default: [Attribute(name: "id", type: .integer64)]
    }
  }

  private static let types: [AttributeType] = [
    .boolean, .integer16, .integer64, .double, .decimal, .string, .uuid, .date,
  ]

  private static func attributes(_ kind: String, _ count: Int, _ random: inout Seeded) -> [Attribute] {
    ["listName", "trackCount", "imageRef"].prefix(count).map { name in
      // The names of an entity's attributes are its own, so that those of siblings have columns of their own.
      var attribute = Attribute(
        name: name + kind, type: random.pick(types), isOptional: random.below(4) > 0)
      if random.below(3) == 0 { attribute.defaultValue = defaults(attribute.type) }
      if attribute.defaultValue == nil && random.below(3) == 0 {
        switch attribute.type {
        case .integer16, .integer64: (attribute.minimum, attribute.maximum) = ("0", "100")
        case .string: attribute.maximum = "5"
        default: break
        }
      }
      return attribute
    }
  }

  private static func defaults(_ type: AttributeType) -> String? {
    switch type {
    case .boolean: "YES"
    case .integer16, .integer64: "7"
    case .double: "2.5"
    case .decimal: "1.50"
    case .string: "none"
    default: nil
    }
  }

  // MARK: - Relationships

  private mutating func addLink(_ random: inout Seeded) {
    let owner = random.below(model.kinds.count)
    let target = random.below(model.kinds.count)
    if owner == target && random.below(4) == 0 {
      return addOwnInverse(owner, random.flip(), &random)
    }
    // Of the four combinations, one-to-many is the most common.
    let shape = random.below(5)
    let one = end(owner, target, isToMany: shape < 3, &random)
    var other = end(target, owner, isToMany: shape == 1 || shape == 3, &random)
    if random.below(4) == 0 {
      other.name = nil
      other.isToMany = true
      other.isOrdered = false
    }
    add(one, other, &random)
  }

  private mutating func end(
    _ owner: Int, _ target: Int, isToMany: Bool, _ random: inout Seeded
  ) -> NaiveModel.End {
    let name = isToMany ? toMany.removeFirst() : toOne.removeFirst()
    var end = NaiveModel.End(name: name, owner: owner, target: target, inverse: 0, isToMany: isToMany)
    end.isOrdered = isToMany && random.below(3) == 0
    if features.policies && random.below(3) == 0 {
      if isToMany { end.toMany = random.pick([.replace, .merge]) }
      if random.flip() { end.references = random.pick([.pending, .stub]) }
    }
    if features.deleteRules { end.rule = random.pick([.nullify, .nullify, .cascade]) }
    return end
  }

  private mutating func add(_ one: NaiveModel.End, _ other: NaiveModel.End, _ random: inout Seeded) {
    var (one, other) = (one, other)
    let place = model.ends.count
    one.inverse = place + 1
    other.inverse = place
    if features.requiredLinks && random.below(3) == 0 {
      // A one-to-one with a required end could not be kept when its object is taken away.
      if !one.isToMany && other.isToMany && !model.isPart(one.target) { one.isRequired = true }
      if !other.isToMany && one.isToMany && other.name != nil { other.isRequired = true }
    }
    if features.requiredLinks {
      one.isRequiredList = one.isToMany && random.flip()
      other.isRequiredList = other.isToMany && other.name != nil && random.flip()
    }
    model.ends += [one, other]
  }

  private mutating func addOwnInverse(_ kind: Int, _ isToMany: Bool, _ random: inout Seeded) {
    var end = end(kind, kind, isToMany: isToMany, &random)
    end.isOrdered = false
    end.inverse = model.ends.count
    model.ends.append(end)
  }

  /// Adds an entity without identity as part of one or two others, and one that may be part of it.
  private mutating func addParts(_ random: inout Seeded) {
    let note = model.kinds.count
    for name in ["Note", "Line"] {
      var kind = NaiveModel.Kind(name: name)
      kind.attributes = Self.attributes(name, 1 + random.below(3), &random)
      model.kinds.append(kind)
    }
    for number in 0..<1 + random.below(2) { addPart(note, of: random.below(note), number, &random) }
    if random.flip() { addPart(note + 1, of: note, 2, &random) }
    if random.flip() {
      let target = random.below(note)
      let one = end(note, target, isToMany: random.flip(), &random)
      add(one, NaiveModel.End(name: nil, owner: target, target: note, inverse: 0), &random)
    }
  }

  private mutating func addPart(_ part: Int, of owner: Int, _ number: Int, _ random: inout Seeded) {
    let isToMany = random.flip()
    var one = NaiveModel.End(
      name: isToMany ? "remarks\(number)" : "summary\(number)", owner: owner, target: part, inverse: 0,
      isToMany: isToMany)
    one.isOrdered = isToMany && random.flip()
    var other = NaiveModel.End(
      name: "subject\(number)", owner: part, target: owner, inverse: 0, isToMany: false, isBack: true)
    if random.flip() {
      other.name = nil
      other.isToMany = true
    }
    add(one, other, &random)
  }
}
