import ArgumentParser
import Foundation
import Mapping
import ObjectModel
import ObjectStore

/// How JSON is to be read, for the commands that read it.
struct DocumentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What to know of the JSON, beyond the model: YAML or JSON. The store remembers it.", valueName: "path"))
  var mapping: String?

  @Option(help: ArgumentHelp("The entity of the objects, if the JSON does not say.", valueName: "name"))
  var entity: String?

  @Option(
    help: ArgumentHelp(
      """
      Where in the JSON the objects are: response.items, pages[].items, data|included. With * for any key, or \
      {country} for one whose text each object gets as its country.
      """, valueName: "key.path"))
  var at: String?

  @Option(
    help: ArgumentHelp(
      """
      Where the names of columns are, if objects are lists of values: first (the first of these lists), \
      $.meta.columns from the root of the JSON, ^.columns from the object around them, $.columns[].name.
      """, valueName: "path"))
  var columns: String?

  @Option(
    help: ArgumentHelp(
      "The key whose value names the entity of each object: resourceType", valueName: "key.path"))
  var kind: String?

  @Flag(help: "Pass over objects whose kind names no entity, and count them.")
  var skipOtherKinds = false

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      """
      Give each object that lacks the key this value: a text, $.meta.page from the root of the JSON, ^.name from the \
      object around the list (^^ from the next), @file or @folder. A text that begins with one of these signs has = \
      before it.
      """, valueName: "key=value"))
  var added: [AddedKey] = []

  @Option(
    help: ArgumentHelp("Which keys are taken for a property without a key of its own.", valueName: "style"))
  var keys = KeyStyle.auto

  @Option(
    help: ArgumentHelp("The format of dates: auto, seconds, milliseconds or a pattern.", valueName: "format"))
  var dates = "auto"

  @Option(
    help: ArgumentHelp(
      "The form of the input: json, csv or tsv. Without it the names of files tell: .csv, .tsv.",
      valueName: "format"))
  var inputFormat: InputForm?

  @Option(
    help: ArgumentHelp(
      "What stands between the values of a table, if it is not the comma, semicolon or tab of its header.",
      valueName: "character"))
  var separator: Separator?

  @Option(
    help: ArgumentHelp("The most that an input may have, after decompression: 500MB, 2GB.", valueName: "size")
  )
  var maxInput: ByteCount?

  @Option(
    help: ArgumentHelp(
      "How many times as long a compressed input may become, past its first 10 MB.", valueName: "n"))
  var maxRatio = 500

  var options: ImportOptions {
    var options = ImportOptions()
    options.format = format
    options.maximumSize = maxInput?.count
    options.maximumRatio = maxRatio
    options.entity = entity
    options.root = at
    options.columns = columns
    options.kind = kind
    options.skipsOtherKinds = skipOtherKinds
    for added in added { options.added[added.key] = added.value }
    options.keys = keys
    options.dates = dates
    return options
  }

  func validate() throws {
    if separator != nil, inputFormat == .json {
      throw ValidationError("--separator is for tables, not for JSON.")
    }
    if maxRatio < 1 { throw ValidationError("--max-ratio needs a number, 1 or more.") }
  }

  /// The sources that arguments name: files, folders, patterns, and `-` for standard input.
  func sources(_ paths: [String]) throws -> [ImportSource] {
    try paths.flatMap { path in
      path == "-" ? [ImportSource.descriptor(0)] : try ImportSource.files(HomeFolder.expanding(path))
    }
  }

  private var format: InputFormat {
    if let separator, inputFormat != .json { return separator.format }
    switch inputFormat {
    case .json: return .json
    case .csv: return .csv
    case .tsv: return .tsv
    case nil: return .automatic
    }
  }

  func readMapping() throws -> JSONMapping? {
    try mapping.map { try JSONMapping(contentsOf: URL(fileURLWithPath: $0)) }
  }
}
