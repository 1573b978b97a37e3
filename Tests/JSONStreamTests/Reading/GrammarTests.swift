import Testing

@testable import JSONStream

/// RFC 8259, case by case. Every text is read whole and again in pieces of one to nine bytes.
@Suite struct GrammarTests {
  @Test(arguments: [
    ("null", ["null"]),
    (" \t\r\n true \n", ["true"]),
    ("false", ["false"]),
    ("\u{FEFF}[]", ["[", "]"]),
    ("{}", ["{", "}"]),
    ("[[],{}]", ["[", "[", "]", "{", "}", "]"]),
    (#"{"a":1,"a":2}"#, ["{", "key a", "integer 1 = 1", "key a", "integer 2 = 2", "}"]),
    (#"{"":""}"#, ["{", "key ", "string ", "}"]),
    (#"{ "a" : [ 1 , 2 ] }"#, ["{", "key a", "[", "integer 1 = 1", "integer 2 = 2", "]", "}"]),
    // Numbers
    ("0", ["integer 0 = 0"]),
    ("-0", ["integer -0 = 0"]),
    ("[1,-1]", ["[", "integer 1 = 1", "integer -1 = -1", "]"]),
    ("9223372036854775807", ["integer 9223372036854775807 = 9223372036854775807"]),
    ("-9223372036854775808", ["integer -9223372036854775808 = -9223372036854775808"]),
    ("9223372036854775808", ["number 9223372036854775808"]),
    ("-9223372036854775809", ["number -9223372036854775809"]),
    ("123456789012345678901234567890", ["number 123456789012345678901234567890"]),
    ("1.5", ["number 1.5"]),
    ("0.1e+10", ["number 0.1e+10"]),
    ("1E5", ["number 1E5"]),
    ("1e-5", ["number 1e-5"]),
    ("-0.0", ["number -0.0"]),
    // Strings
    (#""\"\\\/\b\f\n\r\t""#, ["string \"\\/\u{8}\u{c}\n\r\t"]),
    (#""\u0041\u00e9\u20AC""#, ["string Aé€"]),
    (#""\ud83d\ude00""#, ["string 😀"]),
    (#""\ud83d""#, ["string \u{FFFD}"]),
    (#""\ude00x""#, ["string \u{FFFD}x"]),
    (#""\ud83d\u0041""#, ["string \u{FFFD}A"]),
    (#""\u0000""#, ["string \u{0}"]),
    (#""\u007f""#, ["string \u{7f}"]),
    (
      "\"\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}\"",
      ["string \u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\u{10ffff}"]
    ),
    ("\"前田あゆみ 😋✨\"", ["string 前田あゆみ 😋✨"]),
    (
      "\"plain text longer than a machine word, then a tab \\t and more of it\"",
      ["string plain text longer than a machine word, then a tab \t and more of it"]
    ),
    // Several values: those in brackets anywhere, others each on a line of its own or behind a record separator
    ("{}{}[] []", ["{", "}", "{", "}", "[", "]", "[", "]"]),
    (
      "\u{1E}{}\n\u{1E}1\n\u{1E}2\u{1E}\u{1E}3",
      ["{", "}", "integer 1 = 1", "integer 2 = 2", "integer 3 = 3"]
    ),
    ("{}\n{}\n", ["{", "}", "{", "}"]),
    ("1\r\n2", ["integer 1 = 1", "integer 2 = 2"]),
    ("[]\n\n\n[]", ["[", "]", "[", "]"]),
  ])
  func accepts(_ text: String, _ expected: [String]) throws {
    for step in [Int.max, 1, 2, 3, 5, 9] {
      let found = try tokens(of: Array(text.utf8), step: step)
      #expect(found == expected, "in steps of \(step)")
    }
  }

  @Test(arguments: [
    ("", "there is no JSON: the input is empty at line 1, column 1 (byte 0)"),
    ("  \n ", "there is no JSON: the input is empty at line 2, column 2 (byte 4)"),
    ("[", "the JSON ends where a value or ']' was expected at line 1, column 2 (byte 1)"),
    ("[1", "the JSON ends where ',' or ']' was expected at line 1, column 3 (byte 2)"),
    ("[1,", "the JSON ends where a value was expected at line 1, column 4 (byte 3)"),
    ("[1,]", "found ']' where a value was expected at line 1, column 4 (byte 3)"),
    ("[,1]", "found ',' where a value or ']' was expected at line 1, column 2 (byte 1)"),
    ("[1 2]", "found '2' where ',' or ']' was expected at line 1, column 4 (byte 3)"),
    ("[1}", "found '}' where ',' or ']' was expected at line 1, column 3 (byte 2)"),
    ("{\"a\":1]", "found ']' where ',' or '}' was expected at line 1, column 7 (byte 6)"),
    ("{\"a\" 1}", "found '1' where a colon was expected at line 1, column 6 (byte 5)"),
    ("{\"a\":}", "found '}' where a value was expected at line 1, column 6 (byte 5)"),
    ("{\"a\":1,}", "found '}' where a key was expected at line 1, column 8 (byte 7)"),
    ("{a:1}", "found 'a' where a key or '}' was expected at line 1, column 2 (byte 1)"),
    ("{1:1}", "found '1' where a key or '}' was expected at line 1, column 2 (byte 1)"),
    ("{'a':1}", "found ''' where a key or '}' was expected at line 1, column 2 (byte 1)"),
    ("]", "found ']' where a value was expected at line 1, column 1 (byte 0)"),
    ("nul", "the JSON ends where 'null' was expected at line 1, column 4 (byte 3)"),
    ("nulL", "found 'L' where 'null' was expected at line 1, column 4 (byte 3)"),
    ("True", "found 'T' where a value was expected at line 1, column 1 (byte 0)"),
    ("NaN", "found 'N' where a value was expected at line 1, column 1 (byte 0)"),
    ("Infinity", "found 'I' where a value was expected at line 1, column 1 (byte 0)"),
    ("// c\n1", "found '/' where a value was expected at line 1, column 1 (byte 0)"),
    ("[1]x", "found more after the end of the JSON value at line 1, column 4 (byte 3)"),
    ("{} 1", "found more after the end of the JSON value at line 1, column 4 (byte 3)"),
    ("1 2", "found more after the end of the JSON value at line 1, column 3 (byte 2)"),
    ("[\u{1E}]", "found byte 0x1E where a value or ']' was expected at line 1, column 2 (byte 1)"),
    ("\u{1E}", "there is no JSON: the input is empty at line 1, column 2 (byte 1)"),
    ("[1]\u{0}", "found more after the end of the JSON value at line 1, column 4 (byte 3)"),
    // Numbers
    ("+1", "found '+' where a value was expected at line 1, column 1 (byte 0)"),
    (".5", "found '.' where a value was expected at line 1, column 1 (byte 0)"),
    ("01", "found a number that is not written as JSON writes numbers at line 1, column 2 (byte 1)"),
    ("-", "the JSON ends where a digit was expected at line 1, column 2 (byte 1)"),
    ("-a", "found a number that is not written as JSON writes numbers at line 1, column 2 (byte 1)"),
    ("1.", "the JSON ends where a digit was expected at line 1, column 3 (byte 2)"),
    ("[1.]", "found a number that is not written as JSON writes numbers at line 1, column 4 (byte 3)"),
    ("1e", "the JSON ends where a digit was expected at line 1, column 3 (byte 2)"),
    ("[1e+]", "found a number that is not written as JSON writes numbers at line 1, column 5 (byte 4)"),
    ("0x10", "found more after the end of the JSON value at line 1, column 2 (byte 1)"),
    ("1_000", "found more after the end of the JSON value at line 1, column 2 (byte 1)"),
    // Strings
    ("\"", "the JSON ends where the end of a string was expected at line 1, column 2 (byte 1)"),
    ("\"abc", "the JSON ends where the end of a string was expected at line 1, column 5 (byte 4)"),
    ("\"a\\", "the JSON ends where the end of a string was expected at line 1, column 3 (byte 2)"),
    ("\"\\x\"", "found an escape in a string that JSON does not have at line 1, column 2 (byte 1)"),
    ("\"\\u12G4\"", "found an escape in a string that JSON does not have at line 1, column 2 (byte 1)"),
    ("\"\\u12", "the JSON ends where the end of a string was expected at line 1, column 2 (byte 1)"),
    (
      "\"a\nb\"",
      "found the control character byte 0x0A inside a string; it must be escaped at line 1, column 3 (byte 2)"
    ),
    (
      "\"a\u{0}b\"",
      "found the control character byte 0x00 inside a string; it must be escaped at line 1, column 3 (byte 2)"
    ),
    // Places count characters, not bytes
    ("{\n  \"é\": x}", "found 'x' where a value was expected at line 2, column 8 (byte 10)"),
  ])
  func rejects(_ text: String, _ message: String) {
    for step in [Int.max, 1, 2, 3, 5, 9] {
      let error = complaint(about: Array(text.utf8), step: step)
      #expect(error?.description == message, "in steps of \(step)")
    }
  }

  @Test(
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xEF, 0xBF],
      [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ] as [[UInt8]])
  func rejectsBytesThatAreNotUTF8(_ bytes: [UInt8]) {
    for step in [Int.max, 1, 2, 3] {
      #expect(complaint(about: [0x22] + bytes + [0x22], step: step)?.kind == .invalidUTF8)
      #expect(complaint(about: Array("\"\\n".utf8) + bytes + [0x22], step: step)?.kind == .invalidUTF8)
    }
  }

  @Test func limitsDepth() {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 10_000)
    #expect(complaint(about: deep)?.kind == .tooDeep(limit: 512))
    let allowed =
      Array(String(repeating: "[", count: 512).utf8) + Array(String(repeating: "]", count: 512).utf8)
    #expect(complaint(about: allowed) == nil)
    #expect(complaint(about: allowed, options: .init(maximumDepth: 511))?.kind == .tooDeep(limit: 511))
  }

  @Test func readsOneValueOnlyWhereAsked() {
    let error = complaint(about: Array("1\n2".utf8), options: .init(allowsSequence: false))
    #expect(error?.kind == .trailingValue)
  }

  @Test func readsAKeyOfAMegabyte() throws {
    let key = String(repeating: "k", count: 1 << 20)
    #expect(try tokens(of: Array("{\"\(key)\":1}".utf8), step: 1000)[1] == "key \(key)")
  }

  @Test func reportsASourceThatFails() {
    struct Broken: ByteSource {
      func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
        throw SourceError("the disk is gone")
      }
    }
    var reader = JSONReader(Broken())
    #expect(throws: JSONError.self) { _ = try reader.next() }
  }
}
