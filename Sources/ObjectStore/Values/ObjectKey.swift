/// The key of an object as the store has it: its identity, or the number that the store made up.
///
/// It says the same as a list of ``SQLValue``. Most keys have one part, an integer or a text, and for these it needs no
/// array, since sets of keys are large.
package enum ObjectKey: Hashable, Sendable {
  case integer(Int64)
  case text(String)
  /// Keys of several parts, and the rare ones of one part that is neither integer nor text.
  case composite([SQLValue])

  /// The key in columns of the row that a cursor stands on.
  package init(_ statement: any Cursor, _ columns: Range<Int>) {
    self.init(columns.map { statement.value($0) })
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
