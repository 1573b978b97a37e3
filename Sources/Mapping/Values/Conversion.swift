import Bytes
import JSONStream
import ObjectModel
import ObjectStore

/// Turns JSON values into the values that the store keeps, by the type of the attribute.
///
/// | attribute | takes |
/// |---|---|
/// | Boolean | `true`, `false`; `1`, `0`; those in strings; `"yes"`, `"no"`, `"y"`, `"n"`, `"on"`, `"off"`, `"t"`, `"f"` in any case |
/// | Integer 16, 32, 64 | whole numbers that fit, also `42.0` and `4.2e1`; those in strings; `true` and `false` as 1 and 0 |
/// | Float, Double | numbers that fit, those in strings |
/// | Decimal | numbers, those in strings; every digit is kept |
/// | String | strings; numbers as written; `true`, `false`; a list or an object as JSON text |
/// | Date | ``DateReader``'s forms, or the attribute's own format |
/// | UUID | 32 hexadecimal digits, with hyphens or braces or without, in any case |
/// | URI | strings that are not empty and have no white space |
/// | Binary | Base64 |
/// | Transformable, no type | anything, as JSON text |
struct Conversion: Sendable {
  /// The types whose values are converted in different ways.
  enum Kind: UInt8, Sendable {
    case boolean, integer16, integer32, integer64, float, double, decimal, string, date, uuid, uri, binary
    case json

    init(_ type: AttributeType) {
      switch type {
      case .boolean: self = .boolean
      case .integer16: self = .integer16
      case .integer32: self = .integer32
      case .integer64: self = .integer64
      case .float: self = .float
      case .double: self = .double
      case .decimal: self = .decimal
      case .string: self = .string
      case .date: self = .date
      case .uuid: self = .uuid
      case .uri: self = .uri
      case .binary: self = .binary
      case .transformable, .undefined, .composite: self = .json
      }
    }
  }

  /// A date format behind a reference.
  final class Dates: Sendable {
    let format: DateFormat
    /// Whether dates may also have the form of exports, in which Swift values are written.
    let readsOwnForm: Bool

    init(_ format: DateFormat, readsOwnForm: Bool) {
      self.format = format
      self.readsOwnForm = readsOwnForm
    }
  }

  let kind: Kind
  /// The date format, if it is not the automatic one. Its owner keeps it alive, so that copying a conversion, which
  /// happens for every value, counts no reference.
  private unowned(unsafe) let dates: Dates?
  /// Notes how dates come, if that is wanted. It is kept alive in the same way.
  private unowned(unsafe) let seen: DatesSeen?

  init(type: AttributeType, dates: Dates? = nil, seen: DatesSeen? = nil) {
    kind = Kind(type)
    self.dates = dates
    self.seen = seen
  }

  var dateFormat: DateFormat { dates?.format ?? .automatic }

  /// The expected value, for issues about one that cannot be used.
  var expectation: String {
    switch kind {
    case .boolean: "true or false"
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number from -2147483648 to 2147483647"
    case .integer64: "a whole number of 64 bits"
    case .float, .double: "a number"
    case .decimal: "a decimal number"
    case .string: "a string"
    case .date: dateFormat.expectation
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .binary: "Base64"
    case .json: "JSON"
    }
  }

  /// Converts a scalar whose text is in `text`; nil if the type does not take it.
  @inline(__always)
  func cell(
    for token: JSONToken, _ text: UnsafeBufferPointer<UInt8>, integer: Int64?,
    in batch: inout RowBatch
  ) -> Cell? {
    switch (kind, token) {
    case (_, .null): return .null
    case (.string, .string): return batch.text(text)
    case (.integer64, .number):
      return (integer ?? NumberReader.integer(text)).map(Cell.integer)
    case (.integer16, _), (.integer32, _), (.integer64, _):
      return wholeNumber(token, text, integer).map(Cell.integer)
    case (.date, .string), (.date, .number):
      return readDate(token, text).map { time in
        seen?.note(text, hasTime: time.hasTime)
        let offset = batch.bytes.count
        time.append(to: &batch.bytes)
        return .text(at: offset, count: batch.bytes.count - offset)
      }
    case (.double, .string), (.double, .number), (.float, .string), (.float, .number):
      return RealNumber.double(text).flatMap { value in
        kind == .float && value.magnitude > Double(Float.greatestFiniteMagnitude) ? nil : .real(value)
      }
    case (.boolean, _): return boolean(token, text, integer)
    default: return cellOfRareType(for: token, text, in: &batch)
    }
  }

  private func readDate(_ token: JSONToken, _ text: UnsafeBufferPointer<UInt8>) -> CivilTime? {
    if let time = dateFormat.read(text, isNumber: token == .number) { return time }
    guard let dates, dates.readsOwnForm, token == .string else { return nil }
    return DateFormat.automatic.read(text, isNumber: false)
  }

