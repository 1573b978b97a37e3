import Foundation

/// What the texts of XML property lists stand for.
enum PropertyListText {
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// A text without the white space around it; empty if it is longer than any number.
  private static func word(_ text: [UInt8]) -> String {
    let start = text.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }), last - start.startIndex < 400 else {
      return ""
    }
    return String(decoding: start[...last], as: UTF8.self)
  }

  static func integer(_ text: [UInt8]) -> PropertyListNode? {
    let word = word(text)
    if let number = Int64(word) {
      return PropertyListNode(.integer, payload: UInt64(bitPattern: number))
    }
    if word.hasPrefix("0x") || word.hasPrefix("0X") {
      return UInt64(word.dropFirst(2), radix: 16).map {
        PropertyListNode($0 > Int64.max ? .unsigned : .integer, payload: $0)
      }
    }
    return UInt64(word).map { PropertyListNode(.unsigned, payload: $0) }
  }

  static func real(_ text: [UInt8]) -> Double? {
    let word = word(text).lowercased()
    switch word {
    case "infinity", "+infinity": return .infinity
    case "-infinity": return -.infinity
    default: return Double(word)
    }
  }

  /// Base64 with white space in it.
  static func data(_ text: [UInt8]) -> [UInt8]? {
    Data(base64Encoded: Data(text.lazy.filter { !isSpace($0) })).map { [UInt8]($0) }
  }

  /// Seconds since 2001-01-01T00:00:00Z.
  static func date(_ text: [UInt8]) -> Double? {
    let word = Array(word(text).utf8)
    guard word.count == 20, word[4] == UInt8(ascii: "-"), word[7] == word[4], word[10] == UInt8(ascii: "T"),
      word[13] == UInt8(ascii: ":"), word[16] == word[13], word[19] == UInt8(ascii: "Z")
    else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      word[range].allSatisfy { $0 &- 0x30 < 10 }
        ? word[range].reduce(0) { $0 * 10 + Int($1 &- 0x30) } : nil
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = daysSince2001(year: year, month: month, day: day)
    return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  /// The year is counted from March, so that the leap day is its last.
  private static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let leapDays = year / 4 - year / 100 + year / 400
    // 2001-01-01 is day 730,791 counted from 0000-03-01.
    return year * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 730_791
  }
}
