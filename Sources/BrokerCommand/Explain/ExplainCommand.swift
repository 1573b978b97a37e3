import ArgumentParser
import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Stores

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say which keys of JSON fill which properties, and why not.",
    discussion: """
      The JSON is read as an import would read it, and nothing is changed. Keys that fill nothing are listed \
      with what they may have been meant for, properties that stay empty with the keys that would fill them.

      Example:
        broker explain bands.json --model Bands.xcdatamodeld --entity Band
      """)

  @Argument(
    help: ArgumentHelp(
      "Files of JSON, JSON Lines, CSV or TSV, also compressed with gzip or zstd; folders; - is standard input.",
      valueName: "file"), completion: .file())
  var files: [String] = ["-"]

  @Option(
    help: ArgumentHelp("The model, or a schema that a model is made of.", valueName: "path"),
    completion: .file())
  var model: String?

  @Option(
    help: ArgumentHelp("A store whose model and mapping to use, in place of --model.", valueName: "path"),
    completion: .file())
  var store: String?

  @OptionGroup var document: DocumentOptions

  @Option(help: "The form of the explanation.")
  var format = ReportFormat.text

  func validate() throws {
    if isCoreData {
      if store != nil {
        throw ValidationError("A Core Data store is explained by itself: leave --store out.")
      }
      return
    }
    if (model == nil) == (store == nil) { throw ValidationError("Give either --model or --store.") }
    if files.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("Standard input can be read only once: give - only once.")
    }
  }

  /// Whether the file to explain is a database.
  private var isCoreData: Bool { files.count == 1 && files[0] != "-" && CoreDataFile.isDatabase(files[0]) }

  func run() throws {
    Interruption.watch()
    if isCoreData { return try CoreDataInput(files[0], .none).explain(as: format, model: model) }
    SchemaFiles.note(among: files)
    let store = try openStore()
    defer { try? store.close() }
    let explanation = try Interruption.telling {
      try Importer(store, document.options).explain(
        document.sources(files), isCancelled: { Interruption.isRequested })
    }
    try format.write(explanation, text: ExplanationText(explanation).text)
  }

  /// A store in a temporary file, so that large documents are no matter of memory.
  private func openStore() throws -> Store {
    let mapping = try document.readMapping()
    if let store, !CoreDataFile.isDatabase(store) || !CoreDataStore.isThere(at: store) {
      let known = try Store(readingAt: store)
      defer { try? known.close() }
      return try Store(path: "", like: known, mapping: mapping)
    }
    let model =
      try self.model.map { try Model(usableAt: $0) } ?? store.map { try CoreDataStore(path: $0).model }
    return try Store(path: "", model: model, mapping: mapping)
  }
}

struct ExplanationText {
  let explanation: Explanation

  init(_ explanation: Explanation) {
    self.explanation = explanation
  }

