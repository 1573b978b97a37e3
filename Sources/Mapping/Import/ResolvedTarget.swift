import ObjectModel
import ObjectStore

/// What is imported into, found in the store.
enum ResolvedTarget: Sendable {
  case store
  case object(StoredObject)
  case relationship(StoredObject, place: Int)

  /// - Throws: ``ImportError`` if there is no such object or no such relationship.
  init(_ target: ImportTarget, _ plan: Plan, _ transaction: any EngineTransaction) throws {
    switch target {
    case .store: self = .store
    case .object(let entity, let identity):
      self = .object(try Self.find(entity, identity, transaction))
    case .relationship(let entity, let identity, let name):
      let object = try Self.find(entity, identity, transaction)
      let relationships = plan.entities[object.entity].relationships.map(\.relationship.name)
      guard let place = relationships.firstIndex(of: name) else {
        throw ImportError(
          .noRelationship(
            name, entity: plan.entities[object.entity].entity.name,
            nearest: nearestName(to: name, in: relationships), known: relationships))
      }
      self = .relationship(object, place: place)
    }
  }

  private static func find(
    _ entity: String, _ identity: String, _ transaction: any EngineTransaction
  ) throws -> StoredObject {
    guard let object = try transaction.find(entity, identity: identity) else {
      throw ImportError(.noObject(entity: entity, identity: identity))
    }
    return object
  }
}
