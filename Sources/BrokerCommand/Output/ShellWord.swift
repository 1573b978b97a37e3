/// Words of a command line that a person may copy into a shell.
enum ShellWord {
  /// The word as any shell takes it, quoted where it says more than itself: `'my data.json'`.
  static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.utf8.allSatisfy(isPlain) { return word }
    // By scalars: to a shell, a quotation mark is one whatever accent follows it.
    var quoted = String.UnicodeScalarView("'".unicodeScalars)
    for scalar in word.unicodeScalars {
      if scalar == "'" { quoted.append(contentsOf: #"'\''"#.unicodeScalars) } else { quoted.append(scalar) }
    }
    quoted.append("'")
    return String(quoted)
  }

  /// Whether a byte of ASCII is itself to any shell. Other characters are quoted.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: Array("_-./,:@%+".utf8).contains(byte)
    }
  }
}
