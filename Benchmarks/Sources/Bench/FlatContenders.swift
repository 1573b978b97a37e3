extension Workbench {
  /// Flat objects into one table.
  var flatContenders: [Contender] {
    var contenders = [
      flat(Names.floor, store: "flat-floor") { try floor("flat", count: people, store: $0) },
      flat(Names.broker, store: "flat", goal: .times(1.2, of: Names.floor)) {
        try Files.removeStore($0)
        return try importPeople(flatJSON, store: $0)
      },
      flat(Names.again, store: "flat", goal: .times(0.7, of: Names.broker)) {
        try unchanged($0) { try importPeople(flatJSON, store: $0) }
      },
      flat(Names.pipe, store: "flat-pipe", goal: .times(1.2, of: Names.floor)) {
        try Files.removeStore($0)
        return try importPeople("-", store: $0, piping: flatJSON)
      },
      flat(Names.records, store: "flat-records") { try records("flat", flatJSON, store: $0) },
    ]
    if let shell = Files.find("sqlite3") {
      contenders.append(
        flat(Names.shell, store: "flat-shell") {
          try sqliteShell(shell, ShellSQL.flat(json: flatJSON), store: $0)
        })
    }
    if let utilities = Files.find("sqlite-utils") {
      contenders.append(
        flat(Names.utilities, store: "flat-utils") {
          try Files.removeStore($0)
          return try Child.run([utilities, "upsert", $0, "Person", flatJSON, "--pk", "id", "--silent"])
            .measurement()
        })
    }
    return contenders
  }

  func importPeople(_ json: String, store: String, piping: String? = nil) throws -> Measurement {
    try brokerImport(json, model: model("Person"), entity: "Person", store: store, piping: piping)
  }

  private func flat(
    _ name: String, store: String, goal: Goal? = nil, run: @escaping (String) throws -> Measurement
  ) -> Contender {
    let path = self.store(store)
    return Contender(
      subject: .flat, name: name, bytes: Files.size(flatJSON), store: path, goal: goal,
      run: { _ in try run(path) })
  }
}
