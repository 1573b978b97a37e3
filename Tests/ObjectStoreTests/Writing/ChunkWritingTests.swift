import ObjectModel
import ObjectStore
import Testing

/// A write in several transactions: what one leaves to be done goes to the next.
@Suite struct ChunkWritingTests {
  /// Writes each of some chunks in a transaction of its own.
  private func write(
    _ fixture: WriterFixture, policy: WritePolicy = WritePolicy(), prune: PruneRequest? = nil,
    between: () throws -> Void = {}, chunks: (inout RowBuilder) throws -> Void...
  ) throws -> WriterFixture.Outcome {
    var state: (any ChunkState)?
    var outcome = WriterFixture.Outcome()
    for (index, chunk) in chunks.enumerated() {
      try fixture.store.transaction { transaction in
        let writer = try transaction.batchWriter(policy, continuing: state)
        if index == 0, prune != nil { try writer.takeObjectSetSnapshot() }
        try WriterFixture.write(writer, transaction.layout, chunk)
        if index + 1 < chunks.count {
          #expect(try writer.finishChunk().isEmpty)
          state = try writer.chunkState()
        } else {
          outcome = try WriterFixture.finish(writer, prune ?? PruneRequest(), transaction.layout)
        }
        return ((), .commit)
      }
      if index == 0 { try between() }
    }
    return outcome
  }

  @Test func countsAndReferencesGoOn() throws {
    let outcome = try write(
      WriterFixture(),
      chunks: { rows in
        rows.add("Band", ["name": "Japan"])
        rows.link(rows.add("Album", ["id": 1]), "band", to: .key("Bain"))
        rows.link(rows.add("Album", ["id": 2]), "band", to: .key("Cure"))
      },
      { rows in
        rows.add("Band", ["name": "Japan", "formed": 1974])
        rows.add("Band", ["name": "Bain"])
      })
    #expect(outcome.counts == ["Band +2 ~0 =0", "Album +2 ~0 =0"])
    #expect(outcome.duplicates == 1)
    #expect(outcome.pending == ["Album 2.band -> Cure"])
  }

  @Test func aLaterChunkMayListWhatAnEarlierOneReleased() throws {
    let fixture = try WriterFixture()
    try fixture.write { rows in
      let band = rows.add("Band", ["name": "Japan"])
      let albums = [1, 2].map { rows.add("Album", in: band, ["id": .integer($0)]) }
      rows.list(band, "albums", albums.map { .row($0) })
    }
    let outcome = try write(
      fixture, policy: WritePolicy(toMany: .prune),
      chunks: { $0.list($0.add("Band", ["name": "Japan"]), "albums", []) },
      { $0.list($0.add("Band", ["name": "Bain"]), "albums", [.key(2)]) })
    #expect(outcome.deleted == ["Album 1"])
    #expect(try fixture.store.rows("SELECT id, band FROM Album") == ["2 Bain"])
  }

  @Test func severalOwnersInDifferentChunksAreNoticed() throws {
    let fixture = try WriterFixture()
    func band(_ name: String) -> (inout RowBuilder) throws -> Void {
      { rows in
        let band = rows.add("Band", ["name": .text(name)])
        rows.add("Album", in: band, ["id": 1])
        rows.list(band, "albums", [.row(band + 1)])
      }
    }
    let outcome = try write(fixture, chunks: band("Japan"), band("Bain"))
    #expect(outcome.deferred == ["severalOwners(relationship: 0, count: 1)"])
    #expect(try fixture.store.rows("SELECT band FROM Album") == ["Bain"])
  }

  @Test func whatOthersWroteMeanwhileIsNotPruned() throws {
    let fixture = try WriterFixture()
    try fixture.write { $0.add("Band", ["name": "Japan"]) }
    var request = PruneRequest()
    request.scopes = [Query("Band")]
    let outcome = try write(
      fixture, prune: request, between: { try fixture.write { $0.add("Band", ["name": "Cure"]) } },
      chunks: { $0.add("Band", ["name": "Bain"]) }, { $0.add("Band", ["name": "Dalis Car"]) })
    #expect(outcome.deleted == ["Band Japan"])
    #expect(
      try fixture.store.rows("SELECT name FROM Band ORDER BY 1") == ["Bain", "Cure", "Dalis Car"])
  }
}
