import ArgumentParser
import Foundation
import Mapping
import ModelForms
import ObjectModel
import ObjectStore
import Stores

/// The model that a command is about, and what is said beside it.
struct ModelSource: ParsableArguments {
  @Argument(help: "The model, a schema that a model is made of, or a store.", completion: .file())
  var path: String

  @Option(
    help: ArgumentHelp(
      "A mapping of the JSON, in YAML or JSON; of a store, in place of the one that it remembers.",
      valueName: "path"), completion: .file())
  var mapping: String?
}

/// The model that an argument or an option of a command names. All commands that take a model read it here.
///
/// It may be a model in any of its forms, a schema that a model is made of, a store of ours, which remembers its model,
/// or a Core Data store, most of which do.
struct ModelArgument {
  let path: String
  /// The model, not checked yet, and without the mapping.
  let model: Model
  /// The mapping that is given beside the model, or else the one that the store remembers.
  let mapping: JSONMapping?
  /// The language of a schema.
  private(set) var language: SchemaLanguage?
  /// The inferences that were made of a schema.
  private(set) var remarks: [Remark] = []
  /// The parts of a compiled model that are not in the model.
  private(set) var problems: [ModelProblem] = []

  /// How many inferences are told where the schema is not the matter of the command.
  private static let mostRemarks = 5

  /// - Throws: ``CleanError`` for a schema that cannot be used, ``ModelError`` for a model that cannot be read,
  ///   ``StoreError`` for a database without a model, ``MappingError``.
  init(_ path: String, mapping: String? = nil) throws {
    self.path = path
    let file = HomeFolder.expanding(path)
    let given = try mapping.map(JSONMapping.init(argument:))
    if let data = try PipedArgument.bytes(at: file) {
      self.mapping = given
      if let schema = try Self.schema(path, { try ModelReading(data, name: "model", kind: "") }) {
        (model, remarks, language) = (schema.model, schema.remarks, schema.language)
      } else {
        let loaded = try LoadedModel(data, name: path)
        (model, problems) = (loaded.model, loaded.remarks)
      }
    } else if CoreDataFile.isDatabase(file) || !StorePlace(file).isFile {
      if CoreDataStore.isThere(at: file) {
        model = try CoreDataStore(path: file).declaredModel
        self.mapping = given
        return
      }
      let store = try Store(readingAt: file)
      let declared = store.declared
      try store.close()
      model = declared.model
      self.mapping = given ?? declared.mapping
    } else {
      self.mapping = given
      let url = URL(fileURLWithPath: file)
      if let schema = try Self.schema(path, { try ModelReading(contentsOf: url) }) {
        (model, remarks, language) = (schema.model, schema.remarks, schema.language)
      } else {
        let loaded = try LoadedModel(contentsOf: url)
        (model, problems) = (loaded.model, loaded.remarks)
      }
    }
  }

  private static func schema(_ path: String, _ read: () throws -> ModelReading?) throws -> ModelReading? {
    do {
      return try read()
    } catch let error as SchemaFileError {
      throw CleanError("\(path)\(error.line.map { ":\($0)" } ?? ""): \(error)")
    } catch let error as ModelError {
      throw CleanError("\(path)\(error.line == nil ? ": " : ":")\(error)")
    }
  }

  /// The model with what the mapping says.
  ///
  /// - Throws: ``MappingError`` if the mapping does not fit; ``UnusableModel`` if `broker model check` finds errors in it.
  func usable() throws -> Model {
    try model.validate()
    guard let mapping else { return model }
    let mapped = try mapping.applied(to: model)
    try mapped.validate()
    return mapped
  }

  /// Tells in a few lines that a model was made of a schema, and what was inferred.
  func noteSchema() {
    guard let language else { return }
    let entities = model.entities.map(\.name)
    let names = entities.prefix(12).joined(separator: ", ") + (entities.count > 12 ? ", …" : "")
    var lines = ["\(path) is \(language.document). A model was made of it: \(names)"]
    lines += remarks.prefix(Self.mostRemarks).map { "  \($0)" }
    let more = remarks.count - Self.mostRemarks
    if more > 0 {
      lines.append("  and \(more) more; broker model convert \(ShellWord.quoted(path)) model.json lists them")
    }
    Terminal.writeError(lines.map { VisibleText.onOneLine($0) + "\n" }.joined())
  }
}

extension Model {
  /// Reads a model that a command is to work with. If it is made of a schema, that is told on standard error.
  ///
  /// - Throws: What ``ModelArgument/init(_:mapping:)`` and ``ModelArgument/usable()`` throw.
  init(usableAt path: String, mapping: String? = nil, isQuiet: Bool = false) throws {
    let argument = try ModelArgument(path, mapping: mapping)
    if !isQuiet { argument.noteSchema() }
    self = try argument.usable()
  }
}

extension JSONMapping {
  /// Reads the mapping that an option of a command names.
  ///
  /// - Throws: ``MappingError``; ``CleanError`` for a schema, which is given as the model.
  init(argument path: String) throws {
    let file = HomeFolder.expanding(path)
    let url = URL(fileURLWithPath: file)
    do {
      if let data = try PipedArgument.bytes(at: file) {
        try self.init(text: String(decoding: data, as: UTF8.self), name: path)
      } else {
        try self.init(contentsOf: url)
      }
    } catch let error as MappingError {
      guard let language = SchemaLanguage(beginningOf: url) else { throw error }
      throw CleanError(
        "\(path) is \(language.document), and no mapping. Give it as the model, where there is --model; or make a model"
          + " of it: broker model convert \(ShellWord.quoted(path)) model.json")
    }
  }
}

/// A model or a mapping that a command is given by something that can be read only once, such as `<(curl …)` or `/dev/stdin`.
enum PipedArgument {
  /// No model is larger.
  private static let largest = 256 << 20

  /// All bytes of what a path names; nil if it names a file, a folder or nothing, which is read by its name.
  ///
  /// - Throws: `ImportError` if it cannot be read, or the command is interrupted; ``CleanError`` for too many bytes.
  static func bytes(at path: String) throws -> Data? {
    guard ImportSource.isReadOnce(path) else { return nil }
    let source = ImportSource.file(path)
    if let bytes = try source.bytes(largest: largest, isCancelled: { Interruption.isRequested }) {
      return Data(bytes)
    }
    throw CleanError("\(path) has more than 256 MB, which no model or mapping has.")
  }
}

/// Schemas among the files that a command reads as data.
enum SchemaFiles {
  /// How many files are looked at.
  private static let most = 50

  /// Tells of the first file that is a schema how to use it as one.
  static func note(among files: [String]) {
    for path in files.prefix(most) where path != "-" {
      let url = URL(fileURLWithPath: HomeFolder.expanding(path))
      guard let language = SchemaLanguage(beginningOf: url) else { continue }
      let word = ShellWord.quoted(path)
      Terminal.writeError(
        VisibleText.onOneLine(
          "Note: \(path) is \(language.document), and is read as data here. To import the data that it describes:"
            + " broker import DATA --model \(word) --store STORE. To make a model of it: broker model convert \(word)"
            + " model.json") + "\n")
      return
    }
  }
}
