import Mapping
import ObjectModel
import Testing

/// Prunes of objects that others require.
@Suite struct RequiredTargetTests {
  private let notation = """
    Owner
      id: integer64
      boss: Owner <- staff
      staff: [Owner] <- boss
    Need
      id: integer64
      owner: Owner!
    Team
      id: integer64
      members: [Owner]! | least=1
    """

  private func fixture() throws -> Fixture {
    let fixture = try Fixture(notation)
    try fixture.load(
      #"{"owners": [1, 2, 3, 4, 5], "needs": [{"id": 1, "owner": 4}], "teams": [{"id": 1, "members": [1, 2]}]}"#
        .replacing("[1, 2, 3, 4, 5]", with: #"[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}]"#))
    return fixture
  }

  @Test func aPruneKeepsWhatIsRequired() throws {
    let fixture = try fixture()
    let report = try fixture.load(#"[{"id": 1}]"#, as: "Owner") { $0.prunes = true }
    #expect(report.deleted == ["Owner": 3])
    #expect(
      report.problems == [
        "$: expected 4 to be deleted, found Need 1, which requires it as its owner; not deleted"
      ])
    #expect(try fixture.rows("SELECT id FROM Owner ORDER BY id") == ["1", "4"])
    // The last of a list that may not be empty.
    let second = try fixture.load("[]", as: "Owner") { $0.prunes = true }
    #expect(second.deleted == [:])
    #expect(second.problems.count == 2)
    #expect(try fixture.rows("SELECT id FROM Owner ORDER BY id") == ["1", "4"])
  }

  @Test func whatGoesAsWellStandsAgainstNothing() throws {
    let fixture = try fixture()
    let report = try fixture.load(#"{"owners": [{"id": 1}], "needs": []}"#) { $0.prunes = true }
    #expect(report.problems == [])
    #expect(report.deleted == ["Owner": 4, "Need": 1])
  }

  /// Each requires another, in a chain of which the far end stays, or in a circle.
  @Test(arguments: [20, 3_000])
  func chainsAndCircles(_ count: Int) throws {
    let chain = """
      Link
        id: integer64
        next: Link!
      """
    func fixture() throws -> Fixture {
      let fixture = try count > 100 ? Fixture(chain).large() : Fixture(chain)
      let links = (0..<count).map { "{\"id\": \($0), \"next\": \(($0 + 1) % count)}" }
      try fixture.load("[\(links.joined(separator: ","))]", as: "Link")
      return fixture
    }
    let circle = try fixture()
    #expect(try circle.load("[]", as: "Link") { $0.prunes = true }.deleted == ["Link": count])
    // Everything hangs on the one that stays.
    let kept = try fixture()
    let report = try kept.load(#"[{"id": 5}]"#, as: "Link") { $0.prunes = true }
    #expect(report.deleted == [:])
    #expect(report.issueCount == count - 1)
  }

  @Test func cascadesAreSeenAsOne() throws {
    let fixture = try Fixture(
      """
      Folder
        id: integer64
        files: [File] <- folder | delete=cascade
      File
        id: integer64
        folder: Folder! <- files
        original: File
      Share
        id: integer64
        file: File!
      """)
    let json =
      #"{"folders": [{"id": 1, "files": [{"id": 1}, {"id": 2}]}, {"id": 2, "files": [{"id": 3}]}], "shares": [{"id": 1, "file": 2}]}"#
    try fixture.load(json)
    let report = try fixture.load("[]", as: "Folder") { $0.prunes = true }
    #expect(
      report.problems == [
        "$: expected 2 to be deleted, found Share 1, which requires it as its file; not deleted"
      ])
    #expect(try fixture.rows("SELECT id FROM File ORDER BY id") == ["1", "2"])
    #expect(try fixture.rows("SELECT id FROM Folder") == ["1"])
    let both = try fixture.load(#"{"folders": [], "shares": []}"#) { $0.prunes = true }
    #expect(both.problems == [])
    #expect(try fixture.rows("SELECT id FROM File") == [])
  }
}
