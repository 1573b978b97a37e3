import JSONStream
import ObjectModel
import ObjectStore

/// Compares JSON that an attribute holds with what the store has of the objects that an import took from it.
///
/// Such JSON goes out as it came wherever it still says the same. It would overwrite the objects where they have changed.
extension ObjectExporter {
  /// JSON that nests objects deeper than this is taken to say something else.
  private static let deepestComparison = 16
  /// A list without an order that has more elements is taken to say something else: each target is looked for in it.
  private static let longestComparison = 1_000

  /// Whether JSON says the links of an object's relationship, and of each target what the store has.
  func says(_ json: [UInt8], linksOf relationship: SchemaRelationship, _ frame: ExportFrame) throws -> Bool {
    guard isWritten(relationship, frame.context) else { return true }
    guard let value = JSONValue(text: String(decoding: json, as: UTF8.self)) else { return false }
    comparedParts.removeAll()
    guard try says(value, linksOf: relationship, of: frame.row, level: frames.count) else { return false }
    for part in comparedParts { noteWritten(part) }
    return true
  }

  private func says(
    _ json: JSONValue, linksOf relationship: SchemaRelationship, of row: any Cursor, level: Int
  ) throws -> Bool {
    guard level < frames.count + Self.deepestComparison, form(of: relationship) == nil,
      forms.relationships[relationship.index].elements == nil
    else { return false }
    var elements: [JSONValue]
    switch json {
    case .array(let list) where relationship.isToMany: elements = list
    case .null: elements = []
    case .array: return false
    default: elements = [json]
    }
    if let waiting = try links.waiting(for: relationship, row, level: level) {
      defer { waiting.reset() }
      if try waiting.step() { return false }
    }
    let target = layout.schema.entities[relationship.destination]
    let targets = try links.targets(of: relationship, row, whole: true, level: level)
    defer { targets.rows.reset() }
    let isInOrder = relationship.isOrdered || !target.hasIdentity
    guard isInOrder || elements.count <= Self.longestComparison else { return false }
    while try targets.rows.step() {
      if let key = targets.missingKey {
        // It has not arrived, so JSON can say its identity only.
        guard let place = elements.firstIndex(where: { isOf($0, targets.rows, target, keyFrom: key) }) else {
          return false
        }
        elements.remove(at: place)
        continue
      }
      let place = elements.firstIndex { isInOrder || isOf($0, targets.rows, target) }
      guard let place, try says(elements[place], targets.rows, target, level: level + 1) else { return false }
      elements.remove(at: place)
      if options.isWhole, !target.hasIdentity {
        comparedParts.append(Place(table: layout.entities[target.index].table, row: targets.rows.integer(0)))
      }
    }
    return elements.isEmpty
  }

  /// Whether JSON is about the object of a row: whether it has its identity.
  ///
  /// - Parameter keyColumn: The first column of the key, if the row has nothing else.
  private func isOf(
    _ json: JSONValue, _ row: any Cursor, _ target: SchemaEntity, keyFrom keyColumn: Int? = nil
  ) -> Bool {
    let place = layout.entities[target.index]
    let members = plan(for: target).members
    for part in target.identity.indices {
      let column = place.slots[place.identitySlots[part]]
      var said: (value: JSONValue, form: ExportForm)?
      if case .object = json {
        said = members.value(ofColumn: column, in: json)
      } else if target.identity.count == 1 {
        said = members.form(ofColumn: column).map { (json, $0) }
      }
      guard let said,
        says(said.value, row, keyColumn.map { $0 + part } ?? ObjectRows.firstColumn + column, said.form)
      else { return false }
    }
    return target.hasIdentity
  }

  /// Whether JSON says of the object of a row what the store has. What it leaves out stands in the object itself, if that
  /// has an identity.
  private func says(
    _ json: JSONValue, _ row: any Cursor, _ target: SchemaEntity, level: Int
  ) throws -> Bool {
    guard case .object = json else { return isOf(json, row, target) }
    if target.hasIdentity, !isOf(json, row, target) { return false }
    let named = row.isNull(1) ? nil : layout.schema.entity(row.string(1))
    let entity = named ?? target
    return try says(json, plan(for: entity).members, row, isPart: !entity.hasIdentity, level: level)
  }

  private func says(
    _ json: JSONValue, _ members: ExportPlan.Members, _ row: any Cursor, isPart: Bool, level: Int
  ) throws -> Bool {
    guard !members.isList, case .object(let keys) = json else { return false }
    for member in members.list {
      guard case .key(let key) = member.step else { return false }
      let value = keys[key]
      switch member.content {
      case .value(let column, let form):
        if let value, !says(value, row, ObjectRows.firstColumn + column, form) { return false }
        if value == nil, isPart, !values.isNull(StoredValue(row, ObjectRows.firstColumn + column), form) {
          return false
        }
      case .object(let inner):
        guard let value, value != .null else {
          if isPart { return false }
          continue
        }
        guard try says(value, inner, row, isPart: isPart, level: level) else { return false }
      case .relationship(let index, _):
        let relationship = layout.schema.relationships[index]
        // The way back to the owner need not be said.
        guard let value else {
          if isPart, relationship.isToMany || layout.isPart(relationship) {
            guard try says(.array([]), linksOf: relationship, of: row, level: level) else { return false }
          }
          continue
        }
        guard try says(value, linksOf: relationship, of: row, level: level) else { return false }
      case .kind: continue
      case .links, .gap, .gathered, .wholeObject, .polymorphic, .polymorphicList, .linkKind:
        if value != nil || isPart { return false }
      }
    }
    return true
  }

  /// Whether an import makes the value in a column of the cursor of some JSON.
  private func says(_ json: JSONValue, _ row: any Cursor, _ column: Int, _ form: ExportForm) -> Bool {
    let stored = StoredValue(row, column)
    guard form.transformers == nil else { return values.value(of: stored, form) == json }
    if json == .null { return values.isNull(stored, form) }
    if form.kind == .json { return values.value(of: stored, form) == json }
    scratch.removeAll()
    guard let cell = form.conversion.cell(for: json, in: &scratch) else { return false }
    return row.column(column, equals: cell, of: scratch)
  }
}

extension ExportPlan.Members {
  /// How the values of a column are written, if they have a member.
  fileprivate func form(ofColumn wanted: Int) -> ExportForm? {
    for member in list {
      switch member.content {
      case .value(let column, let form) where column == wanted: return form
      case .object(let inner): if let form = inner.form(ofColumn: wanted) { return form }
      default: continue
      }
    }
    return nil
  }

  /// The value that an object has for a column, and how that is written.
  fileprivate func value(ofColumn wanted: Int, in json: JSONValue) -> (JSONValue, ExportForm)? {
    guard case .object(let keys) = json else { return nil }
    for member in list {
      guard case .key(let key) = member.step, let value = keys[key] else { continue }
      switch member.content {
      case .value(let column, let form) where column == wanted: return (value, form)
      case .object(let inner): if let found = inner.value(ofColumn: wanted, in: value) { return found }
      default: continue
      }
    }
    return nil
  }
}
