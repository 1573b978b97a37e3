import ObjectModel

/// The identity of an entity's objects in a Core Data store.
package struct CoreDataIdentity: Sendable, Hashable {
  package let entity: String
  /// The attributes; the one called `objectID` holds the last part of Core Data's own address: `Band/p12`.
  package let attributes: [String]
  /// Why these.
  package let reason: String
  package let isObjectID: Bool

  /// The choice in words.
  package var sentence: String {
    let names = attributes.joined(separator: ", ")
    return "\(entity) is identified by \(names)\(isObjectID ? ", Core Data's own key" : ""): \(reason)"
  }
}

/// Chooses what objects are told by: what the model names, if it is unique in the data; else their keys in the file.
struct CoreDataIdentityChooser {
  private let binding: CoreDataBinding
  private let handle: OpaquePointer
  /// By entity, what the caller says: attributes, joined by commas, or `objectID`.
  private let wanted: [String: String]
  /// By entity, what the store that is imported into has.
  private let given: [String: [String]]
  private(set) var notes: [String] = []
  /// Objects of the file that come to one identity.
  private(set) var problems: [SourceProblem] = []

  init(
    _ binding: CoreDataBinding, _ handle: OpaquePointer, wanted: [String: String], given: [String: [String]]
  ) {
    self.binding = binding
    self.handle = handle
    self.wanted = wanted
    self.given = given
  }

  /// The word by which a caller asks for Core Data's own key.
  static let objectID = "objectID"

  /// The choices for all root entities.
  ///
  /// - Throws: ``StoreError`` for a choice of the caller's that is not possible.
  mutating func choices() throws -> [CoreDataIdentity] {
    for name in wanted.keys.sorted() {
      guard let entity = binding.schema.entity(name) else {
        let names = binding.schema.entities.map(\.name)
        throw StoreError.unknownEntity(name, nearest: nearestName(to: name, in: names))
      }
      guard entity.root == entity.index else {
        let root = binding.schema.entities[entity.root].name
        throw StoreError.invalid("\(name) has the identity of \(root). Say it for that.")
      }
    }
    var choices: [CoreDataIdentity] = []
    for root in binding.schema.entities where root.root == root.index { choices.append(try choice(of: root)) }
    return choices
  }

  private mutating func choice(of root: SchemaEntity) throws -> CoreDataIdentity {
    let known = binding.schema.family(of: root.index).compactMap { given[binding.schema.entities[$0].name] }
    if let names = known.first, !names.isEmpty { return try choice(of: root, given: names) }
    if let asked = wanted[root.name] { return try choice(of: root, asked: asked) }
    guard let declared = root.declaredIdentity, root.hasIdentity else {
      return objectID(root, "the model names none")
    }
    let names = declared.properties
    guard names.allSatisfy({ root.attribute($0) != nil }) else {
      return objectID(root, "\(names.joined(separator: ", ")) is no plain attribute")
    }
    if let why = try fault(names, root) { return objectID(root, why) }
    if declared.source == .convention, try !hasSeveral(root) {
      return objectID(
        root, "\(names.joined(separator: ", ")) is one by its name only, and too few objects prove it")
    }
    let reason =
      switch declared.source {
      case .annotation: "the model says so"
      case .uniquenessConstraint: "it is the entity's uniqueness constraint"
      case .convention: "by its name, and its values are unique"
      }
    return CoreDataIdentity(entity: root.name, attributes: names, reason: reason, isObjectID: false)
  }

  /// The identity that the objects have in the store already.
  private mutating func choice(of root: SchemaEntity, given names: [String]) throws -> CoreDataIdentity {
    let reason = "the store has it"
    guard names.allSatisfy({ root.attribute($0) != nil }) else {
      // One that the file does not have is the attribute for Core Data's own key.
      let name = names.count == 1 ? names[0] : Self.name(ofObjectID: root, binding.schema)
      return CoreDataIdentity(entity: root.name, attributes: [name], reason: reason, isObjectID: true)
    }
    if let why = try fault(names, root) {
      notes.append("\(root.name): \(why), which is its identity in the store")
      problems += try repeated(names, root)
    }
    return CoreDataIdentity(entity: root.name, attributes: names, reason: reason, isObjectID: false)
  }

