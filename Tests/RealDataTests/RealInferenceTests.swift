import Foundation
import Inference
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Models taken from files that services sent.
@Suite struct RealInferenceTests {
  private func imported(_ file: RealFile) throws -> (inferred: InferredModel, report: Report) {
    let source = ImportSource.file(file.url.path)
    let inferred = try InferredModel(from: [source])
    let store = try Store(path: ":memory:", model: inferred.model, mapping: inferred.mapping)
    return (inferred, try Importer(store).run([source]))
  }

  @Test(.enabled(if: RealFile.twitter.isThere)) func twitter() throws {
    let (inferred, report) = try imported(.twitter)
    #expect(report.issues.isEmpty)
    #expect(report.inserted["Status"] == 115)
    let status = try #require(inferred.model[entity: "Status"])
    #expect(status[relationship: "user"]?.destination == "User")
    #expect(status[relationship: "retweetedStatus"]?.destination == "Status")
    #expect(status[relationship: "userMentions"]?.destination == "User")
    #expect(status[relationship: "inReplyToUser"]?.destination == "User")
    #expect(status[relationship: "hashtags"]?.isToMany == true)
  }

  @Test(.enabled(if: RealFile.catalog.isThere)) func catalog() throws {
    let (inferred, report) = try imported(.catalog)
    #expect(report.issues.isEmpty)
    let counts = [
      "Event": 184, "Performance": 243, "Area": 17, "SeatCategory": 64, "SubTopic": 19, "Topic": 4,
    ]
    for (name, count) in counts { #expect(report.inserted[name] == count, "\(name)") }
    let performance = try #require(inferred.model[entity: "Performance"])
    #expect(performance[relationship: "event"]?.inverse == "performances")
    #expect(performance[relationship: "venue"]?.destination == "Venue")
    #expect(performance[attribute: "start"]?.type == .date)
    #expect(inferred.model[entity: "Topic"]?[relationship: "subTopics"]?.destination == "SubTopic")
  }
}
