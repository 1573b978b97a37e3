import Bytes
import Mapping
import ObjectModel
import ObjectStore

/// Changes of a store that are all made together, or not at all.
///
/// ```swift
/// try await store.write { transaction in
///   var japan = try transaction.find(Band.self, "Japan")
///   japan.bandDescription = "Later Rain Tree Crow"
///   try transaction.save(japan)
///   try transaction.delete(Album.self, "Assemblage")
/// }
/// ```
///
/// It reads its own changes. If its closure throws, or if saved objects lack at the end what the model requires,
/// nothing is changed. It can be used only inside its closure.
public final class WriteTransaction: ReadTransaction {
  let draft: ObjectDraft
  private let recorder: ChangeRecorder?
  private var writer: (any BatchWriter)?
  /// The writers that were used before something else wrote. What they remember of the store is out of date, but what
  /// they wrote still has to be checked.
  private var former: [any BatchWriter] = []
  /// References of imports whose targets must be there at the end.
  var unresolved: [PendingReference] = []
  /// The objects whose problems show only at the end.
  private var deferred: [Ticket: ObjectReference] = [:]

  /// A problem that may show at the end, by the writer that noted it.
  private struct Ticket: Hashable {
    let writer: Int
    let number: Int
  }

  /// - Parameter isMigration: Whether what is written is noted for the server, where the store keeps a journal, only of
  ///   objects that the server was not told of anyway.
  init(writing transaction: any StoreTransaction, _ store: Store, isMigration: Bool = false) throws {
    try transaction.keepOthersFromWriting()
    let gate = try transaction.kept(for: ValueValidator.self) { try ValueValidator(store) }
    draft = ObjectDraft(transaction, gate)
    recorder = try ChangeRecorder(transaction, notesKnownOnly: isMigration)
    super.init(transaction, store)
  }

  override var canWrite: Bool { true }

  /// Whether saving and deleting is noted in the journal.
  var notesLocalChanges: Bool { recorder != nil }

  // MARK: - Saving

  /// Saves an object: updates the object with its identity, or inserts a new one.
  ///
  /// Only what differs is written. Relationships get the object's links, at both ends; a list that was neither
  /// fetched nor changed keeps its links. New objects in a list are saved too, and so are objects without identity,
  /// which are parts of their owner. Other targets are linked and stay as they are: save them separately.
  ///
  /// - Returns: The object as it is in the store, which matters to those without identity: now they have their
  ///   place.
  /// - Throws: ``SaveError`` if a value is not what the model allows. If one is not unique where it must be, or a required
  ///   relationship leads to nothing, when the transaction ends, the transaction throws ``SaveError``.
  @discardableResult
  public func save<Root: Storable>(_ object: Root) throws -> Root {
    try write(object, over: try row(of: object))
  }

  /// Inserts an object.
  ///
  /// - Returns: The object as it is in the store.
  /// - Throws: ``SaveError`` if one with its identity is there, or a value is not what the model allows.
  @discardableResult
  public func insert<Root: Storable>(_ object: Root) throws -> Root {
    if try row(of: object) != nil {
      throw SaveError([
        SaveProblem(
          object: Self.reference(Root.self, object.id), expected: "an identity that no object has",
          found: "one that is there")
      ])
    }
    return try write(object, over: nil)
  }

  /// Changes the object with an identity.
  ///
  /// ```swift
  /// try transaction.update(Band.self, "Japan") { $0.formed = 1974 }
  /// ```
  ///
  /// - Throws: ``ObjectNotFound`` if there is none, ``SaveError`` if a value is not what the model allows or the
  ///   identity is another.
  @discardableResult
  public func update<Root: Storable>(
    _ type: Root.Type, _ id: Root.ID, _ change: (inout Root) throws -> Void
  ) throws -> Root {
    var object = try find(type, id)
    try change(&object)
    guard Root.storedParts(of: object.id) == Root.storedParts(of: id) else {
      // Saved, it would become another object.
      throw SaveError([
        SaveProblem(
          object: Self.reference(type, id), expected: "the identity that it has",
          found: KeyText.text(of: Root.storedParts(of: object.id)))
      ])
    }
    return try save(object)
  }

