import JSONStream
import ObjectModel
import ObjectStore

/// How rows of one entity become JSON objects. It is compiled once and used for each row.
final class ExportPlan {
  /// A key, or a place in a list, and its value.
  final class Member {
    let step: JSONKeyPath.Step
    /// The key with its quotes and its colon; empty in a list.
    let key: [UInt8]
    let content: Content

    init(_ step: JSONKeyPath.Step, content: Content) {
      self.step = step
      key = step.quotedKey
      self.content = content
    }

    init(content: Content) {
      step = .elements
      key = []
      self.content = content
    }
  }

  enum Content {
    /// The value in a column of the table.
    case value(column: Int, form: ExportForm)
    /// The targets of a relationship, or their keys.
    case relationship(Int, RelationshipKeys)
    /// The same as a list or one value without its key, before it gets another form.
    case links(Int)
    /// The members at the next step of key paths.
    case object(Members)
    /// A place in a list that no key path leads to.
    case gap
    /// A list whose elements come from properties that key paths fill from all of them.
    case gathered([GatheredMember])
    /// An object that one attribute holds as a whole, with the values of other attributes that are inside it.
    case wholeObject(column: Int, form: ExportForm, Members)
    /// The one link of a key that leads to objects of any of several entities.
    case polymorphic(PolymorphicExport)
    /// The targets of one of the relationships of such a key, in their common list.
    case polymorphicList(PolymorphicExport, part: Int)
    /// The kind of such a link, beside it.
    case linkKind(PolymorphicExport)
    /// The value that tells the kind: the one in a column of the table, or if that is null, this one.
    case kind(column: Int?, value: String)

    /// Whether it is an attribute that holds objects as they came.
    var holdsObjects: Bool {
      if case .value(_, let form) = self { form.kind == .json && form.transformers == nil } else { false }
    }
  }

  /// A property whose values stand in the elements of a list.
  struct GatheredMember {
    /// The steps from an element to the value.
    let path: ArraySlice<JSONKeyPath.Step>
    let member: Member
  }

  /// The keys of a relationship, with their quotes and colons.
  final class RelationshipKeys: Sendable {
    /// The key for the identities of targets, or for null; nil if an attribute has that key.
    let plain: [UInt8]?
    /// The key for the targets themselves.
    let nested: [UInt8]

    init(plain: [UInt8]?, nested: [UInt8]) {
      self.plain = plain
      self.nested = nested
    }
  }

  let entity: SchemaEntity
  let members: Members
  /// The key of the only value of a part that is written as that value.
  let bareKey: String?
  /// The key around objects that tells their kind: the one in a column of the table, or if that is null, this one.
  let wrapper: (column: Int?, key: [UInt8])?
  /// The discriminator where objects of another entity are expected.
  let kind: Member?
  /// The member that names the entity of outermost objects without identity, in documents of several entities.
  let documentKind: Member?
  /// The relationships of which something is written.
  let relationships: Set<Int>
  /// The relationships whose values other properties' key paths reach into. Their keys are written as objects, so that
  /// these paths lead through them.
  let reached: Set<Int>

