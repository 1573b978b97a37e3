import Foundation

/// Takes from texts what a comparison is to ignore.
package enum TextFolding {
  /// A text as it is compared under options.
  ///
  /// Case goes by Unicode's full case folding, so that `ß` is `ss` and `ς` is `σ`. Of diacritics, those go that
  /// can be left out: accents, but not the marks that make Japanese or Indian letters others.
  package static func folded(_ text: String, _ options: TextOptions) -> String {
    guard !options.isEmpty else { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.ignoresCase) ? text.lowercased() : text
    }
    var result = text
    if options.contains(.ignoresCase) { result = caseFolded(result) }
    if options.contains(.ignoresDiacritics) { result = withoutDiacritics(result) }
    return result.precomposedStringWithCanonicalMapping
  }

  private static func caseFolded(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      // The way through the capital brings letters together that are small both, and takes ligatures apart.
      // The dotless i alone has the capital of another letter.
      let capital = scalar == "\u{131}" ? String(scalar) : scalar.properties.uppercaseMapping
      for part in capital.unicodeScalars {
        result.append(contentsOf: part.properties.lowercaseMapping.unicodeScalars)
      }
    }
    return String(result)
  }

  private static func withoutDiacritics(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars where !isDiacritic(scalar) {
      result.append(scalar)
    }
    return String(result)
  }

  /// Classes up to 9 are for marks that make other letters, such as those of Japanese and of Indian scripts.
  package static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .nonspacingMark
      && scalar.properties.canonicalCombiningClass.rawValue > 9
  }
}

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

  /// The beginning that a text must have to match a pattern.
  package static func prefix(of pattern: String) -> String {
    var prefix: [UInt8] = []
    for byte in pattern.utf8 {
      if byte >= 0x80 {
        // A combining mark may make one character with the letter before it.
        _ = prefix.popLast()
        break
      }
      if [UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "\\")].contains(byte) { break }
      prefix.append(byte)
    }
    return String(decoding: prefix, as: UTF8.self)
  }
}
