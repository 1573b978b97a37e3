#if PostgreSQL
  import ObjectStore

  /// The statement that finds references that lead to no object.
  struct MissingReferences {
    /// What is selected of what has the reference.
    let selecting: String
    /// What has the references, with the condition that it has one: `"Album" t WHERE …`.
    let from: String
    /// The columns of the references.
    let references: [String]
    /// The table of what they lead to, which the statement names `o`, and its key.
    let target: String
    let keys: [String]
    /// Which of its rows are meant; nil for all.
    let kind: String?

    init(
      selecting: String, from: String, references: [String], target: String, keys: [String], kind: String?
    ) {
      (self.selecting, self.from, self.references) = (selecting, from, references)
      (self.target, self.keys, self.kind) = (target, keys, kind)
    }

    func statement(isDistributed: Bool) -> String {
      let pairs = zip(keys, references).map { "\($0) = \($1)" }.joined(separator: " AND ")
      let filter = kind.map { " AND " + $0 } ?? ""
      guard isDistributed else {
        return
          "SELECT \(selecting) FROM \(from) AND NOT EXISTS (SELECT 1 FROM \(target) o WHERE \(pairs)\(filter))"
      }
      // A statement cannot look into a distributed table from the rows of another: what is there is read ahead.
      let row = keys.count == 1 ? keys[0] : "(\(keys.joined(separator: ", ")))"
      let known = """
        SELECT \(keys.joined(separator: ", ")) FROM \(target) o
        WHERE \(row) IN (SELECT \(references.joined(separator: ", ")) FROM \(from))\(filter)
        """
      return """
        WITH broker_targets AS MATERIALIZED (\(known))
        SELECT \(selecting) FROM \(from) AND NOT EXISTS (SELECT 1 FROM broker_targets o WHERE \(pairs))
        """
    }
  }
#endif
