/// The patterns of `LIKE`: `*` stands for any characters, `?` for one, a backslash makes either itself.
package enum Wildcards {
  /// Whether a whole text is as a pattern says. Takes time proportional to the product of their lengths at most.
  package static func match(_ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>) -> Bool
  {
    // A carriage return and the line feed behind it are one character.
    let isPlain =
      text.allSatisfy { $0 < 0x80 && $0 != 0x0D } && pattern.allSatisfy { $0 < 0x80 && $0 != 0x0D }
    if isPlain {
      return match(
        text, pattern, any: UInt8(ascii: "*"), one: UInt8(ascii: "?"), escape: UInt8(ascii: "\\"))
    }
    return match(
      Array(String(decoding: text, as: UTF8.self)), Array(String(decoding: pattern, as: UTF8.self)),
      any: "*" as Character, one: "?", escape: "\\")
  }

  private static func match<Text: RandomAccessCollection>(
    _ text: Text, _ pattern: Text, any: Text.Element, one: Text.Element, escape: Text.Element
  ) -> Bool where Text.Element: Equatable, Text.Index == Int {
    var place = 0
    var index = 0
    // Where to go on if what follows the last `*` does not match: the `*` takes one character more.
    var retry: (place: Int, index: Int)?
    while place < text.count {
      if index < pattern.count {
        if pattern[index] == any {
          index += 1
          retry = (place, index)
          continue
        }
        let isEscaped = pattern[index] == escape && index + 1 < pattern.count
        let wanted = pattern[isEscaped ? index + 1 : index]
        if (!isEscaped && wanted == one) || text[place] == wanted {
          index += isEscaped ? 2 : 1
          place += 1
          continue
        }
      }
      guard let last = retry else { return false }
      place = last.place + 1
      index = last.index
      retry = (place, index)
    }
    return pattern[index...].allSatisfy { $0 == any }
  }

  /// What a text has to begin with to be as a pattern says.
  static func prefix(of pattern: String) -> String {
    var prefix: [UInt8] = []
    for byte in pattern.utf8 {
      if byte >= 0x80 {
        // It may make one character with the letter before it.
        _ = prefix.popLast()
        break
      }
      if [UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "\\")].contains(byte) { break }
      prefix.append(byte)
    }
    return String(decoding: prefix, as: UTF8.self)
  }
}
