extension Model {
  /// The same model without what its properties say of JSON: keys, formats of dates, transformers, what is left out.
  ///
  /// Its stores have the same tables. What is exported with it is what the store holds, and is imported with it as that.
  package var withoutJSONForms: Model {
    var model = self
    for index in model.entities.indices {
      for place in model.entities[index].attributes.indices {
        model.entities[index].attributes[place].removeJSONForms()
      }
      for place in model.entities[index].relationships.indices {
        model.entities[index].relationships[place].removeJSONForms()
      }
    }
    for index in model.composites.indices {
      for place in model.composites[index].attributes.indices {
        model.composites[index].attributes[place].removeJSONForms()
      }
    }
    return model
  }
}

extension Attribute {
  fileprivate mutating func removeJSONForms() {
    userInfo = userInfo.filter { Annotations.namesOfStores.contains($0.key) }
  }
}

extension Relationship {
  fileprivate mutating func removeJSONForms() {
    userInfo = userInfo.filter { Annotations.namesOfStores.contains($0.key) }
  }
}
