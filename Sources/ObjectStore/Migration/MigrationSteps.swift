package import ObjectModel

/// What all engines do alike on the way from one version to another.
extension Store.Migration {
  /// The versions that a store passes: those of the stages that come after its own, and the one that it is opened with.
  ///
  /// - Throws: ``StoreError`` if there are stages, and none is of the store's version.
  package func steps(
    from remembered: StoreDescription, to description: StoreDescription, _ layout: Layout, path: String
  ) throws -> [MigrationStage] {
    let last = MigrationStage(model: description.model, body: nil)
    guard !stages.isEmpty else { return [last] }
    let names = layout.names
    let before = try remembered.layout(names: names)
    let known = try stages.lastIndex { (stage: MigrationStage) throws -> Bool in
      try stage.model == remembered.model
        || !StoreDifference.isVersion(before, description.layout(of: stage.model, names: names))
    }
    guard let known else {
      throw StoreError.invalid(
        "The store \(path) is of none of the \(stages.count) versions that the migration has stages for. Nothing was"
          + " changed. Add its version as a stage.")
    }
    let rest = Array(stages[(known + 1)...])
    // What leads to the version that the store is opened with is the last stage itself.
    if let final = rest.last,
      try !StoreDifference.isVersion(description.layout(of: final.model, names: names), layout)
    {
      return rest
    }
    return rest + [last]
  }

  /// - Throws: ``StoreError`` if a plan may not be carried out.
  package func check(_ plan: MigrationPlan, of path: String) throws {
    guard isAutomatic || plan.isEmpty else {
      throw StoreError(.modelChanged(path: path, differences: plan.steps.map(\.change.description)))
    }
    guard plan.canRun else { throw StoreError(.migrationRefused(path: path, plan: plan)) }
  }
}

extension StoreDescription {
  /// The layout of another version of the model, with what the mapping says as far as that fits.
  package func layout(of model: Model, names: NameRules) throws -> Layout {
    let mapped = try? mapping(for: model)?.applied(to: model)
    return Layout(try Schema(mapped ?? model), names: names)
  }
}

extension MigrationPlan {
  /// Leaves to code what needs a value or has no place.
  package mutating func leaveToCode() {
    for index in steps.indices {
      switch steps[index].change.detail {
      case .neededValue, .changedType, .neededTarget: steps[index].problem = nil
      default: break
      }
      steps[index].isRemoval = false
    }
  }
}
