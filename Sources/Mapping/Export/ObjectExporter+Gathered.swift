import JSONStream
import ObjectModel

/// Properties whose values stand in the elements of a list: `participant[].individual`.
extension ObjectExporter {
  /// Writes a list with the values of properties, each value in an element of its own; null where there is no list, and
  /// nothing where nothing is written of them.
  func write(
    _ gathered: [ExportPlan.GatheredMember], _ key: [UInt8], _ frame: ExportFrame, to writer: inout JSONWriter
  ) throws {
    let parts = try gathered.map { (path: $0.path, json: try rendered($0.member, frame)) }
      .filter { $0.json.count > 2 }
    let isNull = parts.allSatisfy { $0.json == Array("[null]".utf8) }
    if parts.isEmpty || (isNull && !options.includesNulls) { return }
    key.withUnsafeBufferPointer { writer.quotedKey($0) }
    if isNull { return writer.null() }
    writer.beginArray()
    for (path, json) in parts {
      var reader = JSONReader(MemorySource(json), options: JSONReader.Options(windowSize: json.count))
      guard try reader.next() == .beginArray, try reader.next() == .beginArray else { continue }
      var token = try reader.next()
      while token != .endArray {
        try write(token, from: &reader, at: path, to: &writer)
        token = try reader.next()
      }
    }
    writer.endArray()
  }

  /// Copies a value, whose first token was just read, into the objects and lists that a path leads through.
  private func write(
    _ token: JSONToken, from reader: inout JSONReader, at path: ArraySlice<JSONKeyPath.Step>,
    to writer: inout JSONWriter
  ) throws {
    guard let step = path.first else { return try reader.copy(from: token, to: &writer) }
    if case .key(let key) = step {
      writer.beginObject()
      writer.key(key)
      try write(token, from: &reader, at: path.dropFirst(), to: &writer)
      return writer.endObject()
    }
    writer.beginArray()
    if case .position(let place) = step { for _ in 0..<max(0, place) { writer.null() } }
    try write(token, from: &reader, at: path.dropFirst(), to: &writer)
    writer.endArray()
  }
}
