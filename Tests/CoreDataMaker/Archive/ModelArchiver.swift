import Foundation
package import ObjectModel

/// Archives a model as Core Data does: with the classes and the fields that its archives have.
package struct ModelArchiver {
  let model: Model
  var writer = ArchiveWriter()
  /// The numbers of the entities' objects.
  var entities: [String: Int] = [:]
  /// The numbers of the properties that entities have of their own.
  var properties: [String: [(name: String, number: Int)]] = [:]

  /// The archive as a property list.
  package static func archive(_ model: Model) -> PropertyListTree {
    var archiver = ModelArchiver(model: model)
    return archiver.archive()
  }

  /// The archive as a `.mom` file has it.
  package static func compiled(_ model: Model) -> [UInt8] {
    BinaryPropertyListWriter.bytes(of: archive(model))
  }

  /// The archive as `Z_MODELCACHE.Z_CONTENT` has it.
  package static func cached(_ model: Model) -> [UInt8] { Deflate.compress(compiled(model)) }

  private mutating func archive() -> PropertyListTree {
    for entity in model.entities {
      entities[entity.name] = writer.reserve()
      let names =
        entity.attributes.map(\.name) + entity.relationships.map(\.name)
        + entity.fetchedProperties.map(\.name)
      properties[entity.name] = names.map { ($0, writer.reserve()) }
    }
    for entity in model.entities { add(entity) }
    let members = model.entities.map { ($0.name, reference($0.name)) }
    let requests = model.fetchRequests.map { request in (request.name, fetchRequest(request)) }
    let configurations = model.configurations.map { configuration in
      (configuration.name, writer.array(configuration.entities.map { reference($0) }))
    }
    let identifiers = [writer.text(model.versionIdentifier ?? "")]
    let root = writer.object(
      ["NSManagedObjectModel"],
      [
        ("NSEntities", writer.dictionary(members)),
        ("NSFetchRequestTemplates", writer.dictionary(requests)),
        ("NSConfigurations", writer.dictionary(configurations)),
        ("NSVersionIdentifiers", writer.set(identifiers)),
      ])
    return writer.archive(root: .uid(root))
  }

  func reference(_ entity: String?) -> PropertyListTree {
    .uid(entity.flatMap { entities[$0] } ?? 0)
  }

  /// The entity and those above it, itself first.
  private func line(of entity: Entity) -> [Entity] {
    var line = [entity]
    while let parent = line.last?.parent, let above = model[entity: parent], line.count < 20 {
      line.append(above)
    }
    return line
  }

  private mutating func add(_ entity: Entity) {
    for attribute in entity.attributes { add(attribute, of: entity, at: number(attribute.name, entity)) }
    for relationship in entity.relationships {
      add(relationship, of: entity, at: number(relationship.name, entity))
    }
    for property in entity.fetchedProperties { add(property, at: number(property.name, entity)) }
    // Sub-entities repeat what they inherit.
    let all = line(of: entity).reversed().flatMap { properties[$0.name] ?? [] }
    let children = model.entities.filter { $0.parent == entity.name }.map { ($0.name, reference($0.name)) }
    let tuples = line(of: entity).reversed().flatMap(\.uniquenessConstraints).map { names in
      writer.array(names.map { writer.text($0) })
    }
    writer.object(
      ["NSEntityDescription"],
      [
        ("NSEntityName", writer.text(entity.name)),
        ("NSClassNameForEntity", writer.text(entity.className ?? "NSManagedObject")),
        ("NSSuperentity", reference(entity.parent)), ("NSSubentities", writer.dictionary(children)),
        ("NSProperties", writer.dictionary(all.map { ($0.name, .uid($0.number)) })),
        ("NSIsAbstract", .boolean(entity.isAbstract)), ("NSUniqueTuples", writer.array(tuples)),
        ("NSUserInfo", userInfo(entity.userInfo)),
        ("NSRenamingIdentifier", writer.text(entity.renamingIdentifier ?? entity.name)),
        ("NSVersionHashModifier", writer.text(entity.versionHashModifier)),
      ], at: entities[entity.name])
  }

  private func number(_ name: String, _ entity: Entity) -> Int? {
    properties[entity.name]?.first { $0.name == name }?.number
  }

  mutating func userInfo(_ userInfo: [String: String]) -> PropertyListTree {
    if userInfo.isEmpty { return .uid(0) }
    let members = userInfo.sorted { $0.key < $1.key }.map { ($0.key, writer.text($0.value)) }
    return writer.dictionary(members)
  }

  private mutating func fetchRequest(_ request: FetchRequest) -> PropertyListTree {
    let predicate: PropertyListTree =
      request.predicate == nil ? .uid(0) : .uid(writer.object(["NSTruePredicate", "NSPredicate"], []))
    let name = writer.text(request.entity)
    return .uid(
      writer.object(["NSFetchRequest"], [("NSEntityName", name), ("NSPredicate", predicate)]))
  }

  private mutating func add(_ property: FetchedProperty, at number: Int?) {
    let request = property.fetchRequest.map { fetchRequest($0) } ?? .uid(0)
    writer.object(
      ["NSFetchedPropertyDescription", "NSPropertyDescription"],
      [
        ("NSPropertyName", writer.text(property.name)), ("NSIsOptional", .boolean(property.isOptional)),
        ("NSFetchRequest", request), ("NSUserInfo", userInfo(property.userInfo)),
      ], at: number)
  }
}
