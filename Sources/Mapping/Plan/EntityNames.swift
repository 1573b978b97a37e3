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
    return entity(called: key)
  }

  /// The entity that the name of a file names, also one of several files in numbers: `bands-2`.
  func entity(ofFilesNamed name: String) -> Int? {
    entity(namedBy: name) ?? Self.stem(ofNumbered: name).flatMap(entity(namedBy:))
  }

  /// The part of a name before the number at its end; nil if there is none.
  private static func stem(ofNumbered name: String) -> String? {
    let stem = name.reversed().drop(while: \.isNumber)
    guard stem.count < name.count, let mark = stem.first, "-_. ".contains(mark) else { return nil }
    return String(stem.dropFirst().reversed())
  }

  /// The entity that the name of a file names, or else that of a folder around it; the names come from the file outwards. Files with a
  /// number at the end of their names, as `page-0`, may be in any folder: a folder that is called like an entity with files of its own
  /// comes before what the mapping says of such a name.
  func entity(ofFile names: [String]) -> Int? {
    for (place, name) in names.enumerated() {
      guard let found = entity(ofFilesNamed: name) else { continue }
      guard name.last?.isNumber ?? false, byKey[name] != nil,
        Self.stem(ofNumbered: name).flatMap(entity(called:)) == nil
      else { return found }
      let outer = names.dropFirst(place + 1).lazy.compactMap(entity(called:)).first
      return outer.flatMap { hasFiles($0) ? $0 : nil } ?? found
    }
    return nil
  }

  /// Whether the mapping gives an entity names of keys or files.
  private func hasFiles(_ entity: Int) -> Bool { byKey.values.contains(entity) }

  /// The entity whose name a key is, in any style and in the plural.
  private func entity(called key: String) -> Int? {
    Names.singulars(Names.folded(key)).lazy.compactMap { byName[$0] }.first
  }
}
