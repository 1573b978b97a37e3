import Mapping
import ObjectModel

/// Where a store knows lists of objects to be: at paths that its mapping has, under keys that its entities are called like, and in
/// documents that are objects themselves.
struct KnownLists: Sendable {
  /// Whether a store is there.
  private(set) var areKnown = false
  private var paths: Set<String> = []
  private var names: Set<String> = []
  /// The paths to documents that only their source identifies, by the entities of these.
  private var roots: [String: Set<String>] = [:]
  /// The keys of such documents.
  private var documents: [(entity: String, keys: Set<String>)] = []

  init() {}

  init(_ mapping: JSONMapping) {
    areKnown = true
    let forms = mapping.document.forms
    paths = Set(([mapping.document.root] + forms.filter { $0.entity != nil }.map(\.root)).compactMap(\.self))
    names = Set(mapping.entities.values.flatMap(\.names).map(Names.folded))
    let added = mapping.document.added.filter { $0.value == .position }.keys
    for (entity, rules) in mapping.entities
    where rules.keys.values.joined().contains(where: { key in added.contains { SourceIdentity.isKey(key, $0) }
    }) {
      let own = forms.filter { $0.entity == entity }.map(\.root)
      roots[entity] = Set((forms.isEmpty ? [mapping.document.root] : own).map { $0 ?? Self.whole })
    }
  }

  private static let whole = "$"

  mutating func add(_ entities: [KnownEntity]) {
    names.formUnion(entities.map { Names.folded($0.name) })
    for entity in entities where roots[entity.name] != nil {
      documents.append((entity.name, entity.keys ?? []))
    }
  }

  /// Whether the objects of a store may stand in a list.
  func contains(_ path: [String]) -> Bool {
    guard let key = path.last else { return false }
    return paths.contains(RecordPlace.text(of: path))
      || !names.isDisjoint(with: Names.singulars(Names.folded(key)))
  }

  /// Whether a path leads on from another one to objects of a store.
  func areInside(_ path: [String]) -> Bool {
    let outer = RecordPlace.text(of: path)
    return paths.contains { $0 == outer || $0.hasPrefix("\(outer).") }
  }

  /// Whether a document has nearly all of the keys of known ones, and these of its own.
  private static func areAlike(_ own: Set<String>, _ keys: Set<String>) -> Bool {
    // A property inside of an object has the words of its path for a name.
    let paths = keys.filter { $0.contains(".") }
    let names = Set(
      paths.map { $0.filter { $0 != "." } } + keys.filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
    )
    let known = Set(
      keys.subtracting(names).filter { !$0.hasPrefix("@") }.map { key in String(key.prefix { $0 != "." }) })
    return own.intersection(known).count * 20 >= own.union(known).count * 13
  }

  /// Whether a store has documents as objects that have all of some lists.
  ///
  /// - Parameters:
  ///   - lists: The paths from the document to these.
  ///   - path: The path to the document.
  ///   - keys: All keys of the document: one list of that name may stand in others.
  func hold(_ lists: [String], at path: [String], besides keys: [String]) -> Bool {
    guard !lists.isEmpty else { return false }
    let root = path.isEmpty ? Self.whole : RecordPlace.text(of: path)
    return documents.contains { document in
      guard let roots = roots[document.entity],
        roots.contains(root)
          || path.count == 1 && roots.contains(Self.whole)
            && Names.singulars(Names.folded(path[0])).contains(Names.folded(document.entity))
      else { return false }
      return lists.allSatisfy { document.keys.contains(EntityKeys.plain($0)) }
        && (lists.count > 1 || Self.areAlike(Set(keys.map(EntityKeys.plain)), document.keys))
    }
  }
}
