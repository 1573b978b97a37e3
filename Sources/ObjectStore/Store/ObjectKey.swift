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
}
