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
