/// One side of a comparison.
struct Operand {
  enum Kind {
    case constant(PredicateConstant)
    /// A value; several are the parts of a key.
    case parts([SQLPart])
    case list([PredicateExpression], PredicateSQL.Scope)
  }

  let kind: Kind
  let place: Place
  /// What messages call it.
  let text: String
}

/// Two sides and how they have to stand to each other.
struct OperandComparison {
  let left: Operand
  let operation: ComparisonOperator
  let options: TextOptions
  let right: Operand

  init(_ left: Operand, _ operation: ComparisonOperator, _ right: Operand, _ options: TextOptions) {
    (self.left, self.operation, self.options, self.right) = (left, operation, options, right)
  }

  /// The same with its sides exchanged.
  var mirrored: OperandComparison { OperandComparison(right, operation.mirrored, left, options) }
}

/// An expression of SQL and the type of its values.
package struct SQLPart {
  package var sql: String
  package var type: ComparedType
  /// Whether it holds keys of objects some of which have an identity and some none.
  var holdsMixedKeys = false
  /// Of a whole number, how far from 0 it can be.
  package var greatest = Double(Int64.max)
  /// The column that the value is in, for conditions that an index can serve.
  var column: String?
  /// The condition under which the column's value counts; nil if it always does.
  var arrived: String?
  /// The index of its elements and the alias of its table, if it is a list that has one.
  var elements: (index: ElementIndexSQL, alias: String)?
  /// The table and the column that the value is one of, if it is the value of an attribute beyond a relationship.
  var home: (table: Table, column: Column)?
  /// Where a value is whose type the store does not know, since it stands in JSON.
  private(set) var json: JSONPlace?
}

extension SQLPart {
  init(sql: String, type: ComparedType, column: String? = nil, arrived: String? = nil) {
    (self.sql, self.type, self.column, self.arrived) = (sql, type, column, arrived)
  }

  /// The form of a value that it is compared with as one of a type.
  func form(comparedAs type: ComparedType) -> SQLForm { holdsMixedKeys ? .mixedKey : SQLForm(type) }

  /// How far from 0 the result of a calculation with whole numbers can be.
  package static func greatest(
    _ left: SQLPart, _ operation: ArithmeticOperator, _ right: SQLPart
  ) -> Double {
    switch operation {
    case .plus, .minus: left.greatest + right.greatest
    case .times: left.greatest * right.greatest
    case .divided, .remainder: left.greatest
    }
  }

  /// Whether the number is a real, or exact as one.
  package var isExactAsReal: Bool { type == .real || greatest <= 9_007_199_254_740_992 }

  /// A value of JSON, whatever its type.
  init(json place: JSONPlace) {
    self.init(sql: place.value, type: .json)
    json = place
  }
}
