import ObjectModel

/// The tables of a model in DBML, the language of dbdiagram.io.
///
/// A to-one relationship is a column that refers to what identifies its target. A table whose identity is not one
/// attribute has a column `_id` for that, the number of the row.
struct DBMLDiagram {
  private let schema: Schema
  private let title: String

  init(_ schema: Schema, title: String) {
    self.schema = schema
    self.title = title
  }

  var text: String {
    let head = "Project model {\n  Note: \(Self.text(title))\n}\n"
    return ([head] + schema.entities.map(table) + [references]).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func table(of entity: SchemaEntity) -> String {
    guard let own = schema.model[entity: entity.name] else { return "" }
    let identity = entity.declaredIdentity?.properties ?? []
    let key = keyColumn(of: entity)
    var lines: [String] = []
    if !own.attributes.contains(where: { $0.name == key.name }) {
      lines.append("  \(Self.name(key.name)) \(Self.name(key.type)) [pk]")
    }
    for attribute in own.attributes where !attribute.isTransient {
      let isRequired = !attribute.isOptional || identity.contains(attribute.name)
      var settings = attribute.name == key.name ? ["pk"] : isRequired ? ["not null"] : []
      if let value = attribute.defaultValue, !value.isEmpty {
        settings.append("default: \(Self.text(value))")
      }
      lines.append(Self.column(attribute.name, attribute.type.name, settings))
    }
    for relationship in own.relationships where !relationship.isToMany {
      guard let target = schema.entity(relationship.destination) else { continue }
      let isRequired = !relationship.isOptional || identity.contains(relationship.name)
      lines.append(Self.column(relationship.name, keyColumn(of: target).type, isRequired ? ["not null"] : []))
    }
    if identity.count > 1, entity.index == entity.identityOwner { lines += indexes(identity) }
    if let parent = own.parent { lines.append("  Note: \(Self.text("Inherits from \(parent)."))") }
    return "Table \(Self.name(own.name)) {\n\(lines.joined(separator: "\n"))\n}\n"
  }

  private func indexes(_ identity: [String]) -> [String] {
    ["  indexes {", "    (\(identity.map(Self.name).joined(separator: ", "))) [unique]", "  }"]
  }

  /// The identity of the rows of a table: the only attribute of its identity, or `_id`.
  private func keyColumn(of entity: SchemaEntity) -> (name: String, type: String) {
    guard let identity = entity.declaredIdentity?.properties, identity.count == 1, let name = identity.first,
      let index = entity.attribute(name)
    else { return ("_id", "integer64") }
    return (name, entity.attributes[index].type.name)
  }

  private var references: String {
    var lines: [String] = []
    for entity in schema.entities {
      guard let parent = schema.model[entity: entity.name]?.parent.flatMap(schema.entity) else { continue }
      lines.append(
        "Ref: \(place(entity, keyColumn(of: entity).name)) - \(place(parent, keyColumn(of: parent).name))")
    }
    for relationship in schema.relationships {
      let (owner, target) = (schema.entities[relationship.owner], schema.entities[relationship.destination])
      let inverse = relationship.inverse.map { schema.relationships[$0] }
      let key = place(target, keyColumn(of: target).name)
      if !relationship.isToMany {
        let isOneToOne = inverse.map { !$0.isToMany } ?? false
        if isOneToOne, let inverse, inverse.index < relationship.index { continue }
        lines.append("Ref: \(place(owner, relationship.name)) \(isOneToOne ? "-" : ">") \(key)")
      } else if inverse.map({ $0.isToMany && $0.index >= relationship.index }) ?? true {
        lines.append("Ref: \(place(owner, keyColumn(of: owner).name)) <> \(key)")
      }
    }
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }

  private func place(_ entity: SchemaEntity, _ column: String) -> String {
    "\(Self.name(entity.name)).\(Self.name(column))"
  }

  // MARK: - Words

  private static func column(_ name: String, _ type: String, _ settings: [String]) -> String {
    let list = settings.isEmpty ? "" : " [\(settings.joined(separator: ", "))]"
    return "  \(self.name(name)) \(self.name(type))\(list)"
  }

  private static func name(_ name: String) -> String {
    let isPlain =
      !name.isEmpty
      && name.utf8.allSatisfy {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == 95 || 48...57 ~= $0
      }
    if isPlain { return name }
    let quoted = name.replacingScalars { scalar in
      scalar == "\"" || scalar == "\\" || scalar != " " && DiagramText.isSpace(scalar) ? "_" : nil
    }
    return "\"\(quoted)\""
  }

  private static func text(_ text: String) -> String {
    DiagramText.quoted(text, by: "'")
  }
}
