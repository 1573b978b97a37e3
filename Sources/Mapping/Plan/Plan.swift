public import ObjectModel
import ObjectStore

/// The plans of all entities of a store, under the conventions of a call.
///
/// Plans note the keys that come, so a plan serves one call at a time.
final class Plan {
  let layout: Layout
  let conventions: Conventions
  /// The rules of types for values.
  let checks: [ValueCheck.Place: ValueCheck]
  private(set) var entities: [EntityPlan] = []
  /// For each entity, the index of its table.
  let tables: [Int]
  private let names: EntityNames
  /// For each entity, the keys that tell its kinds apart, or of which kind its objects are.
  let kindKeys: [[String]]
  /// The problems of single properties, which are left out.
  var modelIssues: [ImportIssue] = []
  /// Whether relationships of the model are left out.
  var lacksRelationships = false
  /// The work that is left for regular expressions.
  var matchBudget = MatchBudget()
  /// The attributes with values that were too much work to check.
  var uncheckedAttributes: Set<String> = []
  /// The properties that two keys of one object came for. Each is reported once.
  var reportedRivals: Set<String> = []

  init(
    _ layout: Layout, _ functions: MappingFunctions, _ conventions: Conventions,
    checks: [ValueCheck.Place: ValueCheck] = [:]
  ) throws(PlanError) {
    self.layout = layout
    self.conventions = conventions
    self.checks = checks
    tables = layout.entities.map(\.table)
    names = try EntityNames(layout.schema)
    kindKeys = layout.schema.entities.map { entity in
      Set([entity.index, entity.root]).compactMap {
        layout.schema.model.entities[$0].annotations.discriminatorKey
      }
    }
    try Self.check(layout.schema)
    let forms = try ValueForms(
      layout.schema, functions, checks, dates: conventions.dates,
      isOfSwiftValues: conventions.isOfSwiftValues)
    for entity in layout.schema.entities {
      entities.append(
        try EntityPlan(entity, in: layout, forms: forms, functions: functions, conventions: conventions))
    }
  }

  /// Checks the annotations that the store follows at places where it cannot report a problem.
  private static func check(_ schema: Schema) throws(PlanError) {
    for relationship in schema.relationships {
      let annotations = relationship.relationship.annotations
      let toMany = annotations.toMany.map { ("broker.toMany", $0, ToManyPolicy(rawValue: $0) == nil) }
      let references = annotations.references.map {
        ("broker.references", $0, ReferencePolicy(rawValue: $0) == nil)
      }
      for case (let key, let word, true)? in [toMany, references] {
        throw PlanError(
          entity: schema.entities[relationship.owner].name, property: relationship.name,
          message: "has \(word) for \(key), which it does not know")
      }
    }
    for entity in schema.entities {
      guard let name = schema.model.entities[entity.index].annotations.versionAttribute else { continue }
      guard let index = entity.attribute(name), entity.attributes[index].attribute.canBeVersion else {
        throw PlanError(
          entity: entity.name, property: name,
          message: "is named as version, and is no attribute with an order")
      }
    }
  }

  /// The entity that a key of a document, or the name of a file, names; see ``EntityNames/entity(namedBy:)``.
  func entity(namedBy key: String) -> Int? { names.entity(namedBy: key) }

  /// The entity that the name of a file names; see ``EntityNames/entity(ofFilesNamed:)``.
  func entity(ofFilesNamed name: String) -> Int? { names.entity(ofFilesNamed: name) }

  /// The entity that the name of a file, or of a folder around it, names; see ``EntityNames/entity(ofFile:)``.
  func entity(ofFile names: [String]) -> Int? { self.names.entity(ofFile: names) }
}

/// A store's layout without the properties that an import or an export cannot use, and the reasons.
struct UsableLayout {
  let layout: Layout
  /// The problems, which are reported once for each import.
  let issues: [ImportIssue]
  /// Whether a relationship is left out. Its JSON may have held any objects.
  let lacksRelationships: Bool

  /// - Parameter includesAnnotations: Whether unknown annotations count too. Imports cannot know what they meant to change.
  init(_ layout: Layout, _ functions: MappingFunctions, includesAnnotations: Bool = true) throws {
    let schema = layout.schema
    let problems = schema.model.propertyProblems(functions, includesAnnotations: includesAnnotations)
    // Without their identity objects cannot be told apart, so a problem of an identity ends the import.
    var identities: [String: Set<String>] = [:]
    for entity in schema.entities {
      for attribute in entity.identityAttributes.map({ entity.attributes[$0] }) {
        identities[schema.entities[attribute.owner].name, default: []].insert(attribute.name)
      }
      for relationship in entity.identityRelationships.map({ schema.relationships[$0] }) {
        identities[schema.entities[relationship.owner].name, default: []].insert(relationship.name)
      }
    }
    func isIdentity(_ problem: PropertyProblem) -> Bool {
      problem.property.map { identities[problem.entity]?.contains($0) ?? false } ?? false
    }
    let leftOut = problems.filter { $0.property != nil && !isIdentity($0) }
    issues = problems.map { problem in
      ImportIssue(
        path: "$", entity: problem.entity, key: problem.property, expected: problem.expected,
        found: problem.found + (problem.property.map { " at \($0) in the model" } ?? " in the model"),
        action: problem.property == nil || isIdentity(problem) ? "not used" : "property left out")
    }
    let relationships = Set(schema.relationships.map(\.name))
    lacksRelationships = leftOut.contains { relationships.contains($0.property ?? "") }
    self.layout = leftOut.isEmpty ? layout : Layout(try Schema(schema.model.ignoring(leftOut)))
  }
}

