import ObjectModel

/// A value in the form that the store keeps.
///
/// This is the kind of value to take unless there is a reason for another: it owns its bytes, knows nothing of the model
/// and can be kept and compared. What costs time for every value of an import is a cell of a batch instead.
public enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// Whether values are one to a database. Texts are equal if their bytes are: “é” as one scalar is another text than “é” as
  /// two, which Swift's `String` takes for the same.
  public static func == (first: SQLValue, second: SQLValue) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one.hasBytes(of: other)
    case (.blob(let one), .blob(let other)): one == other
    default: false
    }
  }
}

extension String {
  /// Whether two texts have the same bytes. Those that Swift takes for different have not.
  fileprivate func hasBytes(of other: String) -> Bool { self == other && utf8.elementsEqual(other.utf8) }
}

/// The key of an object as the store has it: its identity, or the number that the store made up.
///
/// It says the same as a list of ``SQLValue``. Most keys have one part, an integer or a text, and for these it needs no
/// array, since sets of keys are large.
package enum ObjectKey: Hashable, Sendable {
  case integer(Int64)
  case text(String)
  /// Keys of several parts, and the rare ones of one part that is neither integer nor text.
  case composite([SQLValue])

  package static func == (first: ObjectKey, second: ObjectKey) -> Bool {
    switch (first, second) {
    case (.integer(let one), .integer(let other)): one == other
    case (.text(let one), .text(let other)): one.hasBytes(of: other)
    case (.composite(let one), .composite(let other)): one == other
    default: false
    }
  }

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

/// Whether a value that is to be written into a slot of an entity says nothing else than the one that is stored, which the store
/// keeps in two ways: a decimal of more digits than its type has, JSON whose keys came in another order.
package typealias ValueEquality = (
  _ entity: EntityLayout, _ slot: Int, _ stored: SQLValue, _ new: SQLValue
) -> Bool

/// The bounds and the pattern of an attribute, as conditions on values that are stored already.
struct ValueRule {
  private let least: Double?
  private let most: Double?
  private let isText: Bool
  private let pattern: WholeMatch?

  /// Nil if it demands nothing.
  ///
  /// - Throws: Foundation's error if the pattern is no regular expression.
  init?(_ attribute: Attribute) throws {
    isText = attribute.type == .string || attribute.type == .uri
    pattern = try attribute.pattern.flatMap { [isText] in isText && !$0.isEmpty ? try WholeMatch($0) : nil }
    switch attribute.type {
    case .string, .uri, .integer16, .integer32, .integer64, .float, .double, .decimal:
      (least, most) = (attribute.minimum.flatMap { Double($0) }, attribute.maximum.flatMap { Double($0) })
    default: (least, most) = (nil, nil)
    }
    if least == nil, most == nil, pattern == nil { return nil }
  }

  func allows(_ value: SQLValue, _ budget: inout MatchBudget) -> Bool {
    isInside(value) && matches(value, &budget)
  }

  /// Whether a number is, or the length of a text.
  func isInside(_ value: SQLValue) -> Bool {
    let size: Double
    switch value {
    case .null: return true
    case .integer(let integer): size = Double(integer)
    case .real(let real): size = real
    case .text(let text): size = isText ? Double(text.count) : Double(text) ?? 0
    case .blob: return true
    }
    return size >= least ?? -.infinity && size <= most ?? .infinity
  }

  /// A pattern that cannot be told within the budget is not kept.
  func matches(_ value: SQLValue, _ budget: inout MatchBudget) -> Bool {
    guard let pattern, case .text(let text) = value else { return true }
    return pattern.matches(text, &budget) == true
  }
}

/// A condition on an attribute's values that only code can tell: that a text is the raw value of an enumeration, or
/// the JSON of a type.
package struct ValueCheck: Sendable {
  /// The expected form of a value that is not accepted.
  package let expectation: String
  package let accepts: @Sendable (SQLValue) -> Bool

  package init(expectation: String, accepts: @escaping @Sendable (SQLValue) -> Bool) {
    self.expectation = expectation
    self.accepts = accepts
  }

  /// An attribute by the names of the entity that declares it and its own.
  package struct Place: Hashable, Sendable {
    package var entity: String
    package var attribute: String

    package init(entity: String, attribute: String) {
      self.entity = entity
      self.attribute = attribute
    }
  }
}
