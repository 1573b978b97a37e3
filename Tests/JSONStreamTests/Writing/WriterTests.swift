import Testing

@testable import JSONStream

@Suite struct WriterTests {
  func written(isPretty: Bool = false, _ write: (inout JSONWriter) -> Void) throws -> String {
    let sink = MemorySink()
    var writer = JSONWriter(sink, isPretty: isPretty)
    write(&writer)
    #expect(writer.count > 0)
    try writer.flush()
    return String(decoding: sink.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("", #""""#), ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t\u{8}\u{c}", #""\n\r\t\b\f""#),
    ("\u{1}\u{1f}\u{7f}", "\"\\u0001\\u001f\u{7f}\""), ("/é😀", #""/é😀""#),
  ])
  func escapesWhatMustBe(_ text: String, _ expected: String) throws {
    #expect(try written { $0.string(text) } == expected)
    #expect(String(decoding: JSONWriter.quotedKey(text), as: UTF8.self) == expected + ":")
  }

  @Test(arguments: [0, 7, -7, 10, Int64.max, Int64.min])
  func writesIntegers(_ value: Int64) throws {
    #expect(try written { $0.integer(value) } == String(value))
  }

  @Test(arguments: [
    (0.1, "0.1"), (1, "1"), (-2.5, "-2.5"), (1e22, "1e+22"), (.leastNonzeroMagnitude, "5e-324"),
    (-0.0, "-0.0"),
    (.nan, "null"), (.infinity, "null"),
  ])
  func writesDoubles(_ value: Double, _ expected: String) throws {
    #expect(try written { $0.double(value) } == expected)
  }

  @Test func separatesAndIndents() throws {
    func document(_ writer: inout JSONWriter) {
      writer.beginObject()
      writer.key("a")
      writer.beginArray()
      writer.integer(1)
      writer.null()
      writer.beginObject()
      writer.endObject()
      writer.endArray()
      writer.key("b")
      writer.bool(true)
      writer.endObject()
    }
    #expect(try written { document(&$0) } == #"{"a":[1,null,{}],"b":true}"#)
    #expect(
      try written(isPretty: true) { document(&$0) } == """
        {
          "a": [
            1,
            null,
            {}
          ],
          "b": true
        }
        """)
  }
}
