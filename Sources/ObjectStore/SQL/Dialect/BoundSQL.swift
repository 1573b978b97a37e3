/// A value that a statement is told.
package enum SQLArgument: Sendable {
  case one(SQLValue, SQLForm)
  /// Any number of values, for databases that take a list as one argument.
  case list([SQLValue], SQLForm)

  /// The value, if it is one.
  var value: SQLValue {
    if case .one(let value, _) = self { value } else { .null }
  }
}

/// What a statement is told, by the numbers of its parameters.
package struct SQLArguments: Sendable {
  package private(set) var all: [SQLArgument] = []

  package init() {}

  package var count: Int { all.count }

  package mutating func append(_ value: SQLValue, _ form: SQLForm) { all.append(.one(value, form)) }

  package mutating func append(list: [SQLValue], _ form: SQLForm) { all.append(.list(list, form)) }
}

/// A statement of SQL with its arguments.
package struct BoundSQL: Sendable {
  package var sql: String
  package var arguments: SQLArguments

  package init(_ sql: String, _ arguments: SQLArguments = SQLArguments()) {
    self.sql = sql
    self.arguments = arguments
  }

  /// The arguments as plain values.
  var values: [SQLValue] { arguments.all.map(\.value) }
}
