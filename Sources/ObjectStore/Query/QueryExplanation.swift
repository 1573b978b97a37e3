/// How a store answers a query: the statement of SQL, and the plan that the engine makes for it.
package struct QueryExplanation: Sendable, Hashable, Codable {
  /// The statement, with its arguments in their places. Long ones are shortened, so that it may not be executed like that.
  package var statement: String
  /// The conditions that are evaluated on the rows of the statement, since the engine cannot say them.
  package var conditionsOnRows: [String]
  /// The lines of the engine's plan.
  package var plan: [String]
  /// The key paths whose values are read by a statement of their own for each object.
  package var readForEachObject: [String] = []

  package init(statement: String, conditionsOnRows: [String] = [], plan: [String]) {
    (self.statement, self.conditionsOnRows, self.plan) = (statement, conditionsOnRows, plan)
  }
}

/// The use that is made of a query.
package enum QuerySelection: Sendable {
  /// The objects.
  case columns([SelectedColumn])
  /// How many there are.
  case count
}
