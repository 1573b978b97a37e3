import ArgumentParser
import Foundation
import Mapping
import ObjectModel
import ObjectStore

/// How JSON is to be read, for the commands that read it.
struct DocumentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What to know of the JSON, beyond the model: YAML or JSON. The store remembers it.", valueName: "path"),
    completion: .file())
  var mapping: String?

  @Option(
    help: ArgumentHelp("The entity of the objects, if the JSON does not say.", valueName: "name"),
    completion: EntityCompletion.names)
  var entity: String?

  @Option(
    help: ArgumentHelp(
      """
      Where in the JSON the objects are: response.items, pages[].items, data|included. With * for any key, or \
      {country} for one whose text each object gets as its country, and value? \
      for one that documents which are objects themselves lack.
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

  @OptionGroup var input: InputOptions

  var options: ImportOptions {
    var options = input.options
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

  /// The sources that arguments name: files, folders, patterns, and `-` for standard input.
  func sources(_ paths: [String]) throws -> [ImportSource] { try input.sources(paths) }

  func readMapping() throws -> JSONMapping? {
    try mapping.map { try JSONMapping(argument: $0) }
  }
}