  private func wholeNumber(
    _ token: JSONToken, _ text: UnsafeBufferPointer<UInt8>, _ integer: Int64?
  ) -> Int64? {
    let value: Int64? =
      switch token {
      case .number: integer ?? NumberReader.integer(text)
      case .string: NumberReader.integer(text)
      case .true: 1
      case .false: 0
      default: nil
      }
    guard let value else { return nil }
    switch kind {
    case .integer16: return Int16(exactly: value).map(Int64.init)
    case .integer32: return Int32(exactly: value).map(Int64.init)
    default: return value
    }
  }

  /// Whether a word means true, 1, or false, 0, in any case. It has five bytes at most.
  private static func truth(of word: UnsafeBufferPointer<UInt8>) -> Int64? {
    // The letters as one number, behind a one that keeps their count.
    var letters: UInt64 = 1
    for byte in word {
      let isUppercase = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      letters = letters << 8 | UInt64(isUppercase ? byte | 0x20 : byte)
    }
    return switch letters {
    // true, yes, y, on, t, 1
    case 0x1_7472_7565, 0x179_6573, 0x179, 0x1_6F6E, 0x174, 0x131: 1
    // false, no, n, off, f, 0
    case 0x166_616C_7365, 0x1_6E6F, 0x16E, 0x16F_6666, 0x166, 0x130: 0
    default: nil
    }
  }

  private func boolean(
    _ token: JSONToken, _ text: UnsafeBufferPointer<UInt8>, _ integer: Int64?
  ) -> Cell? {
    switch token {
    case .true: return .integer(1)
    case .false: return .integer(0)
    case .number:
      let value = integer ?? NumberReader.integer(text)
      return value == 0 || value == 1 ? value.map(Cell.integer) : nil
    case .string where text.count <= 5:
      return Self.truth(of: text).map(Cell.integer)
    default: return nil
    }
  }

  private func cellOfRareType(
    for token: JSONToken, _ text: UnsafeBufferPointer<UInt8>, in batch: inout RowBatch
  ) -> Cell? {
    let offset = batch.bytes.count
    switch (kind, token) {
    case (.string, .number): return batch.text(text)
    case (.string, .true): batch.bytes.append("true")
    case (.string, .false): batch.bytes.append("false")
    case (.decimal, .number), (.decimal, .string):
      guard let number = DecimalNumber(text), number.append(to: &batch.bytes) else {
        batch.bytes.truncate(to: offset)
        return nil
      }
    case (.uuid, .string):
      guard UUIDText.append(text, to: &batch.bytes) else {
        batch.bytes.truncate(to: offset)
        return nil
      }
    case (.uri, .string):
      guard !text.isEmpty, text.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
      return batch.text(text)
    case (.binary, .string):
      guard Base64.decode(text, to: &batch.bytes) else { return nil }
      return .blob(at: offset, count: batch.bytes.count - offset)
    case (.json, _):
      guard appendJSON(token, text, to: &batch.bytes) else { return nil }
    default: return nil
    }
    return .text(at: offset, count: batch.bytes.count - offset)
  }

  private func appendJSON(
    _ token: JSONToken, _ text: UnsafeBufferPointer<UInt8>, to bytes: inout ByteBuffer
  ) -> Bool {
    switch token {
    case .number: bytes.append(text)
    case .true: bytes.append("true")
    case .false: bytes.append("false")
    case .string:
      let sink = MemorySink()
      var writer = JSONWriter(sink)
      writer.string(text)
      guard (try? writer.flush()) != nil else { return false }
      sink.bytes.withUnsafeBufferPointer { bytes.append($0) }
    default: return false
    }
    return true
  }

  /// Whether a list or an object is kept as JSON text.
  var keepsJSON: Bool {
    switch kind {
    case .string, .json: true
    default: false
    }
  }
}

/// Reads numbers from texts without losing digits; what would lose some is refused.
enum NumberReader {
  /// A whole number: `42`, `-7`, or with no digits but zeros behind the point: `42.0`, `4.2e1`.
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    if let value = plainInteger(text) { return value }
    guard let number = DecimalNumber(text), number.exponent >= 0, number.exponent <= 19 else { return nil }
    var magnitude: UInt64 = 0
    for place in 0..<(number.digits.count + number.exponent) {
      let digit = place < number.digits.count ? number.digits[place] - 0x30 : 0
      let (product, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, tooLargeStill) = product.addingReportingOverflow(UInt64(digit))
      if tooLarge || tooLargeStill { return nil }
      magnitude = sum
    }
    if number.isNegative {
      return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int64(exactly: magnitude)
  }

  /// A whole number of at most 18 digits and nothing else but a minus.
  private static func plainInteger(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = isNegative ? UnsafeBufferPointer(rebasing: text.dropFirst()) : text
    guard (1...18).contains(digits.count) else { return nil }
    var value: Int64 = 0
    for byte in digits {
      let digit = byte &- 0x30
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return isNegative ? -value : value
  }
}
