/// Turns a model into Broker's JSON form. What has its default is left out.
struct FormWriter {
  func value(of model: Model) -> FormValue {
    var members = Members()
    members.add("versionIdentifier", model.versionIdentifier)
    members.add("entities", always: model.entities.map(value))
    members.add("composites", model.composites.map(value))
    members.add("configurations", model.configurations.map(value))
    members.add("fetchRequests", model.fetchRequests.map(value))
    members.add("other", model.other)
    return members.object
  }

  private func value(of composite: Composite) -> FormValue {
    var members = Members(name: composite.name)
    members.add("attributes", composite.attributes.map(value))
    members.add("other", composite.other)
    return members.object
  }

  private func value(of configuration: Configuration) -> FormValue {
    var members = Members(name: configuration.name)
    members.add("entities", configuration.entities.map(FormValue.string))
    members.add("other", configuration.other)
    return members.object
  }

  func value(of request: FetchRequest) -> FormValue {
    var members = Members(name: request.name)
    members.add("entity", request.entity)
    members.add("predicate", request.predicate)
    members.add("other", request.other)
    return members.object
  }

  /// The members of an object in the order they are added, without those that say nothing.
  struct Members {
    private var members: [FormValue.Member] = []

    init() {}

    init(name: String) {
      add("name", name)
    }

    var object: FormValue { .object(members) }

    mutating func add(_ key: String, always elements: [FormValue]) {
      add(key, FormValue.array(elements))
    }

    mutating func add(_ key: String, _ value: FormValue) {
      members.append(FormValue.Member(key: key, value: value))
    }

    mutating func add(_ key: String, _ text: String?) {
      if let text { add(key, FormValue.string(text)) }
    }

    mutating func add(_ key: String, _ number: Int?) {
      if let number { add(key, FormValue.integer(Int64(number))) }
    }

    mutating func add(_ key: String, _ flag: Bool, unless fallback: Bool = false) {
      if flag != fallback { add(key, FormValue.bool(flag)) }
    }

    mutating func add(_ key: String, _ elements: [FormValue]) {
      if !elements.isEmpty { add(key, FormValue.array(elements)) }
    }

    mutating func add(_ key: String, _ dictionary: [String: String]) {
      guard !dictionary.isEmpty else { return }
      let sorted = dictionary.sorted { $0.key < $1.key }
      add(key, FormValue.object(sorted.map { FormValue.Member(key: $0.key, value: .string($0.value)) }))
    }
  }
}
