@testable import JSONStream

/// A source that gives a few bytes at a time, so that every token crosses the end of a window.
struct DrippingSource: ByteSource {
  let bytes: [UInt8]
  let step: Int
  var position = 0

  init(_ bytes: [UInt8], step: Int) {
    self.bytes = bytes
    self.step = step
  }

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let end = min(position + min(step, buffer.count), bytes.count)
    for index in position..<end { buffer[index - position] = bytes[index] }
    defer { position = end }
    return end - position
  }
}

/// The tokens of a text as words, those with a text followed by it.
func tokens(
  of bytes: [UInt8], step: Int = .max, options: JSONReader.Options = .init()
) throws(JSONError) -> [String] {
  var reader = JSONReader(DrippingSource(bytes, step: step), options: options)
  var result: [String] = []
  while true {
    switch try reader.next() {
    case .end: return result
    case .beginObject: result.append("{")
    case .endObject: result.append("}")
    case .beginArray: result.append("[")
    case .endArray: result.append("]")
    case .key: result.append("key " + String(decoding: reader.text, as: UTF8.self))
    case .string: result.append("string " + String(decoding: reader.text, as: UTF8.self))
    case .number:
      let text = String(decoding: reader.text, as: UTF8.self)
      result.append(reader.numberIsInteger ? "integer \(text) = \(reader.integer)" : "number \(text)")
    case .true: result.append("true")
    case .false: result.append("false")
    case .null: result.append("null")
    }
  }
}

/// The error of a reader for a text; nil if it accepts it.
func complaint(
  about bytes: [UInt8], step: Int = .max, options: JSONReader.Options = .init()
) -> JSONError? {
  do throws(JSONError) {
    _ = try tokens(of: bytes, step: step, options: options)
    return nil
  } catch {
    return error
  }
}
