extension Model {
  /// Everything in the model that does not make sense, in one go; empty for a model without problems.
  ///
  ///     for problem in model.problems() { print(problem) }
  ///     // error: Band.albums: there is no entity “Albm”; did you mean “Album”?
  ///
  /// Those of names and of the whole model come first, then those of each entity, in the model's order. Complexity: nearly
  /// linear in the number of properties, times the depth of inheritance.
  public func problems() -> [ModelProblem] {
    var checker = ModelChecker(self)
    checker.checkModel()
    for composite in composites { checker.check(composite) }
    for entity in entities { checker.check(entity) }
    checker.checkSchema()
    return checker.problems
  }
}

/// Looks things up in a model and collects what is wrong with it.
struct ModelChecker {
  let model: Model
  let hierarchy: EntityHierarchy
  /// Nil if the model cannot be used.
  let schema: Schema?
  /// Why it cannot be used.
  private let schemaError: SchemaError?
  var sharedColumns = SharedColumns()
  private(set) var problems: [ModelProblem] = []

  init(_ model: Model) {
    self.model = model
    hierarchy = EntityHierarchy(model)
    do throws(SchemaError) {
      schema = try Schema(model)
      schemaError = nil
    } catch {
      schema = nil
      schemaError = error
    }
  }

  /// Notes why the model cannot be used, if nothing that was noted says so.
  fileprivate mutating func checkSchema() {
    guard let schemaError, !problems.contains(where: { $0.severity == .error }) else { return }
    error(
      "it \(schemaError.message)", entity: schemaError.entity, property: schemaError.property)
  }

  mutating func check(_ entity: Entity) {
    checkInheritance(of: entity)
    checkPropertyNames(of: entity)
    checkSiblings(of: entity)
    for attribute in entity.attributes { check(attribute, of: entity.name) }
    for relationship in entity.relationships { check(relationship, of: entity) }
    checkIdentity(of: entity)
    checkConstraints(of: entity)
    checkIndexes(of: entity)
    checkKeys(of: entity)
    checkAnnotations(of: entity)
    checkUnknownAnnotations(of: entity)
  }

  mutating func error(
    _ message: String, entity: String? = nil, property: String? = nil, advice: String? = nil
  ) {
    problems.append(
      ModelProblem(severity: .error, entity: entity, property: property, message: message, advice: advice))
  }

  mutating func warning(
    _ message: String, entity: String? = nil, property: String? = nil, advice: String? = nil
  ) {
    problems.append(
      ModelProblem(severity: .warning, entity: entity, property: property, message: message, advice: advice))
  }

  /// “did you mean …?”, if there is something near.
  static func suggestion(_ name: String, in names: some Sequence<String>) -> String? {
    // In a model of thousands of entities, comparing with all names for each that is wrong would take long.
    guard names.underestimatedCount <= 1_000 else { return nil }
    return nearestName(to: name, in: names).map { "did you mean \(quoted($0))?" }
  }

  static func quoted(_ name: String) -> String {
    "“\(ModelError.shortened(name))”"
  }
}

/// Something in a model that does not make sense, or will not do what it seems to say.
///
/// Its description is a line for people: `error: Band.albums: there is no entity “Albm”; did you mean “Album”?`
public struct ModelProblem: Sendable, Hashable, Codable, CustomStringConvertible {
  /// How bad a problem is.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// The model can't be used as it is.
    case error
    /// The model can be used; what is named has no effect, or not the one expected.
    case warning
  }

  public var severity: Severity
  /// The entity, or the composite, that has the problem; `nil` for one of the whole model.
  public var entity: String?
  /// The attribute or relationship that has it; `nil` for one of the whole entity.
  public var property: String?
  /// The mistake.
  public var message: String
  /// Advice.
  public var advice: String?

  public init(
    severity: Severity, entity: String? = nil, property: String? = nil, message: String,
    advice: String? = nil
  ) {
    self.severity = severity
    self.entity = entity
    self.property = property
    self.message = message
    self.advice = advice
  }

  public var description: String {
    let place = [entity, property].compactMap { $0.map { ModelError.shortened($0) } }.joined(separator: ".")
    let text = [message, advice].compactMap { $0 }.joined(separator: "; ")
    return [severity.rawValue, place, text].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

extension Model {
  /// Makes sure that the model can be used.
  ///
  /// - Throws: ``UnusableModel`` with all errors among ``problems()``. Warnings stand in nobody's way.
  public func validate() throws(UnusableModel) {
    let errors = problems().filter { $0.severity == .error }
    if !errors.isEmpty { throw UnusableModel(errors: errors) }
  }
}

/// A model with errors, in the words of ``Model/problems()``.
public struct UnusableModel: Error, Sendable, Hashable, CustomStringConvertible {
  public let errors: [ModelProblem]

  private static let mostShown = 20

  public var description: String {
    let more = errors.count - Self.mostShown
    return
      (["The model cannot be used:"] + errors.prefix(Self.mostShown).map(\.description)
      + (more > 0 ? ["and \(more) more; `broker model check` lists all"] : [])).joined(separator: "\n")
  }
}
