extension JSONReader {
  /// A value, whose first token was just read, as JSON without white space.
  package mutating func bytes(from token: JSONToken) throws(JSONError) -> [UInt8] {
    try JSONWriter.bytes { (writer) throws(JSONError) in try copy(from: token, to: &writer) }
  }

  /// Copies a value, whose first token was just read, to `writer` without white space, numbers as written.
  package mutating func copy(from token: JSONToken, to writer: inout JSONWriter) throws(JSONError) {
    let outside = token == .beginObject || token == .beginArray ? depth - 1 : depth
    var token = token
    while true {
      switch token {
      case .beginObject: writer.beginObject()
      case .endObject: writer.endObject()
      case .beginArray: writer.beginArray()
      case .endArray: writer.endArray()
      case .key: writer.key(text)
      case .string: writer.string(text)
      case .number: writer.raw(text)
      case .true: writer.bool(true)
      case .false: writer.bool(false)
      case .null: writer.null()
      case .end: return
      }
      if depth == outside { return }
      token = try next()
    }
  }
}