  /// Gives an object another identity. All links to it, pending references and the journal follow.
  ///
  /// ```swift
  /// try transaction.rename(Band.self, "Japan", to: "Rain Tree Crow")
  /// ```
  ///
  /// In a store that tracks local changes, the server has to be told.
  ///
  /// - Throws: ``ObjectNotFound`` if there is no such object, ``SaveError`` if another has that identity, or had it and
  ///   the server was not told yet that it is deleted. Then nothing is changed.
  /// - Complexity: O(*n*) in the number of links to the object, found through indexes.
  public func rename<Root: Storable>(_ type: Root.Type, _ id: Root.ID, to new: Root.ID) throws {
    guard let row = try TypedCursors<Root>.of(transaction).row(of: id) else {
      throw ObjectNotFound(object: Self.reference(type, id))
    }
    let entity = try TypePlan<Root>.of(transaction).entity
    guard entity.hasIdentity else { return }
    let parts = Root.storedParts(of: new)
    if let recorder, try recorder.holdsDeleted(entity, row: row, parts) {
      throw taken(
        type, id, parts,
        "an identity that the server has no object for: one was deleted here, and that is not confirmed yet")
    }
    let rename = { try self.writing { try $0.rename(row, of: entity, to: parts) } }
    let outcome = try recorder?.recordingRename(entity, row, to: parts, rename) ?? rename()
    if outcome == .taken { throw taken(type, id, parts, "an identity that no object has") }
  }

  private func taken<Root: Storable>(
    _ type: Root.Type, _ id: Root.ID, _ parts: [SQLValue], _ expected: String
  ) -> SaveError {
    SaveError([
      SaveProblem(object: Self.reference(type, id), expected: expected, found: KeyText.text(of: parts))
    ])
  }

  private func row<Root: Storable>(of object: Root) throws -> Int64? {
    guard object.isInStore else { return nil }
    return try TypedCursors<Root>.of(transaction).row(of: object.id)
  }

  private func write<Root: Storable>(_ object: Root, over existing: Int64?) throws -> Root {
    let row = try write(over: existing) { try $0.add(object) }
    return try TypedCursors<Root>.of(transaction).find(row: row) ?? object
  }

  /// Writes the object that `body` drafts. Returns its row.
  ///
  /// - Parameters:
  ///   - existing: The row of the object, if it is in the store.
  ///   - body: Drafts the object and returns its row in the draft.
  ///   - isNew: Whether it was inserted just now, if it is in the store.
  func write(
    over existing: Int64?, isNew: Bool = false, _ body: (ObjectDraft) throws -> Int
  ) throws -> Int64 {
    draft.clear(existing: existing, isNew: isNew || existing == nil)
    let root = try body(draft)
    guard draft.problems.isEmpty else { throw SaveError(draft.problems) }
    guard draft.hasOpenLists else { return try write(root, over: existing) }
    return try atomically { try write(over: try write(root, over: existing), isNew: existing == nil, body) }
  }

  /// Writes the draft and notes the changes.
  private func write(_ root: Int, over existing: Int64?) throws -> Int64 {
    guard let recorder else { return try writeDraft(root, over: existing) }
    let entity = transaction.layout.schema.entities[draft.batch.rows[root].entity]
    return try atomically {
      let row = try recorder.recording(entity, over: existing, draft.listed(by: root)) {
        try writeDraft(root, over: existing)
      }
      for new in draft.newRows where draft.batch.rows[new].isNew {
        let entity = transaction.layout.schema.entities[draft.batch.rows[new].entity]
        try recorder.noteInserted(entity, row: draft.batch.rows[new].rowID)
      }
      return row
    }
  }

  private func writeDraft(_ root: Int, over existing: Int64?) throws -> Int64 {
    try writing { writer in
      let checkpoint = writer.checkpoint
      let row = try draft.write { batch in
        try writer.write(root: root, to: batch.rows.count, over: existing, of: &batch)
        return batch.rows[root].rowID
      }
      try check(writer)
      draft.write { batch in
        for former in former { former.forgetReleases(before: former.checkpoint, madeUpForBy: root, batch) }
        writer.forgetReleases(before: checkpoint, madeUpForBy: root, batch)
      }
      return row
    }
  }

  // MARK: - Deleting

  /// Deletes an object, and other objects by its delete rules.
  ///
  /// A rule, or an object that requires this one, is looked at when the transaction ends: it may be gone by then.
  ///
  /// - Throws: ``ObjectNotFound`` if it is not there. The transaction throws ``SaveError`` if something still stands
  ///   against it at the end.
  public func delete<Root: Storable>(_ object: Root) throws { try delete(Root.self, object.id) }

