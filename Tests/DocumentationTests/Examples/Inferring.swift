import Broker
import Inference

/// What docs/INFERENCE.md shows.
enum Inferring {
  static func inferAModel() throws {
    let inferred = try InferredModel(from: ImportSource.files("data"))
    for guess in inferred.guesses where guess.certainty == .doubtful { print(guess.evidence) }
    let store = try Store(path: "data.sqlite", model: inferred.model, mapping: inferred.mapping)
    try store.close()
  }
}
