import Foundation
import Inference
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// JSON of the shapes that services send.
@Suite struct ServiceTests {
  @Test(arguments: Sample.all)
  func identitiesAndLinksAreThoseOfAHandWrittenModel(_ sample: Sample) throws {
    let summary = try ModelSummary(InferredModel(from: sample.sources())).lines
    let expected = try sample.expected()
    for line in expected { #expect(summary.contains(line), "\(sample.name): \(line)") }
    let identities = summary.filter { $0.contains(": ") }
    #expect(Set(identities).subtracting(expected) == [])
  }

  @Test(arguments: Sample.all)
  func theModelHasNoProblems(_ sample: Sample) throws {
    let inferred = try InferredModel(from: sample.sources())
    let mapped = try inferred.mapping.applied(to: inferred.model)
    #expect(mapped.problems().filter { $0.severity == .error }.map(\.description) == [])
  }

  @Test(arguments: Sample.all)
  func anImportHasNoIssues(_ sample: Sample) throws {
    let inferred = try InferredModel(from: sample.sources())
    let (_, report) = try imported(inferred, sample.sources())
    #expect(report.issues.map(\.description) == [])
    #expect(report.inserted.values.reduce(0, +) > 0)
  }

  @Test(arguments: Sample.all)
  func importingAnExportChangesNothing(_ sample: Sample) throws {
    let inferred = try InferredModel(from: sample.sources())
    let (store, _) = try imported(inferred, sample.sources())
    let sink = MemorySink()
    _ = try store.read { try Exporter(store).runAll(in: $0, to: sink) }
    let again = try Importer(store).run([.bytes(sink.bytes)])
    #expect(again.issues.map(\.description) == [])
    #expect(again.updated == [:])
    #expect(again.deleted == [:])
    // Objects at the top of the JSON that nothing identifies are new each time.
    let unidentified = try Set(
      ModelSummary(inferred).lines.filter { $0.hasSuffix(": none") }.map { String($0.dropLast(6)) })
    #expect(Set(again.inserted.keys).subtracting(unidentified) == [])
  }

  @Test(arguments: Sample.all)
  func theMappingCanBeWrittenAndRead(_ sample: Sample) throws {
    let mapping = try InferredModel(from: sample.sources()).mapping
    let text = mapping.text()
    guard !text.isEmpty else { return }
    let read = try JSONMapping(text: text)
    #expect(read.entities == mapping.entities)
    #expect(read.document == mapping.document)
    #expect(read.dialect == mapping.dialect)
  }
}
