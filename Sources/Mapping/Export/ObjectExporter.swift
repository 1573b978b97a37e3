import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Writes rows as JSON objects, with what their relationships lead to.
final class ObjectExporter {
  private let layout: Layout
  private let options: ExportOptions
  private var plans: [ExportPlan?]
  private let links: LinkedRows
  /// The objects around the one that is being written, so that none is written inside itself.
  private var path: [Place] = []
  private var scratch = ByteBuffer()

  private struct Place: Equatable {
    var table: Int
    var row: Int64
  }

  /// Deeper nesting than this is cut, even where no object repeats.
  private static let deepest = 200

  init(_ transaction: StoreTransaction, _ options: ExportOptions) {
    layout = transaction.layout
    self.options = options
    plans = Array(repeating: nil, count: layout.entities.count)
    links = LinkedRows(transaction)
  }

  /// Writes the row that a statement stands on; see ``ObjectRows``.
  func write(_ row: PreparedStatement, table root: Int, to writer: inout JSONWriter) throws {
    try write(row, root, depth: 0, from: nil, to: &writer)
  }

  private func write(
    _ row: PreparedStatement, _ root: Int, depth: Int, from relationship: SchemaRelationship?,
    to writer: inout JSONWriter
  ) throws {
    let plan = plan(for: entity(of: row, root))
    path.append(Place(table: layout.entities[root].table, row: row.integer(0)))
    defer { path.removeLast() }
    writer.beginObject()
    try write(plan.members, of: row, plan, depth, from: relationship, to: &writer)
    writer.endObject()
  }

  private func entity(of row: PreparedStatement, _ root: Int) -> SchemaEntity {
    if row.isNull(1) { return layout.schema.entities[root] }
    return layout.schema.entity(row.string(1)) ?? layout.schema.entities[root]
  }

  private func plan(for entity: SchemaEntity) -> ExportPlan {
    if let known = plans[entity.index] { return known }
    let plan = ExportPlan(entity, layout, options)
    plans[entity.index] = plan
    return plan
  }

  private func write(
    _ members: [ExportPlan.Member], of row: PreparedStatement, _ plan: ExportPlan, _ depth: Int,
    from origin: SchemaRelationship?, to writer: inout JSONWriter
  ) throws {
    for member in members {
      switch member.content {
      case .value(let column, let kind, let dates):
        let place = ObjectRows.firstColumn + column
        if !options.includesNulls, row.isNull(place) { continue }
        member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
        write(row, place, kind, dates, to: &writer)
      case .object(let inner):
        if !options.includesNulls, isEmpty(inner, row) { continue }
        member.key.withUnsafeBufferPointer { writer.quotedKey($0) }
        writer.beginObject()
        try write(inner, of: row, plan, depth, from: origin, to: &writer)
        writer.endObject()
      case .relationship(let index):
        // The way back to the object around this one says nothing new.
        if let origin, origin.inverse == index { continue }
        try write(layout.schema.relationships[index], member.key, of: row, depth, to: &writer)
      }
    }
  }

  /// Whether all values of members are null.
  private func isEmpty(_ members: [ExportPlan.Member], _ row: PreparedStatement) -> Bool {
    members.allSatisfy { member in
      switch member.content {
      case .value(let column, _, _): row.isNull(ObjectRows.firstColumn + column)
      case .object(let inner): isEmpty(inner, row)
      case .relationship: false
      }
    }
  }

  // MARK: - Values

  private func write(
    _ row: PreparedStatement, _ column: Int, _ kind: Conversion.Kind, _ dates: DateFormat,
    to writer: inout JSONWriter
  ) {
    switch row.storage(column) {
    case nil: writer.null()
    case .integer:
      if kind == .boolean {
        writer.bool(row.integer(column) != 0)
      } else {
        writer.integer(row.integer(column))
      }
    case .real: writer.double(row.double(column))
    case .blob:
      scratch.removeAll()
      Base64.encode(row.blob(column), to: &scratch)
      writer.string(scratch.elements)
    case .text:
      switch kind {
      case .decimal, .json: writer.raw(row.text(column))
      case .date: dates.write(row.text(column), using: &scratch, to: &writer)
      default: writer.string(row.text(column))
      }
    }
  }

  // MARK: - Relationships

