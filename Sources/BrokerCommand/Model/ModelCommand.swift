import ArgumentParser
import Foundation
import Mapping
import ObjectModel

/// `broker model`: looks at models and converts them.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Show, check, convert, draw, compare and infer models.",
    discussion: """
      A model is an .xcdatamodeld bundle, an .xcdatamodel directory, its contents file, or Broker's JSON form, in \
      JSON or YAML. A store remembers its model, and a model is made of a schema: OpenAPI, Swagger, JSON Schema, \
      GraphQL. All commands that take a model take these too.

      Example: broker model show Music.xcdatamodeld
      """,
    subcommands: [
      ModelShowCommand.self, ModelCheckCommand.self, ModelConvertCommand.self, ModelDiffCommand.self,
      ModelInferCommand.self,
      ModelSwiftCommand.self, ModelDiagramCommand.self,
    ])
}

/// `broker model show`
struct ModelShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a model's entities, attributes and relationships.",
    discussion: """
      Example: broker model show Music.xcdatamodeld

      With --format json, prints the model in Broker's JSON form. Identities and keys are shown as --mapping says them; \
      of a store, as the mapping says that it remembers.
      """)

  @OptionGroup var source: ModelSource

  @Option(help: "The form of the output: text or json.")
  var format: ReportFormat = .text

  func run() throws {
    let argument = try ModelArgument(source.path, mapping: source.mapping)
    argument.noteSchema()
    let model = try argument.usable()
    switch format {
    case .text: try Terminal.write(ModelOverview(model, argument.mapping).text)
    case .json: try Terminal.write(model.json(), as: .json)
    }
  }
}

/// A model for people to read: a paragraph an entity, a line a property.
struct ModelOverview {
  private let model: Model
  private let hierarchy: EntityHierarchy
  /// Nil if the model cannot be used; it is shown all the same.
  private let schema: Schema?
  /// The mapping that is written into the model.
  private let mapping: JSONMapping?

  init(_ model: Model, _ mapping: JSONMapping? = nil) {
    self.model = model
    self.mapping = mapping
    hierarchy = EntityHierarchy(model)
    schema = try? Schema(model)
  }

  /// The whole text, with a final newline.
  var text: String {
    let entities = model.entities.map(paragraph)
    let composites = model.composites.map { composite in
      "\(composite.name)  composite\n" + table(composite.attributes.map { line(of: $0, identity: []) })
    }
    let paragraphs = entities + composites
    return paragraphs.isEmpty ? "The model has no entities.\n" : paragraphs.joined(separator: "\n")
  }

  private func paragraph(for entity: Entity) -> String {
    let resolved = schema?.entity(entity.name)
    let identity =
      resolved.map(\.declaredIdentity) ?? hierarchy.root(of: entity).declaredIdentity
    var title = entity.name
    if let parent = entity.parent { title += " : \(parent)" }
    if entity.isAbstract { title += "  abstract" }
    title += "  " + heading(of: identity, isMapped: mapping?[hierarchy.root(of: entity).name].identity != nil)
    let rows =
      entity.attributes.map { line(of: $0, identity: identity?.properties ?? []) }
      + entity.relationships.map { line(of: $0, identity: identity?.properties ?? []) }
    return VisibleText.onOneLine(title) + "\n" + table(rows)
  }

  private func heading(of identity: DeclaredIdentity?, isMapped: Bool) -> String {
    guard let identity else { return isMapped ? "no identity (mapping)" : "no identity" }
    let source =
      switch identity.source {
      case .annotation where isMapped: "mapping"
      case .annotation: "annotation"
      case .uniquenessConstraint: "uniqueness constraint"
      case .convention: "by its name"
      }
    return "identity: \(identity.properties.joined(separator: ", ")) (\(source))"
  }

