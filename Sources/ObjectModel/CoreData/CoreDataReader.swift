/// Turns the elements of a `contents` file into a model, which says what the file says and nothing else.
///
/// Elements it does not know, such as the `elements` of the editor's layout, are passed over.
struct CoreDataReader {
  func model(from root: XMLTag) throws -> Model {
    guard root.name == "model" else { throw ModelError(.wrongRoot(root.name), line: root.line) }
    var fields = root.fields(of: "a model")
    let versionIdentifier = fields.nonEmpty("userDefinedModelVersionIdentifier")
    var other = fields.rest
    for (name, value) in CoreDataNames.modelDefaults where other[name] == value { other[name] = nil }
    return Model(
      entities: try root.all("entity").map(entity),
      composites: try root.all("composite").map(composite),
      configurations: try root.all("configuration").map(configuration),
      fetchRequests: try root.all("fetchRequest").map(fetchRequest),
      versionIdentifier: versionIdentifier, other: other)
  }

  private func composite(from tag: XMLTag) throws -> Composite {
    var fields = tag.fields(of: "a composite")
    let name = try fields.required("name")
    return try located(entity: name) {
      Composite(name: name, attributes: try tag.all("attribute").map(attribute), other: fields.rest)
    }
  }

  private func configuration(from tag: XMLTag) throws -> Configuration {
    var fields = tag.fields(of: "a configuration")
    let name = try fields.required("name")
    let entities = try tag.all("memberEntity").map { member in
      var member = member.fields(of: "a member of configuration “\(name)”")
      return try member.required("name")
    }
    return Configuration(name: name, entities: entities, other: fields.rest)
  }

  func fetchRequest(from tag: XMLTag) throws -> FetchRequest {
    var fields = tag.fields(of: "a fetch request")
    let name = try fields.required("name")
    let entity = fields.text("entity")
    let predicate = fields.text("predicateString")
    return FetchRequest(name: name, entity: entity, predicate: predicate, other: fields.rest)
  }

  /// The entries of all `userInfo` elements; of two with one key, the last.
  func userInfo(of tag: XMLTag) throws -> [String: String] {
    var result: [String: String] = [:]
    for entry in tag.all("userInfo").flatMap({ $0.all("entry") }) {
      var fields = entry.fields(of: "an entry of userInfo")
      guard let key = fields.text("key") else { throw fields.error(.missing("key", of: fields.owner)) }
      result[key] = fields.text("value") ?? ""
    }
    return result
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
