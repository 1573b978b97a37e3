import Inference
import Mapping
import ObjectModel
import ObjectStore
import TestSettings
import Testing

/// What an import promises that takes its model, for services made up at random.
@Suite struct RandomServiceTests {
  @Test(arguments: Seeds.first(40, long: 2_000))
  func filesOfAFolder(_ seed: UInt64) throws {
    let folder = try TestFolder(RandomService(seed: seed).files)
    let inferred = try InferredModel(from: folder.sources())
    let (store, report) = try imported(inferred, folder.sources())
    #expect(report.issues.map(\.description) == [])
    #expect(report.skipped == [:])
    let again = try Importer(store, options(inferred)).run(folder.sources())
    #expect(again.inserted == [:])
    #expect(again.updated == [:])
    #expect(again.deleted == [:])
    #expect(again.skipped == [:])
    let export = try Exporter(store).wholeText()
    let copy = try Store(path: ":memory:", like: store)
    #expect(try Importer(copy).run([.string(export)]).issues.map(\.description) == [])
    #expect(try Exporter(copy).wholeText() == export)
  }

  /// The last file first, each by itself.
  @Test(arguments: Seeds.first(40, long: 2_000))
  func filesOneAfterAnother(_ seed: UInt64) throws {
    let files = RandomService(seed: seed).files
    let folder = try TestFolder(files)
    var known: InferredModel?
    let names = files.keys.sorted(by: >)
    for name in names {
      var reading = InferenceOptions()
      if let known { reading.read(as: known.mapping) }
      let inferred = try InferredModel(from: [folder.source(name)], options: reading)
      known = known.map { inferred.refining($0.model, mapping: $0.mapping) } ?? inferred
      let model = try #require(known)
      let store = try Store(path: ":memory:", model: model.model, mapping: model.mapping)
      let report = try Importer(store, options(model)).run([folder.source(name)])
      #expect(report.issues.map(\.description) == [], "\(name)")
      #expect(report.skipped == [:], "\(name)")
      #expect(!report.inserted.isEmpty || (files[name] ?? "") == "[]", "\(name)")
    }
  }
}
