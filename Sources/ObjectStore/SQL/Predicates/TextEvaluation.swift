/// A condition on texts that not every database can say.
package struct TextCondition: Hashable, Sendable {
  package let operation: ComparisonOperator
  /// A pattern of `LIKE`, or a regular expression.
  package let pattern: String
  package let options: TextOptions

  init(_ operation: ComparisonOperator, _ pattern: String, _ options: TextOptions) {
    (self.operation, self.pattern, self.options) = (operation, pattern, options)
  }
}

/// Finds which texts of a column fulfil a condition that the database cannot say, so that a statement can ask for these.
///
/// Each text is looked at once, however many objects lead to it.
package protocol TextEvaluation: AnyObject {
  /// - Returns: The texts; nil if they are too many, or cannot be found: then the objects are looked at.
  func texts(of column: Column, in table: Table, _ condition: TextCondition) -> [SQLValue]?
}
