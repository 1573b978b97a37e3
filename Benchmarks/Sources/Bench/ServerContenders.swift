/// Imports of one document into a server, each beside the same by hand.
private struct ServerContest {
  static let hand = "hand"
  static let broker = "broker"
  static let source = "source"

  let bench: Workbench
  let server: Server
  let subject: Subject
  let json: String
  /// The model, and the entity of the objects at the top.
  let model: String
  let entity: String
  /// The rows that are imported by hand: files, and the queries of a store that give them.
  let files: [String: String]
  /// So many times the time by hand at most.
  let goal: Double

  /// - Parameter prepare: What is done before the clock starts.
  func byHand(
    _ name: String, _ statements: [String], after prepare: @escaping () throws -> Void = {}
  ) -> Contender {
    Contender(subject: subject, name: name, schema: Self.hand, floor: name) { _ in
      try makeFiles()
      try prepare()
      return try server.transaction(statements)
    }
  }

  func command(
    _ name: String, beside floor: String, after prepare: @escaping () throws -> Void = {}
  ) -> Contender {
    Contender(
      subject: subject, name: name, bytes: Files.size(json), schema: Self.broker, floor: floor,
      goal: .times(goal, of: floor)
    ) { _ in
      try prepare()
      return try importJSON(into: Self.broker)
    }
  }

  /// Into new tables, and the same again.
  func newAndAgain(_ new: [String], _ again: [String]) -> [Contender] {
    [
      byHand(Names.handNew, new) {
        try server.prepare("DROP SCHEMA IF EXISTS hand CASCADE", "CREATE SCHEMA hand")
      },
      command(Names.broker, beside: Names.handNew) {
        try server.prepare("DROP SCHEMA IF EXISTS broker CASCADE")
      },
      byHand(Names.handAgain, again), command(Names.again, beside: Names.handAgain),
    ]
  }

  private func importJSON(into schema: String) throws -> Measurement {
    let command = [
      try bench.brokerPath(), "import", json, "--model", bench.model(model), "--entity", entity, "--store",
      server.url(schema), "--quiet",
    ]
    return try server.measure { try Child.run(command) }
  }

  /// Writes the files, unless they are there.
  private func makeFiles() throws {
    guard files.keys.contains(where: { Files.size($0) == nil }) else { return }
    try server.prepare("DROP SCHEMA IF EXISTS source CASCADE")
    _ = try importJSON(into: Self.source)
    for (path, query) in files {
      let line = query.split(separator: "\n").joined(separator: " ")
      try server.prepare("\\copy (\(line)) TO '\(path)' WITH (FORMAT binary)")
    }
    try server.prepare("DROP SCHEMA source CASCADE")
  }
}

extension Workbench {
  /// Flat objects into a database server, beside what the server itself takes for the same rows.
  var serverContenders: [Contender] {
    guard let server = Server() else { return [] }
    let path = "\(data)/Person-\(people).rows"
    let contest = ServerContest(
      bench: self, server: server, subject: .server, json: flatJSON, model: "Person", entity: "Person",
      files: [path: "SELECT \(ServerSQL.personColumns) FROM source.\"Person\""], goal: 1.3)
    let merge = ServerSQL.mergedPersons(path)
    /// Gives persons another score, which the import takes back.
    func change(_ schema: String, _ which: String) -> () throws -> Void {
      {
        try server.prepare(
          #"UPDATE \#(schema)."Person" SET "score" = "score" + 1 WHERE \#(which)"#,
          #"VACUUM (FULL, ANALYZE) \#(schema)."Person""#)
      }
    }
    func changed(_ which: String, _ hand: String, _ broker: String) -> [Contender] {
      [
        contest.byHand(hand, merge, after: change(ServerContest.hand, which)),
        contest.command(broker, beside: hand, after: change(ServerContest.broker, which)),
      ]
    }
    return contest.newAndAgain(ServerSQL.newPersons(path), merge)
      + changed(#""id" % 100 = 0"#, Names.handFew, Names.few) + changed("true", Names.handAll, Names.all)
      + serverPeers(server)
  }

  /// Departments, employees and skills into a database server, beside set operations that are written by hand.
  var serverDepartmentContenders: [Contender] {
    guard let server = Server() else { return [] }
    let path = { (name: String) in "\(data)/\(name)-\(departments).rows" }
    let files = ServerSQL.files.map { (path($0.key), $0.value) }
    return ServerContest(
      bench: self, server: server, subject: .serverDepartments, json: departmentsJSON, model: "Departments",
      entity: "Department", files: Dictionary(uniqueKeysWithValues: files), goal: 1.5
    ).newAndAgain(ServerSQL.newDepartments(path), ServerSQL.mergedDepartments(path))
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
