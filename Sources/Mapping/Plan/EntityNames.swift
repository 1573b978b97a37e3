import ObjectModel
import ObjectStore

/// The entities of a model by the keys of documents and the names of files that name them.
struct EntityNames {
  private let schema: Schema
  /// The entities of the keys of documents that the model gives.
  private var byKey: [String: Int] = [:]
  /// The entities by their folded names. If names differ in case only, the first entity has it.
  private var byName: [String: Int] = [:]

  /// - Throws: ``PlanError`` if two entities claim one key.
  init(_ schema: Schema) throws(PlanError) {
    self.schema = schema
    for (index, entity) in schema.model.entities.enumerated() {
      for key in entity.annotations.keys {
        guard let other = byKey.updateValue(index, forKey: key), other != index else { continue }
        throw PlanError(
          entity: entity.name, property: "names",
          message: "and \(schema.entities[other].name).names both claim the key \(key) of documents")
      }
    }
    for entity in schema.entities {
      let name = Names.folded(entity.name)
      if byName[name] == nil { byName[name] = entity.index }
    }
  }

  /// The entity that a key of a document, or the name of a file, names: `bands`, `band_members`, `Album`.
  func entity(namedBy key: String) -> Int? {
    // The exact name wins, as an export has it.
    if let known = schema.index(of: key) ?? byKey[key] { return known }
    for name in Names.singulars(Names.folded(key)) {
      if let known = byName[name] { return known }
    }
    return nil
  }

  /// The entity that the name of a file names, also one of several files in numbers: `bands-2`.
  func entity(ofFilesNamed name: String) -> Int? {
    if let known = entity(namedBy: name) { return known }
    let stem = name.reversed().drop(while: \.isNumber)
    guard stem.count < name.count, let mark = stem.first, "-_. ".contains(mark) else { return nil }
    return entity(namedBy: String(stem.dropFirst().reversed()))
  }
}
