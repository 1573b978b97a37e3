/// How the tables of a store are to lie on several servers.
package struct DistributionRequest: Sendable {
  /// Tables of at most so many rows are kept whole on each server, unless something else is said of them.
  package static let usualReferenceRows = 10_000

  /// The entities whose tables are kept whole on each server, by their names.
  package var reference: [String] = []
  /// The entities whose objects are distributed, by their names.
  package var distributed: [String] = []
  package var referenceRows = usualReferenceRows
  /// Whether all tables are to be local again. Then nothing else is asked for.
  package var isUndo = false
  /// Called before each statement that moves the rows of a table.
  package var onProgress: (@Sendable (DistributionProgress) -> Void)?

  package init() {}
}

/// How far the tables of a store are distributed, or made local again.
package struct DistributionProgress: Sendable, Hashable {
  /// The table whose rows are moved next.
  package let table: String
  package let rows: Int
  /// The number of that table among those whose rows move, from 1 on, and how many these are.
  package let number: Int
  package let count: Int

  package init(table: String, rows: Int, number: Int, count: Int) {
    (self.table, self.rows, self.number, self.count) = (table, rows, number, count)
  }
}

/// The statements that distribute the tables of a store or make them local again, planned or executed.
package struct DistributionPlan: Sendable, Codable {
  /// Where the rows of a table are.
  package enum Kind: String, Sendable, Codable {
    /// Each on one server, by the value of a column.
    case distributed
    /// All on each server.
    case reference
    /// All on the server that programs connect to.
    case local
  }

  package struct Table: Sendable, Codable {
    package var name: String
    package var kind: Kind
    /// The column that says on which server a row is.
    package var column: String?
    /// The table whose rows with the same value are on the same server.
    package var colocatedWith: String?
    package var rows: Int
    package var bytes: Int
    package var reason: String
    /// Whether it is so already.
    package var isDone: Bool

    package init(
      name: String, kind: Kind, column: String? = nil, colocatedWith: String? = nil, rows: Int, bytes: Int,
      reason: String, isDone: Bool
    ) {
      (self.name, self.kind, self.column, self.colocatedWith) = (name, kind, column, colocatedWith)
      (self.rows, self.bytes, self.reason, self.isDone) = (rows, bytes, reason, isDone)
    }
  }

  /// Limits of distributed tables, and their consequences.
  package struct Limit: Sendable, Codable, Hashable {
    package var what: String
    package var consequence: String

    package init(_ what: String, _ consequence: String) {
      (self.what, self.consequence) = (what, consequence)
    }
  }

  /// Whether it makes tables local again.
  package var isUndo = false
  package var tables: [Table] = []
  /// The statements of the transaction, in their order.
  package var statements: [String] = []
  /// The statements after the commit, which give back the room that rows took where they were before.
  package var statementsAfterCommit: [String] = []
  package var limits: [Limit] = []
  /// Features that the server lacks for it, in sentences.
  package var missing: [String] = []
  /// The version of the extension; nil if the database has none.
  package var extensionVersion: String?
  /// How many servers rows can be put on.
  package var nodes = 0
  /// Whether the statements were executed.
  package var isExecuted = false

  package init() {}
}

extension StoreBackend {
  /// Distributes the tables over several servers, or says what that takes.
  ///
  /// - Throws: ``StoreError`` if the engine cannot do that, the server lacks what it takes, or a name is no entity's.
  package func distribute(_ request: DistributionRequest, isPlanOnly: Bool) throws -> DistributionPlan {
    throw StoreError.invalid(
      "\(path) is one file, whose tables cannot be distributed. A store in a PostgreSQL database with the extension"
        + " citus can: broker copy --from \(path) --to postgresql://HOST/DATABASE puts it there.")
  }
}

extension Store {
  /// Distributes the tables over several servers, or says what that takes.
  package func distribute(_ request: DistributionRequest, isPlanOnly: Bool) throws -> DistributionPlan {
    try backend.distribute(request, isPlanOnly: isPlanOnly)
  }
}
