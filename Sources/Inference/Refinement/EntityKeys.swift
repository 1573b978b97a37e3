import Mapping
import ObjectModel

/// The keys by which JSON fills the properties of a model.
struct EntityKeys {
  private var properties: [String: [String: String]] = [:]
  /// The same by the keys as they are: `_x` and `x` are two.
  private var exact: [String: [String: String]] = [:]
  /// The properties that identify no object and whose keys all begin with a sign.
  private var marked: [String: Set<String>] = [:]
  /// The properties that JSON tells of, by their keys.
  private var told: [String: [String: String]] = [:]
  /// The keys that tell the kinds of an entity's objects apart, or that only objects of one of its kinds have.
  private var ofKinds: [String: Set<String>] = [:]
  /// The properties that may hold an object: those of JSON as it is, those of which no values are known, and relationships to one.
  private var holders: [String: Set<String>] = [:]

  init(_ model: Model, _ mapping: JSONMapping) {
    let mapped = (try? mapping.applied(to: model)) ?? model
    let hierarchy = EntityHierarchy(mapped)
    for entity in mapped.entities {
      var known: [String: String] = [:]
      let attributes = hierarchy.attributes(of: entity).map { ($0.name, $0.annotations.keys) }
      let links = hierarchy.relationships(of: entity).map { ($0.name, $0.annotations.keys) }
      var own: [String: String] = [:]
      for (name, keys) in links + attributes {
        // A path through an object of that name leaves the name to the object.
        let isInside = keys.contains {
          Self.beginnings(of: $0).first.map { Self.plain(String($0.outer)) } == Self.plain(name)
        }
        for key in (isInside ? [] : [name]) + keys { known[Self.plain(key)] = name }
        for key in keys.isEmpty ? [name] : keys { own[key] = name }
      }
      properties[entity.name] = known
      let identity = entity.declaredIdentity?.properties ?? []
      marked[entity.name] = Set(
        (links + attributes).filter { name, keys in
          !keys.isEmpty && keys.allSatisfy(Self.isMarked) && !identity.contains(name)
        }.map(\.0))
      exact[entity.name] = own
      for ancestor in hierarchy.ancestors(of: entity) {
        if let kind = ancestor.annotations.discriminatorKey {
          ofKinds[ancestor.name, default: []].insert(Self.plain(kind))
        }
        ofKinds[ancestor.name, default: []].formUnion(known.keys)
      }
      let line = [entity] + hierarchy.ancestors(of: entity)
      let silent = Set(line.flatMap { mapping[$0.name].notExported })
      let added = mapping.document.added.keys
      told[entity.name] = own.filter { key, name in
        !silent.contains(name) && !added.contains { SourceIdentity.isKey(key, $0) }
      }
      holders[entity.name] = Set(
        hierarchy.attributes(of: entity).filter { $0.type == .transformable || $0.untyped != nil }.map(\.name)
          + hierarchy.relationships(of: entity).filter { !$0.isToMany }.map(\.name)
      ).subtracting(silent)
    }
  }

  /// Keys in any style, as imports take them.
  static func plain(_ key: String) -> String {
    key.contains(".") || key.contains("[") ? key : Names.folded(key)
  }

  /// The property that a key fills; nil if none does.
  func property(for key: String, in entity: String) -> String? {
    if let known = exact[entity]?[key] { return known }
    guard let known = properties[entity]?[Self.plain(key)] else { return nil }
    // `$type` and `type` are two keys; what identifies objects may come with a sign and without.
    return Self.isMarked(key) == (marked[entity]?.contains(known) ?? false) ? known : nil
  }

  /// Whether a property has a key as its own, and not only as its name.
  func hasKey(_ key: String, in entity: String) -> Bool { exact[entity]?[key] != nil }

  /// The property that a plain key fills, or one of a key that only differs by signs.
  func property(forPlain key: String, in entity: String) -> String? {
    exact[entity]?[key] ?? properties[entity]?[key]
  }

