/// Writes a model as the `contents` file of an `.xcdatamodel`.
struct CoreDataWriter {
  func text(of model: Model) -> String {
    var attributes = XMLAttributes()
    for (name, value) in CoreDataNames.modelDefaults { attributes.add(name, model.other[name] ?? value) }
    attributes.add(model.other)
    attributes.add("userDefinedModelVersionIdentifier", model.versionIdentifier ?? "")
    var xml = XMLText()
    xml.element("model", attributes) { xml in
      for entity in model.entities { write(entity, to: &xml) }
      for composite in model.composites { write(composite, to: &xml) }
      for request in model.fetchRequests { write(request, to: &xml) }
      for configuration in model.configurations { write(configuration, to: &xml) }
    }
    return xml.text
  }

  private func write(_ composite: Composite, to xml: inout XMLText) {
    var attributes = XMLAttributes()
    attributes.add("name", composite.name)
    attributes.add(composite.other)
    xml.element("composite", attributes) { xml in
      for attribute in composite.attributes { write(attribute, to: &xml) }
    }
  }

  func write(_ request: FetchRequest, to xml: inout XMLText) {
    var attributes = XMLAttributes()
    attributes.add("name", request.name)
    attributes.add("entity", request.entity)
    attributes.add("predicateString", request.predicate)
    attributes.add(request.other)
    xml.element("fetchRequest", attributes)
  }

  private func write(_ configuration: Configuration, to xml: inout XMLText) {
    var attributes = XMLAttributes()
    attributes.add("name", configuration.name)
    attributes.add(configuration.other)
    xml.element("configuration", attributes) { xml in
      for entity in configuration.entities {
        var attributes = XMLAttributes()
        attributes.add("name", entity)
        xml.element("memberEntity", attributes)
      }
    }
  }

  func write(userInfo: [String: String], to xml: inout XMLText) {
    guard !userInfo.isEmpty else { return }
    xml.element("userInfo", XMLAttributes()) { xml in
      for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) {
        var attributes = XMLAttributes()
        attributes.add("key", key)
        attributes.add("value", value)
        xml.element("entry", attributes)
      }
    }
  }
}
