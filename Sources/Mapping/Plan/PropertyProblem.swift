public import ObjectModel

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
  func propertyProblems(_ functions: MappingFunctions, includesAnnotations: Bool = true) -> [PropertyProblem]
  {
    var result: [PropertyProblem] = []
    func check(_ annotations: Annotations, _ owner: String, _ property: String?, isDate: Bool) {
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
    }
    for composite in composites {
      for part in composite.attributes {
        check(part.annotations, composite.name, part.name, isDate: part.type == .date)
      }
    }
    for entity in entities {
      check(entity.annotations, entity.name, nil, isDate: false)
      for attribute in entity.attributes {
        check(attribute.annotations, entity.name, attribute.name, isDate: attribute.type == .date)
      }
      for relationship in entity.relationships {
        check(relationship.annotations, entity.name, relationship.name, isDate: false)
      }
    }
    return result
  }

  /// The model, in which these properties are marked as ones that JSON does not fill.
  func ignoring(_ problems: [PropertyProblem]) -> Model {
    var model = self
    let places = Dictionary(grouping: problems, by: \.entity).mapValues { Set($0.compactMap(\.property)) }
    let ignored = "broker.ignored"
    for index in model.composites.indices {
      guard let names = places[model.composites[index].name] else { continue }
      for part in model.composites[index].attributes.indices
      where names.contains(model.composites[index].attributes[part].name) {
        model.composites[index].attributes[part].userInfo[ignored] = "true"
      }
    }
    for index in model.entities.indices {
      guard let names = places[model.entities[index].name] else { continue }
      for place in model.entities[index].attributes.indices
      where names.contains(model.entities[index].attributes[place].name) {
        model.entities[index].attributes[place].userInfo[ignored] = "true"
      }
      for place in model.entities[index].relationships.indices
      where names.contains(model.entities[index].relationships[place].name) {
        model.entities[index].relationships[place].userInfo[ignored] = "true"
      }
    }
    return model
  }
}
