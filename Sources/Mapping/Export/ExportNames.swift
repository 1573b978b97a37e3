import JSONStream
import ObjectModel
import ObjectStore

extension JSONKeyPath.Step {
  /// The text before a value: a key with its quotes and its colon, and nothing in a list.
  var quotedKey: [UInt8] {
    if case .key(let key) = self { JSONWriter.quotedKey(key) } else { [] }
  }
}

/// The keys that an entity's properties have in JSON: the mapping backwards.
struct ExportNames {
  private let entity: SchemaEntity
  private let options: ExportOptions
  private let style: ExportOptions.Keys
  private let entityNames: [String]
  /// How many values identify the objects of each entity.
  private let identities: [Int]
  /// All names in use, folded, so that a shortened name does not take the name of another property.
  private let taken: Set<String>
  /// The folded names that several properties have.
  private let ambiguous: Set<String>
  /// The objects inside the JSON of the entity's objects that hold their properties.
  private let inside: InsideRule?

  init(_ entity: SchemaEntity, _ schema: Schema, _ options: ExportOptions) {
    self.entity = entity
    self.options = options
    style = options.keys ?? options.habits.style(of: entity, schema) ?? .camel
    entityNames = entity.ancestry.map { Names.folded(schema.entities[$0].name) }
    let names =
      entity.attributes.map { Names.folded($0.name) }
      + entity.relationships.map { Names.folded(schema.relationships[$0].name) }
    inside = entity.ancestry.compactMap { schema.model.entities[$0].annotations.inside }.first
    identities = inside == nil ? [] : schema.entities.map(\.identity.count)
    taken = Set(names)
    ambiguous = Set(Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys)
  }

  func path(of attribute: SchemaAttribute) -> [JSONKeyPath.Step] {
    if attribute.container.isEmpty, let path = exportedPath(attribute.attribute.annotations) { return path }
    if let path = KeyPaths.paths(KeyPaths.keys(of: attribute)).first?.1 { return path.steps }
    // The key by which Rails deletes nested objects.
    if options.relationshipKeys == .rails, attribute.name == "destroy" { return [.key("_destroy")] }
    let isIdentity = entity.identity.compactMap(\.attribute).contains {
      entity.attributes[$0].name == attribute.name
    }
    let holder = isIdentity ? [] : Self.steps(inside?.attributes)
    return holder + [.key(key(for: attribute.name, isAttribute: true))]
  }

  func path(of relationship: Relationship) -> [JSONKeyPath.Step] {
    if let path = exportedPath(relationship.annotations) { return path }
    if let path = KeyPaths.paths(relationship.annotations.keys).first?.1 { return path.steps }
    return Self.steps(inside?.relationships) + [.key(key(for: relationship.name, isAttribute: false))]
  }

  private func exportedPath(_ annotations: Annotations) -> [JSONKeyPath.Step]? {
    annotations.exportedKey.flatMap { try? JSONKeyPath($0) }?.steps
  }

  func path(ofPolymorphic name: String) -> [JSONKeyPath.Step] {
    Self.steps(inside?.relationships) + [.key(name)]
  }

  /// The steps from the value of a relationship's key to its targets.
  func targetPath(of relationship: SchemaRelationship) -> [JSONKeyPath.Step] {
    let paths = KeyPaths.paths(inside?.targets ?? []).map(\.1).filter {
      TargetPaths.leads($0, toObjectsWithIdentityOf: identities[relationship.destination])
    }
    guard let first = paths.first else { return [] }
    let chosen = relationship.isToMany ? paths.first(where: \.hasElements) ?? first : first
    if !relationship.isToMany, chosen.hasElements { return [] }
    return says(relationship, chosen.steps) ? [] : chosen.steps
  }

  /// Whether the path of a relationship has the steps to its targets itself: `subject.reference`, and the `reference` of a part that
  /// stands for the object named.
  private func says(_ relationship: SchemaRelationship, _ steps: [JSONKeyPath.Step]) -> Bool {
    let path = path(of: relationship.relationship)
    return !steps.isEmpty && path.suffix(steps.count) == steps[...]
      && (path.count > steps.count || identities[relationship.owner] == 0)
  }

  private static func steps(_ path: String?) -> [JSONKeyPath.Step] {
    path.flatMap { try? JSONKeyPath($0) }?.steps ?? []
  }

  /// The last keys of a path that leads to a relationship.
  ///
  /// - Parameter isTaken: Whether a key belongs to an attribute.
  func keys(
    of relationship: SchemaRelationship, at path: [JSONKeyPath.Step], in schema: Schema,
    isTaken: (String) -> Bool
  ) -> ExportPlan.RelationshipKeys {
    // Rails has no key paths.
    guard options.relationshipKeys == .rails, path.count == 1, case .key(let name)? = path.last else {
      let key = path.last?.quotedKey ?? []
      return ExportPlan.RelationshipKeys(plain: key, nested: key)
    }
    let plain = railsKey(name, relationship, schema)
    return ExportPlan.RelationshipKeys(
      plain: isTaken(plain) ? nil : JSONWriter.quotedKey(plain),
      nested: JSONWriter.quotedKey(joined(name, "attributes")))
  }

