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

  /// The place of a mistake is counted from its line's start, of which little is in memory, and after going back too.
  @Test(arguments: [1, 7, 64, 1000], [0, 1, 2])
  func placesOfMistakes(step: Int, lines: Int) throws {
    let filler = (0..<60).map { #""é\#($0)😀""# }.joined(separator: ",")
    let breaks = ["", "\n ", "\n\n\t "][lines]
    let before = #"[{"a": [\#(breaks)\#(filler),\#(breaks)\#(filler)]},\#(breaks) \#(filler),"#
    let last = try #require(before.split(separator: "\n", omittingEmptySubsequences: false).last)
    let line = before.count { $0 == "\n" } + 1
    for goesBack in [false, true] {
      var reader = JSONReader(
        DrippingSource(Array((before + "x]").utf8), step: step), options: .init(windowSize: 16))
      _ = try reader.next()
      if goesBack {
        let start = reader.checkpoint()
        try reader.skip(from: reader.next())
        reader.rewind(to: start)
        reader.release(start)
      }
      let error: JSONError?
      do throws(JSONError) {
        while try reader.next() != .end {}
        error = nil
      } catch let found {
        error = found
      }
      #expect(error?.line == line)
      #expect(error?.column == last.count + 1)
      #expect(error?.offset == before.utf8.count)
    }
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
