import Mapping
import Testing

/// A date in JSON and what the store keeps of it.
struct DateCase: Sendable, CustomTestStringConvertible {
  let json: String
  let kept: String?
  let format: String?

  init(_ json: String, _ kept: String?, format: String? = nil) {
    (self.json, self.kept, self.format) = (json, kept, format)
  }

  var testDescription: String { json + (format.map { " by \($0)" } ?? "") }

  func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let attribute = "date" + (format.map { " | \($0)" } ?? "")
    try Conversion("date", json, kept.map { "text \($0)" })
      .check(attribute: attribute, sourceLocation: sourceLocation)
  }
}

@Suite struct DateTests {
  @Test(arguments: [
    DateCase(#""2014-08-31T00:29:15Z""#, "2014-08-31 00:29:15"),
    DateCase(#""2014-08-31T00:29:15z""#, "2014-08-31 00:29:15"),
    DateCase(#""2014-08-31t00:29:15Z""#, "2014-08-31 00:29:15"),
    DateCase(#""2014-08-31 00:29:15""#, "2014-08-31 00:29:15"),
    DateCase(#""2014-08-31T00:29:15""#, "2014-08-31 00:29:15"),
    DateCase(#""2014-08-31T00:29""#, "2014-08-31 00:29:00"),
    DateCase(#""2014-08-31""#, "2014-08-31 00:00:00"), DateCase(#""20140831""#, "2014-08-31 00:00:00"),
    DateCase(#""20140831T002915Z""#, "2014-08-31 00:29:15"),
    DateCase(#""20140831T0029Z""#, "2014-08-31 00:29:00"),
    DateCase(#""2014-08-31T00:29:15+02:00""#, "2014-08-30 22:29:15"),
    DateCase(#""2014-08-31T00:29:15+0200""#, "2014-08-30 22:29:15"),
    DateCase(#""2014-08-31T00:29:15+02""#, "2014-08-30 22:29:15"),
    DateCase(#""2014-08-31 00:29:15 +0200""#, "2014-08-30 22:29:15"),
    DateCase(#""2014-12-31T23:29:15-00:31""#, "2015-01-01 00:00:15"),
    DateCase(#""2014-08-31T00:29:15-00:00""#, "2014-08-31 00:29:15"),
    DateCase(#""2014-08-31T00:29:15.1Z""#, "2014-08-31 00:29:15.1"),
    DateCase(#""2014-08-31T00:29:15.120Z""#, "2014-08-31 00:29:15.12"),
    DateCase(#""2014-08-31T00:29:15,123456Z""#, "2014-08-31 00:29:15.123456"),
    DateCase(#""2014-08-31T00:29:15.1234567891234Z""#, "2014-08-31 00:29:15.123456789"),
    DateCase(#""2014-08-31T00:29:15.000Z""#, "2014-08-31 00:29:15"),
    DateCase(#""2014-08-31T00:29:15.9999+01:00""#, "2014-08-30 23:29:15.9999"),
  ])
  func iso8601(_ date: DateCase) throws { try date.check() }

  @Test(arguments: [
    DateCase(#""Sun, 06 Nov 1994 08:49:37 GMT""#, "1994-11-06 08:49:37"),
    DateCase(#""06 Nov 1994 08:49:37 +0100""#, "1994-11-06 07:49:37"),
    DateCase(#""Sun Nov  6 08:49:37 1994""#, "1994-11-06 08:49:37"),
    DateCase(#""Sun Aug 31 00:29:15 +0000 2014""#, "2014-08-31 00:29:15"),
    DateCase(#""Sun Aug 31 00:29:15 -0500 2014""#, "2014-08-31 05:29:15"),
    DateCase(#""Sun, 06 Nov 1994 08:49:37 UT""#, "1994-11-06 08:49:37"),
    DateCase(#""Sun, 31 Feb 1994 08:49:37 GMT""#, nil), DateCase(#""Sun, 06 Nov 1994 25:00:00 GMT""#, nil),
    DateCase(#""Nov 1994""#, nil), DateCase(#""tomorrow""#, nil),
  ])
  func words(_ date: DateCase) throws { try date.check() }

  @Test(arguments: [
    DateCase("0", "1970-01-01 00:00:00"), DateCase("1409444955", "2014-08-31 00:29:15"),
    DateCase("1409444955.25", "2014-08-31 00:29:15.25"), DateCase(#""1409444955""#, "2014-08-31 00:29:15"),
    DateCase(#""1409444955.5""#, "2014-08-31 00:29:15.5"),
    DateCase("1409444955120", "2014-08-31 00:29:15.12"),
    DateCase(#""1409444955120""#, "2014-08-31 00:29:15.12"),
    DateCase("1409444955000.5", "2014-08-31 00:29:15.0005"), DateCase("-1", "1969-12-31 23:59:59"),
    DateCase("-1.5", "1969-12-31 23:59:58.5"), DateCase(#""-86400""#, "1969-12-31 00:00:00"),
    DateCase("99999999999", "5138-11-16 09:46:39"), DateCase("100000000000", "1973-03-03 09:46:40"),
    DateCase("-62167219200", "0000-01-01 00:00:00"), DateCase("999999999999999999", nil),
    DateCase("1e400", nil), DateCase("true", nil), DateCase("[]", nil), DateCase("{}", nil),
    DateCase(#""""#, nil),
  ])
  func unixTimes(_ date: DateCase) throws { try date.check() }

  @Test(arguments: [
    DateCase("1500", "1970-01-01 00:25:00", format: "broker.dateFormat=seconds"),
    DateCase("1500", "1970-01-01 00:00:01.5", format: "broker.dateFormat=milliseconds"),
    DateCase("-1500", "1969-12-31 23:59:58.5", format: "dateFormat=milliseconds"),
    DateCase("200000000000", "8307-10-01 19:33:20", format: "dateFormat=seconds"),
    DateCase(#""2014-08-31""#, nil, format: "dateFormat=seconds"),
  ])
  func unixTimesInAGivenUnit(_ date: DateCase) throws { try date.check() }

  @Test(arguments: [
    "2014-02-30", "2013-02-29", "1900-02-29", "2014-13-01", "2014-00-10", "2014-01-00", "2014-04-31",
    "2014-08-31T24:00:00Z", "2014-08-31T23:60:00Z", "2014-08-31T23:59:61Z", "2014-08-31T", "2014-08-31T1",
    "2014-08-31T10:", "2014-08-31T10:20:", "2014-08-31T10:20:30.", "2014-08-31T10:20:30+", "2014-8-31",
    "2014-08-31T10:20:30+02:60", "2014-08-31T10:20:30+99:00", "2014-08-31T10:20:30Zulu", "2014-08-31Z10:20",
    "10000-01-01", "-0001-01-01", "9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00",
    "2014-08-31T10:20:30Z ", " 2014-08-31", "31/08/2014", "2014-08-31\u{0}", "٢٠١٤-٠٨-٣١", "null",
  ])
  func whatIsNoDateIsAnIssue(_ text: String) throws {
    try DateCase("\"\(text.replacing("\u{0}", with: "\\u0000"))\"", nil).check()
  }

  @Test(arguments: [
    DateCase(#""0000-02-29""#, "0000-02-29 00:00:00"), DateCase(#""2000-02-29""#, "2000-02-29 00:00:00"),
    DateCase(#""9999-12-31T23:59:59.999999999Z""#, "9999-12-31 23:59:59.999999999"),
    DateCase(#""2016-12-31T23:59:60Z""#, "2017-01-01 00:00:00"),
    DateCase(#""2017-01-01T00:59:60+01:00""#, "2017-01-01 00:00:00"),
    DateCase(#""9999-12-31T23:59:60Z""#, nil),
  ])
  func extremes(_ date: DateCase) throws { try date.check() }

  @Test(arguments: [
    DateCase(#""2014-08-31T12:00:00""#, "2014-08-31 10:00:00", format: "broker.timeZone=+02:00"),
    DateCase(#""2014-08-31T12:00:00Z""#, "2014-08-31 12:00:00", format: "timeZone=+02:00"),
    DateCase(#""2014-08-31""#, "2014-08-30 22:00:00", format: "timeZone=+0200"),
    DateCase(#""2014-01-31T12:00:00""#, "2014-01-31 11:00:00", format: "timeZone=Europe/Berlin"),
    DateCase("1409444955", "2014-08-31 00:29:15", format: "timeZone=Asia/Tokyo"),
  ])
  func aZoneForDatesWithoutOne(_ date: DateCase) throws { try date.check() }

  @Test func theFormatOfACallHoldsForAttributesWithoutOne() throws {
    let fixture = try Fixture(
      "Day\n  id: integer64\n  a: date\n  b: date | dateFormat=yyyy.MM.dd", entity: "Day")
    try fixture.load(#"{"id": 1, "a": "31/08/2014", "b": "2014.09.01"}"#) { $0.dates = "dd/MM/yyyy" }
    #expect(try fixture.rows("SELECT a, b FROM Day") == ["2014-08-31 00:00:00 2014-09-01 00:00:00"])
  }

  @Test func aFormatThatIsNone() throws {
    let fixture = try Fixture("Day\n  id: integer64\n  a: date", entity: "Day")
    #expect(throws: ImportError.self) { try fixture.load("[]") { $0.dates = "yyyy-QQ" } }
    for annotation in ["dateFormat=bb", "timeZone=Mars/Base"] {
      let odd = try Fixture("Day\n  id: integer64\n  a: date | \(annotation)\n  b: date", entity: "Day")
      let report = try odd.load(#"{"id": 1, "a": "2014-01-31", "b": "2014-01-31"}"#)
      #expect(report.issues.map(\.key) == ["a"])
      #expect(try odd.rows("SELECT a, b FROM Day") == ["- 2014-01-31 00:00:00"])
    }
    // Of no concern to what is no date.
    let text = try Fixture("Day\n  id: integer64\n  a: string | dateFormat=bb", entity: "Day")
    #expect(try text.load(#"{"id": 1, "a": "x"}"#).issues.isEmpty)
  }

  /// MagicalRecord's word.
  @Test func unixTimeIsInMilliseconds() throws {
    let fixture = try Fixture("Day\n  id: integer64\n  a: date | dateFormat=UnixTime", entity: "Day")
    try fixture.load(#"[{"id": 1, "a": 1000}, {"id": 2, "a": "1409444955000"}]"#)
    #expect(try fixture.rows("SELECT a FROM Day") == ["1970-01-01 00:00:01", "2014-08-31 00:29:15"])
  }

  @Test(arguments: [#""20140230""#, #""20141301""#])
  func anImpossibleDateWithoutSeparatorsIsNoUnixTime(_ json: String) throws {
    try DateCase(json, nil).check()
  }

  @Test(arguments: [#""Decade 12 2014""#, #""Marble 3 2014""#, #""Sunny 3 May 2014""#])
  func wordsThatBeginLikeAMonthAreNone(_ json: String) throws {
    try DateCase(json, nil).check()
  }

  @Test func rfc850() throws {
    try DateCase(#""Sunday, 06-Nov-94 08:49:37 GMT""#, "1994-11-06 08:49:37").check()
  }

  @Test func aUnixTimeWithAnExponent() throws {
    try DateCase("1.409444955e9", "2014-08-31 00:29:15").check()
  }

  @Test func aZoneKnowsSummer() throws {
    try DateCase(#""2014-07-01T12:00:00""#, "2014-07-01 10:00:00", format: "timeZone=Europe/Berlin").check()
  }
}
