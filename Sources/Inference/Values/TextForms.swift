import Bytes
import Mapping
import ObjectStore

/// The forms that all texts of a place have, as far as they have been seen.
struct TextForms: OptionSet, BitwiseCopyable {
  let rawValue: UInt32

  static let day = TextForms(rawValue: 1)
  static let moment = TextForms(rawValue: 2)
  static let words = TextForms(rawValue: 4)
  static let uuid = TextForms(rawValue: 8)
  static let address = TextForms(rawValue: 16)
  /// A whole number as a program writes it: no zeros in front.
  static let integer = TextForms(rawValue: 32)
  /// A number, with or without a fraction.
  static let number = TextForms(rawValue: 64)
  static let base64 = TextForms(rawValue: 128)
  /// Without white space.
  static let word = TextForms(rawValue: 256)
  /// Digits and separators, as dates by a pattern have them.
  static let numericDate = TextForms(rawValue: 512)
  /// `true` or `false`.
  static let truth = TextForms(rawValue: 1024)

  static let all = TextForms(rawValue: (1 << 11) - 1)
  /// Any date that needs no pattern: some texts may have a time and others not.
  static let dates: TextForms = [.day, .moment, .words]

  /// The forms that a text has.
  ///
  /// - Parameter isThorough: Whether to look at what is slow to find out.
  static func of(
    _ text: UnsafeBufferPointer<UInt8>, among wanted: TextForms, isThorough: Bool
  ) -> TextForms {
    var found: TextForms = []
    if !wanted.isDisjoint(with: [.day, .moment]), !isThorough, let usual = usualDate(text) {
      found.formUnion(usual)
    } else if !wanted.isDisjoint(with: [.day, .moment]) || (wanted.contains(.words) && isThorough) {
      found.formUnion(dateForms(text))
    } else if wanted.contains(.words) {
      found.insert(.words)
    }
    if wanted.contains(.word), !hasSpace(text) { found.insert(.word) }
    if wanted.contains(.uuid), isUUID(text) { found.insert(.uuid) }
    if wanted.contains(.address), isAddress(text) { found.insert(.address) }
    if !wanted.isDisjoint(with: [.integer, .number]) { found.formUnion(numberForms(text)) }
    if wanted.contains(.base64), isBase64(text) { found.insert(.base64) }
    if wanted.contains(.numericDate), isNumericDate(text) { found.insert(.numericDate) }
    if wanted.contains(.truth), isTruth(text) { found.insert(.truth) }
    return found
  }

  /// A text in one form of ISO 8601 leaves the other possible, since a column may have both.
  private static func dateForms(_ text: UnsafeBufferPointer<UInt8>) -> TextForms {
    switch DateRecognition.form(of: text) {
    case .day: [.day, .words, .moment]
    case .moment: [.moment, .words]
    case .words: [.words]
    case nil: []
    }
  }

  /// The forms of `2014-08-31` and `2014-08-31T00:29:15Z`, told by their digits and separators; nil for all others.
  @inline(__always)
  private static func usualDate(_ text: UnsafeBufferPointer<UInt8>) -> TextForms? {
    guard text.count == 10 || text.count == 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-")
    else {
      return nil
    }
    guard let month = number(text, 5), (1...12).contains(month), let day = number(text, 8),
      (1...28).contains(day), number(text, 0) != nil, number(text, 2) != nil
    else { return nil }
    if text.count == 10 { return [.day, .moment, .words] }
    guard text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      text[19] == UInt8(ascii: "Z"), let hour = number(text, 11), hour < 24, let minute = number(text, 14),
      minute < 60, let second = number(text, 17), second < 60
    else { return nil }
    return [.moment, .words]
  }