  init(_ entity: SchemaEntity, _ layout: Layout, _ forms: ValueForms, _ options: ExportOptions) {
    self.entity = entity
    let names = ExportNames(entity, layout.schema, options)
    let place = layout.entities[entity.index]
    var tree = Tree(isList: Self.isList(entity, layout, names))
    Self.addFixedMembers(of: entity, layout.schema, options, to: &tree)
    let only = options.onlyProperties[entity.name]
    let polymorphic = forms.polymorphic[entity.index].filter {
      only?.isDisjoint(with: $0.rule.relationships + [$0.name]) != true
    }
    let links = Links(of: entity, layout, names, polymorphic, options) { only?.contains($0) ?? true }
    reached = links.reached(by: entity.attributes.filter(\.attribute.annotations.isExported).map(names.path))
    for (index, attribute) in entity.attributes.enumerated()
    where attribute.attribute.annotations.isExported && only?.contains(attribute.name) ?? true {
      let path = names.path(of: attribute)[...]
      let content = Content.value(
        column: place.slots[place.attributeSlots[index]],
        form: ExportForm(attribute, forms.attributes[entity.index][index], options.habits, layout.schema))
      // If a relationship or another property has the key already, the name itself is used, so that nothing is lost.
      let isFree = links.relationship(before: path) == nil && tree.isFree(path, for: content)
      tree.add(isFree ? path : [.key(attribute.name)], content)
    }
    for link in links.list {
      let relationship = layout.schema.relationships[link.relationship]
      let probe = Content.links(link.relationship)
      let isFree =
        links.relationship(before: link.path[...]) == nil && tree.isFree(link.path[...], for: probe)
      let path = isFree ? link.path : [.key(relationship.name)]
      let keys = names.keys(of: relationship, at: path, in: layout.schema) {
        tree.has(path.dropLast() + [.key($0)])
      }
      tree.add(path[...], .relationship(link.relationship, keys))
    }
    for links in polymorphic { Self.add(links, of: entity, layout.schema, names, to: &tree) }
    var (wrapper, kind) = (nil as (column: Int?, key: [UInt8])?, nil as Member?)
    let kindColumn = layout.tables[place.table].kindValueColumn
    switch ExportKind(entity, layout.schema) {
    case .unsaid: break
    case .key(let path, let value):
      let content = Content.kind(column: kindColumn, value: value)
      if tree.isFree(path[...], for: content) { tree.add(path[...], content) }
    case .wrapper(let key): wrapper = (kindColumn, JSONWriter.quotedKey(key))
    case .common(let value):
      kind = ExportKind.commonKey(entity, layout.schema).map {
        Member(.key($0), content: .kind(column: nil, value: value))
      }
    }
    members = tree.members
    relationships = members.relationships
    documentKind = Self.documentKind(of: entity, layout.schema, options, members)
    bareKey = Self.bareKey(entity, layout, names)
    if members.isList { kind = nil }
    self.wrapper = wrapper
    self.kind = kind
  }

  /// The same for objects that are written as lists of their values.
  init(rowsOf plan: ExportPlan) {
    entity = plan.entity
    (documentKind, relationships, reached) = (nil, plan.relationships, plan.reached)
    members = Members(plan.members.list.map { Member(content: $0.content.withoutKeys) }, isList: true)
    (bareKey, wrapper, kind) = (nil, nil, nil)
  }

  /// The names of the columns, if objects can be written as lists of their values; nil where they have not all the same.
  func columnNames(_ schema: Schema) -> [String]? {
    guard schema.family(of: entity.root).count == 1, !members.isList, wrapper == nil, kind == nil else {
      return nil
    }
    return members.list.compactMap { if case .key(let key) = $0.step { key } else { nil } }
  }

  /// Adds a key that leads to objects of any of several entities.
  private static func add(
    _ links: PolymorphicPlan, of entity: SchemaEntity, _ schema: Schema, _ names: ExportNames,
    to tree: inout Tree
  ) {
    guard let first = links.members.first else { return }
    let relationship = schema.relationships[entity.relationships[first]]
    let path = names.path(ofPolymorphic: links.name) + names.targetPath(of: relationship)
    let export = PolymorphicExport(links, of: entity, path: path)
    guard !links.isToMany else {
      // The lists of the relationships stand one after another in one.
      for part in links.members.indices {
        tree.add(path[...] + [.position(part)], .polymorphicList(export, part: part))
      }
      return
    }
    if links.rule.key != nil, !tree.has(path.dropLast() + [.key(links.kindKey)]) {
      tree.add(path.dropLast() + [.key(links.kindKey)], .linkKind(export))
    }
    tree.add(path[...], .polymorphic(export))
  }

  /// Adds what tells the entity of objects in documents of several, and members with fixed values.
  private static func addFixedMembers(
    of entity: SchemaEntity, _ schema: Schema, _ options: ExportOptions, to tree: inout Tree
  ) {
    if entity.hasIdentity, let path = options.document.kindPath, ExportKind(entity, schema).path != path.steps
    {
      tree.add(path.steps[...], .kind(column: nil, value: ExportKind.documentValue(of: entity, schema)))
    }
    for owner in entity.ancestry.reversed() {
      for (key, value) in schema.model.entities[owner].annotations.constants {
        tree.add([.key(key)], .kind(column: nil, value: value))
      }
    }
  }

  /// The member that names the entity of an object without identity by itself, in a document of several entities. Those
  /// with an identity name it wherever they are.
  private static func documentKind(
    of entity: SchemaEntity, _ schema: Schema, _ options: ExportOptions, _ members: Members
  ) -> Member? {
    guard !entity.hasIdentity, !members.isList, let key = options.document.kindPath?.onlyKey,
      !members.hasKey(key)
    else { return nil }
    return Member(.key(key), content: .kind(column: nil, value: ExportKind.documentValue(of: entity, schema)))
  }

