package import ObjectModel

/// What a store remembers of itself: its model, and what a mapping says beyond that.
package struct StoreDescription: Sendable {
  package var model: Model
  package var mapping: JSONMapping?

  package init(model: Model, mapping: JSONMapping?) {
    self.model = model
    self.mapping = mapping
  }

  /// The model with the mapping's annotations.
  package func mappedModel() throws -> Model {
    try mapping?.applied(to: model) ?? model
  }

  package func layout(names: NameRules = .sqlite) throws -> Layout {
    Layout(try Schema(try mappedModel()), names: names)
  }

  package func isSame(as other: StoreDescription) throws -> Bool {
    try model == other.model && mapping?.remembered() == other.mapping?.remembered()
  }

  /// What its mapping says of another version of the model.
  package func mapping(for other: Model) throws -> JSONMapping? {
    guard let mapping, other != model else { return mapping }
    return mapping.migrated(ModelCorrespondence(old: try Schema(model), new: try Schema(other)))
  }
}

/// How what a store remembers differs from what it is opened with.
package enum StoreDifference: Sendable {
  case none
  /// Only in what says nothing of what is in the store.
  case words
  /// It is another version: what is in the store may have to change, or its tables.
  case version

  package init(from remembered: StoreDescription?, to description: StoreDescription, _ layout: Layout) throws
  {
    guard let remembered, try !description.isSame(as: remembered) else {
      self = .none
      return
    }
    self = Self.isVersion(try remembered.layout(names: layout.names), layout) ? .version : .words
  }

  /// Whether a layout is of another version of the model than another one.
  static func isVersion(_ before: Layout, _ after: Layout) -> Bool {
    let statements = [before, after].map { Set(TableDefinitions(layout: $0).statements) }
    return statements[0] != statements[1]
      || ModelChanges(ModelCorrespondence(old: before.schema, new: after.schema)).all.contains { !$0.isRule }
  }
}
