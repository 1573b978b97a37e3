import Mapping
import ObjectModel
import TestSettings
import Testing

/// Runs random sequences of imports under random models in Broker and in a naive implementation of the contract.
/// Contents and reports must be the same.
///
/// Each test runs batches of seeds with some ``ModelFeatures``. A failure shows its seed, and the smallest imports
/// under the same model that differ.
@Suite struct NaiveTests {
  /// How many seeds a batch has, from its number times this.
  private static let batch: UInt64 = 25
  /// The seed to run alone. Choose its test by `--filter`.
  private static let only: UInt64? = nil

  @Test(arguments: batches(from: 0, 2, long: 20))
  func values(_ batch: UInt64) {
    run(batch, ModelFeatures())
  }

  @Test(arguments: batches(from: 40, 2, long: 16))
  func parts(_ batch: UInt64) {
    run(batch, ModelFeatures(parts: true))
  }

  @Test(arguments: batches(from: 60, 2, long: 16))
  func policies(_ batch: UInt64) {
    run(batch, ModelFeatures(policies: true))
  }

  @Test(arguments: batches(from: 80, 2, long: 16))
  func requiredLinks(_ batch: UInt64) {
    run(batch, ModelFeatures(requiredLinks: true))
  }

  @Test(arguments: batches(from: 100, 2, long: 12))
  func versions(_ batch: UInt64) {
    run(batch, ModelFeatures(versions: true))
  }

  @Test(arguments: batches(from: 116, 2, long: 12))
  func pruning(_ batch: UInt64) {
    run(batch, ModelFeatures(deleteRules: true))
  }

  @Test(arguments: batches(from: 132, 2, long: 12))
  func kinds(_ batch: UInt64) {
    run(batch, ModelFeatures(kinds: true))
  }

  @Test(arguments: batches(from: 144, 2, long: 16))
  func shapes(_ batch: UInt64) {
    run(batch, ModelFeatures(), isShaped: true)
  }

  @Test(arguments: batches(from: 160, 2, long: 12))
  func shapesOfParts(_ batch: UInt64) {
    run(batch, ModelFeatures(parts: true), isShaped: true)
  }

  @Test(arguments: batches(from: 172, 2, long: 12))
  func shapesOfKinds(_ batch: UInt64) {
    run(batch, ModelFeatures(kinds: true), isShaped: true)
  }

  /// The numbers of a test's batches, which no other test has.
  private static func batches(from first: UInt64, _ count: UInt64, long longCount: UInt64) -> [UInt64] {
    Seeds.first(count, long: longCount).map { first + $0 }
  }

  private func run(_ batch: UInt64, _ features: ModelFeatures, isShaped: Bool = false) {
    var compared = 0
    var notCompared = 0
    var repeated = 0
    for seed in batch * Self.batch..<(batch + 1) * Self.batch where Self.only == nil || seed == Self.only {
      let testCase = Self.randomCase(seed, features, isShaped)
      let result = testCase.result()
      compared += result.compared
      notCompared += result.notCompared
      repeated += result.repeated
      if result.difference == nil { continue }
      let shrunk = testCase.shrunk()
      Issue.record("seed \(seed)\n\(shrunk.description)\n\(shrunk.result().difference ?? "")")
      // The first failure of a batch is enough, since making it small takes time.
      return
    }
    if Self.only != nil { return }
    // Most imports must be compared, and some repeated.
    #expect(compared > notCompared)
    #expect(repeated > 0)
  }

  private static func randomCase(
    _ seed: UInt64, _ features: ModelFeatures, _ isShaped: Bool
  ) -> NaiveCase {
    var random = Seeded(state: seed &* 7919)
    let model = RandomNaiveModel.make(features, &random)
    var steps = (0..<2 + random.below(4)).map { _ in step(model, features, &random) }
    for index in steps.indices { steps[index].isRepeated = random.flip() }
    guard isShaped else { return NaiveCase(model: model, steps: steps) }
    let shape = DocumentShape(model, &random)
    var shaped = NaiveCase(model: model, steps: steps, shape: shape)
    for index in steps.indices { shaped.reshape(index) }
    return shaped
  }

  private static func step(
    _ model: NaiveModel, _ features: ModelFeatures, _ random: inout Seeded
  ) -> NaiveCase.Step {
    var maker = RandomDocument(model: model, random: Seeded(state: random.next()))
    var step = NaiveCase.Step(document: .null, options: options(features, &random))
    let kind = random.pick(model.kinds.indices.filter { !model.isPart($0) })
    if random.below(3) == 0 {
      step.options.entity = model.kinds[kind].name
      step.document = maker.objects(kind)
    } else {
      step.document = maker.document()
    }
    if case .list(let elements) = step.document { step.isLines = elements.count > 1 && random.flip() }
    // Pruning needs a list.
    if case .object = step.document, step.options.entity != nil { step.options.prunes = false }
    return step
  }

  private static func options(_ features: ModelFeatures, _ random: inout Seeded) -> ImportOptions {
    var options = ImportOptions()
    if features.policies {
      options.toMany = random.pick([.replace, .merge])
      options.references = random.pick([.pending, .stub])
    }
    options.prunes = features.deleteRules && random.flip()
    options.isDryRun = random.below(12) == 0
    options.isStrict = random.below(12) == 0
    return options
  }
}
