import GRDBSQLite

/// The key of an object as the store has it: what its identity is, or the number that the store made up.
package enum ObjectKey: Hashable, Sendable {
  case integer(Int64)
  case text(String)
  /// Keys of several parts, and the rare ones of one part that is neither integer nor text.
  case composite([SQLValue])

  /// The key in columns of a statement's row.
  package init(_ statement: PreparedStatement, _ columns: Range<Int>) {
    self.init(columns.map { SQLValue(statement, $0) })
  }

  package init(_ parts: [SQLValue]) {
    switch parts.first {
    case .integer(let value) where parts.count == 1: self = .integer(value)
    case .text(let value) where parts.count == 1: self = .text(value)
    default: self = .composite(parts)
    }
  }

  /// The parts, in the order of the table's key.
  package var parts: [SQLValue] {
    switch self {
    case .integer(let value): [.integer(value)]
    case .text(let value): [.text(value)]
    case .composite(let parts): parts
    }
  }
}

extension SQLValue {
  /// A value of a statement's row.
  package init(_ statement: PreparedStatement, _ column: Int) {
    switch statement.storage(column) {
    case nil: self = .null
    case .integer: self = .integer(statement.integer(column))
    case .real: self = .real(statement.double(column))
    case .text: self = .text(statement.string(column))
    case .blob: self = .blob(Array(statement.blob(column)))
    }
  }

  /// An argument of an SQL function.
  init(argument: OpaquePointer?) {
    switch sqlite3_value_type(argument) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(argument))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(argument))
    case SQLITE_TEXT: self = .text(String(decoding: Self.bytes(of: argument), as: UTF8.self))
    case SQLITE_BLOB: self = .blob(Array(Self.bytes(of: argument)))
    default: self = .null
    }
  }

  /// The bytes of a text or blob, as long as the function runs. As a blob, a text is not copied to get a zero
  /// behind it.
  static func bytes(of argument: OpaquePointer?) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(argument)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument)))
  }
}

/// The arguments of an SQL function that are a key.
struct KeyArguments {
  let values: UnsafeMutablePointer<OpaquePointer?>
  let width: Int

  var key: ObjectKey {
    guard width == 1 else { return ObjectKey((0..<width).map { SQLValue(argument: values[$0]) }) }
    if sqlite3_value_type(values[0]) == SQLITE_INTEGER { return .integer(sqlite3_value_int64(values[0])) }
    return ObjectKey([SQLValue(argument: values[0])])
  }
}