  private func write(
    _ relationship: SchemaRelationship, _ key: [UInt8], of row: PreparedStatement, _ depth: Int,
    to writer: inout JSONWriter
  ) throws {
    let target = layout.schema.entities[relationship.destination]
    let isNested =
      switch options.relationships {
      case .nested(let limit): depth < limit || !target.hasIdentity
      case .keys: !target.hasIdentity
      case .none: false
      }
    // Objects without identity belong to whoever holds them. Seen from themselves, their holder does not
    // belong to them; written that way round, importing it would make another.
    guard target.hasIdentity || layout.isPart(relationship), path.count < Self.deepest else { return }
    let list = try links.targets(of: relationship, row, whole: isNested, level: path.count)
    defer { list.reset() }
    if relationship.isToMany {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      writer.beginArray()
      while try list.step() { try writeTarget(list, relationship, isNested, depth, to: &writer) }
      try writeWaiting(relationship, row, isNested: isNested, to: &writer)
      writer.endArray()
    } else if try list.step() {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      try writeTarget(list, relationship, isNested, depth, to: &writer)
    } else if isNested, try links.writeKey(of: relationship, row, key: key, to: &writer) {
      // The object has not arrived; what is known of it is its key.
    } else if options.includesNulls {
      key.withUnsafeBufferPointer { writer.quotedKey($0) }
      writer.null()
    }
  }

  private func writeTarget(
    _ list: PreparedStatement, _ relationship: SchemaRelationship, _ isNested: Bool, _ depth: Int,
    to writer: inout JSONWriter
  ) throws {
    let target = layout.schema.entities[relationship.destination]
    guard isNested else { return links.writeKey(list, from: 0, target, to: &writer) }
    let place = Place(table: layout.entities[target.index].table, row: list.integer(0))
    if path.contains(place), target.hasIdentity {
      return links.writeKey(list, wholeRowOf: target, to: &writer)
    }
    guard !path.contains(place) else { return writer.null() }
    try write(list, target.root, depth: depth + 1, from: relationship, to: &writer)
  }

  /// Writes the keys of targets that have not arrived: those that the store remembers apart, and where whole
  /// objects were written, those of a join table.
  private func writeWaiting(
    _ relationship: SchemaRelationship, _ row: PreparedStatement, isNested: Bool,
    to writer: inout JSONWriter
  ) throws {
    if isNested, let missing = try links.missing(for: relationship, row) {
      let target = layout.schema.entities[relationship.destination]
      while try missing.step() { links.writeKey(missing, from: 0, target, to: &writer) }
    }
    guard let waiting = try links.waiting(for: relationship, row) else { return }
    defer { waiting.reset() }
    let target = layout.schema.entities[relationship.destination]
    while try waiting.step() { links.writeWaitingKey(waiting.string(0), target, to: &writer) }
  }
}

extension DateFormat {
  /// Writes a date of the store in this format.
  func write(
    _ stored: UnsafeBufferPointer<UInt8>, using scratch: inout ByteBuffer, to writer: inout JSONWriter
  ) {
    scratch.removeAll()
    switch form {
    case .automatic:
      // `1981-11-13 20:15:00` becomes `1981-11-13T20:15:00Z`: the rest is the same.
      scratch.append(stored)
      guard stored.count >= 19, stored[10] == 0x20 else { return writer.string(stored) }
      scratch[10] = UInt8(ascii: "T")
      scratch.append(UInt8(ascii: "Z"))
      writer.string(scratch.elements)
    case .pattern(let pattern, _):
      guard let time = ISODate.read(stored) else { return writer.string(stored) }
      pattern.write(time, offset: offset(at: time.secondsSince1970), to: &scratch)
      writer.string(scratch.elements)
    case .unix(let unit):
      guard let time = ISODate.read(stored) else { return writer.string(stored) }
      time.appendUnix(unit, to: &scratch)
      writer.raw(scratch.elements)
    }
  }
}

extension CivilTime {
  /// Appends the seconds or milliseconds since 1970, with the fraction.
  fileprivate func appendUnix(_ unit: DateReader.UnixUnit, to bytes: inout ByteBuffer) {
    var nanoseconds = fraction
    for _ in fractionDigits..<9 { nanoseconds *= 10 }
    let perUnit = unit == .seconds ? 1_000_000_000 : 1_000_000
    let unitsPerSecond = unit == .seconds ? 1 : 1000
    var whole = secondsSince1970 * unitsPerSecond + nanoseconds / perUnit
    var rest = nanoseconds % perUnit
    // Before 1970 the fraction counts towards zero.
    let isNegative = whole < 0
    if isNegative, rest > 0 {
      whole += 1
      rest = perUnit - rest
    }
    bytes.append(utf8: isNegative ? "-\(abs(whole))" : "\(whole)")
    guard rest > 0 else { return }
    let digits = String(rest)
    var text = String(repeating: "0", count: (unit == .seconds ? 9 : 6) - digits.count) + digits
    while text.last == "0" { text.removeLast() }
    bytes.append(utf8: "." + text)
  }
}
