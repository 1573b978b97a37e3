extension Workbench {
  private enum Schemas {
    static let hand = "hand"
    static let broker = "broker"
    static let source = "source"
  }

  /// Flat objects into a database server, beside what the server itself takes for the same rows.
  var serverContenders: [Contender] {
    guard let server = Server() else { return [] }
    let path = "\(data)/Person-\(people).rows"
    func byHand(_ name: String, _ body: @escaping () throws -> Measurement) -> Contender {
      Contender(subject: .server, name: name, schema: Schemas.hand, floor: name) { _ in
        try makeFiles(
          server, flatJSON, "Person", [path: "SELECT \(ServerSQL.personColumns) FROM source.\"Person\""])
        return try body()
      }
    }
    func command(_ name: String, beside floor: String, _ body: @escaping () throws -> Void) -> Contender {
      Contender(
        subject: .server, name: name, bytes: Files.size(flatJSON), schema: Schemas.broker, floor: floor,
        goal: .times(1.3, of: floor)
      ) { _ in
        try body()
        return try importIntoServer(server, flatJSON, "Person", Schemas.broker)
      }
    }
    return [
      byHand(Names.handNew) {
        try server.prepare("DROP SCHEMA IF EXISTS hand CASCADE", "CREATE SCHEMA hand")
        return try server.transaction(ServerSQL.newPersons(path))
      },
      command(Names.broker, beside: Names.handNew) {
        try server.prepare("DROP SCHEMA IF EXISTS broker CASCADE")
      },
      byHand(Names.handAgain) { try server.transaction(ServerSQL.mergedPersons(path)) },
      command(Names.again, beside: Names.handAgain) {},
      byHand(Names.handFew) {
        try change(Schemas.hand, server, everyHundredth: true)
        return try server.transaction(ServerSQL.mergedPersons(path))
      },
      command(Names.few, beside: Names.handFew) { try change(Schemas.broker, server, everyHundredth: true) },
      byHand(Names.handAll) {
        try change(Schemas.hand, server, everyHundredth: false)
        return try server.transaction(ServerSQL.mergedPersons(path))
      },
      command(Names.all, beside: Names.handAll) { try change(Schemas.broker, server, everyHundredth: false) },
    ] + serverPeers(server)
  }

  /// Departments, employees and skills into a database server, beside set operations that are written by hand.
  var serverDepartmentContenders: [Contender] {
    guard let server = Server() else { return [] }
    let path = { (name: String) in "\(data)/\(name)-\(departments).rows" }
    func byHand(_ name: String, _ body: @escaping () throws -> Measurement) -> Contender {
      Contender(subject: .serverDepartments, name: name, schema: Schemas.hand, floor: name) { _ in
        let files = ServerSQL.files.map { (path($0.key), $0.value) }
        try makeFiles(server, departmentsJSON, "Departments", Dictionary(uniqueKeysWithValues: files))
        return try body()
      }
    }
    func command(_ name: String, beside floor: String, _ body: @escaping () throws -> Void) -> Contender {
      Contender(
        subject: .serverDepartments, name: name, bytes: Files.size(departmentsJSON), schema: Schemas.broker,
        floor: floor, goal: .times(1.5, of: floor)
      ) { _ in
        try body()
        return try importIntoServer(server, departmentsJSON, "Departments", Schemas.broker)
      }
    }
    return [
      byHand(Names.handNew) {
        try server.prepare("DROP SCHEMA IF EXISTS hand CASCADE", "CREATE SCHEMA hand")
        return try server.transaction(ServerSQL.newDepartments(path))
      },
      command(Names.broker, beside: Names.handNew) {
        try server.prepare("DROP SCHEMA IF EXISTS broker CASCADE")
      },
      byHand(Names.handAgain) { try server.transaction(ServerSQL.mergedDepartments(path)) },
      command(Names.again, beside: Names.handAgain) {},
    ]
  }

  // MARK: - Steps

  private func importIntoServer(
    _ server: Server, _ json: String, _ model: String, _ schema: String
  ) throws -> Measurement {
    let entity = model == "Person" ? model : "Department"
    let command = [
      try brokerPath(), "import", json, "--model", self.model(model), "--entity", entity, "--store",
      server.url(schema), "--quiet",
    ]
    return try server.measure { try Child.run(command) }
  }

  /// Writes the rows that are imported by hand, unless they are there.
  private func makeFiles(
    _ server: Server, _ json: String, _ model: String, _ files: [String: String]
  ) throws {
    guard files.keys.contains(where: { Files.size($0) == nil }) else { return }
    try server.prepare("DROP SCHEMA IF EXISTS source CASCADE")
    _ = try importIntoServer(server, json, model, Schemas.source)
    for (path, query) in files {
      let line = query.split(separator: "\n").joined(separator: " ")
      try server.prepare("\\copy (\(line)) TO '\(path)' WITH (FORMAT binary)")
    }
    try server.prepare("DROP SCHEMA source CASCADE")
  }

  /// Gives persons another score, which the next import takes back.
  private func change(_ schema: String, _ server: Server, everyHundredth: Bool) throws {
    let which = everyHundredth ? #" WHERE "id" % 100 = 0"# : ""
    try server.prepare(
      #"UPDATE \#(schema)."Person" SET "score" = "score" + 1\#(which)"#,
      #"VACUUM (FULL, ANALYZE) \#(schema)."Person""#)
  }

  // MARK: - Peers

  /// What programs in Python do that have these packages.
  private func serverPeers(_ server: Server) -> [Contender] {
    guard let python = Files.find("python3") else { return [] }
    let peers = [
      (Names.sqlAlchemy, "peer", ServerPeers.sqlAlchemy, "import sqlalchemy, psycopg2"),
      (Names.dlt, "peer_dlt", ServerPeers.dlt, "import dlt, psycopg2"),
    ]
    return peers.filter { (try? Child.run([python, "-c", $0.3]))?.status == 0 }.map { peer in
      let (name, schema, program, _) = peer
      return Contender(
        subject: .server, name: name, bytes: Files.size(flatJSON), schema: schema, floor: Names.handNew
      ) { _ in
        try server.prepare("DROP SCHEMA IF EXISTS \(schema) CASCADE", "CREATE SCHEMA \(schema)")
        return try server.measure { try Child.run([python, "-c", program, flatJSON, schema]) }
      }
    }
  }
}
