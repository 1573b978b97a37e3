import ArgumentParser
import Foundation
import Inference
import ObjectModel

/// The words of a person on a model that is there and is widened by JSON.
///
/// Words about an entity that the JSON adds go to the inference. An identity and links of new keys of an entity that the
/// model has are written into the model. All other words about such an entity would change what the model says: they are
/// refused with what to do instead.
struct RefinementWishes {
  /// The words for the inference.
  private(set) var inference: InferenceWishes
  /// By entity of the model, the keys that are to identify its objects.
  private var identities: [String: [String]] = [:]
  /// By `Entity.key`, keys that the model does not have yet, whose values are to name objects of an entity of the model.
  private var links: [String: String] = [:]
  /// The attributes of the model whose values are to name no objects, as `Entity.attribute`.
  private var values: [String] = []
  private let model: Model
  /// The keys of properties, by entity and property.
  private let mapping: JSONMapping
  private let path: String

  /// - Parameter path: The path of the model, for messages.
  /// - Throws: ``CleanError`` for what would change the model's entities otherwise than by an identity.
  init(_ wishes: InferenceWishes, _ model: Model, _ mapping: JSONMapping, path: String) throws {
    inference = wishes
    self.model = model
    self.mapping = mapping
    self.path = path
    for (name, keys) in wishes.identities where model[entity: name] != nil {
      identities[name] = keys
      inference.identities[name] = nil
    }
    for (old, new) in wishes.renames.sorted(by: { $0.key < $1.key }) where model[entity: old] != nil {
      throw CleanError(
        "--rename \(old)=\(new): \(path) has an entity \(old), and --refine keeps its names. Rename it in \(path), with"
          + " the renaming identifier \(old), so that stores keep its objects.")
    }
    for (key, target) in wishes.links.sorted(by: { $0.key < $1.key }) {
      let property = known(key)
      guard property == nil || property?.target == target else {
        throw CleanError(
          "--link \(key)=\(target): \(path) has \(property?.place ?? key) as \(property?.kind ?? "an attribute"), and"
            + " --refine keeps it. Make it a relationship to \(target) in \(path).")
      }
      guard property != nil || model[entity: target] != nil else { continue }
      inference.links[key] = nil
      if property == nil { links[key] = target }
    }
    for key in wishes.notLinks.sorted() {
      guard let property = known(key) else { continue }
      guard property.target != nil else {
        inference.notLinks.remove(key)
        values.append(property.place)
        continue
      }
      throw CleanError(
        "--not-a-link \(key): \(path) has \(property.place) as \(property.kind), and --refine keeps it. Make it an"
          + " attribute in \(path).")
    }
  }

  /// A property of the model that a wish names.
  private struct Known {
    var place: String
    /// The destination of a relationship.
    var target: String?

    var kind: String { target.map { "a relationship to \($0)" } ?? "an attribute" }
  }

  /// The property of the model that `Entity.key` means; nil if the model has none.
  private func known(_ place: String) -> Known? {
    let parts = place.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let entity = model[entity: parts[0]],
      let property = Self.property(parts[1], of: entity, mapping)
    else { return nil }
    let relationship = entity.relationships.first { $0.name == property }
    return Known(place: "\(entity.name).\(property)", target: relationship?.destination)
  }

  /// The property that a key fills: by its name, by what the mapping or the model says of its keys, or by its name in
  /// another style.
  private static func property(_ key: String, of entity: Entity, _ mapping: JSONMapping) -> String? {
    let all =
      entity.attributes.map { ($0.name, $0.annotations.keys) }
      + entity.relationships.map { ($0.name, $0.annotations.keys) }
    let rules = mapping[entity.name].keys
    return all.first { $0.0 == key }?.0
      ?? all.first { $0.1.contains(key) || rules[$0.0]?.contains(key) == true }?.0
      ?? all.first { folded($0.0) == folded(key) }?.0
  }

  private static func folded(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" }
  }

