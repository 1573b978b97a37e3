/// Files that come one after another, of which a later one shows that a guess was wrong: an object whose keys are data, a value that
/// is said of another object.
extension SequenceTests {
  private static func image(_ number: Int, _ group: String) -> String {
    #"{"full": "\#(number).png", "sprite": "p0.png", "group": "\#(group)", "x": 0, "y": 0, "w": 48, "h": 48}"#
  }

  static let thatRefute = [
    Sequence(
      testDescription: "more keys in an object that was no dictionary",
      files: [
        ("t.json", #"{"error": [], "result": {"XXBTZUSD": {"o": "1.5"}, "XETHZEUR": {"o": "1.6"}}}"#),
        (
          "t-2.json",
          #"{"error": [], "result": {"XXBTZUSD": {"o": "1.5"}, "XETHZEUR": {"o": "1.6"}, "SOLUSD": {"o": "1.7"}, "ADAEUR": {"o": "1.8"}}}"#
        ),
      ], objects: ["T": 2], fulfilled: ["T": ("solusdO == '1.7'", 1)]),
    Sequence(
      testDescription: "pages by number, of which one is missing",
      files: [
        (
          "w.json",
          #"{"query": {"pages": {"736": {"pageid": 736, "title": "A"}, "-1": {"title": "B", "missing": ""}}}}"#
        ),
        (
          "w-2.json",
          #"{"query": {"pages": {"1727": {"pageid": 1727, "title": "C"}, "2718": {"pageid": 2718, "title": "D"}}}}"#
        ),
      ], objects: ["Page": 4]),
    Sequence(
      testDescription: "answers that say OK, and nothing that identifies them",
      files: [
        ("route-1.json", #"{"code": "Ok", "routes": [{"distance": 3000.9}], "waypoints": [{"name": "A"}]}"#),
        ("route-2.json", #"{"code": "Ok", "routes": [{"distance": 4000.9}], "waypoints": [{"name": "B"}]}"#),
      ], objects: ["Route": 2, "RouteDocument": 2, "Waypoint": 2]),
    Sequence(
      testDescription: "goals that turn out to be those of the matches",
      files: [
        ("matches.json", "[\(AnswerTests.match(9, (1, 2), (4, 0)))]"),
        (
          "matches-2.json",
          "[\(AnswerTests.match(0, (1, 1), (2, 0))), \(AnswerTests.match(1, (2, 3), (3, 1))), \(AnswerTests.match(2, (3, 0), (1, 4)))]"
        ),
        ("matches-3.json", "[\(AnswerTests.match(3, (4, 2), (2, 0)))]"),
      ], objects: ["Match": 5, "Home": 4, "Away": 4],
      fulfilled: ["Match": ("homeGoals != nil AND awayGoals != nil", 5)]),
    Sequence(
      testDescription: "maps with the same image inside as icons have",
      files: [
        (
          "icons.json",
          #"{"type": "icon", "data": {\#((10..<14).map { #""\#($0)": {"id": \#($0), "image": \#(image($0, "icon"))}"# }.joined(separator: ", "))}}"#
        ),
        (
          "maps.json",
          #"{"type": "map", "data": {\#((11..<13).map { #""\#($0)": {"MapName": "M\#($0)", "MapId": "\#($0)", "image": \#(image($0, "map"))}"# }.joined(separator: ", "))}}"#
        ),
      ], objects: ["Icon": 4, "Map": 2]),
  ]
}
