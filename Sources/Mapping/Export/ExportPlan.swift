import JSONStream
import ObjectModel
import ObjectStore

/// How rows of one entity become JSON objects: compiled once, used for each row.
final class ExportPlan {
  /// A key and what comes behind it.
  final class Member {
    /// The key with its quotes and its colon.
    let key: [UInt8]
    let content: Content

    init(key: [UInt8], content: Content) {
      self.key = key
      self.content = content
    }
  }

  enum Content {
    /// The value in a column of the table.
    case value(column: Int, form: ExportForm)
    /// The objects that a relationship leads to, or their keys.
    case relationship(Int, RelationshipKeys)
    /// The members at the next step of key paths.
    case object([Member])
  }

  /// The keys of a relationship, with their quotes and colons.
  final class RelationshipKeys {
    /// Where the keys of objects, or null, are written; nil if an attribute has that key.
    let plain: [UInt8]?
    /// Where the objects are.
    let nested: [UInt8]

    init(plain: [UInt8]?, nested: [UInt8]) {
      self.plain = plain
      self.nested = nested
    }
  }

  let entity: SchemaEntity
  let members: [Member]

  init(_ entity: SchemaEntity, _ layout: Layout, _ forms: ValueForms, _ options: ExportOptions) {
    self.entity = entity
    let names = ExportNames(entity, layout.schema, options)
    let place = layout.entities[entity.index]
    var tree = Tree()
    for (index, attribute) in entity.attributes.enumerated() where attribute.attribute.annotations.isExported
    {
      tree.add(
        names.path(of: attribute)[...],
        .value(
          column: place.slots[place.attributeSlots[index]],
          form: ExportForm(attribute, forms.attributes[entity.index][index])))
    }
    for index in entity.relationships {
      let relationship = layout.schema.relationships[index]
      guard relationship.relationship.annotations.isExported else { continue }
      let path = names.path(of: relationship.relationship)
      let keys = names.keys(of: relationship, in: layout.schema) { tree.has(path.dropLast() + [$0]) }
      tree.add(path[...], .relationship(index, keys))
    }
    members = tree.members
  }

  /// Key paths put together.
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

    /// Whether a path of keys leads to something.
    func has(_ path: ArraySlice<String>) -> Bool {
      guard let first = path.first else { return true }
      return children[first]?.has(path.dropFirst()) ?? false
    }

    var members: [Member] {
      order.compactMap { key in
        guard let child = children[key] else { return nil }
        // Where one path ends on the way of another, the longer says more.
        guard let content = child.order.isEmpty ? child.content : .object(child.members) else { return nil }
        return Member(key: JSONWriter.quotedKey(key), content: content)
      }
    }
  }
}