  /// The property that a plain key fills, or that holds the object which it leads into.
  private func holder(ofPlain key: String, in entity: String) -> String? {
    property(forPlain: key, in: entity) ?? property(around: key, in: entity)?.name
  }

  /// Whether a key begins with a sign that stands in no name, as `$type` and `@type` do.
  private static func isMarked(_ key: String) -> Bool {
    key.unicodeScalars.first.map { ["$", "@", "#"].contains($0) } ?? false
  }

  /// Whether a key tells the kinds of an entity's objects apart, or is one that objects of a kind have.
  func isOfKind(_ key: String, of entity: String) -> Bool {
    ofKinds[entity]?.contains(Self.plain(key)) ?? false
  }

  func keys(of entity: String) -> Set<String> { Set((properties[entity] ?? [:]).keys) }

  /// The keys by which JSON tells of the properties of an entity.
  func toldKeys(of entity: String) -> [String] { Array((told[entity] ?? [:]).keys) }

  /// Whether JSON tells of a property.
  func tells(of property: String, in entity: String) -> Bool {
    (told[entity] ?? [:]).values.contains(property)
  }

  /// The properties that stand for what is inside of the object under a plain key.
  func properties(inside key: String, of entity: String) -> [String] {
    (told[entity] ?? [:]).compactMap { path, name in
      Self.beginnings(of: path).contains { Self.plain(String($0.outer)) == key } ? name : nil
    }
  }

  /// The property that holds the object that a key path leads into, with the rest of the path; nil if none does.
  func property(around path: String, in entity: String) -> (name: String, rest: String)? {
    for (outer, rest) in Self.beginnings(of: path) {
      guard let name = property(for: String(outer), in: entity) else { continue }
      return holders[entity]?.contains(name) ?? false ? (name, String(rest)) : nil
    }
    return nil
  }

  /// The property that has the first key of a path as its own; nil if none does, or the path is one key.
  func property(beginning path: String, in entity: String) -> String? {
    Self.beginnings(of: path).first.flatMap { property(for: String($0.outer), in: entity) }
  }

  /// The beginnings of a path of keys, with the rests: `a` and `a.b` of `a.b.c`.
  static func beginnings(of path: String) -> [(outer: Substring, rest: Substring)] {
    guard path != "." else { return [] }
    if path.contains("[") {
      // try?: a path that cannot be read has no beginning.
      guard let steps = try? JSONKeyPath(path).steps, steps.count > 1,
        steps.allSatisfy({ if case .key = $0 { true } else { false } })
      else { return [] }
      return steps.indices.dropFirst().map {
        (JSONKeyPath.text(of: steps[..<$0])[...], JSONKeyPath.text(of: steps[$0...])[...])
      }
    }
    return path.indices.filter { path[$0] == "." }.map { (path[..<$0], path[path.index(after: $0)...]) }
  }

  /// How alike keys are to those of an entity. An object counts as one with its members: it may have come as a null, or without
  /// any.
  ///
  /// - Parameters:
  ///   - own: The plain keys of objects.
  ///   - values: Those of them whose values may be objects.
  func likeness(of own: Set<String>, _ values: Set<String>, to entity: String) -> KeyLikeness {
    var covered = 0
    var filled: Set<String> = []
    for key in own {
      var names = [holder(ofPlain: key, in: entity)].compactMap(\.self)
      if names.isEmpty, values.contains(key) { names = properties(inside: key, of: entity) }
      if names.isEmpty { continue }
      covered += 1
      filled.formUnion(names)
    }
    let all = Set((told[entity] ?? [:]).values)
    let shared = min(covered, filled.count)
    return KeyLikeness(
      shared: shared, own: own.count - covered + shared, other: all.subtracting(filled).count + shared)
  }
}

/// How many keys objects of two entities have in common, and how many each has.
struct KeyLikeness {
  let shared: Int
  let own: Int
  let other: Int

  /// The share of the common ones in all.
  var share: Double { Double(shared) / Double(max(1, own + other - shared)) }
  var smaller: Int { min(own, other) }
}
