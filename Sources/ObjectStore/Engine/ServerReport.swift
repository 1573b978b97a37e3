/// The abilities that a store needs, and whether a database server has them.
package struct ServerReport: Sendable, Codable {
  /// The result of a trial.
  package enum Outcome: String, Sendable, Codable {
    case works
    /// Stores do without it, or with less.
    case missing
    /// No store can be kept without it.
    case fails
  }

  package struct Trial: Sendable, Codable {
    package var name: String
    package var outcome: Outcome
    /// The meaning of a failure, or the answer of the server; nil where it works.
    package var meaning: String?

    package init(_ name: String, _ outcome: Outcome, _ meaning: String? = nil) {
      (self.name, self.outcome, self.meaning) = (name, outcome, meaning)
    }
  }

  /// The name and version that the server gives itself. Nothing is decided by it.
  package var server: String
  package var trials: [Trial] = []

  package init(server: String) { self.server = server }

  /// Whether stores can be kept there.
  package var isUsable: Bool { !trials.contains { $0.outcome == .fails } }

  private enum CodingKeys: CodingKey { case server, trials, isUsable }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    server = try values.decode(String.self, forKey: .server)
    trials = try values.decode([Trial].self, forKey: .trials)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(server, forKey: .server)
    try values.encode(trials, forKey: .trials)
    try values.encode(isUsable, forKey: .isUsable)
  }
}
