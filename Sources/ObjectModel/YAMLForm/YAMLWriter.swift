import Foundation

/// Writes a model in YAML. A property has the short form where reading that gives the same again.
struct YAMLWriter {
  private let model: Model
  private let names: ShortNames

  init(_ model: Model) {
    self.model = model
    names = ShortNames(
      entities: Set(model.entities.map(\.name)), composites: Set(model.composites.map(\.name)))
  }

  var text: String {
    let long = FormWriter().value(of: model).members ?? []
    // A model may use the words of the short forms as names; then only the long form says it.
    guard isShort else { return blocks(long) }
    let short = short(long)
    return (try? Model(yaml: Data(short.utf8))) == model ? short : blocks(long)
  }

  private func short(_ long: [FormValue.Member]) -> String {
    let rest = long.filter { $0.key != "entities" }
    let entities = model.entities.map { entity(of: $0, indentation: rest.isEmpty ? "" : "  ") }.joined()
    return rest.isEmpty ? entities : "entities:\n\(entities)" + blocks(rest)
  }

  /// Whether the names of entities can be keys.
  private var isShort: Bool {
    !model.entities.isEmpty && names.entities.count == model.entities.count
      && !names.entities.contains("entities")
      && !names.entities.contains {
        $0.contains("<") || $0.hasPrefix("abstract ") || $0 != ShortType.trimmed($0)
      }
  }

  private func blocks(_ members: [FormValue.Member]) -> String {
    members.map { "\(YAMLText.scalar($0.key)): \(YAMLText.flow($0.value))\n" }.joined()
  }

  private func entity(of entity: Entity, indentation: String) -> String {
    var head = entity.isAbstract ? "abstract \(entity.name)" : entity.name
    if let parent = entity.parent, parent == ShortType.trimmed(parent), !parent.isEmpty {
      head += " < \(parent)"
    }
    var properties: [String] = []
    let hasUsualIdentity = entity.parent == nil && entity.userInfo["broker.identity"] == nil
    let marked = entity.annotatedIdentityProperties
    for attribute in entity.attributes {
      let isUsual =
        hasUsualIdentity
        && ShortEntity.usualIdentities(of: entity.name).contains(ShortEntity.folded(attribute.name))
      let isMarked = marked == [attribute.name] && !attribute.isOptional
      properties.append(line(attribute.name, short(attribute, isUsualIdentity: isUsual, isMarked: isMarked)))
    }
    for relationship in entity.relationships {
      properties.append(line(relationship.name, short(relationship, of: entity)))
    }
    let options = FormWriter().value(of: entity).members ?? []
    let said: Set = ["name", "abstract", "parent", "attributes", "relationships"]
    properties += options.filter { !said.contains($0.key) }.map {
      line("$\($0.key)", YAMLText.flow($0.value))
    }
    let short = "\(indentation)\(YAMLText.scalar(head)): {\(properties.joined(separator: ", "))}"
    if short.count <= 110 { return short + "\n" }
    let inner = properties.map { "\(indentation)  \($0)\n" }.joined()
    return "\(indentation)\(YAMLText.scalar(head)):\n\(inner)"
  }

  private func line(_ name: String, _ value: String) -> String { "\(YAMLText.scalar(name)): \(value)" }

  // MARK: - Properties

  /// The members of an attribute's long form besides those that the short text says, with that text as their type.
  private func short(_ attribute: Attribute, isUsualIdentity: Bool, isMarked: Bool) -> String {
    let members = FormWriter().value(of: attribute).members ?? []
    var said: Set = ["name", "type", "optional"]
    var text = FormNames.shortName(of: attribute.type)
    // A name that an entity has as well, or a composite that shares its name with something else, is written out.
    if case .composite(let name) = attribute.type {
      guard (try? ShortType(name, names))?.kind == .composite(name) else { return long(members) }
      text = name
      said.insert("composite")
    } else if (try? ShortType(text, names))?.kind != .attribute(attribute.type.name) {
      return long(members)
    }
    text += isMarked ? "*" : attribute.isOptional ? (isUsualIdentity ? "?" : "") : "!"
    var rest = members.filter { !said.contains($0.key) }
    if isMarked { Self.remove("broker.identity", from: &rest) }
    if let value = attribute.defaultValue, let shown = shortDefault(value, attribute, text) {
      text += " = \(shown)"
      rest.removeAll { $0.key == "default" }
    }
    return combined(.string(text), rest)
  }

