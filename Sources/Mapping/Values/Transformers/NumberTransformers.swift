import Bytes
import JSONStream
import ObjectModel
import ObjectStore

extension Transformer {
  /// Numbers that JSON writes as strings: `"42"`.
  static let numberAsString = Transformer(
    read: { value in
      guard case .string(let text) = value else { return value }
      let digits = text.withoutSpaceAround
      guard JSONValue.number(digits).isWellFormed else {
        throw TransformerError(expected: "a number in a string")
      }
      return .number(digits)
    },
    write: { if case .number(let digits) = $0 { .string(digits) } else { $0 } })

  /// Strings that JSON writes as numbers where it can: `94107` for `"94107"`.
  static let stringAsNumber = Transformer(
    read: { if case .number(let digits) = $0 { .string(digits) } else { $0 } },
    write: { value in
      guard case .string(let text) = value else { return value }
      // A string such as "007" would be another one when it came back.
      return JSONValue.number(text).isWellFormed ? .number(text) : value
    })

  /// Seconds that JSON has as milliseconds.
  static let milliseconds = Transformer(read: { try scaled($0, by: -3) }, write: { try scaled($0, by: 3) })

  /// A number, or a string that is one, times a power of ten. Only its point moves, so no digit is lost.
  private static func scaled(_ value: JSONValue, by power: Int) throws -> JSONValue {
    let text: String
    switch value {
    case .number(let digits): text = digits
    case .string(let digits) where JSONValue.number(digits).isWellFormed: text = digits
    default: return value
    }
    var bytes = ByteBuffer()
    let isWritten = Array(text.utf8).withUnsafeBufferPointer { digits in
      guard var number = DecimalNumber(digits) else { return false }
      number.exponent += power
      return number.append(to: &bytes)
    }
    guard isWritten else { throw TransformerError(expected: "a number of at most 200 places") }
    return .number(String(decoding: bytes.elements, as: UTF8.self))
  }
}
