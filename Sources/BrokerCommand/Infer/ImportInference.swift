import Foundation
import Inference
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import Stores

/// The model of an import that was given none: taken from the JSON for a new store, and for a store whose model was taken
/// from JSON before, widened if the JSON has more.
struct ImportInference {
  let document: DocumentOptions
  let store: String

  /// A model that is to be used, and what has to be told about it.
  struct Outcome {
    var model: Model
    var mapping: JSONMapping
    /// The entity of the objects, if the JSON does not tell it.
    var entity: String?
    var lines: [String]
  }

  /// What marks the model of a store that was inferred: a model that somebody gave is not widened.
  private static let mark = "broker.inferred"

  /// - Parameter sources: Gives the sources, readable twice. It is called only if they are needed.
  /// - Returns: Nil if the store has a model that is to stay as it is.
  func outcome(isNew: Bool, _ sources: () throws -> [ImportSource]) throws -> Outcome? {
    if isNew { return try first(sources()) }
    guard let known = try knownModel() else { return nil }
    return try widened(known, sources())
  }

  /// Whether a model was taken from JSON.
  static func isInferred(_ model: Model) -> Bool { model.other[mark] != nil }

  /// The model without the mark, for who saves it to work on it.
  static func unmarked(_ model: Model) -> Model {
    var model = model
    model.other[mark] = nil
    return model
  }

  // MARK: - A new store

  private func first(_ sources: [ImportSource]) throws -> Outcome {
    let inferred = try infer(sources)
    var model = inferred.model
    model.other[Self.mark] = "true"
    let doubts = inferred.guesses.filter { $0.certainty == .doubtful }
    let entities = model.entities.map(\.name)
    var lines = [
      "Took a model from the JSON: " + entities.prefix(12).joined(separator: ", ")
        + (entities.count > 12 ? ", …" : "")
    ]
    lines += doubts.prefix(5).map { "  doubtful: \(InferenceText.words($0))" }
    if doubts.count > 5 { lines.append("  and \(doubts.count - 5) more; see broker model infer") }
    return Outcome(
      model: model, mapping: try given(or: inferred.mapping), entity: inferred.entity, lines: lines)
  }

  private func infer(_ sources: [ImportSource]) throws -> InferredModel {
    var options = InferenceOptions()
    options.input = document.options
    return try InferredModel(from: sources, options: options, isCancelled: { Interruption.isRequested })
  }

  private func given(or inferred: JSONMapping) throws -> JSONMapping {
    try document.readMapping() ?? inferred
  }

  // MARK: - A store that is there

  /// The model of the store and its mapping, if they were inferred.
  private func knownModel() throws -> (model: Model, mapping: JSONMapping)? {
    // A store that cannot be opened is an error of the import itself.
    guard let opened = try? Store(readingAt: store) else { return nil }
    defer { try? opened.close() }
    let known = opened.declared
    return Self.isInferred(known.model) ? known : nil
  }

  private func widened(_ known: (model: Model, mapping: JSONMapping), _ sources: [ImportSource]) throws
    -> Outcome?
  {
    let inferred: InferredModel
    do {
      inferred = try infer(sources).refining(known.model, mapping: known.mapping)
    } catch is InferenceError {
      // JSON without objects adds nothing to the model. The import says what it finds.
      return nil
    }
    let lines = inferred.guesses.map { "Widened the model: \(InferenceText.words($0))" }
    return Outcome(
      model: inferred.model, mapping: try given(or: inferred.mapping), entity: inferred.entity, lines: lines)
  }
}

/// What came from standard input, in a file, so that it can be read twice.
struct StandardInputCopy {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("broker-\(UUID().uuidString)")
    path = url.path
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw CleanError("The temporary file \(path) cannot be made.") }
    Interruption.removeAtExit(path)
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    while let piece = try FileHandle.standardInput.read(upToCount: 1 << 20), !piece.isEmpty {
      if Interruption.isRequested { throw CancellationError() }
      try file.write(contentsOf: piece)
    }
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    Interruption.removeAtExit(nil)
  }
}
