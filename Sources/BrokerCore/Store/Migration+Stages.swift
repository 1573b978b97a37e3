public import ObjectModel
public import ObjectStore

extension Store.Migration {
  /// The same, with the next of the versions that a store passes through, and code for what does not follow from the models.
  ///
  /// ```swift
  /// try Store.Migration.automatic
  ///   .stage(Model(contentsOf: URL(filePath: "first.json")))
  ///   .stage(Model(contentsOf: URL(filePath: "second.json"))) { old, new in
  ///     try old.forEach(ObjectQuery("Person")) { person in
  ///       guard case .string(let first)? = person["first"], case .string(let last)? = person["last"] else {
  ///         return
  ///       }
  ///       try new.save(Object("Person", ["id": person["id"] ?? .null, "name": .string("\(first) \(last)")]))
  ///     }
  ///   }
  /// ```
  ///
  /// A store of one of the versions goes through those that follow, all in one transaction. What the models say by
  /// themselves is done before the code runs; what the code has to do with is read from `old`, where all is as it was. What
  /// has no place in the version goes, since the code can see it. Changes that the server was not told of do not: where such
  /// a change has no place, what the code saves of the object is told in its place. If it saves nothing of it, the
  /// migration is refused without consent to removals.
  ///
  /// - Parameters:
  ///   - model: The version. The first stage is the oldest version, and needs no code.
  ///   - body: Is given the objects as they were, and a transaction that writes them as they become. What it throws ends
  ///     the migration, and the store is as it was. It is called on the thread that opens the store.
  public func stage(
    _ model: Model,
    _ body: (@Sendable (_ old: ReadTransaction, _ new: WriteTransaction) throws -> Void)? = nil
  ) -> Store.Migration {
    var migration = self
    guard let body else {
      migration.stages.append(MigrationStage(model: model, body: nil))
      return migration
    }
    migration.stages.append(
      MigrationStage(model: model) { old, new in
        // Transactions ask a store for what it knows of its model.
        let stores = (
          try Store(path: ":memory:", model: old.layout.schema.model),
          try Store(path: ":memory:", model: new.layout.schema.model)
        )
        let writing = try WriteTransaction(writing: new, stores.1, isMigration: true)
        try body(ReadTransaction(old, stores.0), writing)
        try writing.runDeferredChecks()
      })
    return migration
  }
}
