import Foundation
import ObjectModel

/// Reads a model in the notation of these tests.
///
/// ```
/// Band | unique=name                      an entity; settings follow behind bars
///   name: string!                         a required attribute
///   formed: integer16 | default=1970      an optional one
///   albums: [Album] <- band | ordered     a to-many relationship and its inverse
/// Album : Record | abstract               an entity with a parent
///   band: Band! <- albums                 a required to-one
/// ```
///
/// Settings are `abstract`, `ordered`, `indexed`, `unique=a,b`, `index=a,b`, `default=…`, `delete=…`, `was=…` for the
/// renaming identifier;
/// any other `key=value` goes into `userInfo`.
func model(_ notation: String) throws -> Model {
  var model = Model()
  for line in notation.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
    var parts = line.components(separatedBy: " | ")
    let head = parts.removeFirst()
    if head.hasPrefix(" ") {
      guard let last = model.entities.indices.last else { throw NotationError(line: String(line)) }
      try addProperty(head.trimmed, parts, to: &model.entities[last])
    } else {
      model.entities.append(entity(head, parts))
    }
  }
  return model
}

struct NotationError: Error {
  var line: String
}

private func entity(_ head: String, _ settings: [String]) -> Entity {
  let names = head.components(separatedBy: " : ")
  var entity = Entity(name: names[0].trimmed, parent: names.count > 1 ? names[1].trimmed : nil)
  for (key, value) in settings.map(pair) {
    switch key {
    case "abstract": entity.isAbstract = true
    case "was": entity.renamingIdentifier = value
    case "unique": entity.uniquenessConstraints.append(value.components(separatedBy: ","))
    case "index":
      let elements = value.components(separatedBy: ",").map { Index.Element(property: $0) }
      entity.indexes.append(Index(name: value, elements: elements))
    default: entity.userInfo[key] = value
    }
  }
  return entity
}

private func addProperty(_ head: String, _ settings: [String], to entity: inout Entity) throws {
  guard let colon = head.range(of: ": ") else { throw NotationError(line: head) }
  let name = String(head[..<colon.lowerBound])
  let sides = String(head[colon.upperBound...]).components(separatedBy: " <- ")
  var type = sides[0].trimmed
  let isRequired = type.hasSuffix("!")
  if isRequired { type.removeLast() }
  let isToMany = type.hasPrefix("[")
  if isToMany { type = String(type.dropFirst().dropLast()) }
  var settings = Dictionary(settings.map(pair), uniquingKeysWith: { $1 })
  func take(_ key: String) -> String? { settings.removeValue(forKey: key) }

  if type.first?.isLowercase == true {
    guard let known = attributeTypes[type] else { throw NotationError(line: head) }
    var attribute = Attribute(name: name, type: known)
    attribute.isOptional = !isRequired
    attribute.defaultValue = take("default")
    attribute.isIndexed = take("indexed") != nil
    attribute.renamingIdentifier = take("was")
    attribute.userInfo = settings
    entity.attributes.append(attribute)
  } else {
    var relationship = Relationship(name: name, destination: type)
    relationship.isToMany = isToMany
    relationship.isOptional = !isRequired
    relationship.minimumCount = take("least").flatMap { Int($0) }
    relationship.inverse = sides.count > 1 ? sides[1].trimmed : nil
    relationship.isOrdered = take("ordered") != nil
    relationship.renamingIdentifier = take("was")
    relationship.deleteRule = take("delete").flatMap(DeleteRule.init) ?? .nullify
    relationship.userInfo = settings
    entity.relationships.append(relationship)
  }
}

private let attributeTypes: [String: AttributeType] = [
  "boolean": .boolean, "integer16": .integer16, "integer32": .integer32, "integer64": .integer64,
  "float": .float, "double": .double, "decimal": .decimal, "string": .string, "date": .date, "uuid": .uuid,
  "uri": .uri, "binary": .binary, "transformable": .transformable,
]

private func pair(_ text: String) -> (String, String) {
  guard let equals = text.firstIndex(of: "=") else { return (text.trimmed, "") }
  return (String(text[..<equals]).trimmed, String(text[text.index(after: equals)...]).trimmed)
}

extension String {
  var trimmed: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
