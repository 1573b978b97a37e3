extension StoreError: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .notAStore(let path, let why):
      "\(path) is not a Broker store: \(why). Name another file with --store; Broker creates it."
    case .missing(let path):
      "There is no store at \(path)."
    case .modelNeeded(let path):
      "The store \(path) does not exist yet, so a model is needed to create it: add --model PATH."
    case .modelChanged(let path, let differences):
      "The model differs from the one in the store \(path), and this version of Broker does not migrate"
        + " stores. Nothing was changed. What differs: \(differences.joined(separator: "; "))."
        + " Import into a new store, or leave --model out to use the store's own."
    case .unreadable(let path, let why):
      "The store \(path) cannot be opened: \(why)."
    case .readOnly(let path):
      "The store \(path) is read-only: allow writing to the file and its folder."
    case .newerFormat(let path, let format):
      "The store \(path) was written by a newer version of Broker (format \(format))."
    case .unknownEntity(let name, let nearest):
      "There is no entity \(name)." + (nearest.map { " Did you mean \($0)?" } ?? "")
    case .unknownProperty(let name, let entity, let nearest):
      "\(entity) has no property \(name)." + (nearest.map { " Did you mean \($0)?" } ?? "")
    case .invalid(let message): message
    case .closed: "The store is closed."
    case .sqlite(let code, let message, _):
      "SQLite: \(message) (code \(code))."
    }
  }
}