  // MARK: - The result

  /// Checks that the entity that the objects at the top are said to be of has at least one of their keys: the model is not
  /// widened by others.
  ///
  /// - Parameter drafted: The model of the JSON alone.
  func check(_ drafted: InferredModel) throws {
    guard let name = inference.entity, let entity = model[entity: name], !entity.isAbstract,
      entity.parent == nil,
      let draft = drafted.model[entity: name], draft.parent == nil, !draft.isAbstract
    else { return }
    let rules = drafted.mapping[name].keys
    let keys = (draft.attributes.map(\.name) + draft.relationships.map(\.name)).map { rules[$0]?.first ?? $0 }
    guard !keys.isEmpty, keys.allSatisfy({ Self.property($0, of: entity, mapping) == nil }) else { return }
    throw CleanError(
      "--entity \(name): \(path) has an entity \(name), and none of its keys is one of the JSON's objects, so that they add"
        + " nothing to it. Name another entity, or leave --entity out.")
  }

  /// Writes the identities that are said into the widened model, and checks that the other words were followed.
  ///
  /// - Throws: ``CleanError`` for what the model does not have, and for entities of the JSON that are others in the model.
  func fulfill(in inferred: inout InferredModel) throws {
    let new = Set(inference.identities.keys).union(inference.renames.values)
      .union(inference.links.keys.map(Self.entity)).union(inference.notLinks.map(Self.entity))
    for name in new.sorted() where inferred.model[entity: name] == nil {
      throw CleanError(
        "The JSON's \(name) goes by another name in \(path), which --refine keeps"
          + (inferred.entity.map { ": \($0)" } ?? "")
          + ". Use that name, or leave --refine out to take a model from the JSON alone.")
    }
    for (name, keys) in identities.sorted(by: { $0.key < $1.key }) {
      try setIdentity(of: name, keys, in: &inferred)
    }
    for (key, target) in links.sorted(by: { $0.key < $1.key }) { try link(key, to: target, in: &inferred) }
    for index in inferred.model.entities.indices {
      let entity = inferred.model.entities[index]
      for place in entity.attributes.indices
      where values.contains("\(entity.name).\(entity.attributes[place].name)") {
        inferred.model.entities[index].attributes[place].namesNoObjects = true
      }
    }
  }

  private static func entity(_ place: String) -> String { String(place.prefix { $0 != "." }) }

  private func setIdentity(of name: String, _ keys: [String], in inferred: inout InferredModel) throws {
    guard let index = inferred.model.entities.firstIndex(where: { $0.name == name }) else { return }
    var entity = inferred.model.entities[index]
    if let parent = entity.parent {
      throw CleanError("--identity \(name)=…: \(name) inherits from \(parent). Give \(parent) the identity.")
    }
    let names = try keys.map { key in
      guard let found = Self.property(key, of: entity, inferred.mapping),
        entity.relationships.allSatisfy({ $0.name != found || !$0.isToMany })
      else {
        let known = entity.attributes.map(\.name) + entity.relationships.filter { !$0.isToMany }.map(\.name)
        let nearest = nearestName(to: key, in: known)
        throw CleanError(
          "--identity \(name)=…: \(path) has no attribute and no to-one relationship of \(name) under the key \(key)."
            + (nearest.map { " Did you mean \($0)?" } ?? " It has \(known.joined(separator: ", "))."))
      }
      return found
    }
    guard inferred.mapping[name].identity ?? entity.declaredIdentity?.properties != names else { return }
    entity.userInfo["broker.identity"] = names.joined(separator: ",")
    for place in entity.attributes.indices where names.contains(entity.attributes[place].name) {
      entity.attributes[place].isOptional = false
    }
    inferred.model.entities[index] = entity
    if inferred.mapping[name].identity != nil { inferred.mapping[name].identity = names }
    inferred.guesses.removeAll { $0.subject == .identity && $0.entity == name }
    inferred.guesses.append(
      Guess(
        .identity, .likely, entity: name, choice: "identity \(names.joined(separator: ", "))",
        evidence: "--identity says so"))
  }