  /// Deletes the object with an identity, and other objects by its delete rules.
  ///
  /// - Throws: ``ObjectNotFound`` if there is none. The transaction throws ``SaveError`` if something still stands against
  ///   it at the end.
  public func delete<Root: Storable>(_ type: Root.Type, _ id: Root.ID) throws {
    guard let row = try TypedCursors<Root>.of(transaction).row(of: id) else {
      throw ObjectNotFound(object: Self.reference(type, id))
    }
    try delete(row, of: try TypePlan<Root>.of(transaction).entity)
  }

  /// Deletes the objects of a query, and other objects by their delete rules.
  ///
  /// - Returns: How many objects of the query were deleted.
  /// - Throws: The transaction throws ``SaveError`` if something still stands against it at the end.
  @discardableResult
  public func delete<Root: Storable>(_ query: Query<Root>) throws -> Int {
    let stored = try query.stored(transaction.layout)
    let rows = try transaction.translatingErrors { try transaction.rows(of: stored) }
    return try delete(rows, of: transaction.layout.entity(named: stored.entity))
  }

  /// Deletes objects of the store, and returns how many there were.
  func delete(_ rows: [Int64], of entity: SchemaEntity) throws -> Int {
    let table = transaction.layout.entities[entity.index].table
    return try writing { writer in
      if try writer.deleteTogether(rows, of: entity) { return rows.count }
      let before = writer.deletedObjects.count
      for held in try writer.deleteObjects(rows, ofTable: table) {
        let name = transaction.layout.schema.entities[held.entity].name
        deferred[Ticket(writer: former.count, number: held.ticket)] =
          ObjectReference(entity: name, identity: held.identity)
      }
      try recorder?.noteDeleted(writer.deletedObjects.dropFirst(before))
      return rows.count
    }
  }

  /// Deletes the object in a row.
  func delete(_ row: Int64, of entity: SchemaEntity) throws { _ = try delete([row], of: entity) }

  // MARK: - The writer

  /// Runs `body`, which writes. If it throws, everything that it did is undone.
  func writing<Result>(_ body: (any BatchWriter) throws -> Result) throws -> Result {
    var policy = WritePolicy.local
    policy.namesAllDeleted = recorder != nil
    let writer = try writer ?? transaction.localWriter(policy, equality: draft.isSame)
    self.writer = writer
    return try atomically { try body(writer) }
  }

  /// Runs `body`. If it throws, everything that it did is undone, and nothing of it is checked at the end.
  func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    let checkpoint = writer?.checkpoint ?? WriterCheckpoint()
    do {
      return try transaction.atomically(body)
    } catch {
      writer?.forget(after: checkpoint)
      throw error
    }
  }

  /// Must be called before something else writes.
  func leaveWriter() {
    if let writer { former.append(writer) }
    writer = nil
  }

  /// Forgets the saves and imports, all of which were undone.
  func forgetAll() {
    writer = nil
    former = []
    deferred = [:]
    unresolved = []
  }

  /// Ends the saves and imports: what the model requires must be there now, and the targets that imports may not wait
  /// for.
  ///
  /// - Throws: ``SaveError`` or ``ImportError`` if it is not.
  func runDeferredChecks() throws {
    leaveWriter()
    let nobody = ObjectReference(entity: "", identity: "")
    var problems: [SaveProblem] = []
    for (index, writer) in former.enumerated() {
      let found = try writer.runDeferredChecks(PruneRequest())
      problems += found.problems.map { problem in
        describe(problem.reason, deferred[Ticket(writer: index, number: problem.ticket)] ?? nobody)
      }
      problems += found.general.map { describe($0, nobody) }
    }
    former = []
    guard problems.isEmpty else { throw SaveError(problems) }
    try Importer.check(unresolved, in: transaction)
  }

  /// - Throws: ``SaveError`` for what could not be written. What shows at the end only is remembered until then.
  private func check(_ writer: any BatchWriter) throws {
    let problems = writer.problems
    writer.problems = []
    var final: [SaveProblem] = []
    for problem in problems {
      let object = draft.reference(of: problem.row)
      if case .deferred(let ticket) = problem.reason {
        deferred[Ticket(writer: former.count, number: ticket)] = object
      } else {
        final.append(describe(problem.reason, object))
      }
    }
    if !final.isEmpty { throw SaveError(final) }
  }
}
