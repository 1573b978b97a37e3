import Mapping
import ObjectModel
import Testing

/// Random models, documents and sequences of imports: the store holds, and the report says, what a naive
/// implementation of the contract makes of them.
@Suite struct NaiveTests {
  @Test(arguments: 0..<20)
  func values(_ batch: UInt64) {
    run(batch, ModelFeatures())
  }

  @Test(arguments: 20..<30)
  func parts(_ batch: UInt64) {
    run(batch, ModelFeatures(parts: true))
  }

  @Test(arguments: 30..<40)
  func policies(_ batch: UInt64) {
    run(batch, ModelFeatures(policies: true))
  }

  @Test(arguments: 40..<50)
  func requiredLinks(_ batch: UInt64) {
    run(batch, ModelFeatures(requiredLinks: true))
  }

  @Test(arguments: 50..<58)
  func versions(_ batch: UInt64) {
    run(batch, ModelFeatures(versions: true))
  }

  @Test(arguments: 58..<66)
  func pruning(_ batch: UInt64) {
    run(batch, ModelFeatures(deleteRules: true))
  }

  private func run(_ batch: UInt64, _ features: ModelFeatures) {
    for seed in batch * 50..<(batch + 1) * 50 {
      let trial = Self.trial(seed, features)
      guard trial.difference() != nil else { continue }
      let shrunk = trial.shrunk()
      Issue.record("seed \(seed)\n\(shrunk.description)\n\(shrunk.difference() ?? "")")
      // One is enough to look at, and shrinking takes its time.
      return
    }
  }

  private static func trial(_ seed: UInt64, _ features: ModelFeatures) -> Trial {
    var random = Seeded(state: seed &* 7919)
    let sketch = RandomModel.make(features, &random)
    let steps = (0..<2 + random.below(4)).map { _ in step(sketch, features, &random) }
    return Trial(sketch: sketch, steps: steps)
  }

  private static func step(
    _ sketch: Sketch, _ features: ModelFeatures, _ random: inout Seeded
  ) -> Trial.Step {
    var maker = RandomDocument(sketch: sketch, random: Seeded(state: random.next()))
    var step = Trial.Step(document: .null, options: options(features, &random))
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