  var text: String {
    guard !explanation.entities.isEmpty || !explanation.unmatchedKeys.isEmpty else {
      return "There are no objects.\n"
    }
    var parts = explanation.entities.map(section)
    let strangers = explanation.unmatchedKeys.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if !strangers.isEmpty {
      let rows = strangers.map {
        Listing.Row([$0.key], "names no entity, \(Quantity.count($0.value, "time"))")
      }
      parts.append(["The document"] + Listing.lines(rows))
    }
    if !explanation.absentEntities.isEmpty {
      parts.append(paragraph("No objects of \(explanation.absentEntities.joined(separator: ", "))."))
    }
    if !advice.isEmpty { parts.append(paragraph(advice)) }
    return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private func section(_ entity: EntityExplanation) -> [String] {
    let stranger = entity.isMatched ? "" : ", no key matches anything"
    var lines = paragraph("\(entity.entity) (\(identity(of: entity))\(stranger))")
    let rows = entity.keys.map { key in
      Listing.Row(
        [key.key, key.property.map { "→ \($0)" } ?? "  –"],
        "\(reason(for: key)), \(Quantity.count(key.count, "time"))")
    }
    for (key, row) in zip(entity.keys, Listing.lines(of: rows)) {
      lines += row
      if let issue = key.firstIssue { lines += Listing.wrapped(words(issue, key.issueCount), indent: 6) }
    }
    if !entity.unfilled.isEmpty {
      lines.append("  no key for")
      lines += entity.unfilled.flatMap { Listing.wrapped(VisibleText.onOneLine(line($0)), indent: 4) }
    }
    return lines
  }

  private func words(_ issue: ImportIssue, _ count: Int) -> String {
    let unusable = count > 1 ? "\(Quantity.grouped(count)) unusable, the first" : "unusable"
    return VisibleText.onOneLine(
      "\(unusable) at \(issue.path): expected \(issue.expected), found \(issue.found); \(issue.action)")
  }

  private func paragraph(_ text: String) -> [String] { Listing.wrapped(VisibleText.onOneLine(text)) }

  // MARK: - Identities

  private func identity(of entity: EntityExplanation) -> String {
    guard !entity.identity.isEmpty else { return "no identity" }
    let names = "identity \(entity.identity.joined(separator: ", "))"
    switch entity.identitySource {
    case .name: return names + ", taken for it by its name"
    case .uniquenessConstraint: return names + ", the only uniqueness constraint"
    case .stated, nil: return names
    }
  }

  /// How to say another identity than one that was inferred.
  private var advice: String {
    let inferred = explanation.entities.filter {
      $0.identitySource == .name || $0.identitySource == .uniquenessConstraint
    }
    guard !inferred.isEmpty else { return "" }
    let names = inferred.map { "\($0.entity) by \($0.identity.joined(separator: ", "))" }
    return
      "Inferred, since nothing says it: which object an object is, of \(names.joined(separator: "; ")). To say"
      + " something else, write “identity: NAME” or “identity: none” for the entity in the file of --mapping, or"
      + " annotate it with broker.identity in the model."
  }

  // MARK: - Words

  private func line(_ property: PropertyExplanation) -> String {
    "\(property.property)\(property.isRequired ? ", which is required" : "")"
      + ": would take \(property.keys.joined(separator: ", "))"
      + (property.nearest.map { "; is \($0) meant?" } ?? "")
  }

  private func reason(for key: KeyExplanation) -> String {
    switch key.reason {
    case .mapped: "mapped"
    case .name: "its name"
    case .style: "its name in another style"
    case .reserved: "a reserved word"
    case .identity: "the identity"
    case .reference: "a reference by key"
    case .kind: "tells the kind of a link"
    case .wrapper: "stands around the object"
    case .path: "on the way of key paths"
    case .ignored: "ignored on purpose"
    case .unmatched: "matches nothing" + (key.nearest.map { ": is \($0) meant?" } ?? "")
    }
  }
}

/// The places of the parts of a Core Data store, for people.
struct CoreDataPlacesText {
  private let places: CoreDataPlaces

  init(_ places: CoreDataPlaces) {
    self.places = places
  }

  var text: String {
    var lines = ["\(places.path) is a Core Data store. It is read by \(places.model)."]
    for entity in places.entities { lines += [""] + self.lines(of: entity) }
    if !places.differences.isEmpty {
      lines += ["", "What does not fit:"] + places.differences.map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of entity: CoreDataPlaces.Entity) -> [String] {
    let width = entity.properties.map(\.name.count).max() ?? 0
    return [
      "\(entity.name)  \(Quantity.count(Int(entity.objects), "object")) in \(entity.table), Z_ENT \(entity.number)",
      "  identified by \(entity.identity.joined(separator: ", ")): \(entity.reason);"
        + " --identity \(entity.name)=… says otherwise",
    ]
      + entity.properties.map { property in
        "  " + property.name + String(repeating: " ", count: width - property.name.count)
          + "  \(property.place ?? "nowhere")"
      }
  }
}
