extension Workbench {
  /// Flat objects of which only the JSON is known: each contender finds out itself what columns there are.
  var inferredContenders: [Contender] {
    var contenders = [
      inferred(.inferred, Names.broker, flatJSON, store: "inferred", goal: .rate(150e6)) {
        try importInferred(flatJSON, entity: "Person", store: $0)
      }
    ]
    if let utilities = Files.find("sqlite-utils") {
      contenders.append(
        inferred(.inferred, Names.utilitiesInsert, flatJSON, store: "inferred-utils") {
          try Child.run([utilities, "insert", $0, "Person", flatJSON, "--silent"]).measurement()
        })
    }
    return contenders + duckDB(.inferred, table: "Person", flatJSON)
  }

  /// Departments with nested employees and shared skills. Broker makes a table of each and links them; the others keep what is
  /// nested in one column.
  var inferredDepartmentContenders: [Contender] {
    let broker = inferred(
      .inferredDepartments, Names.broker, departmentsJSON, store: "inferred-departments", goal: .rate(10e6)
    ) {
      try importInferred(departmentsJSON, entity: "Department", store: $0)
    }
    return [broker] + duckDB(.inferredDepartments, table: "Department", departmentsJSON)
  }

  private func importInferred(_ json: String, entity: String, store: String) throws -> Measurement {
    try brokerImport(json, model: nil, entity: entity, store: store)
  }

  /// DuckDB by its module for Python; none where that is not installed.
  private func duckDB(_ subject: Subject, table: String, _ json: String) -> [Contender] {
    guard let python = Files.find("python3"),
      // try?: a module that cannot be loaded is not compared.
      (try? Child.run([python, "-c", "import duckdb"]))?.status == 0
    else { return [] }
    let database = "\(data)/\(subject.rawValue).duckdb"
    let contender = inferred(subject, Names.duckDB, json, store: nil) { _ in
      try Files.removeStore(database)
      return try Child.run([python, "-c", Self.duckDBProgram, json, database, table]).measurement()
    }
    return [contender]
  }

  /// https://duckdb.org/docs/stable/data/json/loading_json
  private static let duckDBProgram = """
    import duckdb, sys
    with duckdb.connect(sys.argv[2]) as connection:
      connection.execute(f'CREATE TABLE "{sys.argv[3]}" AS SELECT * FROM read_json(?)', [sys.argv[1]])
    """

  private func inferred(
    _ subject: Subject, _ name: String, _ json: String, store: String?, goal: Goal? = nil,
    run: @escaping (String) throws -> Measurement
  ) -> Contender {
    let path = store.map(self.store)
    return Contender(
      subject: subject, name: name, bytes: Files.size(json), store: path, goal: goal,
      run: { _ in
        if let path { try Files.removeStore(path) }
        return try run(path ?? "")
      })
  }
}