  /// The key of the value that stands for a whole object without identity.
  private static func bareKey(_ entity: SchemaEntity, _ layout: Layout, _ names: ExportNames) -> String? {
    let annotations = layout.schema.model.entities[entity.index].annotations
    guard !entity.hasIdentity, let name = annotations.valueAttribute else { return nil }
    let path: [JSONKeyPath.Step]
    if let attribute = entity.attribute(name) {
      path = names.path(of: entity.attributes[attribute])
    } else if let relationship = entity.relationships.first(where: {
      layout.schema.relationships[$0].name == name
    }) {
      path = names.path(of: layout.schema.relationships[relationship].relationship)
    } else {
      return nil
    }
    return JSONKeyPath(path).onlyKey
  }

  /// Whether objects are written as lists: key paths give each property its place in one, but for the relationship to
  /// an owner.
  private static func isList(_ entity: SchemaEntity, _ layout: Layout, _ names: ExportNames) -> Bool {
    func isPlace(_ path: [JSONKeyPath.Step]) -> Bool {
      if case .position? = path.first { true } else { false }
    }
    let relationships = entity.relationships.map { layout.schema.relationships[$0] }
    let attributes = entity.attributes.filter(\.attribute.annotations.isExported)
    return !attributes.isEmpty && attributes.allSatisfy { isPlace(names.path(of: $0)) }
      && relationships.allSatisfy { relationship in
        isPlace(names.path(of: relationship.relationship))
          || !relationship.relationship.annotations.isExported
          || (!entity.hasIdentity && !relationship.isToMany && !layout.isPart(relationship))
      }
  }
}

extension ExportPlan {
  /// The relationships of an entity that an export writes, with the paths to their values.
  fileprivate struct Links {
    struct Link {
      let relationship: Int
      let path: [JSONKeyPath.Step]
    }

    /// Links that have a key of their own.
    private(set) var list: [Link] = []
    /// All, those of polymorphic keys included.
    private var all: [Link] = []

    init(
      of entity: SchemaEntity, _ layout: Layout, _ names: ExportNames, _ polymorphic: [PolymorphicPlan],
      _ options: ExportOptions, isAskedFor: (String) -> Bool
    ) {
      let schema = layout.schema
      let shared = Set(polymorphic.flatMap(\.members).map { entity.relationships[$0] })
      for index in entity.relationships where !shared.contains(index) {
        let relationship = schema.relationships[index]
        guard Self.isWritten(relationship, layout, options), isAskedFor(relationship.name) else { continue }
        let path = names.path(of: relationship.relationship) + names.targetPath(of: relationship)
        list.append(Link(relationship: index, path: path))
      }
      all = list
      for links in polymorphic {
        guard let first = links.members.first else { continue }
        let relationship = schema.relationships[entity.relationships[first]]
        let path = names.path(ofPolymorphic: links.name) + names.targetPath(of: relationship)
        all.append(Link(relationship: relationship.index, path: path))
      }
    }

    /// Whether a relationship is written: the model says so, or else, in an export of a whole store, its objects could
    /// not tell by themselves whom they belong to, or at which place.
    private static func isWritten(
      _ relationship: SchemaRelationship, _ layout: Layout, _ options: ExportOptions
    ) -> Bool {
      let annotations = relationship.relationship.annotations
      if annotations.isExported { return true }
      guard options.isWhole, !annotations.isIgnored, layout.leadsToParts(relationship) else { return false }
      guard !relationship.isOrdered, layout.schema.entities[relationship.owner].hasIdentity,
        let inverse = relationship.inverse
      else { return true }
      return !layout.schema.relationships[inverse].relationship.annotations.isExported
    }

    /// The relationship whose value a path leads through.
    func relationship(before path: ArraySlice<JSONKeyPath.Step>) -> Int? {
      all.first { path.count > $0.path.count && path.starts(with: $0.path) }?.relationship
    }

    /// The relationships whose values paths lead through.
    func reached(by paths: [[JSONKeyPath.Step]]) -> Set<Int> {
      Set((paths + all.map(\.path)).compactMap { relationship(before: $0[...]) })
    }
  }
}
