import Foundation
import Inference
import ObjectModel

/// The result of an inference, for people: the doubts, the model, and how to import with it.
struct InferenceText {
  let inferred: InferredModel
  let files: [String]
  let output: String?
  let mapping: String?
  /// Whether a model that was there was widened.
  var isRefinement = false

  init(_ inferred: InferredModel, files: [String], output: String?, mapping: String?) {
    self.inferred = inferred
    self.files = files
    self.output = output
    self.mapping = mapping
  }

  var text: String {
    if isRefinement, inferred.guesses.isEmpty {
      return "The model has all that the JSON has. Nothing was changed.\n"
    }
    var parts = [summary]
    for (title, certainty) in [
      ("Doubtful", Guess.Certainty.doubtful), (isRefinement ? "Added" : "Likely", .likely),
    ] {
      let lines = inferred.guesses.filter { $0.certainty == certainty }.map(Self.line)
      if !lines.isEmpty { parts.append(([title] + lines).joined(separator: "\n")) }
    }
    let links = inferred.guesses.filter {
      $0.certainty == .certain && ($0.subject == .identity || $0.subject == .relationship)
    }
    if !links.isEmpty { parts.append((["Certain"] + links.map(Self.line)).joined(separator: "\n")) }
    if output == nil { parts.append(ModelOverview(withIdentities).text.trimmed) }
    if mapping == nil, !inferred.mapping.text().isEmpty {
      parts.append("The mapping\n" + inferred.mapping.text().trimmed)
    }
    parts.append(advice)
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// The model with the identities that the mapping says.
  private var withIdentities: Model {
    var model = inferred.model
    for index in model.entities.indices {
      guard let identity = inferred.mapping[model.entities[index].name].identity else { continue }
      model.entities[index].userInfo["broker.identity"] =
        identity.isEmpty ? "none" : identity.joined(separator: ",")
    }
    return model
  }

  private var summary: String {
    let entities = inferred.model.entities.count
    let read = inferred.isWhole ? "" : ", a sample"
    let count = entities == 1 ? "1 entity" : "\(entities) entities"
    return "\(count) from \(Quantity.grouped(inferred.bytes)) bytes\(read)"
  }

  private static func line(_ guess: Guess) -> String { "  " + words(guess) }

  /// A guess on one line.
  static func words(_ guess: Guess) -> String {
    let subject = [guess.entity, guess.property].filter { !$0.isEmpty }.joined(separator: ".")
    return VisibleText.onOneLine(
      "\(subject.isEmpty ? "The JSON" : subject): \(guess.choice) – \(guess.evidence)")
  }

  /// So many doubts are told at the end of an import.
  private static let mostDoubts = 3

  /// The doubts that matter most to who imports, each with the option that settles it: identities first, then links.
  static func doubts(_ inferred: InferredModel) -> [String] {
    let doubts = inferred.guesses.filter { $0.certainty == .doubtful }
    let order: [Guess.Subject] = [.identity, .relationship, .kinds, .entity, .document, .attribute]
    let sorted = order.flatMap { subject in doubts.filter { $0.subject == subject } }
    var lines = sorted.prefix(mostDoubts).map { guess in
      "  doubtful: \(words(guess))" + (option(for: guess).map { " (\($0))" } ?? "")
    }
    if doubts.count > mostDoubts {
      lines.append("  and \(doubts.count - mostDoubts) more; see broker model infer")
    }
    return lines
  }

  /// The option of an import into a new store by which a person decides.
  private static func option(for guess: Guess) -> String? {
    switch guess.subject {
    case .identity: "--identity \(guess.entity)=KEY"
    case .relationship: "--not-a-link \(guess.entity).\(guess.property)"
    case .document, .entity, .attribute, .kinds: nil
    }
  }

  /// The command that imports the files with what was inferred.
  private var advice: String {
    var words = ["broker", "import"] + files
    if let entity = inferred.entity { words += ["--entity", entity] }
    words += ["--model", output ?? "MODEL"]
    if !inferred.mapping.text().isEmpty { words += ["--mapping", mapping ?? "MAPPING"] }
    words += ["--store", "STORE"]
    let hint = output == nil ? " (write MODEL with --output, MAPPING with --mapping)" : ""
    return "To import\(hint):\n  " + VisibleText.onOneLine(words.map(ShellWord.quoted).joined(separator: " "))
  }
}

extension String {
  /// Without line ends behind it.
  fileprivate var trimmed: String { trimmingCharacters(in: .newlines) }
}

/// The result of an inference, for programs.
enum InferenceJSON {
  private struct Output: Encodable {
    var guesses: [Guess]
    var entity: String?
    var mapping: String
    var bytes: Int
    var records: Int
    var isWhole: Bool
  }

  /// The model in its JSON form, and all else beside it.
  static func text(_ inferred: InferredModel) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let output = Output(
      guesses: inferred.guesses, entity: inferred.entity, mapping: inferred.mapping.text(),
      bytes: inferred.bytes,
      records: inferred.records, isWhole: inferred.isWhole)
    let rest = String(decoding: try encoder.encode(output), as: UTF8.self)
    let model = inferred.model.json().trimmed
    return "{\n  \"model\" : \(model),\(rest.dropFirst())"
  }
}
