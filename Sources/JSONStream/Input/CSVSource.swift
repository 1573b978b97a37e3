import Bytes

/// A table of values that separators stand between, as a JSON list of objects with a string or null for each field.
///
/// ```
/// name,details.formed      [
/// Japan,1974               {"name":"Japan","details":{"formed":"1974"}}
/// XTC,                     ,{"name":"XTC","details":null}]
/// ```
///
/// Each row's object stands on the line of the row, so that the line of the JSON is that of the table. Fields are quoted as
/// RFC 4180 has it. An empty field without quotes is null.
package final class CSVSource: ByteSource {
  private var table: CSVTable

  /// - Parameters:
  ///   - separator: What stands between fields; nil for the one that the header shows.
  ///   - notes: Gets what has to be told of the table.
  package init(_ source: any ByteSource, separator: UInt8?, notes: TableNotes) {
    table = CSVTable(source, separator, notes)
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    try table.read(into: buffer)
  }
}

/// A table on its way to JSON.
private struct CSVTable: ~Copyable {
  private var scanner: CSVScanner
  private let notes: TableNotes
  private let separator: UInt8?
  private var header: CSVHeader?
  private var output = ByteBuffer(capacity: 1 << 16)
  private var position = 0
  private var hasRows = false
  private var isEnded = false
  /// So much is made at once, if there is as much.
  private static let step = 1 << 16

  init(_ source: any ByteSource, _ separator: UInt8?, _ notes: TableNotes) {
    scanner = CSVScanner(source)
    self.separator = separator
    self.notes = notes
  }

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    if position == output.count {
      output.removeAll()
      position = 0
      if header == nil { try readHeader() }
      let most = min(Self.step, max(buffer.count, 1))
      while !isEnded, output.count < most { try readRow() }
    }
    let count = min(buffer.count, output.count - position)
    buffer.copyMemory(from: UnsafeRawBufferPointer(start: output.base + position, count: count))
    position += count
    return count
  }

  private mutating func readHeader() throws(SourceError) {
    try scanner.begin(separator: separator)
    var names: [String] = []
    var line = 1
    output.append("[")
    while names.isEmpty, try scanner.next() {
      line = scanner.line
      if !scanner.isBlank { names = scanner.fields.elements.map { scanner.text(of: $0) } }
      endLines()
    }
    let header = CSVHeader(names.map(Self.trimmed))
    for name in header.repeated {
      notes.add(
        TableNotes.Note(
          line: line, expected: "one column \(name)", found: "several", action: "the last one was used"))
    }
    self.header = header
  }

  private mutating func readRow() throws(SourceError) {
    guard let header, try scanner.next() else {
      output.append("]")
      isEnded = true
      return
    }
    if !scanner.isBlank {
      if hasRows { output.append(UInt8(ascii: ",")) }
      hasRows = true
      header.write(scanner, to: &output)
      if scanner.fields.count > header.count || header.hasNameless { checkWidth(header) }
    }
    endLines()
  }

  /// As many lines end in the JSON as in the record just read.
  private mutating func endLines() {
    for _ in 0..<scanner.linesOfRecord { output.append(UInt8(ascii: "\n")) }
  }

  /// Notes values that no column has.
  private func checkWidth(_ header: CSVHeader) {
    let count = scanner.fields.count
    func hasValue(_ place: Int) -> Bool { place < count && !scanner.fields[place].isNull }
    if header.hasNameless, !header.hasToldNameless, let place = header.nameless.first(where: hasValue) {
      header.hasToldNameless = true
      notes.add(
        TableNotes.Note(
          line: scanner.line, expected: "a name for each column", found: "none for column \(place + 1)",
          action: "column left out"))
    }
    guard (header.count..<max(header.count, count)).contains(where: hasValue) else { return }
    notes.add(
      TableNotes.Note(
        line: scanner.line, expected: "\(header.count) fields", found: "\(count)", action: "the rest left out"
      ))
  }

  private static func trimmed(_ name: String) -> String {
    var scalars = name.unicodeScalars[...]
    while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return String(scalars)
  }
}
