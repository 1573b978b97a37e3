import Bytes
import JSONStream

/// Objects that are lists of values: `[["NAME", "POP"], ["Alabama", 5024279]]`, or without the names of the columns.
struct ListRows {
  /// The names of the columns; where there are none, their places: `[0]`.
  let columns: [String]
  /// Whether the first row has the names.
  let hasNames: Bool

  /// Fewer values make no row.
  private static let fewest = 2
  private static let most = 256

  /// Looks ahead in JSON that is at its beginning; nil if it is no list of at least two such lists, of one length. The reader stays
  /// where it is.
  init?(_ json: inout JSONReader) throws(JSONError) {
    let start = json.checkpoint()
    defer {
      json.rewind(to: start)
      json.release(start)
    }
    guard try json.next() == .beginArray, let first = try Self.row(&json), let second = try Self.row(&json),
      first.count == second.count
    else { return nil }
    let names = first.compactMap(\.text)
    hasNames =
      names.count == first.count && Set(names).count == names.count && names.allSatisfy { !$0.isEmpty }
      && first.allSatisfy { !$0.isValue } && second.contains(where: \.isValue)
    columns = hasNames ? names : first.indices.map(Self.name)
  }

  /// The name of the column at a place, which is the step of a key path to it.
  static func name(_ place: Int) -> String { "[\(place)]" }

  /// A value of a row.
  private struct Value {
    /// Nil for anything but a text.
    var text: String?
    /// Whether it cannot be the name of a column: a number, a boolean, a text that is a number or a date.
    var isValue: Bool
  }

  /// The scalars of the next list; nil if it is none, or has something else.
  private static func row(_ json: inout JSONReader) throws(JSONError) -> [Value]? {
    guard try json.next() == .beginArray else { return nil }
    var values: [Value] = []
    while case let token = try json.next(), token != .endArray {
      guard values.count < most else { return nil }
      switch token {
      case .string:
        let forms = TextForms.of(json.text, among: .all, isThorough: true)
        let isValue = !forms.isDisjoint(with: [
          .day, .moment, .words, .number, .integer, .numericDate, .address,
        ])
        values.append(Value(text: String(decoding: json.text, as: UTF8.self), isValue: isValue))
      case .number, .true, .false: values.append(Value(isValue: true))
      case .null: values.append(Value(isValue: false))
      default: return nil
      }
    }
    return values.count < fewest ? nil : values
  }
}