  /// An attribute without a short text: with the type's long name, which no entity has.
  private func long(_ members: [FormValue.Member]) -> String {
    let isOptional = members.contains { $0.key == "optional" }
    let rest = members.filter { $0.key != "name" }
    return YAMLText.flow(.object(isOptional ? rest : rest + [FormValue.Member("optional", .bool(false))]))
  }

  private func shortDefault(_ value: String, _ attribute: Attribute, _ text: String) -> String? {
    if attribute.type == .boolean { return value == "YES" ? "true" : value == "NO" ? "false" : nil }
    guard attribute.type != .date, !value.isEmpty, value == ShortType.trimmed(value), !value.hasPrefix("\""),
      let read = try? ShortType("\(text) = \(value)", names), read.defaultText == value
    else { return nil }
    return value
  }

  private func short(_ relationship: Relationship, of entity: Entity) -> String {
    let members = FormWriter().value(of: relationship).members ?? []
    var said: Set = ["name", "destination", "toMany", "optional"]
    guard
      case .relationship(relationship.destination, inverse: nil)? =
        (try? ShortType(relationship.destination, names))?
        .kind
    else { return YAMLText.flow(.object(members.filter { $0.key != "name" })) }
    var text = relationship.destination
    var rest = members
    if let inverse = relationship.inverse {
      if relationship.inverseEntity == relationship.destination,
        !inverse.contains(where: { "|=!?* ".contains($0) })
      {
        text += ".\(inverse)"
        said.insert("inverse")
      }
    } else {
      rest.append(FormValue.Member("inverse", .null))
    }
    text += relationship.isOptional ? "" : "!"
    rest.removeAll { said.contains($0.key) }
    guard relationship.isToMany else { return combined(.string(text), rest) }
    var list: [FormValue] = [.string(text)]
    if relationship.isOrdered { list.append(.string("ordered")) }
    if relationship.deleteRule != .nullify { list.append(.string(relationship.deleteRule.rawValue)) }
    rest.removeAll { ["ordered", "deleteRule"].contains($0.key) }
    return combined(.array(list), rest)
  }

  /// Takes an annotation away that the short text says.
  private static func remove(_ annotation: String, from members: inout [FormValue.Member]) {
    guard let index = members.firstIndex(where: { $0.key == "userInfo" }),
      let userInfo = members[index].value.members
    else { return }
    let others = userInfo.filter { $0.key != annotation }
    if others.isEmpty { members.remove(at: index) } else { members[index].value = .object(others) }
  }

  /// The only key of a property has a word of its own.
  private static func shortenKey(_ members: inout [FormValue.Member]) {
    guard let index = members.firstIndex(where: { $0.key == "userInfo" }),
      let userInfo = members[index].value.members,
      !userInfo.contains(where: { $0.key.hasPrefix("broker.key.") }),
      let key = userInfo.first(where: { $0.key == "broker.key" })
    else { return }
    remove("broker.key", from: &members)
    members.append(FormValue.Member("key", key.value))
  }

  private func combined(_ type: FormValue, _ rest: [FormValue.Member]) -> String {
    var rest = rest
    Self.shortenKey(&rest)
    guard !rest.isEmpty else { return YAMLText.flow(type) }
    return YAMLText.flow(.object([FormValue.Member("type", type)] + rest))
  }
}

extension Entity {
  /// The properties that say of themselves that they identify its objects.
  fileprivate var annotatedIdentityProperties: [String] {
    let marked = relationships.filter { $0.userInfo["broker.identity"] != nil }.map(\.name)
    return marked + attributes.filter { $0.userInfo["broker.identity"] == "true" }.map(\.name)
  }
}