  private func line(of attribute: Attribute, identity: [String]) -> [String] {
    var notes = [attribute.isOptional ? "optional" : "required"]
    if identity.contains(attribute.name) { notes.append("identity") }
    if attribute.isTransient { notes.append("transient") }
    if let derivation = attribute.derivation { notes.append("derived from \(derivation)") }
    if let value = attribute.defaultValue { notes.append("default \(value.isEmpty ? "\"\"" : value)") }
    if let seconds = attribute.defaultDate {
      notes.append("default \(Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601))")
    }
    if attribute.minimum != nil || attribute.maximum != nil {
      let name = attribute.type == .string ? "length " : ""
      notes.append("\(name)\(attribute.minimum ?? "")...\(attribute.maximum ?? "")")
    }
    if let pattern = attribute.pattern { notes.append("matches \(pattern)") }
    notes +=
      attribute.annotations.keys.isEmpty
      ? [] : ["key \(attribute.annotations.keys.joined(separator: " or "))"]
    let mark = identity.contains(attribute.name) ? "*" : " "
    return [mark + " " + attribute.name, attribute.type.name, notes.joined(separator: ", ")]
  }

  private func line(of relationship: Relationship, identity: [String]) -> [String] {
    let isIdentity = identity.contains(relationship.name)
    var notes = [relationship.isOptional && !isIdentity ? "optional" : "required"]
    if isIdentity { notes.append("identity") }
    if relationship.isOrdered { notes.append("ordered") }
    if relationship.isTransient { notes.append("transient") }
    notes.append(relationship.inverse.map { "inverse \($0)" } ?? "no inverse")
    notes.append("on delete \(Self.word(for: relationship.deleteRule))")
    let keys = relationship.annotations.keys
    if !keys.isEmpty { notes.append("key \(keys.joined(separator: " or "))") }
    let destination = relationship.destination
    return [
      (isIdentity ? "* " : "  ") + relationship.name,
      relationship.isToMany ? "→ [\(destination)]" : "→ \(destination)",
      notes.joined(separator: ", "),
    ]
  }

  private static func word(for rule: DeleteRule) -> String {
    switch rule {
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    case .noAction: "no action"
    }
  }

  /// Rows whose columns begin below each other.
  private func table(_ rows: [[String]]) -> String {
    Listing.lines(rows.map { Listing.Row(Array($0.dropLast()), $0.last ?? "") }).map { $0 + "\n" }.joined()
  }
}

/// `broker model check`
struct ModelCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "List everything in a model that does not make sense.",
    discussion: """
      Example: broker model check Music.xcdatamodeld

      Exits with 1 if there are errors, with 0 if there are only warnings or nothing at all.
      """)

  @OptionGroup var source: ModelSource

  @Option(help: "The form of the output: text or json.")
  var format: ReportFormat = .text

  func run() throws {
    let argument = try ModelArgument(source.path, mapping: source.mapping)
    argument.noteSchema()
    let result = Result(problems: argument.problems + Self.problems(of: argument))
    try format.write(result, text: result.text + "\n")
    if result.errors > 0 { throw ExitCode.failure }
  }

  /// The problems of the model, and those of the mapping where the model is right without it.
  private static func problems(of argument: ModelArgument) -> [ModelProblem] {
    let model = argument.model
    let problems = model.problems()
    guard let mapping = argument.mapping, !problems.contains(where: { $0.severity == .error }) else {
      return problems + model.mappingProblems()
    }
    do throws(MappingError) {
      let mapped = try mapping.applied(to: model)
      return mapped.problems() + mapped.mappingProblems(mapping.functions)
    } catch {
      return problems + model.mappingProblems()
        + error.problems.map { problem in
          ModelProblem(
            severity: .error, entity: problem.entity, property: problem.property,
            message: (problem.place.map { "\($0): " } ?? "") + problem.message, advice: problem.advice)
        }
    }
  }

  struct Result: Encodable {
    let errors: Int
    let warnings: Int
    let problems: [ModelProblem]

    init(problems: [ModelProblem]) {
      self.problems = problems
      errors = problems.count { $0.severity == .error }
      warnings = problems.count - errors
    }

    var text: String {
      if problems.isEmpty { return "No problems." }
      let count = "\(errors) error\(errors == 1 ? "" : "s"), \(warnings) warning\(warnings == 1 ? "" : "s")"
      return (problems.map { VisibleText.onOneLine($0.description) } + [count]).joined(separator: "\n")
    }
  }
}
