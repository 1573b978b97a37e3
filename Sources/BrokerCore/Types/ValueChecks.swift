import ObjectStore

extension Storable {
  /// What the types of attributes demand of values, where the model cannot express it.
  static func valueChecks() -> [ValueCheck.Place: ValueCheck] {
    var checks: [ValueCheck.Place: ValueCheck] = [:]
    for property in properties.all {
      guard case .attribute(let form) = property.form, let accepts = form.accepts else { continue }
      let place = ValueCheck.Place(entity: entityName, attribute: property.name)
      checks[place] = ValueCheck(expectation: form.expectation, accepts: accepts)
    }
    return checks
  }
}

extension AttributeForm {
  fileprivate var expectation: String {
    type == .transformable ? "\(swiftType) as JSON" : "a value of \(swiftType)"
  }
}
