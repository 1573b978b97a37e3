import Bytes
import ObjectModel

/// What all parts of a writer share: the transaction, the rules of the write, and what has happened so far.
final class WriteContext {
  let transaction: SQLiteTransaction
  let layout: Layout
  let policy: WritePolicy
  /// What lists mean, by relationship.
  let toMany: [ToManyPolicy]
  /// What is done about references to objects that are not there, by relationship.
  let references: [ReferencePolicy]
  /// The local changes that an import has to heed; nil if there are none.
  let unsent: UnsyncedChanges?
  /// The objects that were written with the same values before.
  let repetitions: Repetitions
  /// What has happened to the objects so far.
  var tally: WriteCounter
  /// What could not be written.
  var problems: RowProblems
  /// Whether anything was left out that may have held objects.
  var hasLeftOutObjects: Bool
  /// Whether all that the tables hold was written by this writer.
  private let isFresh: Bool
  /// By relationship, whether objects were linked by their keys, so that a new object may have links already.
  private var hasLinksByKey: [Bool]
  /// Statements that are seldom needed, by their SQL.
  private var rareStatements: [String: PreparedStatement] = [:]

  /// - Parameter former: What the former transaction of the same import left to be done.
  init(_ transaction: SQLiteTransaction, _ policy: WritePolicy, continuing former: RowWriterState?) throws {
    self.transaction = transaction
    self.policy = policy
    layout = transaction.layout
    isFresh = transaction.takeFreshness()
    unsent =
      policy.isLocal ? nil : try transaction.unsyncedChanges(isProtective: !policy.overwritesUnsent)
    let relationships = layout.schema.relationships
    toMany = relationships.map(policy.meaning(ofList:))
    references = relationships.map(policy.treatment(ofReferences:))
    repetitions = Repetitions(layout)
    tally = former?.tally ?? WriteCounter(entities: layout.entities.count, tables: layout.tables.count)
    problems = RowProblems(nextTicket: former?.nextTicket ?? 0)
    hasLeftOutObjects = former?.hasLeftOutObjects ?? false
    hasLinksByKey = relationships.map(\.isItsOwnInverse)
  }

  // MARK: - Lists

  /// Whether a list adds to the links that are there. A null clears them all the same.
  func merges(_ list: LinkList) -> Bool { toMany[list.relationship] == .merge && !list.isCleared }

  /// Notes that objects were linked by their keys, so that a new object may find itself linked.
  func noteLinksByKey(of relationship: Int) {
    hasLinksByKey[relationship] = true
    if let inverse = layout.schema.relationships[relationship].inverse { hasLinksByKey[inverse] = true }
  }

  /// Whether a row can have links already. A new object in a store that was empty cannot, as long as all links
  /// were made by nesting.
  func mayHaveLinks(_ row: Int, _ relationship: Int, _ batch: borrowing RowBatch) -> Bool {
    !isFresh || !batch.rows[row].isNew || hasLinksByKey[relationship]
  }

  // MARK: - Unsent changes

  /// Whether a program changed a property of an object, so that an import may not change it on another's behalf.
  func isUnsent(_ property: String, of row: Int64, entity: Int) -> Bool {
    unsent?.protects(property, of: row, table: layout.entities[entity].table) ?? false
  }

  /// Whether a program changed an object, so that an import may not delete it.
  func isUnsent(_ row: Int64, inTable table: Int) -> Bool {
    unsent?.protection(of: row, table: table) != nil
  }

  /// Counts an object of which something stays as a program has it.
  func countUnsent(_ row: Int64, entity: Int) {
    tally.countPartlyUnsent(row: row, entity: entity, table: layout.entities[entity].table)
  }

  /// Counts an object that is not deleted, since a program changed it.
  func countUnsent(_ row: Int64, inTable table: Int) {
    tally.countPartlyUnsent(row: row, entity: layout.tables[table].root, table: table)
  }

  // MARK: - Changes by statements of their own

  /// Notes that a row was changed through another object's relationship.
  ///
  /// - Parameter entity: The entity that the relationship is of; the object may be of a sub-entity.
  func noteChange(of row: Int64, entity: Int) throws {
    try countChange(of: row, entity: entity)
    repetitions.forget(inTable: layout.entities[entity].table)
  }

  /// Counts a change of an object that came about through another's relationship.
  func countChange(of row: Int64, entity: Int) throws {
    let table = layout.entities[entity].table
    var actual = entity
    if layout.tables[table].kindColumn != nil {
      let kind = try rareStatement(DeletionSQL(layout: layout, table: layout.tables[table]).kind, row)
      if try kind.step() { actual = layout.schema.index(of: kind.string(0)) ?? entity }
      kind.reset()
    }
    tally.countChange(row: row, entity: actual, table: table)
  }

  /// Prepares a statement that takes a row id and is seldom needed.
  func rareStatement(_ sql: String, _ row: Int64) throws -> PreparedStatement {
    let statement = try rareStatements[sql] ?? transaction.prepare(sql)
    rareStatements[sql] = statement
    statement.bind(row, at: 1)
    return statement
  }
}
