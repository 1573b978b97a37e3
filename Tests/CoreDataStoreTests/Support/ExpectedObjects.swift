import CoreDataMaker
import Foundation
import JSONStream
import ObjectModel

/// What an export should have of the objects that the maker was given, where Core Data's own keys are the identities.
struct ExpectedObjects {
  private let contents: StoreContents
  private let entities: [String: Entity]

  init(_ contents: StoreContents) {
    self.contents = contents
    entities = Dictionary(uniqueKeysWithValues: contents.model.entities.map { ($0.name, $0) })
  }

  static func name(_ link: StoreLink) -> String { "\(link.entity)/p\(link.key)" }

  /// The entity itself, its parent, and so on.
  private func line(of entity: String) -> [Entity] {
    var found: [Entity] = []
    var next: String? = entity
    while let name = next, let entity = entities[name] {
      found.append(entity)
      next = entity.parent
    }
    return found
  }

  /// What differs between the export and what was put in; empty if nothing does.
  func differences(from exported: [String: [String: [String: JSONValue]]]) -> [String] {
    var differences: [String] = []
    let all = exported.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    if all.count != contents.objects.count {
      differences.append("\(all.count) objects instead of \(contents.objects.count)")
    }
    for object in contents.objects {
      let name = Self.name(StoreLink(object.entity, object.key))
      guard let found = all[name] else {
        differences.append("\(name) is missing")
        continue
      }
      for entity in line(of: object.entity) { compare(object, name, entity, found, &differences) }
    }
    return differences
  }

  private func compare(
    _ object: StoreObject, _ name: String, _ entity: Entity, _ found: [String: JSONValue],
    _ differences: inout [String]
  ) {
    for attribute in entity.attributes where !attribute.isTransient {
      let value = found[attribute.name] ?? .string("nothing")
      guard let wanted = Self.json(object.values[attribute.name] ?? .null, attribute.type) else {
        if value == .null { differences.append("\(name).\(attribute.name) is null") }
        continue
      }
      if !Self.isEqual(value, wanted) {
        differences.append("\(name).\(attribute.name) is \(value), not \(wanted)")
      }
    }
    for relationship in entity.relationships {
      let links = (object.links[relationship.name] ?? []).map { JSONValue.string(Self.name($0)) }
      let value = found[relationship.name] ?? .null
      if !Self.isEqual(value, links, relationship) {
        differences.append("\(name).\(relationship.name) is \(value), not \(links)")
      }
    }
  }

  private static func isEqual(_ value: JSONValue, _ links: [JSONValue], _ relationship: Relationship) -> Bool
  {
    guard relationship.isToMany else { return value == (links.first ?? .null) }
    guard case .array(let found) = value else { return false }
    return relationship.isOrdered ? found == links : Set(found) == Set(links) && found.count == links.count
  }

  private static func isEqual(_ first: JSONValue, _ second: JSONValue) -> Bool {
    if case .number(let one) = first, case .number(let other) = second {
      return Decimal(string: one) == Decimal(string: other)
    }
    return first == second
  }

  /// A value as JSON; nil for archives, whose JSON other tests look at.
  private static func json(_ value: StoreValue, _ type: AttributeType) -> JSONValue? {
    switch value {
    case .null: .null
    case .boolean(let flag): .bool(flag)
    case .integer(let number): .number(String(number))
    case .real(let number): .number("\(number)")
    case .decimal(let digits): .number("\(Decimal(string: digits) ?? 0)")
    case .text(let text): .string(text)
    case .date(let seconds): .string(date(seconds))
    case .uuid(let uuid): .string(uuid.uuidString.lowercased())
    case .data(let bytes), .dataInRow(let bytes), .dataInFile(let bytes, _):
      .string(Data(bytes).base64EncodedString())
    case .archive: nil
    }
  }

  private static func date(_ seconds: Double) -> String {
    let whole = seconds.rounded(.down)
    let formatter = ISO8601DateFormatter()
    let text = formatter.string(from: Date(timeIntervalSinceReferenceDate: whole))
    let fraction = seconds - whole
    guard fraction > 0 else { return text }
    return text.dropLast() + "\(fraction)".dropFirst() + "Z"
  }
}
