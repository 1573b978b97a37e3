/// The form of what is imported.
///
/// Whether it is compressed, and the form of Unicode, are recognised by its first bytes.
public struct InputFormat: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case automatic
    case json
    case table(Table)
  }

  /// A table of values.
  struct Table: Sendable, Hashable {
    /// What stands between values; nil for the comma, semicolon or tab that the header shows.
    var separator: UInt8?
  }

  let kind: Kind

  /// The form that the source's name tells: a table for `.csv` and `.tsv`, also with `.gz` or `.zst` behind it, JSON
  /// otherwise.
  public static let automatic = InputFormat(kind: .automatic)

  /// JSON, or JSON Lines.
  public static let json = InputFormat(kind: .json)

  /// A table with commas, semicolons or tabs between its values, whichever its header has most.
  public static let csv = InputFormat(kind: .table(Table()))

  /// A table with tabs between its values.
  public static let tsv = InputFormat(kind: .table(Table(separator: UInt8(ascii: "\t"))))

  /// A table with this character between its values; nil if it cannot be one: it is not of ASCII, a quote, or the end of
  /// a line.
  public static func csv(separator: Character) -> InputFormat? {
    guard let byte = separator.asciiValue, !["\"", "\n", "\r", "\r\n"].contains(separator) else { return nil }
    return InputFormat(kind: .table(Table(separator: byte)))
  }

  /// Whether it is a table, whatever a source's name is.
  package var isTable: Bool { if case .table = kind { true } else { false } }

  /// How a source with this name is a table; nil if it is JSON.
  func table(named name: String) -> Table? {
    switch kind {
    case .json: nil
    case .table(let table): table
    case .automatic:
      switch Self.suffix(of: name) {
      case "csv": Table()
      case "tsv": Table(separator: UInt8(ascii: "\t"))
      default: nil
      }
    }
  }

  private static let compressed = ["gz", "zst", "zstd"]

  /// A file's name without its extension, that of a compressed file included.
  static func withoutSuffix(_ name: String) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isCompressed = parts.count > 2 && compressed.contains(parts[parts.count - 1].lowercased())
    return parts.prefix(max(1, parts.count - (isCompressed ? 2 : 1))).joined(separator: ".")
  }

  /// The extension of a file's name in lower case, that of a compressed file left out; empty if there is none.
  static func suffix(of name: String) -> String {
    let parts = name.lowercased().split(separator: "/").last?.split(separator: ".").dropFirst() ?? []
    let plain = parts.last.map { compressed.contains(String($0)) } == true ? parts.dropLast() : parts
    return plain.last.map(String.init) ?? ""
  }
}
