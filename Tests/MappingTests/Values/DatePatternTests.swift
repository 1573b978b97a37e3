import Bytes
import ObjectStore
import Testing

@testable import Mapping

/// A pattern, a text by it, and the moment that both stand for.
struct PatternCase: Sendable, CustomTestStringConvertible {
  let pattern: String
  let text: String
  let moment: String?

  init(_ pattern: String, _ text: String, _ moment: String?) {
    (self.pattern, self.text, self.moment) = (pattern, text, moment)
  }

  var testDescription: String { "\(text) by \(pattern)" }

  /// The moment that the text stands for by the pattern.
  func read() throws -> String? {
    let pattern = try #require(DatePattern(pattern))
    var text = text
    var time = text.withUTF8 { pattern.read($0) }
    guard time?.normalize(defaultOffset: 0) == true, let time else { return nil }
    var bytes = ByteBuffer()
    time.append(to: &bytes)
    return String(decoding: bytes.elements, as: UTF8.self)
  }

  /// The moment, written by the pattern as clocks `offset` seconds east of UTC show it.
  func written(offset: Int = 0) throws -> String {
    let pattern = try #require(DatePattern(pattern))
    var moment = try #require(moment)
    var time = try #require(moment.withUTF8 { DateReader.read($0) })
    let isKnown = time.normalize(defaultOffset: 0)
    #expect(isKnown)
    var bytes = ByteBuffer()
    pattern.write(time, offset: offset, to: &bytes)
    return String(decoding: bytes.elements, as: UTF8.self)
  }
}

@Suite struct DatePatternTests {
  @Test(arguments: [
    PatternCase("yyyy/MM/dd HH:mm:ss ZZZZZ", "2014/08/31 00:29:15 Z", "2014-08-31 00:29:15"),
    PatternCase("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2014-08-31T00:29:15.120Z", "2014-08-31 00:29:15.12"),
    PatternCase("yyyyMMddHHmmss", "20140831002915", "2014-08-31 00:29:15"),
    PatternCase("yyyyMMdd", "20140831", "2014-08-31 00:00:00"),
    PatternCase("dd.MM.yy", "31.08.14", "2014-08-31 00:00:00"),
    PatternCase("dd.MM.yy", "31.08.74", "1974-08-31 00:00:00"),
    PatternCase("EEE, d MMM yyyy HH:mm:ss Z", "Sun, 31 Aug 2014 00:29:15 +0000", "2014-08-31 00:29:15"),
    PatternCase("EEEE d MMMM yyyy", "Sunday 31 August 2014", "2014-08-31 00:00:00"),
    PatternCase("h:mm a, MM/dd/yyyy", "12:29 AM, 08/31/2014", "2014-08-31 00:29:00"),
    PatternCase("h:mm a, MM/dd/yyyy", "12:29 PM, 08/31/2014", "2014-08-31 12:29:00"),
    PatternCase("h:mm a, MM/dd/yyyy", "1:29 PM, 08/31/2014", "2014-08-31 13:29:00"),
    PatternCase("yyyy 'at' HH'h'", "2014 at 07h", "2014-01-01 07:00:00"),
    PatternCase("yyyy''MM", "2014'08", "2014-08-01 00:00:00"),
    PatternCase("yyyy-MM-dd EEE", "1969-12-28 Sun", "1969-12-28 00:00:00"),
  ])
  func bothWays(_ example: PatternCase) throws {
    #expect(try example.read() == example.moment)
    #expect(try example.written() == example.text)
  }

  @Test(arguments: [
    PatternCase("yyyy-MM-dd HH:mm Z", "2014-08-31 02:29 +0200", "2014-08-31 00:29:00"),
    PatternCase("yyyy-MM-dd HH:mm ZZZZZ", "2014-08-31 02:29 +02:00", "2014-08-31 00:29:00"),
    PatternCase("yyyy-MM-dd HH:mm xxx", "2014-08-31 02:29 +02:00", "2014-08-31 00:29:00"),
  ])
  func zones(_ example: PatternCase) throws {
    #expect(try example.read() == example.moment)
    #expect(try example.written(offset: 7200) == example.text)
  }

  @Test func anOffsetWestOfGreenwichAndBeforeTheEpoch() throws {
    let example = PatternCase(
      "yyyy-MM-dd HH:mm EEE XXX", "1969-12-31 18:30 Wed -05:30", "1970-01-01 00:00:00")
    #expect(try example.read() == example.moment)
    #expect(try example.written(offset: -19_800) == example.text)
  }

  @Test(arguments: [
    PatternCase("yyyy/MM/dd", "2014-08-31", nil), PatternCase("yyyy/MM/dd", "2014/02/30", nil),
    PatternCase("yyyy/MM/dd", "2014/08/31 ", nil), PatternCase("yyyy/MM/dd", "2014/08", nil),
    PatternCase("HH:mm", "25:00", nil), PatternCase("d MMM yyyy", "31 Foo 2014", nil),
    PatternCase("h a", "3 XM", nil), PatternCase("yyyy", "", nil), PatternCase("yyyy Z", "2014 here", nil),
  ])
  func whatDoesNotFitIsNotRead(_ example: PatternCase) throws {
    #expect(try example.read() == nil)
  }

  @Test(arguments: ["", "yyyy-qq", "J", "e", "Y"])
  func patternsThatSayNothing(_ pattern: String) {
    #expect(DatePattern(pattern) == nil)
  }

  @Test func aQuoteWithinQuotes() throws {
    let example = PatternCase("h 'o''clock' a", "3 o'clock PM", "1970-01-01 15:00:00")
    try #expect(example.written() == example.text)
  }

  @Test(arguments: [
    PatternCase("K:mm a", "0:30 PM", "2014-08-31 12:30:00"),
    PatternCase("k:mm", "24:30", "2014-08-31 00:30:00"),
  ])
  func hoursThatCountFromZeroOrToTwentyFour(_ example: PatternCase) throws {
    try #expect(example.written() == example.text)
  }

  @Test func thirteenIsNoHourOfAHalfDay() throws {
    try #expect(PatternCase("h:mm a", "13:00 PM", nil).read() == nil)
  }
}
