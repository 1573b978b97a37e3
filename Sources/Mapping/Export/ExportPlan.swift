import JSONStream
import ObjectModel
import ObjectStore

/// How rows of one entity become JSON objects. It is compiled once and used for each row.
final class ExportPlan {
  /// A key and its value.
  final class Member {
    let name: String
    /// The key with its quotes and its colon.
    let key: [UInt8]
    let content: Content

    init(name: String, content: Content) {
      self.name = name
      key = JSONWriter.quotedKey(name)
      self.content = content
    }
  }

  enum Content {
    /// The value in a column of the table.
    case value(column: Int, form: ExportForm)
    /// The targets of a relationship, or their keys.
    case relationship(Int, RelationshipKeys)
    /// The members at the next step of key paths.
    case object(Members)
    /// An object that one attribute holds as a whole, with the values of other attributes that are inside it.
    case wholeObject(column: Int, form: ExportForm, Members)
    /// The value that tells the kind: the one in a column of the table, or if that is null, this one.
    case kind(column: Int?, value: String)

    /// Whether it is an attribute that holds objects as they came.
    var holdsObjects: Bool {
      if case .value(_, let form) = self { form.kind == .json && form.transformers == nil } else { false }
    }
  }

  /// The keys of a relationship, with their quotes and colons.
  final class RelationshipKeys {
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
  /// The key around objects that tells their kind: the one in a column of the table, or if that is null, this one.
  let wrapper: (column: Int?, key: [UInt8])?
  /// What tells the kind where objects of another entity are expected.
  let kind: Member?

  init(_ entity: SchemaEntity, _ layout: Layout, _ forms: ValueForms, _ options: ExportOptions) {
    self.entity = entity
    let names = ExportNames(entity, layout.schema, options)
    let place = layout.entities[entity.index]
    var tree = Tree()
    let only = options.onlyProperties[entity.name]
    for (index, attribute) in entity.attributes.enumerated()
    where attribute.attribute.annotations.isExported && only?.contains(attribute.name) ?? true {
      // If another property has the key already, the name itself is used, so that nothing is lost.
      let path = names.path(of: attribute)
      let content = Content.value(
        column: place.slots[place.attributeSlots[index]],
        form: ExportForm(attribute, forms.attributes[entity.index][index], options.habits, layout.schema))
      tree.add(tree.isFree(path[...], for: content) ? path[...] : [attribute.name], content)
    }
    for index in entity.relationships {
      let relationship = layout.schema.relationships[index]
      guard relationship.relationship.annotations.isExported, only?.contains(relationship.name) ?? true else {
        continue
      }
      let path = names.path(of: relationship.relationship)
      let keys = names.keys(of: relationship, in: layout.schema) { tree.has(path.dropLast() + [$0]) }
      tree.add(path[...], .relationship(index, keys))
    }
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
        Member(name: $0, content: .kind(column: nil, value: value))
      }
    }
    members = tree.members
    self.wrapper = wrapper
    self.kind = kind
  }

  /// Key paths, put together to a tree.
  struct Tree {
    private var order: [String] = []
    private var children: [String: Tree] = [:]
    private var content: Content?

    mutating func add(_ path: ArraySlice<String>, _ content: Content) {
      guard let first = path.first else {
        if self.content == nil { self.content = content }
        return
      }
      if children[first] == nil { order.append(first) }
      children[first, default: Tree()].add(path.dropFirst(), content)
    }

    /// Whether something can be put at the end of a path of keys. An attribute that holds whole objects has room for
    /// the values of others.
    func isFree(_ path: ArraySlice<String>, for new: Content) -> Bool {
      guard let first = path.first else { return content == nil && (order.isEmpty || new.holdsObjects) }
      if let content, !content.holdsObjects { return false }
      return children[first]?.isFree(path.dropFirst(), for: new) ?? true
    }

    /// Whether a path of keys leads to something.
    func has(_ path: ArraySlice<String>) -> Bool {
      guard let first = path.first else { return true }
      return children[first]?.has(path.dropFirst()) ?? false
    }

    /// What is at this place: a property that ends here, members below, or both.
    private var whole: Content? {
      if order.isEmpty { return content }
      guard case .value(let column, let form)? = content, content?.holdsObjects ?? false else {
        // Any other property that ends on the way gives way to the members below.
        return .object(members)
      }
      return .wholeObject(column: column, form: form, members)
    }

    var members: Members {
      Members(
        order.compactMap { key in
          guard let child = children[key], let content = child.whole else { return nil }
          return Member(name: key, content: content)
        })
    }
  }
}