  /// Makes a relationship of an attribute that the JSON added.
  private func link(_ place: String, to target: String, in inferred: inout InferredModel) throws {
    let parts = place.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let index = inferred.model.entities.firstIndex(where: { $0.name == parts[0] })
    else {
      let nearest = nearestName(to: Self.entity(place), in: inferred.model.entities.map(\.name))
      throw CleanError(
        "--link \(place)=\(target): neither \(path) nor the JSON has such an entity."
          + (nearest.map { " Did you mean \($0)?" } ?? " Write Entity.key."))
    }
    var entity = inferred.model.entities[index]
    guard let name = Self.property(parts[1], of: entity, inferred.mapping) else {
      let nearest = nearestName(to: parts[1], in: entity.attributes.map(\.name))
      throw CleanError(
        "--link \(place)=\(target): \(entity.name) has no value under that key."
          + (nearest.map { " Did you mean \($0)?" } ?? ""))
    }
    guard let attribute = entity.attributes.first(where: { $0.name == name }) else {
      guard entity.relationships.contains(where: { $0.name == name && $0.destination == target }) else {
        throw CleanError("--link \(place)=\(target): the objects under that key are others than \(target).")
      }
      return
    }
    guard attribute.type != .transformable else {
      throw CleanError(
        "--link \(place)=\(target): the values are lists or of several types. Write the relationship into the model."
      )
    }
    var link = Relationship(name: name, destination: target)
    link.userInfo = attribute.userInfo
    entity.attributes.removeAll { $0.name == name }
    entity.relationships.append(link)
    inferred.model.entities[index] = entity
    inferred.mapping.entities[entity.name]?.dates[name] = nil
    inferred.mapping.entities[entity.name]?.transformers[name] = nil
    inferred.guesses.removeAll { $0.entity == entity.name && $0.property == name }
    inferred.guesses.append(
      Guess(
        .relationship, .likely, entity: entity.name, property: name, choice: "is new: to-one, to \(target)",
        evidence: "--link says so"))
  }
}

/// The words of a person on a model that is taken from JSON.
struct WishOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Of a model that is taken from JSON: another name for an entity.", valueName: "old=new"))
  var rename: [Assignment] = []

  @Option(
    help: ArgumentHelp(
      "Of a model that is taken from JSON: the values of a key name objects of an entity.",
      valueName: "entity.key=entity"))
  var link: [Assignment] = []

  @Option(
    help: ArgumentHelp(
      "Of a model that is taken from JSON: the values of a key name no objects.", valueName: "entity.key"))
  var notALink: [String] = []

  /// Whether anything is said.
  var areGiven: Bool { !rename.isEmpty || !link.isEmpty || !notALink.isEmpty }

  /// - Parameters:
  ///   - entity: The name of the entity at the top.
  ///   - identities: The keys that identify the objects of entities, with commas between them.
  func wishes(entity: String?, identities: [String: String]) -> InferenceWishes {
    var wishes = InferenceWishes()
    wishes.entity = entity
    wishes.identities = identities.mapValues { keys in
      keys.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    for wish in rename { wishes.renames[wish.name] = wish.value }
    for wish in link { wishes.links[wish.name] = wish.value }
    wishes.notLinks = Set(notALink)
    return wishes
  }
}

extension InferenceWishes {
  /// Whether more is said than what the objects are called.
  var concernModel: Bool { !identities.isEmpty || !renames.isEmpty || !links.isEmpty || !notLinks.isEmpty }
}

/// `Record=Reading`
struct Assignment: ExpressibleByArgument {
  let name: String
  let value: String

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "=") else { return nil }
    name = String(argument[..<sign])
    value = String(argument[argument.index(after: sign)...])
    if name.isEmpty || value.isEmpty { return nil }
  }
}