/// A problem of one property of a model. An import leaves out that property and nothing else.
struct PropertyProblem: Hashable {
  /// The entity, or the composite.
  var entity: String
  /// The property. Nil if it is an annotation of the entity: then nothing is left out.
  var property: String?
  var expected: String
  var found: String
  var advice: String?
}

extension Model {
  /// The problems of single properties that concern JSON: transformers that are not registered, and date formats that
  /// cannot be read. All other problems are in `problems()`.
  ///
  /// - Parameter functions: The transformers that a program has.
  public func mappingProblems(_ functions: MappingFunctions = MappingFunctions()) -> [ModelProblem] {
    propertyProblems(functions, includesAnnotations: false).map { problem in
      ModelProblem(
        severity: .warning, entity: problem.entity, property: problem.property,
        message: "\(problem.found) is not \(problem.expected); imports leave the property out",
        advice: problem.advice)
    }
  }

  /// - Parameter includesAnnotations: Whether unknown annotations of Broker's count too.
  fileprivate func propertyProblems(
    _ functions: MappingFunctions, includesAnnotations: Bool
  ) -> [PropertyProblem] {
    var result: [PropertyProblem] = []
    func check(
      _ annotations: Annotations, _ owner: String, _ property: String?, isDate: Bool = false,
      pathProblem: (JSONKeyPath) -> String? = { _ in nil }
    ) {
      guard !annotations.isIgnored else { return }
      func add(_ expected: String, _ found: String, _ advice: String?) {
        result.append(
          PropertyProblem(entity: owner, property: property, expected: expected, found: found, advice: advice)
        )
      }
      if includesAnnotations {
        for key in annotations.unknownKeys {
          add("an annotation that Broker has", "“\(key)”", Annotations.suggestion(for: key))
        }
      }
      // The keys of an entity are names, in which a dot is a dot.
      for (key, error) in annotations.unreadableKeys where property != nil {
        add("a key or a key path", "“\(key)”", "it \(error.message)")
      }
      guard property != nil else { return }
      for call in annotations.transformers {
        guard let problem = TransformerChain.problem(of: call, functions) else { continue }
        add(problem.expected, "“\(ModelError.shortened(call.text))”", problem.advice)
      }
      if isDate, annotations.dateFormat != nil || annotations.timeZone != nil,
        DateFormat(annotations.dateFormat, timeZone: annotations.timeZone) == nil
      {
        let format = [annotations.dateFormat, annotations.timeZone].compactMap { $0 }.joined(
          separator: " in ")
        add("a format of dates that can be read", "“\(format)”", nil)
      }
      for (_, path) in KeyPaths.paths(annotations.keys) {
        guard let message = pathProblem(path) else { continue }
        add("a key path to one value", "“\(path.text)”", "it \(message)")
      }
    }
    for composite in composites {
      for part in composite.attributes {
        check(part.annotations, composite.name, part.name, isDate: part.type == .date)
      }
    }
    for entity in entities {
      check(entity.annotations, entity.name, nil)
      for attribute in entity.attributes {
        check(attribute.annotations, entity.name, attribute.name, isDate: attribute.type == .date) {
          $0.problem(for: attribute)
        }
      }
      for relationship in entity.relationships {
        check(relationship.annotations, entity.name, relationship.name) { $0.problem(for: relationship) }
        if let rule = relationship.dictionaryRule, !relationship.annotations.isIgnored,
          let problem = relationship.problem(with: rule, in: self)
        {
          result.append(
            PropertyProblem(
              entity: entity.name, property: relationship.name,
              expected: "a dictionary of \(relationship.destination)",
              found: "“\(rule.keys.joined(separator: ","))”",
              advice: "it \(problem.message)"
                + (nearestName(to: problem.name, in: problem.known).map { ". Did you mean “\($0)”?" } ?? "")))
        }
      }
    }
    return result
  }

  /// The model, in which these properties are marked as ones that JSON does not fill.
  fileprivate func ignoring(_ problems: [PropertyProblem]) -> Model {
    let places = Dictionary(grouping: problems, by: \.entity).mapValues { Set($0.compactMap(\.property)) }
    return changingUserInfo { owner, property, userInfo in
      if places[owner]?.contains(property) ?? false { userInfo["broker.ignored"] = "true" }
    }
  }
}
