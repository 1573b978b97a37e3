import Inference
import JSONStream
import ObjectModel

/// How near an inferred model comes to an expert's.
///
/// Entities are matched by the values of their objects: an entity of the expert is the inferred one that has most of
/// the values at its places. Names count for ``named`` alone.
struct ModelScore: Hashable, CustomStringConvertible {
  var identities = 0
  var expectedIdentities = 0
  var links = 0
  var expectedLinks = 0
  /// Identities that the expert would not give, and entities of the expert that went into another's.
  var wrongIdentities = 0
  /// Links between entities of the expert that the expert does not have.
  var wrongLinks = 0
  /// Entities with an identity whose values are in no inferred entity.
  var lost = 0
  /// How many of the entities with an identity have the expert's name.
  var named = 0
  /// What was missed and what is wrong, for whoever reads a failure.
  var remarks: [String] = []

  var description: String {
    """
    \(identities) of \(expectedIdentities) identities, \(links) of \(expectedLinks) links, \
    wrong: \(wrongIdentities) identities and \(wrongLinks) links, \(lost) lost, \(named) names
    """
  }

  init() {}

  /// Adds the figures of another service.
  mutating func add(_ other: ModelScore) {
    identities += other.identities
    expectedIdentities += other.expectedIdentities
    links += other.links
    expectedLinks += other.expectedLinks
    wrongIdentities += other.wrongIdentities
    wrongLinks += other.wrongLinks
    lost += other.lost
    named += other.named
  }

  init(
    _ expert: ExpertModel, _ documents: [String: JSONValue], _ inferred: InferredModel, export: JSONValue
  ) throws {
    let model = try InferredEntities(inferred)
    let stored = StoredFacts(model, export: export)
    let matches = EntityMatches(expert, ExpertFacts(expert, documents), stored)
    score(expert, model, matches)
    score(expert, model, matches, told: stored.told)
  }

  private mutating func score(_ expert: ExpertModel, _ model: InferredEntities, _ matches: EntityMatches) {
    for (index, entity) in expert.entities.enumerated() {
      let found = matches.owned[index]
      if matches.nearest[index] == nil, !entity.mayHaveNone { lost += 1 }
      let identity = found.flatMap { model.identities[$0] }
      let isRight = entity.identities.contains { identity?.consists(of: $0) ?? false }
      if entity.mayHaveNone {
        // Where it is a part of another entity's objects, that one's identity is looked at.
        if let found, let identity, !isRight {
          wrongIdentities += 1
          remarks.append("\(entity.name) has an identity: \(found) by \(identity)")
        }
        continue
      }
      expectedIdentities += 1
      if let found, normalized(found) == normalized(entity.name) { named += 1 }
      if isRight {
        identities += 1
      } else if found == nil, let other = matches.nearest[index] {
        if model.identities[other] != nil { wrongIdentities += 1 }
        remarks.append("\(entity.name) is part of \(other)")
      } else {
        // One that has more keys than it needs merges nothing.
        let isWide = identity == nil || entity.identities.contains { identity?.covers($0) ?? false }
        if !isWide { wrongIdentities += 1 }
        let words = identity?.description ?? "nothing"
        remarks.append("\(entity.name) (\(found ?? "not there")) is identified by \(words)")
      }
    }
  }

  private mutating func score(
    _ expert: ExpertModel, _ model: InferredEntities, _ matches: EntityMatches, told: Set<String>
  ) {
    var explained: Set<String> = []
    let numbers = Dictionary(uniqueKeysWithValues: expert.entities.enumerated().map { ($1.name, $0) })
    for link in expert.links {
      if link.isExpected { expectedLinks += 1 }
      var found: String?
      if let source = numbers[link.source].flatMap({ matches.owned[$0] ?? matches.nearest[$0] }),
        let target = numbers[link.target].flatMap({ matches.owned[$0] })
      {
        for holder in holders(of: source, model, matches) {
          for relationship in model.relationships(of: holder)
          where model.root(of: relationship.destination) == target && relationship.isToMany == link.isToMany {
            let key = model.key(of: relationship.name, holder)
            guard isSame(key, link.key) || isSame(relationship.name, link.key) else { continue }
            // What stands under one key in several objects of the owner leads where the expert says.
            let name = "\(holder).\(relationship.name)"
            explained.insert(name)
            found = name
          }
        }
      }
      if !link.isExpected { continue }
      if found != nil {
        links += 1
      } else {
        remarks.append("\(link.source).\(link.key) \(link.isToMany ? "=>" : "->") \(link.target) is missing")
      }
    }
    let known = Set(matches.owned.compactMap { $0 })
    for holder in known {
      for relationship in model.relationships(of: holder) {
        let target = model.root(of: relationship.destination)
        let name = "\(holder).\(relationship.name)"
        guard told.contains(name), known.contains(target), model.identities[target] != nil else { continue }
        let other = relationship.inverse.map { "\(target).\($0)" } ?? ""
        if explained.contains(name) || explained.contains(other) { continue }
        wrongLinks += 1
        remarks.append("\(name) leads to \(target)")
      }
    }
  }

  /// An entity, and those of the parts of its objects, which are no entity of the expert's.
  private func holders(of entity: String, _ model: InferredEntities, _ matches: EntityMatches) -> [String] {
    var holders = [entity]
    var next = 0
    while next < holders.count {
      for relationship in model.relationships(of: holders[next]) {
        let part = model.root(of: relationship.destination)
        guard model.identities[part] == nil, !matches.owned.contains(part) else { continue }
        if !holders.contains(part) { holders.append(part) }
      }
      next += 1
    }
    return holders
  }

  /// Whether a key or name is the expert's, with or without `_id` or an `s` at its end.
  private func isSame(_ name: String, _ key: String) -> Bool {
    func forms(_ text: String) -> Set<String> {
      var forms: Set = [text]
      for ending in ["ids", "id", "s"] where text.hasSuffix(ending) {
        forms.insert(String(text.dropLast(ending.count)))
      }
      return forms
    }
    let last = normalized(lastKey(name))
    return !forms(last).isDisjoint(with: forms(key))
  }
}

/// Which inferred entity the objects of each of an expert's entities went to.
struct EntityMatches {
  /// The inferred entity that is the expert's, by the expert's number; nil where there is none, or another has it.
  private(set) var owned: [String?]
  /// The inferred entity that has most of its values, whoever owns that.
  private(set) var nearest: [String?]

  init(_ expert: ExpertModel, _ facts: ExpertFacts, _ stored: StoredFacts) {
    owned = Array(repeating: nil, count: expert.entities.count)
    nearest = owned
    var candidates: [(number: Int, entity: String, common: Int, isPart: Bool)] = []
    for (number, wanted) in facts.facts.enumerated() {
      let shares = stored.facts.map { (entity: $0, common: $1.intersection(wanted).count, size: $1.count) }
        .filter { $0.common > 0 && $0.common * 4 >= wanted.count }
      // Of entities that have as much of it, the one that has least beside it.
      let best = shares.max { ($0.common, $1.size, $1.entity) < ($1.common, $0.size, $0.entity) }
      guard let best else { continue }
      nearest[number] = best.entity
      candidates.append((number, best.entity, best.common, expert.entities[number].mayHaveNone))
    }
    // An inferred entity is one entity of the expert: of those that come to it, the one with most values in it, and
    // objects with an identity before parts.
    candidates.sort { ($1.isPart ? 1 : 0, $0.common, $1.number) > ($0.isPart ? 1 : 0, $1.common, $0.number) }
    for candidate in candidates where !owned.contains(candidate.entity) {
      owned[candidate.number] = candidate.entity
    }
  }
}