  private func choice(of root: SchemaEntity, asked: String) throws -> CoreDataIdentity {
    if asked == Self.objectID { return objectID(root, "asked for") }
    let names = asked.split(separator: ",").map(String.init)
    for name in names where root.attribute(name) == nil {
      let known = root.attributes.map(\.name)
      throw StoreError.unknownProperty(name, entity: root.name, nearest: nearestName(to: name, in: known))
    }
    if names.isEmpty { throw StoreError.invalid("The identity of \(root.name) needs an attribute.") }
    if let why = try fault(names, root) {
      throw StoreError.invalid("\(asked) cannot be the identity of \(root.name): \(why).")
    }
    return CoreDataIdentity(entity: root.name, attributes: names, reason: "asked for", isObjectID: false)
  }

  private func objectID(_ root: SchemaEntity, _ reason: String) -> CoreDataIdentity {
    CoreDataIdentity(
      entity: root.name, attributes: [Self.name(ofObjectID: root, binding.schema)], reason: reason,
      isObjectID: true)
  }

  /// The attribute for Core Data's own key, called so that no entity of the family has a property of that name.
  private static func name(ofObjectID root: SchemaEntity, _ schema: Schema) -> String {
    var taken: Set<String> = []
    for member in schema.family(of: root.index) {
      let entity = schema.entities[member]
      taken.formUnion(entity.attributes.map { $0.name.lowercased() })
      taken.formUnion(entity.relationships.map { schema.relationships[$0].name.lowercased() })
    }
    return [objectID, "coreDataID", "coreDataObjectID"].first { !taken.contains($0.lowercased()) }
      ?? "coreData_\(objectID)"
  }

  // MARK: - The data

  /// Why some attributes do not tell all objects of a root apart; nil if they do.
  private func fault(_ names: [String], _ root: SchemaEntity) throws -> String? {
    guard let place = binding.places[root.index] else { return nil }
    let columns = names.compactMap { place.attributes[$0] }.map(SQL.quoted)
    guard columns.count == names.count else { return "it has no column" }
    let numbers = binding.numbers(of: root.index).map(String.init).joined(separator: ", ")
    let from = "FROM \(SQL.quoted(place.table)) WHERE Z_ENT IN (\(numbers))"
    let empty = columns.map { "\($0) IS NULL" }.joined(separator: " OR ")
    let all = columns.joined(separator: ", ")
    let name = names.joined(separator: ", ")
    if let count = try count("SELECT count(*) \(from) AND (\(empty))"), count > 0 {
      return "\(count) \(count == 1 ? "object has" : "objects have") no \(name)"
    }
    let repeated = "SELECT count(*) FROM (SELECT 1 \(from) GROUP BY \(all) HAVING count(*) > 1)"
    if let count = try count(repeated), count > 0 {
      return "\(count) \(count == 1 ? "value of \(name) is" : "values of \(name) are") not unique"
    }
    return nil
  }

  /// Whether there are several objects, so that values that differ mean something.
  private func hasSeveral(_ root: SchemaEntity) throws -> Bool {
    guard let table = binding.rootTable(of: root.index) else { return false }
    let numbers = binding.numbers(of: root.index).map(String.init).joined(separator: ", ")
    let count = try count("SELECT count(*) FROM \(SQL.quoted(table)) WHERE Z_ENT IN (\(numbers))")
    return (count ?? 0) > 1
  }

  /// How many identities that several objects have are told.
  private static let mostRepeated = 100

  /// The objects that come to one identity, which the store has for its entity.
  private func repeated(_ names: [String], _ root: SchemaEntity) throws -> [SourceProblem] {
    guard let place = binding.place(inFamilyOf: root.index) else { return [] }
    let columns = names.compactMap { place.attributes[$0] }.map(SQL.quoted)
    guard columns.count == names.count else { return [] }
    let numbers = binding.numbers(of: root.index).map(String.init).joined(separator: ", ")
    let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let statement = try PreparedStatement(
      """
      SELECT count(*), min(Z_PK), \(columns.joined(separator: ", ")) FROM \(SQL.quoted(place.table))
      WHERE Z_ENT IN (\(numbers)) AND \(present) GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1
      ORDER BY 2 LIMIT \(Self.mostRepeated)
      """, on: handle)
    var problems: [SourceProblem] = []
    while try statement.step() {
      let key = KeyText.ofColumns(2..<2 + columns.count, statement)
      problems.append(
        SourceProblem(
          object: "\(root.name)/p\(statement.integer(1))", entity: root.name,
          property: names.joined(separator: ", "), expected: "one object with the identity \(key)",
          found: "\(statement.integer(0)) objects", action: "they became one object"))
    }
    return problems
  }

  private func count(_ sql: String) throws -> Int64? {
    let statement = try PreparedStatement(sql, on: handle)
    return try statement.step() ? statement.integer(0) : nil
  }
}
