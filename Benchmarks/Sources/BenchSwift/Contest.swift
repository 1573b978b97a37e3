import Foundation

/// Two ways of doing the same, timed in turn so that what else the machine does strikes both.
struct Contest {
  let name: String
  let unit: String
  /// How many units a run does.
  let count: Int
  let limit: Double

  /// - Parameters:
  ///   - preparing: What comes before each of our runs, and is not timed.
  ///   - settling: What comes after it, and is not timed.
  func run(
    rounds: Int, preparing: () async throws -> Void = {}, _ ours: () async throws -> Void,
    settling: () async throws -> Void = {}, against peer: () async throws -> Void
  ) async throws {
    try await preparing()
    try await ours()
    try await settling()
    try await peer()
    var times: (ours: [Double], peers: [Double]) = ([], [])
    for _ in 0..<rounds {
      try await preparing()
      times.ours.append(try await seconds(ours))
      try await settling()
      times.peers.append(try await seconds(peer))
    }
    let (mine, theirs) = (median(times.ours), median(times.peers))
    let ratios = zip(times.ours, times.peers).map { $0 / $1 }
    print(
      name.padding(toLength: 44, withPad: " ", startingAt: 0),
      text(mine), text(theirs), String(format: "%6.2f", median(ratios)),
      String(format: "(at most %.1f)", limit))
  }

  private func text(_ seconds: Double) -> String {
    String(format: "%10.2f µs/%@", seconds * 1e6 / Double(count), unit)
  }

  private func seconds(_ body: () async throws -> Void) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await body()
    let duration = start.duration(to: clock.now)
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
