/// Why bytes are not JSON, and where.
package struct JSONError: Error, Sendable, Hashable {
  /// The mistake.
  package enum Kind: Sendable, Hashable {
    case empty
    case unexpectedEnd(expected: String)
    case unexpectedByte(UInt8, expected: String)
    case controlCharacter(UInt8)
    case invalidEscape
    case invalidNumber
    case invalidUTF8
    case tooDeep(limit: Int)
    case trailingValue
    case source(SourceError)
  }

  package var kind: Kind
  /// Bytes before the spot.
  package var offset: Int
  /// The spot's line, from 1.
  package var line: Int
  /// The spot's place in its line, in characters (Unicode scalars), from 1.
  package var column: Int
}

extension JSONError: CustomStringConvertible {
  package var description: String {
    if case .source(let error) = kind { return error.message }
    return "\(reason) at line \(line), column \(column) (byte \(offset))"
  }

  /// The mistake, without the place.
  package var reason: String {
    switch kind {
    case .empty: "there is no JSON: the input is empty"
    case .unexpectedEnd(let expected): "the JSON ends where \(expected) was expected"
    case .unexpectedByte(let byte, let expected):
      "found \(Self.name(of: byte)) where \(expected) was expected"
    case .controlCharacter(let byte):
      "found the control character \(Self.name(of: byte)) inside a string; it must be escaped"
    case .invalidEscape: "found an escape in a string that JSON does not have"
    case .invalidNumber: "found a number that is not written as JSON writes numbers"
    case .invalidUTF8: "found bytes that are not UTF-8"
    case .tooDeep(let limit): "found arrays and objects nested more than \(limit) deep"
    case .trailingValue: "found more after the end of the JSON value"
    case .source(let error): error.message
    }
  }

  private static func name(of byte: UInt8) -> String {
    if byte > 0x20, byte < 0x7F { return "'\(Character(Unicode.Scalar(byte)))'" }
    let digits = String(byte, radix: 16, uppercase: true)
    return "byte 0x" + (digits.count < 2 ? "0" : "") + digits
  }
}
