import ArgumentParser
import Foundation
import Mapping
import ModelForms
import ObjectModel
import ObjectStore
import Stores

/// The options for Core Data stores only.
struct CoreDataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Of a Core Data store, or of a model that is taken from JSON: what identifies the objects of an entity, an attribute \
      or several; of a Core Data store also objectID for its own key.
      """, valueName: "entity=attribute,…"))
  var identity: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Of a Core Data store: the folder to write binary values to that may be kept in files. Then the store has the \
      names of the files.
      """, valueName: "path"))
  var external: String?

  @Flag(
    help: """
      Of a Core Data store: its objects are others than those that the store has from another file. Core Data's own keys \
      then begin with the file's UUID.
      """)
  var anotherFile = false

  static var none: CoreDataOptions {
    var options = CoreDataOptions()
    options.anotherFile = false
    options.identity = []
    options.external = nil
    return options
  }

  func validate() throws { _ = try identities() }

  /// By entity, what is to identify its objects.
  func identities() throws -> [String: String] {
    var found: [String: String] = [:]
    for text in identity {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw ValidationError("--identity needs ENTITY=ATTRIBUTE: Band=name, Band=objectID.")
      }
      found[parts[0]] = parts[1]
    }
    return found
  }
}

/// A Core Data store that a command is to read.
struct CoreDataInput {
  let path: String
  private let options: CoreDataOptions

  /// The mark of a model that was made of a Core Data store's: a model that somebody gave is not replaced.
  private static let mark = "broker.coreData"

  init(_ path: String, _ options: CoreDataOptions) {
    self.path = path
    self.options = options
  }

  /// The Core Data store among the files of an import; nil if they are other files.
  static func among(_ files: [String], _ options: CoreDataOptions) throws -> CoreDataInput? {
    let databases = files.filter { $0 != "-" && CoreDataFile.isDatabase($0) }
    guard let first = databases.first else {
      if options.external != nil || options.anotherFile {
        throw ValidationError("--external and --another-file are for Core Data stores.")
      }
      return nil
    }
    guard files.count == 1 else {
      throw ValidationError(
        "\(first) is an SQLite database. Import one Core Data store at a time, and nothing else with it.")
    }
    return CoreDataInput(first, options)
  }

  /// Opens it.
  ///
  /// - Parameters:
  ///   - model: The path of its model, if it is given.
  ///   - target: The model of the store that is imported into, if that is there.
  ///   - known: The files whose objects that store has.
  ///   - isDryRun: Whether to write no files.
  func open(
    model: String? = nil, target: Model? = nil, known: [String] = [], isDryRun: Bool = false
  ) throws -> CoreDataStore {
    var given = CoreDataStore.Options()
    given.identities = try options.identities()
    given.externalFolder = options.external.map(HomeFolder.expanding)
    given.target = target
    given.knownFiles = known
    given.addsAnotherFile = options.anotherFile
    given.writesExternalFiles = !isDryRun
    let versions = try model.map(Self.versions) ?? []
    return try CoreDataStore(path: path, model: versions, options: given)
  }

  /// The versions of a Core Data model.
  ///
  /// - Throws: ``CleanError`` for a schema: the objects are laid out by the model of the app.
  private static func versions(of model: String) throws -> [ModelVersion] {
    let url = URL(fileURLWithPath: HomeFolder.expanding(model))
    guard let language = SchemaLanguage(beginningOf: url) else {
      return try ModelVersion.all(contentsOf: url)
    }
    throw CleanError(
      "\(model) is \(language.document). A Core Data store is read by the model of its app. To make a model of the"
        + " schema: broker model convert \(ShellWord.quoted(model)) model.json")
  }

  /// The model that the store which is imported into is to have; nil if it is to keep its own.
  func model(of source: CoreDataStore, target: Model?, isGiven: Bool) -> Model? {
    guard target == nil || isGiven || target?.other[Self.mark] != nil else { return nil }
    var model = source.model
    model.other[Self.mark] = "true"
    return model
  }

  /// A store of ours in a temporary file with all its objects.
  func temporaryStore() throws -> Store {
    let source = try open()
    let store = try Store(path: "", model: source.model)
    do {
      let report = try Importer(store).run([.rows(source)], isCancelled: { Interruption.isRequested })
      if report.issueCount > 0 {
        Terminal.writeError(
          "\(path): \(report.issueCount) values or links cannot be used; broker import says which.\n")
      }
    } catch {
      try? store.close()
      throw error
    }
    return store
  }

  /// Prints where the parts of the model are.
  func explain(as format: ReportFormat, model: String? = nil) throws {
    let places = try open(model: model).places()
    try format.write(places, text: CoreDataPlacesText(places).text)
  }
}

/// Files that are called as databases are and cannot be read as such.
enum DatabaseName {
  private static let extensions: Set = ["sqlite", "sqlite3", "db", "store"]

  /// Refuses a file whose name is that of a database and which is none, unless it looks like JSON.
  static func check(_ path: String) throws {
    guard path != "-" else { return }
    let path = HomeFolder.expanding(path)
    let suffix = path.split(separator: "/").last?.split(separator: ".").dropFirst().last ?? ""
    guard extensions.contains(suffix.lowercased()), let first = firstBytes(of: path) else { return }
    guard !CoreDataFile.isDatabase(path) else { return }
    let text = first.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    if let byte = text.first, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { return }
    throw CleanError(
      first.isEmpty
        ? "\(path) is empty, so it is no SQLite file."
        : "\(path) is no SQLite file, as its name says: it is encrypted or damaged.")
  }

  /// The first bytes of a plain file; nil if it is none, or cannot be read.
  private static func firstBytes(of path: String) -> Data? {
    let url = URL(fileURLWithPath: path)
    // try?: the import itself says what cannot be read; this only asks what the first bytes are.
    guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile ?? false,
      // try?: as above.
      let file = try? FileHandle(forReadingFrom: url)
    else { return nil }
    defer { try? file.close() }
    // try?: as above.
    return try? file.read(upToCount: 64) ?? Data()
  }
}
