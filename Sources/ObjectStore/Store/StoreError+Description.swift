extension StoreError: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .notAStore(let path, let why, _):
      "\(path) is not a Broker store: \(why)."
    case .notCoreData(let path, let why):
      "\(path) is not a Core Data store: \(why)."
    case .modelDoesNotFit(let path, let version, let differences):
      "No version of the model fits the Core Data store \(path)."
        + " \(version.map { "The nearest is \($0)" } ?? "It is the wrong one"): \(differences.joined(separator: "; "))."
    case .missing(let path):
      "There is no store at \(path)."
    case .modelNeeded(let path):
      "The store \(path) does not exist yet, so a model is needed to create it."
    case .modelChanged(let path, let differences):
      "The model differs from the one in the store \(path). Nothing was changed. What differs:"
        + " \(differences.joined(separator: "; "))."
    case .migrationRefused(let path, let plan):
      "The store \(path) is of another version of the model, and cannot be of this one without being told more. Nothing"
        + " was changed.\n" + plan.refused.map { "  \($0)" }.joined(separator: "\n")
    case .migratedByOthers(let path):
      "Another program has given the store \(path) another version of the model. Nothing was changed. Open it again, with"
        + " that version."
    case .newerReadableFormat(let path, let format):
      "The store \(path) was written by a newer version of Broker (format \(format)). It can be read, and not written."
    case .unreadable(let path, let why):
      "The store \(path) cannot be opened: \(why)."
    case .readOnly(let path):
      "The store \(path) is read-only: allow writing to the file and its folder."
    case .locked(let path, let timeout, let holder):
      "\(holder.map { "Others (\($0))" } ?? "Others") have been using the store \(path) for longer than the time to wait,"
        + " \(timeout). Nothing was changed."
    case .changedWhileRead(let path):
      "The store \(path) was changed while it was read, which only who may write it can be kept from. Try again."
    case .mappingAppeared(let path):
      "Another program has just made the store \(path) with a mapping of its own. Nothing was changed. Try again."
    case .basisChanged(let path):
      "Another program has just given the store \(path) another model. Nothing was changed. Try again."
    case .newerFormat(let path, let format):
      "The store \(path) was written by a newer version of Broker (format \(format))."
    case .unknownEntity(let name, let nearest):
      "There is no entity \(name)." + (nearest.map { " Did you mean \($0)?" } ?? "")
    case .unknownProperty(let name, let entity, let nearest):
      "\(entity) has no property \(name)." + (nearest.map { " Did you mean \($0)?" } ?? "")
    case .invalid(let message), .server(_, let message), .uncertainCommit(let message): message
    case .closed: "The store is closed."
    // SQLITE_TOOBIG
    case .sqlite(18, _, _):
      "A value, or the values of an object together, is longer than SQLite takes, which is 1,000,000,000 bytes."
    // SQLITE_CORRUPT, also for a page that the disk does not give.
    case .sqlite(let code, _, _) where code & 0xFF == 11: "\(CorruptFile.words) (SQLite's code \(code))."
    // SQLITE_FULL
    case .sqlite(13, _, _): "The disk is full, so the store could not be written."
    case .sqlite(_, "integer overflow", _): Self.overflow
    case .sqlite(_, let message, _) where FullTextSearch.isCause(of: message): FullTextSearch.isMissing
    case .sqlite(_, let message, _) where message.hasPrefix(StoreFunctions.mark):
      String(message.dropFirst(StoreFunctions.mark.count))
    case .sqlite(let code, let message, _):
      "SQLite: \(message) (code \(code))."
    }
  }

  /// Why there is no sum.
  package static let overflow =
    "A sum of whole numbers is larger than 64 bits hold, so it cannot be told. Sum fewer objects, or make the attribute"
    + " a decimal or a double."
}
