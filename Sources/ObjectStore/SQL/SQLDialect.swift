package import ObjectModel

/// The SQL of one database where it differs from another's.
///
/// Where a function may give nil, the database cannot say exactly that: the condition is then none for SQL, and is
/// evaluated object by object.
package protocol SQLDialect: Sendable {
  // MARK: - Statements

  /// The parameter with a number, counted from 1.
  func parameter(_ number: Int) -> String
  /// Whether a value can be one of a form. What cannot is equal to nothing that is kept so.
  func holds(_ value: SQLValue, as form: SQLForm) -> Bool
  /// The value that a value of a form is compared with, and how, where the database has none between it and the next.
  func nearest(
    _ value: SQLValue, as form: SQLForm, _ operation: ComparisonOperator
  ) -> (value: SQLValue, operation: ComparisonOperator)
  /// The column, in quotes if need be, that has the number of a row.
  func rowColumn(of table: Table) -> String
  /// A condition that always holds, or never.
  func truth(_ isTrue: Bool) -> String
  /// The text behind a query in parentheses that is selected from.
  var queryAlias: String { get }
  /// The limit that is none.
  var noLimit: String { get }
  /// The clause that makes a query that is selected from keep its order.
  var keepingOrder: String { get }
  /// The end of a query that selects one value of one object.
  var onlyRow: String { get }
  /// The condition that a value, or several, are among some, given as few arguments however many they are; nil if these
  /// cannot be given so.
  func isOne(
    _ names: [String], of rows: [[SQLValue]], _ forms: [SQLForm], _ arguments: inout SQLArguments
  ) -> String?

  // MARK: - Orders

  /// A column of a key as a term of an order. Keys compare byte by byte, numbers by what they are.
  func keyTerm(_ sql: String, _ column: Column) -> String
  /// A value as a term of an order. Null comes first, or last if the order is descending.
  func sortTerm(_ sql: String, _ form: SQLForm, isAscending: Bool) -> String

  // MARK: - Comparisons

  /// The condition that two values are the same, null among them.
  func same(_ left: String, _ right: String) -> String
  func different(_ left: String, _ right: String) -> String
  /// A value of a type on the left of `<` and the like.
  func ordered(_ sql: String, _ type: ComparedType) -> String
  /// A value for a comparison with those of another type.
  func converted(_ part: SQLPart, to type: ComparedType) -> String?
  /// Whether conditions on few objects look from each of these at what they lead to.
  var looksFromFew: Bool { get }
  /// Whether what a path passes is looked for from the far end however long the path and its keys are.
  var alwaysLooksFromFarEnd: Bool { get }
  /// Whether the contrary of such a condition is said by `NOT EXISTS`, which the database joins.
  var joinsContraries: Bool { get }
  /// Whether a statement cannot join any two tables, nor look into one from the rows of another.
  var readsTablesAlone: Bool { get }
  /// Whether members and elements of JSON can be asked for.
  var readsJSON: Bool { get }

  // MARK: - Values

  /// An aggregate of all values of a type.
  func value(of aggregate: Aggregate, _ sql: String, _ type: ComparedType) -> String?
  /// An aggregate of the values of many objects.
  func value(of aggregation: Aggregation, _ sql: String, _ form: SQLForm) -> String
  /// A calculation with two numbers.
  func calculation(_ left: SQLPart, _ operation: ArithmeticOperator, _ right: SQLPart) -> String?
  /// A value of the identity that a key is made of.
  func identityPart(_ index: Int, ofKey key: String, _ storage: StorageType) -> String

  // MARK: - Texts

  /// The text of a value, as the store writes it.
  func text(_ sql: String, of type: ComparedType) -> String?
  func folded(_ sql: String, _ options: TextOptions) -> String?
  func begins(_ text: String, with other: String) -> String
  func ends(_ text: String, with other: String) -> String
  func contains(_ text: String, _ other: String) -> String
  /// A condition that all texts fulfil which are as `LIKE` of predicates says, and few others; nil where the database says
  /// that exactly.
  func mayBeLike(_ text: String, _ pattern: String, _ options: TextOptions) -> String?
  /// As `LIKE` of predicates has it.
  func isLike(_ text: String, _ pattern: String) -> String?
  func matches(_ text: String, _ pattern: String, _ options: TextOptions) -> String?
  /// Whether a part matches a regular expression of Swift.
  func finds(_ text: String, _ pattern: String) -> String?
  func characterCount(_ text: String) -> String?
  /// A number with the precision of `Float`.
  func single(_ number: String) -> String?
}

/// Words of SQL.
package enum SQL {
  /// A name in quotes, so that `Order`, `group` and anything else a model calls something is a name.
  package static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A text as a literal.
  package static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  /// `"a" = ?1 AND "b" = ?2`, counted from `first`.
  static func equal(_ names: [String], from first: Int = 1) -> String {
    names.enumerated().map { "\(quoted($1)) = ?\(first + $0)" }.joined(separator: " AND ")
  }

  /// A term of an order by places. A link that was told by its other end only has no place, and comes last.
  static func place(_ column: String) -> String { "\(column) NULLS LAST" }

  /// Whether a statement searches a full-text index.
  package static func searches(_ sql: String) -> Bool { sql.contains(" MATCH ") }

  static func list(_ names: [String], separator: String = ", ") -> String {
    names.map(quoted).joined(separator: separator)
  }

  /// `?1, ?2, ?3`, counted from `first`.
  static func parameters(_ count: Int, from first: Int = 1) -> String {
    (0..<count).map { "?\(first + $0)" }.joined(separator: ", ")
  }
}

extension NameRules {
  /// The name of a table as statements have it: with the schema, so that nothing else of that name is meant.
  package func sqlName(_ table: String) -> String {
    let name = SQL.quoted(table)
    return schema.map { "\(SQL.quoted($0)).\(name)" } ?? name
  }
}

/// How a value is kept in a column or compared: what a database with types has to know of an argument.
package enum SQLForm: Sendable, Hashable {
  case boolean, integer, real, decimal, text, date, uuid, blob
  /// Keys of objects some of which have an identity and some none: texts, and numbers of rows.
  case mixedKey

  package init(_ type: ComparedType) {
    switch type {
    case .boolean: self = .boolean
    case .integer: self = .integer
    case .real: self = .real
    case .decimal: self = .decimal
    case .text, .json: self = .text
    case .date: self = .date
    case .uuid: self = .uuid
    case .blob: self = .blob
    }
  }

  package init(_ type: AttributeType) { self.init(ComparedType(type)) }

  package init(_ column: Column) {
    if column.holdsMixedKeys { self = .mixedKey } else { self.init(column.type) }
  }
}

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

/// The arguments of a statement, by the numbers of its parameters.
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

/// The tables that the store keeps for itself.
package enum StoreTable {
  /// The metadata of the store: its format and its model.
  package static let metadata = "broker_store"
  /// Links to objects that have not arrived, where the object that would hold the link is the missing one.
  package static let pending = "broker_pending"
  /// The journal of what a program changed and the server has not been told of; only where a store keeps one.
  package static let journal = "broker_changes"
  /// The last imports; only where there was one. In stores of earlier versions, a view.
  package static let imports = "broker_imports"
  /// An empty table beside that view in stores of earlier versions.
  package static let importNumbers = "broker_import_numbers"
}
