/// Answers in which objects under two keys say something of the object around them.
extension AnswerTests {
  /// A match of two teams, each with its number and its goals.
  static func match(_ number: Int, _ home: (Int, Int), _ away: (Int, Int)) -> String {
    #"{"id": \#(100 + number), "home": {"id": \#(home.0), "name": "Team \#(home.0)", "goals": \#(home.1)}, "away": {"id": \#(away.0), "name": "Team \#(away.0)", "goals": \#(away.1)}}"#
  }

  private static func fixture(_ number: Int, _ home: Int, _ away: Int, isHome: Bool) -> String {
    #"{"fixture": {"id": \#(1_035_000 + number), "timezone": "UTC"}, "teams": {"home": {"id": \#(home), "name": "Team \#(home)", "winner": \#(isHome)}, "away": {"id": \#(away), "name": "Team \#(away)", "winner": \#(!isHome)}}}"#
  }

  static let withLinkValues = [
    Answer(
      testDescription: "goals of the teams of matches",
      files: [
        "matches.json":
          "[\(match(0, (1, 2), (2, 0))), \(match(1, (2, 3), (3, 1))), \(match(2, (3, 0), (1, 4)))]"
      ], objects: ["Match": 3, "Home": 3], links: ["Match.home": "Home", "Match.away": "Home"],
      words: [#""homeGoals":2"#, #""awayGoals":4"#]),
    Answer(
      testDescription: "goals of the teams of matches beside a list of the teams",
      files: [
        "cup.json":
          #"{"teams": [{"id": 1, "name": "Team 1"}, {"id": 2, "name": "Team 2"}, {"id": 3, "name": "Team 3"}], "matches": [\#(match(0, (1, 2), (2, 0))), \#(match(1, (2, 3), (3, 1))), \#(match(2, (3, 0), (1, 4)))]}"#
      ], objects: ["Match": 3, "Team": 3], links: ["Match.home": "Team", "Match.away": "Team"],
      words: [#""homeGoals":2"#, #""awayGoals":4"#]),
    Answer(
      testDescription: "winners of matches, deep in an answer",
      files: [
        "fixtures.json":
          #"{"get": "fixtures", "parameters": {"league": "39"}, "errors": [], "results": 3, "paging": {"current": 1, "total": 1}, "response": [\#(fixture(1, 42, 49, isHome: true)), \#(fixture(2, 49, 40, isHome: true)), \#(fixture(3, 40, 42, isHome: true))]}"#
      ], objects: ["FixtureDocument": 3, "Fixture": 3, "Team": 3],
      links: ["FixtureDocument.home": "Team", "FixtureDocument.away": "Team"],
      words: [#""teamsHomeWinner":true"#]),
    Answer(
      testDescription: "what was before a change and what came after it",
      files: [
        "changes.json":
          #"[{"op": "u", "before": {"id": 1001, "name": "Ann", "state": "new"}, "after": {"id": 1001, "name": "Ann", "state": "paid"}}, {"op": "u", "before": {"id": 1002, "name": "Bo", "state": "new"}, "after": {"id": 1002, "name": "Bo", "state": "void"}}]"#
      ], objects: ["Change": 2], words: [#""paid""#, #""void""#, #""new""#]),
  ]
}
