import Bytes
import Mapping
import ObjectModel
import ObjectStore
import Stores

extension Query {
  /// A new value for a property of all objects of a query.
  public struct Assignment: Sendable {
    let path: PathKey
    let apply: @Sendable (inout Result) -> Void

    /// Sets a property to a value.
    public static func set<Value: Sendable>(
      _ path: any WritableKeyPath<Result, Value> & Sendable, to value: Value
    ) -> Assignment {
      Assignment(path: PathKey(path)) { $0[keyPath: path] = value }
    }
  }
}

extension WriteTransaction {
  /// Sets a property of all objects of a query to a value.
  ///
  /// ```swift
  /// try transaction.update(Band.filter(#Predicate { $0.formed < 1980 }), set: \.rating, to: 5)
  /// ```
  ///
  /// The rules of saving apply: values are validated, observers are told, and local changes are noted. Attributes
  /// take one statement for all objects, unless local changes are noted or the values must be unique. Otherwise, and
  /// for relationships, the objects are saved one by one.
  ///
  /// - Returns: How many objects are changed. Those that have the value already are not.
  /// - Throws: ``SaveError`` if the value is not what the model allows, or the identity would be another. Then none is
  ///   changed.
  @discardableResult
  public func update<Root: Storable, Value: Sendable>(
    _ query: Query<Root>, set path: any WritableKeyPath<Root, Value> & Sendable, to value: Value
  ) throws -> Int {
    try update(query, .set(path, to: value))
  }

  /// Sets properties of all objects of a query to values.
  ///
  /// ```swift
  /// try transaction.update(Band.all, .set(\.rating, to: nil), .set(\.label, to: ToOne(id: "EMI")))
  /// ```
  ///
  /// The rules of ``update(_:set:to:)`` apply.
  @discardableResult
  public func update<Root: Storable>(
    _ query: Query<Root>, _ assignments: Query<Root>.Assignment...
  ) throws -> Int {
    guard !assignments.isEmpty else { return 0 }
    guard let attributes = try attributes(of: assignments) else { return try updateEach(query, assignments) }
    guard var example = try first(query) else { return 0 }
    for assignment in assignments { assignment.apply(&example) }
    let values = try values(of: attributes, in: example)
    let stored = try query.stored(transaction.layout)
    return try writing { try $0.updateTogether(stored, Array(zip(attributes, values))) }
  }

  /// The new values of attributes, by their indices; nil if the objects have to be saved one by one.
  private func attributes<Root: Storable>(of assignments: [Query<Root>.Assignment]) throws -> [Int]? {
    guard !notesLocalChanges else { return nil }
    let plan = try TypePlan<Root>.of(transaction)
    var attributes: [Int] = []
    for assignment in assignments {
      let index = Root.properties.all.firstIndex { $0.path == assignment.path }
      guard let index, case .attribute(let attribute) = plan.places[index] else { return nil }
      // If several are for one property, the last one counts, as for a saved object.
      if !attributes.contains(attribute) { attributes.append(attribute) }
    }
    return transaction.layout.canUpdateTogether(attributes, of: plan.entity) ? attributes : nil
  }

  /// The values of an object's attributes, in the form of the store.
  ///
  /// - Throws: ``SaveError`` if the object cannot be saved.
  private func values<Root: Storable>(of attributes: [Int], in object: Root) throws -> [SQLValue] {
    draft.clear(existing: nil, isNew: true)
    let row = try draft.add(object)
    guard draft.problems.isEmpty else { throw SaveError(draft.problems) }
    let layout = transaction.layout
    let slots = layout.entities[draft.batch.rows[row].entity].attributeSlots
    return attributes.map { draft.batch.value(of: draft.batch[row, slots[$0]]) }
  }

  private func updateEach<Root: Storable>(
    _ query: Query<Root>, _ assignments: [Query<Root>.Assignment]
  ) throws -> Int {
    try atomically {
      var count = 0
      for object in try fetch(query) {
        var changed = object
        for assignment in assignments { assignment.apply(&changed) }
        guard changed.id == object.id else { throw Self.otherIdentity(of: object, changed.id) }
        let before = transaction.changeCount
        try save(changed)
        if transaction.changeCount != before { count += 1 }
      }
      return count
    }
  }

  private static func otherIdentity<Root: Storable>(of object: Root, _ id: Root.ID) -> SaveError {
    SaveError([
      SaveProblem(
        object: reference(Root.self, object.id), expected: "the identity that it has",
        found: KeyText.text(of: Root.storedParts(of: id)))
    ])
  }
}

extension Store {
  /// Sets a property of all objects of a query to a value, as ``WriteTransaction/update(_:set:to:)`` does.
  ///
  /// - Returns: How many objects are changed.
  /// - Throws: ``SaveError`` if the value is not what the model allows. Then none is changed.
  @discardableResult
  public func update<Root: Storable, Value: Sendable>(
    _ query: Query<Root>, set path: any WritableKeyPath<Root, Value> & Sendable, to value: Value
  ) async throws -> Int {
    try await write { try $0.update(query, set: path, to: value) }
  }
}

extension WriteTransaction {
  /// Empties the store: deletes all objects and links, pending references, and local changes that the server was not
  /// told of.
  ///
  /// Delete rules are not followed, since nothing is left that one could protect. Observers are told of each object.
  /// The file keeps its size until ``Store/vacuum()``.
  public func removeAll() throws {
    try transaction.atomically { try transaction.removeAll() }
    forgetAll()
  }
}

extension Store {
  /// Empties the store: deletes all objects and links, pending references, and local changes that the server was not
  /// told of.
  ///
  /// Observers are told of each object. The file keeps its size until ``vacuum()``.
  public func removeAll() async throws { try await write { try $0.removeAll() } }

  /// Removes the store at a place: its file, and the files that SQLite keeps beside it.
  ///
  /// - Throws: ``StoreError`` if it is no store, or if it is still open.
  public static func remove(at location: StoreLocation) throws { try remove(at: location.place.path()) }
}
