extension ArchivedModelReader {
  /// The fetch requests that the model names.
  mutating func fetchRequests(of root: ArchivedObject) throws(PropertyListError) -> [FetchRequest] {
    var requests: [FetchRequest] = []
    for (name, value) in try members(root.value("NSFetchRequestTemplates")) {
      guard let object = value.object else { continue }
      requests.append(try fetchRequest(object, named: name))
    }
    return requests
  }

  private mutating func fetchRequest(
    _ object: ArchivedObject, named name: String
  ) throws(PropertyListError) -> FetchRequest {
    var request = FetchRequest(name: name)
    if let entity = try nonEmpty("NSEntityName", of: object) {
      request.entity = entity
    } else {
      request.entity = try self.name("NSEntityName", of: object.value("NSEntity"))
    }
    if let predicate = try object.value("NSPredicate").object {
      request.predicate = try ArchivedPredicate.text(of: predicate)
      try spend(request.predicate?.utf8.count ?? 0)
      if request.predicate == nil {
        remark("the predicate of fetch request “\(ModelError.shortened(name))” is left out")
      }
    }
    return request
  }

  /// What Xcode calls the fetch requests of fetched properties.
  private static let requestName = "fetchedPropertyFetchRequest"

  mutating func fetchedProperty(
    _ object: ArchivedObject, named name: String
  ) throws(PropertyListError) -> FetchedProperty {
    var property = FetchedProperty(name: name, isOptional: try flag("NSIsOptional", of: object))
    if let request = try object.value("NSFetchRequest").object {
      property.fetchRequest = try fetchRequest(request, named: Self.requestName)
    }
    property.userInfo = try userInfo(of: object)
    return property
  }

  /// What Core Data calls the configuration that has all entities.
  private static let wholeConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

  mutating func configurations(of root: ArchivedObject) throws(PropertyListError) -> [Configuration] {
    var result: [Configuration] = []
    for (name, value) in try members(root.value("NSConfigurations")) where name != Self.wholeConfiguration {
      var names: [String] = []
      for element in try elements(value) {
        if let name = try nameOrText("NSEntityName", of: element) {
          names.append(name)
        }
      }
      result.append(Configuration(name: name, entities: names.sorted()))
    }
    return result
  }

  mutating func versionIdentifier(of root: ArchivedObject) throws(PropertyListError) -> String? {
    var identifiers: [String] = []
    for element in try elements(root.value("NSVersionIdentifiers")) {
      if let text = try text(element), !text.isEmpty { identifiers.append(text) }
    }
    identifiers.sort()
    if identifiers.count > 1 {
      remark("it has \(identifiers.count) version identifiers, of which one is kept")
    }
    return identifiers.first
  }
}
