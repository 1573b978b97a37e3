import Testing

@testable import JSONStream

/// Looking ahead and coming back, with windows that the looked-at part does not fit in.
@Suite struct CheckpointTests {
  @Test(arguments: [1, 3, 7, 64, 1000])
  func comesBackToWhereItWas(step: Int) throws {
    let text = #"[{"a":[1,{"b":"x\ny"}],"kind":"k"},2]"#
    var reader = JSONReader(
      DrippingSource(Array(text.utf8), step: step), options: .init(windowSize: 16))
    _ = try reader.next()
    _ = try reader.next()
    let outer = reader.checkpoint()
    _ = try reader.next()
    let inner = reader.checkpoint()
    let first = try reader.next()
    try reader.skip(from: first)
    reader.rewind(to: inner)
    reader.release(inner)
    #expect(try reader.next() == .beginArray)
    try reader.skip(from: .beginArray)
    #expect(try reader.next() == .key)
    #expect(String(decoding: reader.text, as: UTF8.self) == "kind")
    reader.rewind(to: outer)
    reader.release(outer)
    var rest: [JSONToken] = []
    repeat { rest.append(try reader.next()) } while rest.last != .end
    #expect(
      rest == [
        .key, .beginArray, .number, .beginObject, .key, .string, .endObject, .endArray, .key, .string,
        .endObject, .number, .endArray, .end,
      ])
  }

  @Test func copiesAValueWithoutSpaces() throws {
    let text = " { \"a\" : [ 1.50 , -0 , \"\\u00e9\\n\" , { } ] , \"b\" : null }"
    var reader = JSONReader(MemorySource(Array(text.utf8)))
    let sink = MemorySink()
    var writer = JSONWriter(sink)
    try reader.copy(from: reader.next(), to: &writer)
    try writer.flush()
    #expect(String(decoding: sink.bytes, as: UTF8.self) == #"{"a":[1.50,-0,"é\n",{}],"b":null}"#)
    #expect(try reader.next() == .end)
  }
}
