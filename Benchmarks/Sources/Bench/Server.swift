/// A PostgreSQL server, which the environment names as psql and libpq read it.
struct Server {
  private let psql: String

  /// Nil where there is no psql, or the environment names no server.
  init?() {
    guard let psql = Files.find("psql"), Files.environment("PGHOST") != nil else { return nil }
    self.psql = psql
  }

  /// A store's place.
  func url(_ schema: String) -> String { "postgresql:///?schema=\(schema)" }

  /// Runs statements and commands of psql, each by itself.
  @discardableResult
  func prepare(_ statements: String...) throws -> String {
    let child = try Child.run(command(statements))
    try child.requireSuccess()
    return child.output
  }

  /// Runs statements and commands of psql as one transaction.
  func transaction(_ statements: [String]) throws -> Measurement {
    try measure { try Child.run(command(statements) + ["-1"]) }
  }

  /// What a command takes, and how much the server logs meanwhile.
  func measure(accepting statuses: [Int32] = [0], _ run: () throws -> Child) throws -> Measurement {
    try prepare("CHECKPOINT")
    let before = try prepare("SELECT pg_current_wal_insert_lsn()").trimmed
    var result = try run().measurement(accepting: statuses)
    let log = try prepare("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '\(before)')")
    result.logBytes = Int(log.trimmed)
    return result
  }

  private func command(_ statements: [String]) -> [String] {
    [psql, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"] + statements.flatMap { ["-c", $0] }
  }
}

extension String {
  /// Without the line feed at the end.
  var trimmed: String { split(separator: "\n").first.map(String.init) ?? "" }
}