  /// Two digits at a place.
  @inline(__always)
  private static func number(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int? {
    let (tens, ones) = (text[place] &- 0x30, text[place + 1] &- 0x30)
    return tens <= 9 && ones <= 9 ? Int(tens) * 10 + Int(ones) : nil
  }

  private static func isUUID(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count == 36 else { return false }
    for (place, byte) in text.enumerated() {
      if place == 8 || place == 13 || place == 18 || place == 23 {
        if byte != UInt8(ascii: "-") { return false }
      } else if !isHexadecimal(byte) {
        return false
      }
    }
    return true
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    TextCursor.isDigit(byte) || (byte | 0x20) &- 0x61 < 6
  }

  /// `https://…`, without white space.
  private static func isAddress(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count > 8, text[0] | 0x20 == UInt8(ascii: "h"), text[1] | 0x20 == UInt8(ascii: "t") else {
      return false
    }
    let colon = text[4] == UInt8(ascii: ":") ? 4 : 5
    guard text[2] | 0x20 == UInt8(ascii: "t"), text[3] | 0x20 == UInt8(ascii: "p"),
      colon == 4 || text[4] | 0x20 == UInt8(ascii: "s"), text[colon] == UInt8(ascii: ":"),
      text[colon + 1] == UInt8(ascii: "/"), text[colon + 2] == UInt8(ascii: "/")
    else { return false }
    return !hasSpace(text)
  }

  /// Whether there is white space or a control character, looked for in eight bytes at once.
  @inline(__always)
  private static func hasSpace(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = UnsafeRawPointer(text.baseAddress) else { return false }
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = 0
    while index + 8 <= text.count {
      let word = start.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // The top bit of a byte is set if it is below 0x21. A borrow may set it in vain, so that is looked at again.
      if (word &- ones &* 0x21) & ~word & (ones &* 0x80) != 0 {
        for place in index..<index + 8 where text[place] <= 0x20 { return true }
      }
      index += 8
    }
    while index < text.count {
      if text[index] <= 0x20 { return true }
      index += 1
    }
    return false
  }

  private static func numberForms(_ text: UnsafeBufferPointer<UInt8>) -> TextForms {
    guard text.count <= 40 else { return [] }
    var cursor = TextCursor(text)
    _ = cursor.skip(UInt8(ascii: "-"))
    let digits = cursor.digitCount
    guard digits > 0, digits == 1 || cursor.next != UInt8(ascii: "0") else { return [] }
    cursor.skip(digits)
    if cursor.isAtEnd { return digits <= 18 ? [.integer, .number] : [.number] }
    guard cursor.skip(UInt8(ascii: ".")), cursor.digitCount > 0 else { return [] }
    cursor.skip(cursor.digitCount)
    return cursor.isAtEnd ? .number : []
  }

  /// Long texts whose letters, digits and length are those of Base64, and which no word or hexadecimal number looks like.
  private static func isBase64(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count >= 32, text.count % 4 == 0, text[0] != UInt8(ascii: "/") else { return false }
    var (upper, lower, digits, signs) = (false, false, false, false)
    var (padding, slashes) = (0, 0)
    for byte in text {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): upper = true
      case UInt8(ascii: "a")...UInt8(ascii: "z"): lower = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits = true
      case UInt8(ascii: "+"): signs = true
      case UInt8(ascii: "/"): slashes += 1
      case UInt8(ascii: "="): padding += 1
      default: return false
      }
      if padding > 0, byte != UInt8(ascii: "=") { return false }
    }
    return upper && lower && digits && padding <= 2 && slashes * 24 <= text.count
      && (signs || padding > 0 || text.count >= 64 && slashes == 0)
  }

  /// `24.12.2014`, `2014/12/24 20:15`: one to four digits, a separator, and the same twice more.
  private static func isNumericDate(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (8...25).contains(text.count) else { return false }
    var cursor = TextCursor(text)
    let first = cursor.digitCount
    guard first == 1 || first == 2 || first == 4 else { return false }
    cursor.skip(first)
    let separator = cursor.next
    guard separator == UInt8(ascii: ".") || separator == UInt8(ascii: "/") else { return false }
    cursor.skip()
    guard (1...2).contains(cursor.digitCount) else { return false }
    cursor.skip(cursor.digitCount)
    guard cursor.skip(separator) else { return false }
    let last = cursor.digitCount
    guard first == 4 ? last <= 2 && last > 0 : last == 4 else { return false }
    cursor.skip(last)
    return cursor.isAtEnd || cursor.next == 0x20
  }

  private static func isTruth(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch text.count {
    case 4:
      text.elementsEqual("true".utf8) || text.elementsEqual("True".utf8) || text.elementsEqual("TRUE".utf8)
    case 5:
      text.elementsEqual("false".utf8) || text.elementsEqual("False".utf8) || text.elementsEqual("FALSE".utf8)
    default: false
    }
  }
}

extension TextForms {
  /// Whether a text begins as dates do: `2024-`.
  @inline(__always)
  static func beginsWithYear(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.count >= 8 && text[4] == UInt8(ascii: "-") && (0..<4).allSatisfy { TextCursor.isDigit(text[$0]) }
  }
}
