import JSONStream
import Mapping
import ObjectModel
import ObjectStore

/// A query's result as JSON: one list of objects, or an object a line.
enum JSONOutput {
  static func write(_ rows: Projection, asLines: Bool) throws {
    var writer = JSONWriter(Terminal.jsonSink(), breaksOutermost: !asLines)
    if !asLines { writer.beginArray() }
    while let row = try rows.next() {
      writer.beginObject()
      for (name, value) in zip(rows.names, row) {
        writer.key(name)
        write(value, to: &writer)
      }
      writer.endObject()
      if asLines { writer.newline() }
      try writer.flushIfLarge()
    }
    if !asLines {
      writer.endArray()
      writer.newline()
    }
    try writer.flush()
  }

  static func text(of value: QueryValue) throws -> String {
    let sink = MemorySink()
    var writer = JSONWriter(sink)
    write(value, to: &writer)
    try writer.flush()
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  private static func write(_ value: QueryValue, to writer: inout JSONWriter) {
    switch value {
    case .null: writer.null()
    case .boolean(let value): writer.bool(value)
    case .integer(let value): writer.integer(value)
    case .real(let value): writer.double(value)
    case .text(let text, .decimal), .text(let text, .transformable), .text(let text, .undefined):
      writer.raw(text)
    case .text(let text, _): writer.string(text)
    case .blob(let bytes): writer.string(Base64.text(of: bytes))
    case .list(let values):
      writer.beginArray()
      for value in values { write(value, to: &writer) }
      writer.endArray()
    }
  }
}
