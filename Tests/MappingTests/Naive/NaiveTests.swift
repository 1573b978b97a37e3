import Mapping
import ObjectModel
import Testing

/// Random models, documents and sequences of imports: the store holds, and the report says, what a naive
/// implementation of the contract makes of them.
///
/// Each test runs batches of seeds. A failure names its seed, and shows the smallest imports that differ in
/// the same model; what each model and import has is told by ``ModelFeatures``.
@Suite struct NaiveTests {
  /// How many seeds a batch has, from its number times this.
  private static let batch: UInt64 = 50
  /// To run a single seed again, its number; what its test is about has to be run, by `--filter`.
  private static let only: UInt64? = nil

  @Test(arguments: 0..<10)
  func values(_ batch: UInt64) {
    run(batch, ModelFeatures())
  }

  @Test(arguments: 20..<28)
  func parts(_ batch: UInt64) {
    run(batch, ModelFeatures(parts: true))
  }

  @Test(arguments: 30..<38)
  func policies(_ batch: UInt64) {
    run(batch, ModelFeatures(policies: true))
  }

  @Test(arguments: 40..<48)
  func requiredLinks(_ batch: UInt64) {
    run(batch, ModelFeatures(requiredLinks: true))
  }

  @Test(arguments: 50..<56)
  func versions(_ batch: UInt64) {
    run(batch, ModelFeatures(versions: true))
  }

  @Test(arguments: 58..<64)
  func pruning(_ batch: UInt64) {
    run(batch, ModelFeatures(deleteRules: true))
  }

  @Test(arguments: 66..<72)
  func kinds(_ batch: UInt64) {
    run(batch, ModelFeatures(kinds: true))
  }

  private func run(_ batch: UInt64, _ features: ModelFeatures) {
    var compared = 0
    var excused = 0
    for seed in batch * Self.batch..<(batch + 1) * Self.batch where Self.only == nil || seed == Self.only {
      let trial = Self.trial(seed, features)
      let result = trial.result()
      compared += result.compared
      excused += result.excused
      if result.difference == nil { continue }
      let shrunk = trial.shrunk()
      Issue.record("seed \(seed)\n\(shrunk.description)\n\(shrunk.result().difference ?? "")")
      // One is enough to look at, and shrinking takes its time.
      return
    }
    // Excuses must not eat the test up.
    #expect(compared > excused || Self.only != nil)
  }

  private static func trial(_ seed: UInt64, _ features: ModelFeatures) -> NaiveCase {
    var random = Seeded(state: seed &* 7919)
    let sketch = RandomNaiveModel.make(features, &random)
    let steps = (0..<2 + random.below(4)).map { _ in step(sketch, features, &random) }
    return NaiveCase(sketch: sketch, steps: steps)
  }

  private static func step(
    _ sketch: NaiveModel, _ features: ModelFeatures, _ random: inout Seeded
  ) -> NaiveCase.Step {
    var maker = RandomDocument(sketch: sketch, random: Seeded(state: random.next()))
    var step = NaiveCase.Step(document: .null, options: options(features, &random))
    let kind = random.pick(sketch.kinds.indices.filter { !sketch.isPart($0) })
    if random.below(3) == 0 {
      step.options.entity = sketch.kinds[kind].name
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
