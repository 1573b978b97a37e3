import ObjectModel
import Testing

/// Models of many entities take time that grows with them.
@Suite("Large models")
struct LargeModelTests {
  @Test func entitiesThatReferToEachOther() throws {
    let count = 6_000
    let entities = (0..<count).map { index in
      var entity = Entity(name: "E\(index)")
      entity.attributes = [Attribute(name: "id", type: .integer64)]
      entity.relationships = [Relationship(name: "next", destination: "E\((index + 1) % count)")]
      return entity
    }
    let start = ContinuousClock.now
    let model = Model(entities: entities)
    #expect(model.problems().count == count)
    _ = try Schema(model)
    #expect(ContinuousClock.now - start < .seconds(100))
  }
}
