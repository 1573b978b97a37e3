import Bytes
import ObjectModel

/// The key, as our store has it, of an object that a Core Data store refers to by `Z_PK`.
struct CoreDataKey {
  enum Outcome {
    /// There is no reference.
    case nothing
    case one(Cell)
    /// The parts of a composite key.
    case several([Cell])
    case unusable(expected: String, found: String)
  }

  private enum Form {
    /// Core Data's own key. If several entities are possible, a column has the target's number.
    case objectID(number: Int?)
    /// The target's identity: for each part, its column and how it is read.
    case identity([(column: Int, conversion: CoreDataValue)])
  }

  /// The column of the query with the target's `Z_PK`.
  private let reference: Int
  private let form: Form
  private let destination: String
  /// The name of an object of the destination, up to its number.
  private let prefix: [UInt8]
  private let names: CoreDataNames
  /// The numbers of the entities that the target may be of.
  private let allowed: [Int64]

  /// Adds what it takes to a query. Nil if the target's key cannot be made of what the store has.
  ///
  /// - Parameters:
  ///   - entity: The destination, in the schema of the source.
  ///   - sql: The reference.
  ///   - target: The destination, in the schema of the store that is imported into.
  init?(
    to entity: Int, _ sql: String, _ shared: CoreDataSelection.Shared, _ target: SchemaEntity,
    _ query: inout CoreDataQuery
  ) {
    let binding = shared.binding
    names = shared.names
    allowed = binding.numbers(of: entity)
    destination = binding.schema.entities[entity].name
    prefix = names.keyPrefix(of: destination)
    guard target.hasIdentity, !target.isIdentifiedBelowRoot, let table = binding.rootTable(of: entity) else {
      return nil
    }
    let from = "FROM \(SQL.quoted(table)) r WHERE r.Z_PK = (\(sql))"
    if let name = names.objectID(of: entity), target.identity.map(\.name) == [name] {
      reference = query.add(sql)
      form = .objectID(
        number: binding.tableIsShared(by: entity) ? query.add("(SELECT r.Z_ENT \(from))") : nil)
      return
    }
    guard let place = binding.place(inFamilyOf: entity) else { return nil }
    var parts: [(String, AttributeType)] = []
    for part in target.identity {
      guard part.attribute != nil, let column = place.attributes[part.name] else { return nil }
      parts.append((column, part.type))
    }
    reference = query.add(sql)
    form = .identity(
      parts.map { column, type in
        (query.add("(SELECT r.\(SQL.quoted(column)) \(from))"), CoreDataValue(type: type, external: nil))
      })
  }

  func append(from row: PreparedStatement, _ batch: inout RowBatch) -> Outcome {
    guard row.storage(reference) != nil else { return .nothing }
    let key = row.integer(reference)
    switch form {
    case .objectID(nil): return .one(CoreDataNames.append(key, after: prefix, to: &batch))
    case .objectID(let column?):
      // What is not there has no number. It waits under the name of the destination.
      guard row.storage(column) != nil else {
        return .one(CoreDataNames.append(key, after: prefix, to: &batch))
      }
      let number = row.integer(column)
      let name = names.entity(number)
      guard allowed.contains(number), let name else {
        return .unusable(expected: "a \(destination)", found: "\(name ?? "entity \(number)")/p\(key)")
      }
      return .one(batch.text(names.key(name, key)))
    case .identity(let parts):
      var cells: [Cell] = []
      for (column, conversion) in parts {
        // try?: the value is no key; reading the object tells why.
        guard let cell = try? conversion.cell(row, column, &batch), cell.kind != .null else {
          return .unusable(
            expected: "a \(destination) that is there", found: "\(destination)/p\(key), which is not")
        }
        cells.append(cell)
      }
      return cells.count == 1 ? .one(cells[0]) : .several(cells)
    }
  }
}

/// The names by which objects of a Core Data store are told.
struct CoreDataNames: Sendable {
  private let names: [Int64: String]
  /// By entity of the source's schema, the attribute for Core Data's own key; nil where something else is the identity.
  private let objectIDs: [String?]
  /// The beginning of the keys of objects, where the store has those of another file as well.
  private let qualifier: String

  init(_ binding: CoreDataBinding, _ identities: [CoreDataIdentity], qualifier: String = "") {
    names = binding.names
    self.qualifier = qualifier
    let own = identities.filter(\.isObjectID).map { ($0.entity, $0.attributes.first) }
    let byRoot = Dictionary(own) { first, _ in first }
    objectIDs = binding.schema.entities.map { byRoot[binding.schema.entities[$0.root].name] ?? nil }
  }

  func entity(_ number: Int64) -> String? { names[number] }

  func objectID(of entity: Int) -> String? { objectIDs[entity] }

  /// The name of an object of an entity, up to its number.
  static func prefix(of entity: String) -> [UInt8] { Array("\(entity)/p".utf8) }

  /// The key of an object of an entity, up to its number.
  func keyPrefix(of entity: String) -> [UInt8] { Array("\(qualifier)\(entity)/p".utf8) }

  func key(_ entity: String, _ key: Int64) -> String { "\(qualifier)\(entity)/p\(key)" }

  static func append(_ key: Int64, after prefix: [UInt8], to batch: inout RowBatch) -> Cell {
    let offset = batch.bytes.count
    prefix.withUnsafeBufferPointer { batch.bytes.append($0) }
    batch.bytes.append(decimal: key)
    return .text(at: offset, count: batch.bytes.count - offset)
  }

  /// The last part of Core Data's address of an object.
  func objectName(_ entity: String, _ key: Int64) -> String { "\(entity)/p\(key)" }
}

extension CoreDataBinding {
  /// Whether the table of an entity may have objects of several entities.
  func tableIsShared(by entity: Int) -> Bool {
    schema.family(of: schema.entities[entity].root).count { places[$0] != nil } > 1
  }
}
