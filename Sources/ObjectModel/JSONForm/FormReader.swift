/// Turns Broker's JSON form into a model. Every error names the entity and the property.
struct FormReader {
  func model(from value: FormValue) throws -> Model {
    var fields = try FormFields(value, of: "a model")
    let model = Model(
      entities: try fields.list("entities").map(entity),
      composites: try fields.list("composites").map(composite),
      configurations: try fields.list("configurations").map(configuration),
      fetchRequests: try fields.list("fetchRequests").map(fetchRequest),
      versionIdentifier: try fields.string("versionIdentifier"),
      other: try fields.dictionary("other"))
    try fields.finish()
    return model
  }

  private func composite(from value: FormValue) throws -> Composite {
    var fields = try FormFields(value, of: "a composite")
    let name = try fields.required("name")
    return try located(entity: name) {
      let composite = Composite(
        name: name, attributes: try fields.list("attributes").map(attribute),
        other: try fields.dictionary("other"))
      try fields.finish()
      return composite
    }
  }

  private func configuration(from value: FormValue) throws -> Configuration {
    var fields = try FormFields(value, of: "a configuration")
    let configuration = Configuration(
      name: try fields.required("name"), entities: try fields.strings("entities"),
      other: try fields.dictionary("other"))
    try fields.finish()
    return configuration
  }

  func fetchRequest(from value: FormValue) throws -> FetchRequest {
    var fields = try FormFields(value, of: "a fetch request")
    let request = FetchRequest(
      name: try fields.required("name"), entity: try fields.string("entity"),
      predicate: try fields.string("predicate"), other: try fields.dictionary("other"))
    try fields.finish()
    return request
  }

  /// Runs `body` and says in its errors where they were.
  func located<Result>(
    entity: String? = nil, property: String? = nil, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as ModelError {
      throw error.located(entity: entity, property: property)
    }
  }
}
