package import ObjectStore

/// The sources of rows whose objects a store has taken over, so that the objects of one are not taken for those of another.
package enum TakenSources {
  /// The place where the store keeps them.
  private static let key = "sources"

  /// The sources by what tells them apart, in the order in which they came.
  package static func all(_ transaction: any EngineTransaction) throws -> [String] {
    try transaction.remembered(under: key)?.split(separator: ",").map(String.init) ?? []
  }

  /// Adds sources.
  ///
  /// - Throws: ``StoreError`` if objects of one would be taken for those of another.
  static func note(
    _ sources: [any RowSource], _ transaction: any EngineTransaction, isDryRun: Bool
  ) throws {
    let before = try all(transaction)
    var taken = before
    for source in sources { try source.add(to: &taken) }
    if !isDryRun { try set(taken, before, transaction) }
  }

  /// Adds the sources of another store, whose objects were copied.
  static func restore(_ sources: [String], _ transaction: any EngineTransaction) throws {
    let before = try all(transaction)
    try set(sources + before.filter { !sources.contains($0) }, before, transaction)
  }

  private static func set(
    _ taken: [String], _ before: [String], _ transaction: any EngineTransaction
  ) throws {
    if taken != before { try transaction.remember(taken.joined(separator: ","), under: key) }
  }
}
