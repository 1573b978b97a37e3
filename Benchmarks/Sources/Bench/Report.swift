/// The tables, and the document around them.
struct Report {
  let bench: Workbench
  let results: Results
  let runs: Int

  var tables: String {
    Subject.allCases.compactMap(section).joined(separator: "\n\n")
  }

  /// What begins the part of the document that is written by hand.
  static let end = "<!-- scripts/bench writes what is above this line. -->"

  /// - Parameter old: The document so far, whose part that is written by hand stays.
  func document(replacing old: String) -> String {
    let end = old.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0 == Self.end }
    let kept = end.map { old.split(separator: "\n", omittingEmptySubsequences: false)[($0 + 1)...] } ?? []
    return measured + Self.end + "\n" + kept.joined(separator: "\n")
  }

  private var measured: String {
    """
    # Benchmarks

    Medians of \(runs) runs, in which the contenders take turns. `scripts/bench --postgresql --write` writes this page.

    \(Machine.description)

    Each contender is a process of its own, and its seconds are the whole command's, from start to end. Only
    the floor is different: its rows are parsed before its clock starts, and its seconds are those of one
    transaction of prepared upserts through SQLite's C interface, so they are what SQLite itself takes. All
    databases are in WAL mode with `synchronous=NORMAL`, but for sqlite-utils, which has its own settings.
    After the first run, the rows of all databases of a table are compared by counts and sums. Peak memory is
    the whole process's; a figure of \(Files.peakMiB) MiB or less is the measuring process's own, which a
    child starts with.

    \(tables)


    """
  }

  private func section(_ subject: Subject) -> String? {
    let indexes = results.contenders.indices.filter { results.contenders[$0].subject == subject }
    guard !indexes.isEmpty else { return nil }
    let rows = indexes.map { ResultRow(results: results, index: $0) }
    let missing = missingPeers(subject).map { "\n\nNot installed, so not compared: \($0)." } ?? ""
    return "## \(title(subject))\n\n\(ResultRow.table(rows, subject))\(missing)\(remark(subject))"
  }

  private func remark(_ subject: Subject) -> String {
    switch subject {
    case .flat, .departments, .export: ""
    case .inferred: inferredRemark
    case .inferredDepartments: inferredDepartmentsRemark
    case .parts: partsRemark
    case .commands: commandsRemark
    case .server: serverRemark
    case .serverDepartments: serverDepartmentsRemark
    }
  }

  private var inferredRemark: String {
    """


    Nobody is told what the JSON has. Broker looks at all objects before it writes the first one, and finds the types and the
    identity; the same file again changes nothing. DuckDB looks at the first 20480 objects, sqlite-utils at the first 100, and
    neither gives its table a key.
    """
  }

  private var inferredDepartmentsRemark: String {
    """


    Broker makes tables of departments, employees and skills with their links. DuckDB makes one table, in which employees are a
    list of structures in a column.
    """
  }

  private var commandsRemark: String {
    """


    One object is a process's first transaction here, for which SQLite makes a log file beside the store and
    waits twice until the disk has it. A process that goes on does not pay that again.
    """
  }

  private var partsRemark: String {
    """


    The prune is `--prune-where` of \(bench.smallPeople / 2) objects, in an import of one. The other one is `--into`
    with `--prune`: nine tenths of the objects are changed, one tenth is new, one tenth pruned.
    """
  }

  private var serverRemark: String {
    """


    The server has the settings of its package and runs on the same machine. By hand: psql sends the same rows from
    ready-made files for binary COPY. New tables get their keys when they are filled; into others the rows go by a
    temporary table, a unique index, a lock and MERGE. A checkpoint comes before each run; log is what the server
    wrote to its WAL.
    """
  }

  private var serverDepartmentsRemark: String {
    """


    The server, the runs and the log are as above. By hand the rows of departments, employees and skills come from one
    file each, the skills once for each employee that has them.
    """
  }

  private func title(_ subject: Subject) -> String {
    switch subject {
    case .flat:
      return "\(bench.people) flat objects of 8 attributes, \(megabytes(bench.flatJSON))"
    case .departments:
      return "\(bench.departments) departments of 250 employees with 3 skills each, "
        + megabytes(bench.departmentsJSON)
    case .inferred: return "The same flat objects, without a model"
    case .inferredDepartments: return "The same departments, without a model"
    case .export: return "Export of \(bench.people) objects"
    case .parts: return "Parts of large stores"
    case .server: return "\(bench.people) flat objects into PostgreSQL"
    case .serverDepartments:
      return "\(bench.departments) departments with employees and skills into PostgreSQL"
    case .commands: return "Small commands"
    }
  }

  private func missingPeers(_ subject: Subject) -> String? {
    let peers: [String]
    switch subject {
    case .flat: peers = ["sqlite3", "sqlite-utils"]
    case .departments: peers = ["sqlite3"]
    case .inferred: peers = ["sqlite-utils"]
    case .inferredDepartments, .export, .parts, .commands, .server, .serverDepartments: peers = []
    }
    let missing = peers.filter { Files.find($0) == nil }
    return missing.isEmpty ? nil : missing.joined(separator: ", ")
  }

  private func megabytes(_ path: String) -> String {
    "\(Fixed(Double(Files.size(path) ?? 0) / 1e6, digits: 1)) MB of JSON"
  }
}
