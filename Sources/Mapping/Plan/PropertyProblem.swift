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
      for (key, error) in annotations.unreadableKeys {
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
        result += attribute.pathProblems(entity.name)
      }
      for relationship in entity.relationships {
        check(relationship.annotations, entity.name, relationship.name, isDate: false)
        result += relationship.pathProblems(entity.name)
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

extension Attribute {
  /// The key paths that lead to what it cannot hold.
  fileprivate func pathProblems(_ entity: String) -> [PropertyProblem] {
    guard !annotations.isIgnored else { return [] }
    return KeyPaths.paths(annotations.keys).compactMap { _, path in
      path.problem(for: self).map { PropertyProblem(entity, name, path, $0) }
    }
  }
}

extension Relationship {
  /// The key paths that lead to what it cannot hold.
  fileprivate func pathProblems(_ entity: String) -> [PropertyProblem] {
    guard !annotations.isIgnored else { return [] }
    return KeyPaths.paths(annotations.keys).compactMap { _, path in
      path.problem(for: self).map { PropertyProblem(entity, name, path, $0) }
    }
  }
}

extension PropertyProblem {
  fileprivate init(_ entity: String, _ property: String, _ path: JSONKeyPath, _ message: String) {
    self.init(
      entity: entity, property: property, expected: "a key path to one value", found: "“\(path.text)”",
      advice: "it \(message)")
  }
}
