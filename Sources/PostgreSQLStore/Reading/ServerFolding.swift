#if PostgreSQL
  import ObjectStore

  /// SQL that takes from texts what a comparison is to ignore, as `TextFolding` does.
  enum ServerFolding {
    /// The collation by which the server knows capitals.
    static let collation = "und-x-icu"

    static func folded(_ sql: String, _ options: TextOptions) -> String {
      var result = sql
      if options.contains(.ignoresCase) { result = caseFolded(result) }
      if options.contains(.ignoresDiacritics) {
        result = "regexp_replace(normalize(\(result), NFD), '[\(diacritics)]', '', 'g')"
      }
      return options.isEmpty ? sql : "normalize(\(result), NFC) COLLATE \"C\""
    }

    /// The way through the capital and back, letter by letter. ICU looks at what is around a sigma, and the dotless i has
    /// the capital of another letter: it is a character that means nothing meanwhile, and that character another text.
    private static func caseFolded(_ sql: String) -> String {
      let kept = "replace(replace(\(sql), U&'\\FDD0', U&'\\FDD0a'), U&'\\0131', U&'\\FDD0b')"
      let small = "lower(upper(\(kept) COLLATE \"\(collation)\") COLLATE \"\(collation)\")"
      let sigma = "replace(\(small), U&'\\03C2', U&'\\03C3')"
      return "replace(replace(\(sigma), U&'\\FDD0b', U&'\\0131'), U&'\\FDD0a', U&'\\FDD0')"
    }

    /// The marks that go, as ranges of a regular expression.
    private static let diacritics: String = {
      var ranges: [ClosedRange<UInt32>] = []
      for value in UInt32(0x300)...0x1FFFF {
        guard let scalar = Unicode.Scalar(value), TextFolding.isDiacritic(scalar) else { continue }
        if let last = ranges.last, last.upperBound + 1 == value {
          ranges[ranges.count - 1] = last.lowerBound...value
        } else {
          ranges.append(value...value)
        }
      }
      return ranges.map { "\(escaped($0.lowerBound))-\(escaped($0.upperBound))" }.joined()
    }()

    private static func escaped(_ value: UInt32) -> String {
      let digits = String(value, radix: 16)
      return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
  }
#endif
