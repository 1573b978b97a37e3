import ObjectModel

/// Words of a command line that a person may copy into a shell.
enum ShellWord {
  /// The word as any shell takes it, quoted where it says more than itself: `'my data.json'`.
  static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.utf8.allSatisfy(isPlain) { return word }
    // By scalars: to a shell, a quotation mark is one whatever accent follows it.
    return "'" + word.replacingScalars { $0 == "'" ? #"'\''"# : nil } + "'"
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
