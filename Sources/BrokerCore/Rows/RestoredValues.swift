import ObjectModel
import ObjectStore

/// What stored values become when objects of a type are read and saved again. Some types have fewer digits than the
/// store, or another order of keys.
final class RestoredValues: Sendable {
  private let byName: [String: @Sendable (SQLValue) -> SQLValue?]

  init<Root: Storable>(of type: Root.Type) {
    var byName: [String: @Sendable (SQLValue) -> SQLValue?] = [:]
    for property in Root.properties.all {
      if case .attribute(let form) = property.form { byName[property.name] = form.restored }
    }
    self.byName = byName
  }

  /// For objects without a Swift type.
  init(of entity: SchemaEntity) {
    var byName: [String: @Sendable (SQLValue) -> SQLValue?] = [:]
    for attribute in entity.attributes {
      let type = attribute.type
      byName[attribute.name] = { Object.Value($0, type).stored(as: type) }
    }
    self.byName = byName
  }

  /// Nil if the type has no such attribute.
  func value(of attribute: String, stored: SQLValue) -> SQLValue? { byName[attribute].flatMap { $0(stored) } }
}

extension ObjectDraft: ValueEquality {
  func isSame(_ entity: EntityLayout, slot: Int, stored: SQLValue, new: SQLValue) -> Bool {
    guard stored != .null, let index = entity.attributeSlots.firstIndex(of: slot) else { return false }
    let name = entity.entity.attributes[index].name
    return restoring.contains { $0.value(of: name, stored: stored) == new }
  }
}