  /// `label_id`, `album_ids`. A key of an annotation stays as it is.
  private func railsKey(_ name: String, _ relationship: SchemaRelationship, _ schema: Schema) -> String {
    let target = schema.entities[relationship.destination]
    guard relationship.relationship.annotations.keys.isEmpty, target.identity.count == 1 else { return name }
    return relationship.isToMany ? joined(Names.singular(name), "ids") : joined(name, "id")
  }

  private func joined(_ name: String, _ word: String) -> String {
    style == .snake ? "\(name)_\(word)" : name + Names.capitalized(word)
  }

  private func key(for name: String, isAttribute: Bool) -> String {
    let words = Names.words(name)
    // If the model qualifies a reserved word, the export writes the word: `description` for `bandDescription`.
    for entityName in isAttribute ? entityNames : [] {
      for count in 1..<max(1, words.count) where words.prefix(count).joined() == entityName {
        let rest = Array(words.dropFirst(count))
        let plain = rest.joined()
        if Names.reserved.contains(plain), !taken.contains(plain) {
          return style == .snake
            ? rest.joined(separator: "_") : rest[0] + rest.dropFirst().map(Names.capitalized).joined()
        }
      }
    }
    // Names that differ only in style stay as they are: `fooBar` beside `foo_bar`. A name without capitals is in
    // snake case already, whatever underscores it has.
    guard style == .snake, !isAmbiguous(name), name.contains(where: \.isUppercase) else { return name }
    return Names.snakeCase(name)
  }

  private func isAmbiguous(_ name: String) -> Bool { ambiguous.contains(Names.folded(name)) }
}

extension JSONWriter {
  /// Begins what has some members: an object, or a list.
  @inline(__always)
  mutating func begin(_ members: ExportPlan.Members) {
    if members.isList { beginArray() } else { beginObject() }
  }

  @inline(__always)
  mutating func end(_ members: ExportPlan.Members) {
    if members.isList { endArray() } else { endObject() }
  }
}

extension ExportPlan {
  /// The members of an object in their order.
  ///
  /// Members whose values are written by their type alone are also kept in memory without references, since they are
  /// gone through for every object and counting references would cost more than writing.
  final class Members {
    let list: [Member]
    /// Whether they are the elements of a list, and have no keys.
    let isList: Bool
    let areValues: Bool
    private let values: UnsafeMutablePointer<PlainValue>
    private let keys: UnsafeMutablePointer<UInt8>

    /// A member whose value is written by its type alone.
    struct PlainValue: BitwiseCopyable {
      /// The key with its quotes and its colon. It is valid as long as the members exist.
      let key: UnsafeBufferPointer<UInt8>
      let column: Int
      let kind: Conversion.Kind
      /// Whether the member is of this kind. If not, the rest has no meaning.
      let isPlain: Bool
    }

    init(_ list: [Member], isList: Bool = false) {
      self.list = list
      self.isList = isList
      values = .allocate(capacity: max(list.count, 1))
      keys = .allocate(capacity: max(list.reduce(0) { $0 + $1.key.count }, 1))
      var end = keys
      var areValues = true
      for (index, member) in list.enumerated() {
        end.update(from: member.key, count: member.key.count)
        let key = UnsafeBufferPointer(start: end, count: member.key.count)
        end += member.key.count
        guard case .value(let column, let form) = member.content else {
          areValues = false
          (values + index).initialize(to: PlainValue(key: key, column: 0, kind: .json, isPlain: false))
          continue
        }
        (values + index).initialize(
          to: PlainValue(key: key, column: column, kind: form.kind, isPlain: form.isPlain))
      }
      self.areValues = areValues
    }

    deinit {
      values.deallocate()
      keys.deallocate()
    }

    /// The relationships that are written by the members and those within them.
    var relationships: Set<Int> {
      Set(
        list.flatMap { member -> [Int] in
          switch member.content {
          case .relationship(let index, _), .links(let index): [index]
          case .object(let inner), .wholeObject(_, _, let inner): Array(inner.relationships)
          case .gathered(let gathered): Array(Members(gathered.map(\.member)).relationships)
          case .polymorphic(let links), .polymorphicList(let links, _): links.parts.map(\.relationship)
          case .value, .gap, .linkKind, .kind: []
          }
        })
    }

    func hasKey(_ key: String) -> Bool { list.contains { $0.step == .key(key) } }

    /// How the member at an index is written, which must be one of the list.
    @inline(__always)
    func plainValue(at index: Int) -> PlainValue {
      assert(index >= 0 && index < list.count)
      return values[index]
    }
  }
}

