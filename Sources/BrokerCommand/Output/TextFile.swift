import JSONStream
import ModelForms

/// Files of text that commands write, each replaced as a whole.
enum TextFile {
  static func write(_ text: String, to path: String) throws {
    do {
      try ReplacementFile.write(text, to: path)
    } catch {
      throw CleanError("\(path) cannot be written: \(error.message).")
    }
  }

  /// Writes to a file, or to standard output if there is none.
  static func write(_ text: String, to path: String?, as form: Terminal.Form) throws {
    if let path { try write(text, to: path) } else { try Terminal.write(text, as: form) }
  }
}

/// What a command says beside its result, on standard error.
enum Notes {
  static func write(_ remarks: [Remark]) {
    for remark in remarks { Terminal.writeError(VisibleText.onOneLine(remark.description) + "\n") }
  }
}
