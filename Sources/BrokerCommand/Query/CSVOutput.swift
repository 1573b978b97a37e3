import JSONStream
import Mapping
import ObjectStore

/// A query's result as comma-separated values, by RFC 4180.
enum CSVOutput {
  static func write(_ rows: Projection) throws {
    var text = line(rows.names)
    while let row = try rows.next() {
      text += line(try row.map(field))
      if text.utf8.count > 1 << 16 {
        try Terminal.write(text, as: .csv)
        text = ""
      }
    }
    try Terminal.write(text, as: .csv)
  }

  private static func field(_ value: QueryValue) throws -> String {
    switch value {
    case .blob(let bytes): Base64.text(of: bytes)
    // A list in one field is JSON, so that programs can take it apart.
    case .list: try JSONOutput.text(of: value)
    default: PlainText.of(value)
    }
  }

  private static func line(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ field: String) -> String {
    let needsQuotes = field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
    return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
  }
}