/// How exported objects tell which sub-entity they are of, so that an import finds it again.
enum ExportKind {
  /// No discriminator: the entity has no relatives, or a function finds it out.
  case unsaid
  /// By the value of a key path.
  case key([JSONKeyPath.Step], value: String)
  /// By the key around them.
  case wrapper(String)
  /// The model says nothing. Where objects of another entity are expected, a common key such as `type` tells it.
  case common(value: String)

  init(_ entity: SchemaEntity, _ schema: Schema) {
    guard schema.family(of: entity.root).count > 1 else {
      self = .unsaid
      return
    }
    let annotations = entity.ancestry.map { schema.model.entities[$0].annotations }
    let value = Self.value(of: entity, schema)
    if annotations.contains(where: { $0.discriminatorFunction != nil }) {
      self = .unsaid
    } else if let path = annotations.compactMap(\.discriminatorPath).first {
      self = .key(path.steps, value: value)
    } else if annotations.contains(where: \.isWrapped) {
      self = .wrapper(value)
    } else {
      self = .common(value: value)
    }
  }

  /// The value that stands for an entity, for objects that came without one.
  static func value(of entity: SchemaEntity, _ schema: Schema) -> String {
    schema.model.entities[entity.index].annotations.kinds.first { !$0.contains("*") } ?? entity.name
  }

  /// The path to the value that tells the kind; nil if nothing at a path does.
  var path: [JSONKeyPath.Step]? {
    if case .key(let path, _) = self { path } else { nil }
  }

  /// The value that names an entity in documents of several.
  static func documentValue(of entity: SchemaEntity, _ schema: Schema) -> String {
    let annotations = schema.model.entities[entity.index].annotations
    return annotations.kinds.first { !$0.contains("*") } ?? annotations.keys.first ?? entity.name
  }

  /// The first common key that none of the entity's properties has.
  static func commonKey(_ entity: SchemaEntity, _ schema: Schema) -> String? {
    let names =
      entity.attributes.flatMap { [$0.name] + $0.attribute.annotations.keys }
      + entity.relationships.map { schema.relationships[$0] }.flatMap {
        [$0.name] + $0.relationship.annotations.keys
      }
    let taken = Set(names.map(Names.folded))
    return ["type", "kind", "entity", "class", "@type", "objecttype"].first { key in
      // `type` may belong to a property that the model qualifies, such as `bandType`.
      !taken.contains(key)
        && !entity.ancestry.contains { taken.contains(Names.folded(schema.entities[$0].name) + key) }
    }
  }
}

/// The relationships that are nested by name, and those that are nested in their targets.
struct Nesting {
  private var below: [Int: Nesting] = [:]

  static let none = Nesting()

  /// The relationships that are nested in the targets of a relationship, if that is nested itself.
  subscript(relationship: Int) -> Nesting? { below[relationship] }

  private init() {}

  /// Resolves key paths of relationships: `albums.tracks` nests the albums, and in each its tracks.
  ///
  /// - Throws: ``ExportError`` for a name that is no relationship of the entity or of a sub-entity.
  init(_ paths: [String], from entity: SchemaEntity, _ schema: Schema) throws(ExportError) {
    for path in paths {
      try add(path.split(separator: ".", omittingEmptySubsequences: false)[...], entity.index, schema, path)
    }
  }

  private mutating func add(
    _ steps: ArraySlice<Substring>, _ entity: Int, _ schema: Schema, _ path: String
  ) throws(ExportError) {
    guard let step = steps.first else { return }
    for index in try Self.relationships(String(step), of: entity, schema, path) {
      var inner = below[index] ?? Nesting()
      try inner.add(steps.dropFirst(), schema.relationships[index].destination, schema, path)
      below[index] = inner
    }
  }

  /// The relationships with a name: one, or several if sub-entities each have one.
  private static func relationships(
    _ name: String, of entity: Int, _ schema: Schema, _ path: String
  ) throws(ExportError) -> [Int] {
    let family = schema.family(of: entity).map { schema.entities[$0] }
    let known = Set(family.flatMap(\.relationships)).sorted()
    let names = known.map { schema.relationships[$0].name }
    let exact = known.filter { schema.relationships[$0].name == name }
    let folded = known.filter { Names.folded(schema.relationships[$0].name) == Names.folded(name) }
    let found = exact.isEmpty ? folded : exact
    let owner = schema.entities[entity].name
    if found.isEmpty {
      let isAttribute = family.contains { $0.attribute(name) != nil }
      throw ExportError(
        .noRelationship(
          name, entity: owner, path: path, isAttribute: isAttribute,
          nearest: nearestName(to: name, in: names),
          known: names))
    }
    guard found.contains(where: { schema.relationships[$0].relationship.annotations.isExported }) else {
      throw ExportError(.notExported(name, entity: owner))
    }
    return found
  }
}
