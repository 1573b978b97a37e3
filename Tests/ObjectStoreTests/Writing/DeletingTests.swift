import ObjectModel
import ObjectStore
import Testing

/// Deleting by rules, and pruning what a write has not come across.
@Suite struct DeletingTests {
  private static let model = #"""
    {"entities": [
      {"name": "Band", "attributes": [{"name": "id", "type": "integer64"}], "relationships": [
        {"name": "albums", "destination": "Album", "toMany": true, "inverse": "band",
         "deleteRule": "cascade"},
        {"name": "labels", "destination": "Label", "toMany": true, "inverse": "bands"},
        {"name": "contracts", "destination": "Contract", "toMany": true, "inverse": "band",
         "deleteRule": "deny"}]},
      {"name": "Album", "attributes": [{"name": "id", "type": "integer64"}], "relationships": [
        {"name": "band", "destination": "Band", "inverse": "albums"},
        {"name": "shop", "destination": "Shop"}]},
      {"name": "Label", "attributes": [{"name": "id", "type": "integer64"}], "relationships": [
        {"name": "bands", "destination": "Band", "toMany": true, "inverse": "labels"}]},
      {"name": "Contract", "attributes": [{"name": "id", "type": "integer64"}], "relationships": [
        {"name": "band", "destination": "Band", "inverse": "contracts"}]},
      {"name": "Shop", "attributes": [{"name": "id", "type": "integer64"}], "relationships": [
        {"name": "best", "destination": "Album", "optional": false}]}]}
    """#

  /// Bands 1 to 3, each with an album and a label; the third has a contract.
  private func fixture() throws -> WriterFixture {
    let fixture = try WriterFixture(Self.model)
    try fixture.write { rows in
      for id: Int64 in 1...3 {
        let band = rows.add("Band", ["id": .integer(id)])
        rows.add("Album", in: band, ["id": .integer(id)])
        rows.add("Label", in: band, ["id": .integer(id)])
        rows.list(band, "albums", [.row(band + 1)])
        rows.list(band, "labels", [.row(band + 2)])
      }
      rows.link(rows.add("Contract", ["id": 1]), "band", to: .key(3))
    }
    return fixture
  }

  private func ids(_ table: String, _ fixture: WriterFixture) throws -> [String] {
    try fixture.store.rows("SELECT id FROM \(table) ORDER BY id")
  }

  private func prune(_ entities: String..., limit: DeletionLimit? = nil) -> PruneRequest {
    var request = PruneRequest()
    request.scopes = entities.map(Query.init)
    request.limit = limit
    return request
  }

  // MARK: - Rules

  @Test func rulesDecideWhatGoesAlong() throws {
    let fixture = try fixture()
    let denied = try fixture.store.transaction { transaction in
      let writer = try transaction.localWriter(.local, equality: nil)
      let table = transaction.layout.entities[0].table
      #expect(try writer.deleteObjects([1], ofTable: table).isEmpty)
      let held = try writer.deleteObjects([3], ofTable: table)
      #expect(held.map(\.identity) == ["3"])
      let found = try writer.runDeferredChecks(PruneRequest()).problems
      #expect(found.map(\.ticket) == held.map(\.ticket))
      return (found.map { "\($0.reason)" }, .rollback)
    }
    #expect(denied == ["deletionDenied(relationship: 2, key: \"3\")"])
    try fixture.store.transaction { transaction in
      let writer = try transaction.localWriter(.local, equality: nil)
      #expect(try writer.deleteObjects([1], ofTable: transaction.layout.entities[0].table).isEmpty)
      return ((), .commit)
    }
    #expect(try ids("Band", fixture) == ["2", "3"])
    #expect(try ids("Album", fixture) == ["2", "3"])
    // A label is only unlinked.
    #expect(try ids("Label", fixture) == ["1", "2", "3"])
    #expect(try fixture.store.rows("SELECT count(*) FROM Band_labels") == ["2"])
  }

  @Test func objectsThatKeepEachOtherGoTogether() throws {
    let fixture = try fixture()
    try fixture.store.transaction { transaction in
      let writer = try transaction.localWriter(.local, equality: nil)
      let layout = transaction.layout
      let contracts = try #require(layout.schema.index(of: "Contract"))
      #expect(try writer.deleteObjects([3], ofTable: layout.entities[0].table).count == 1)
      #expect(try writer.deleteObjects([1], ofTable: layout.entities[contracts].table).isEmpty)
      #expect(try writer.runDeferredChecks(PruneRequest()).problems.isEmpty)
      return ((), .commit)
    }
    #expect(try ids("Band", fixture) == ["1", "2"])
  }

  @Test func whatAnotherObjectRequiresStays() throws {
    let fixture = try fixture()
    try fixture.write { $0.link($0.add("Shop", ["id": 1]), "best", to: .key(1)) }
    let outcome = try fixture.write(prune: prune("Album")) { rows in
      for id: Int64 in 2...3 { rows.add("Album", ["id": .integer(id)]) }
    }
    #expect(
      outcome.deferred == ["deletionLeavesWithout(relationship: 7, key: \"1\", entity: 4, holder: \"1\")"])
    #expect(try ids("Album", fixture) == ["1", "2", "3"])
  }

  // MARK: - Pruning

  @Test func aScopeLosesWhatTheWriteHasNotComeAcross() throws {
    let fixture = try fixture()
    let outcome = try fixture.write(prune: prune("Band", "Album")) { $0.add("Band", ["id": 1]) }
    // The third has a contract, and keeps its album.
    #expect(outcome.deleted.sorted() == ["Album 1", "Album 2", "Album 3", "Band 2"])
    #expect(outcome.deferred == ["deletionDenied(relationship: 2, key: \"3\")"])
    #expect(try ids("Band", fixture) == ["1", "3"])
  }

  @Test func aConditionNarrowsTheScope() throws {
    let fixture = try fixture()
    var request = PruneRequest()
    var scope = Query("Label")
    scope.predicate = try ObjectPredicate(format: "id > 2")
    request.scopes = [scope]
    #expect(try fixture.write(prune: request) { _ in }.deleted == ["Label 3"])
  }

  @Test func nothingIsPrunedIfItCameToMoreThanIsAllowed() throws {
    let fixture = try fixture()
    let outcome = try fixture.write(prune: prune("Label", limit: .objects(2))) { _ in }
    #expect(outcome.deferred == ["tooManyDeletions(entity: 2, count: 3, most: 2)"])
    #expect(outcome.deleted == [])
    #expect(try fixture.write(prune: prune("Label", limit: .percent(100))) { _ in }.deleted.count == 3)
  }

  @Test func nothingIsPrunedIfAnObjectWasSkipped() throws {
    let fixture = try fixture()
    let outcome = try fixture.write(prune: prune("Label")) { rows in
      rows.add("Label", state: .skipped, ["id": 3])
    }
    #expect(outcome.deferred == ["scopeWithheld(entities: [2])"])
    #expect(try ids("Label", fixture) == ["1", "2", "3"])
  }
}
