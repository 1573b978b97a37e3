import Mapping
import Testing

/// One value of JSON, what an attribute keeps of it, and what it says of the rest.
struct Conversion: Sendable, CustomTestStringConvertible {
  let type: String
  let json: String
  let kept: String?

  init(_ type: String, _ json: String, _ kept: String?) {
    (self.type, self.json, self.kept) = (type, json, kept)
  }

  var testDescription: String { "\(json) into \(type)" }

  /// Imports the value and expects what is kept, or an issue and nothing kept.
  func check(attribute: String? = nil, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let fixture = try Fixture("Thing\n  id: integer64\n  value: \(attribute ?? type)", entity: "Thing")
    let report = try fixture.load("{\"id\": 1, \"value\": \(json)}")
    let rows = try fixture.rows(
      """
      SELECT typeof(value),
        CASE typeof(value) WHEN 'blob' THEN hex(value) WHEN 'real' THEN printf('%!.17g', value) ELSE value END
      FROM Thing
      """)
    #expect(rows == [kept ?? "null -"], sourceLocation: sourceLocation)
    #expect(report.places == (kept == nil ? ["$.value"] : []), sourceLocation: sourceLocation)
    #expect(report.counts == "Thing +1", sourceLocation: sourceLocation)
  }
}

@Suite struct ConversionTests {
  @Test(arguments: [
    Conversion("boolean", "true", "integer 1"), Conversion("boolean", "false", "integer 0"),
    Conversion("boolean", "1", "integer 1"), Conversion("boolean", "0", "integer 0"),
    Conversion("boolean", "1.0", "integer 1"), Conversion("boolean", "-0", "integer 0"),
    Conversion("boolean", #""1""#, "integer 1"), Conversion("boolean", #""yes""#, "integer 1"),
    Conversion("boolean", #""NO""#, "integer 0"), Conversion("boolean", #""Y""#, "integer 1"),
    Conversion("boolean", #""n""#, "integer 0"), Conversion("boolean", #""On""#, "integer 1"),
    Conversion("boolean", #""oFF""#, "integer 0"), Conversion("boolean", #""t""#, "integer 1"),
    Conversion("boolean", #""F""#, "integer 0"), Conversion("boolean", #""TRUE""#, "integer 1"),
    Conversion("boolean", "2", nil), Conversion("boolean", "-1", nil), Conversion("boolean", "0.5", nil),
    Conversion("boolean", #""""#, nil), Conversion("boolean", #""maybe""#, nil),
    Conversion("boolean", #""yes!""#, nil), Conversion("boolean", "[]", nil),
    Conversion("boolean", "{}", nil), Conversion("boolean", "18446744073709551617", nil),
  ])
  func booleans(_ conversion: Conversion) throws { try conversion.check() }

  @Test(arguments: [
    Conversion("integer16", "32767", "integer 32767"), Conversion("integer16", "-32768", "integer -32768"),
    Conversion("integer16", "32768", nil), Conversion("integer16", "-32769", nil),
    Conversion("integer16", "70000", nil), Conversion("integer16", "1.5", nil),
    Conversion("integer16", "42.0", "integer 42"), Conversion("integer16", "4.2e1", "integer 42"),
    Conversion("integer16", "420e-1", "integer 42"), Conversion("integer16", "4.25e1", nil),
    Conversion("integer16", #""42""#, "integer 42"), Conversion("integer16", #""-42""#, "integer -42"),
    Conversion("integer16", #""+42""#, "integer 42"), Conversion("integer16", #""007""#, "integer 7"),
    Conversion("integer16", #""42.0""#, "integer 42"), Conversion("integer16", #""1.5""#, nil),
    Conversion("integer16", #""""#, nil), Conversion("integer16", #""-""#, nil),
    Conversion("integer16", #"".""#, nil), Conversion("integer16", #""4e""#, nil),
    Conversion("integer16", #""0x10""#, nil), Conversion("integer16", #""12abc""#, nil),
    Conversion("integer16", "true", "integer 1"), Conversion("integer16", "false", "integer 0"),
    Conversion("integer16", "0e999999", "integer 0"), Conversion("integer16", "[1]", nil),
    Conversion("integer32", "2147483647", "integer 2147483647"), Conversion("integer32", "2147483648", nil),
    Conversion("integer32", "-2147483648", "integer -2147483648"),
    Conversion("integer32", "-2147483649", nil),
    Conversion("integer64", "9223372036854775807", "integer 9223372036854775807"),
    Conversion("integer64", "-9223372036854775808", "integer -9223372036854775808"),
    Conversion("integer64", "9223372036854775808", nil), Conversion("integer64", "-9223372036854775809", nil),
    Conversion("integer64", #""9007199254740993""#, "integer 9007199254740993"),
    Conversion("integer64", "9007199254740993.0", "integer 9007199254740993"),
    Conversion("integer64", "1e18", "integer 1000000000000000000"), Conversion("integer64", "1e19", nil),
    Conversion("integer64", "1e-400", nil), Conversion("integer64", "1e999999999999", nil),
    Conversion("integer64", "0.1", nil),
    Conversion("integer64", "0.00000000000000000000000000000000000000000000001e47", "integer 1"),
  ])
  func wholeNumbers(_ conversion: Conversion) throws { try conversion.check() }

  @Test(arguments: [
    Conversion("double", "0.1", "real 0.10000000000000001"), Conversion("double", "1", "real 1.0"),
    Conversion("double", "-1.5e3", "real -1500.0"), Conversion("double", #""2.5""#, "real 2.5"),
    Conversion("double", "1e300", "real 1.0e+300"),
    Conversion("double", "1e-320", "real 9.9998886718268301e-321"),
    Conversion("double", "9007199254740992", "real 9007199254740992.0"),
    Conversion("double", "9007199254740994", "real 9007199254740994.0"),
    Conversion("double", "0.30000000000000004", "real 0.30000000000000004"),
    Conversion("double", "1e400", nil), Conversion("double", "-1e400", nil),
    Conversion("double", "9223372036854775807", nil), Conversion("double", #""nan""#, nil),
    Conversion("double", #""inf""#, nil), Conversion("double", #""0x1p3""#, nil),
    Conversion("double", #""""#, nil), Conversion("double", #""1,5""#, nil),
    Conversion("double", "true", nil),
    Conversion("float", "0.5", "real 0.5"), Conversion("float", "3.4e38", "real 3.4e+38"),
    Conversion("float", "1e39", nil), Conversion("float", "-1e39", nil), Conversion("float", "{}", nil),
  ])
  func numbersWithFractions(_ conversion: Conversion) throws { try conversion.check() }

  @Test(arguments: [
    Conversion("decimal", "0.1", "text 0.1"), Conversion("decimal", "1.50", "text 1.5"),
    Conversion("decimal", "-0.0", "text 0"), Conversion("decimal", "1e3", "text 1000"),
    Conversion("decimal", "12.5e-3", "text 0.0125"), Conversion("decimal", #""19.99""#, "text 19.99"),
    Conversion(
      "decimal", "12345678901234567890.123456789012345678",
      "text 12345678901234567890.123456789012345678"),
    Conversion(
      "decimal", "3.141592653589793238462643383279502884", "text 3.141592653589793238462643383279502884"),
    Conversion("decimal", "1e999", nil), Conversion("decimal", #""1.2.3""#, nil),
    Conversion("decimal", #""€5""#, nil), Conversion("decimal", #""""#, nil),
    Conversion("decimal", "[]", nil),
  ])
  func decimalsKeepEveryDigit(_ conversion: Conversion) throws { try conversion.check() }

  @Test(arguments: [
    Conversion("string", #""héllo \u00e9 😀""#, "text héllo é 😀"), Conversion("string", #""""#, "text "),
    Conversion("string", "42", "text 42"), Conversion("string", "1.50", "text 1.50"),
    Conversion("string", "12345678901234567890123", "text 12345678901234567890123"),
    Conversion("string", "1E+2", "text 1E+2"), Conversion("string", "true", "text true"),
    Conversion("string", "false", "text false"), Conversion("string", #""01234""#, "text 01234"),
    Conversion("string", #"[1, "a", null]"#, #"text [1,"a",null]"#),
  ])
  func strings(_ conversion: Conversion) throws { try conversion.check() }

  @Test(arguments: [
    Conversion("transformable", #"{"a": [1, 2.50, "x\n"]}"#, #"text {"a":[1,2.50,"x\n"]}"#),
    Conversion("transformable", "[]", "text []"), Conversion("transformable", "{}", "text {}"),
    Conversion("transformable", "7", "text 7"), Conversion("transformable", "true", "text true"),
    Conversion("transformable", #""a\"b""#, #"text "a\"b""#),
  ])
  func jsonIsKeptAsText(_ conversion: Conversion) throws { try conversion.check() }

  @Test(arguments: [
    Conversion(
      "uuid", #""6BA7B810-9DAD-11D1-80B4-00C04FD430C8""#, "text 6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
    Conversion("uuid", #""6ba7b8109dad11d180b400c04fd430c8""#, "text 6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
    Conversion(
      "uuid", #""{6BA7B810-9DAD-11D1-80B4-00C04FD430C8}""#, "text 6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
    Conversion("uuid", #""6ba7b810-9dad-11d1-80b4-00c04fd430cg""#, nil),
    Conversion("uuid", #""6ba7b810-9dad-11d1-80b4-00c04fd430c""#, nil),
    Conversion("uuid", #""6ba7b8109-dad-11d1-80b4-00c04fd430c8""#, nil),
    Conversion("uuid", #""""#, nil), Conversion("uuid", "1", nil),
    Conversion("uri", #""https://example.org/a?b=c#d""#, "text https://example.org/a?b=c#d"),
    Conversion("uri", #""/relative/ä""#, "text /relative/ä"), Conversion("uri", #""a b""#, nil),
    Conversion("uri", #""""#, nil), Conversion("uri", "5", nil), Conversion("uri", #""a\nb""#, nil),
    Conversion("binary", #""aGVsbG8=""#, "blob 68656C6C6F"),
    Conversion("binary", #""aGVsbG8""#, "blob 68656C6C6F"),
    Conversion("binary", #""-_-_""#, "blob FBFFBF"), Conversion("binary", #""+/+/""#, "blob FBFFBF"),
    Conversion("binary", #""aGVs\r\nbG8=""#, "blob 68656C6C6F"), Conversion("binary", #""""#, "blob "),
    Conversion("binary", #""a""#, nil), Conversion("binary", #""aGVsbG8==""#, nil),
    Conversion("binary", #""aG=VsbG8""#, nil), Conversion("binary", #""aGVs*""#, nil),
    Conversion("binary", #""====""#, nil), Conversion("binary", "12", nil),
  ])
  func identifiersAndData(_ conversion: Conversion) throws { try conversion.check() }

  @Test(arguments: [
    "boolean", "integer16", "integer32", "integer64", "float", "double", "decimal", "string", "date", "uuid",
    "uri", "binary", "transformable",
  ])
  func nullClearsEveryType(_ type: String) throws { try Conversion(type, "null", "null -").check() }

  @Test func anIssueSaysWhatAndWhere() throws {
    let fixture = try Fixture("Thing\n  id: integer64\n  size: integer16", entity: "Thing")
    let report = try fixture.load(#"[{"id": 1}, {"id": 2, "size": 70000}]"#)
    let issue = try #require(report.issues.first)
    #expect(issue.path == "$[1].size")
    #expect(issue.entity == "Thing" && issue.identity == "2" && issue.key == "size")
    #expect(issue.expected == "a whole number from -32768 to 32767")
    #expect(issue.found == "70000" && issue.action == "value left out")
  }

  @Test func whatIsFoundIsShortened() throws {
    let fixture = try Fixture("Thing\n  id: integer64\n  size: integer16", entity: "Thing")
    let report = try fixture.load(#"{"id": 1, "size": ""# + String(repeating: "é", count: 5000) + #""}"#)
    #expect(report.issues.first?.found == "\"" + String(repeating: "é", count: 40) + "…\"")
  }

  @Test(arguments: [
    Conversion("double", "9007199254740993", nil), Conversion("double", #""-9007199254740993""#, nil),
  ])
  func aDoubleTakesNoIntegerThatItWouldRound(_ conversion: Conversion) throws {
    try conversion.check()
  }

  /// A double gives 17 digits back. Of more, it takes those that it prints.
  @Test(arguments: [
    Conversion("double", "1e-400", nil), Conversion("double", "-1e-400", nil),
    Conversion("double", "0.1234567890123456789", nil), Conversion("double", "1.2345678901234e-320", nil),
    Conversion("double", #""3.14159265358979323846""#, nil),
    Conversion("float", "0.1234567890123456789", nil),
    Conversion("double", "0e-400", "real 0.0"),
    Conversion("double", "0.12345678901234567", "real 0.12345678901234566"),
    Conversion("double", "51.500700000000002", "real 51.500700000000002"),
    Conversion("double", "0.1000000000000000055511151231257827", "real 0.10000000000000001"),
    Conversion("double", "5e-324", "real 4.9406564584124654e-324"),
    Conversion("double", "4.9e-324", "real 4.9406564584124654e-324"),
    Conversion("double", "0.10000000000000000000", "real 0.10000000000000001"),
    Conversion("double", "2.2250738585072014e-308", "real 2.2250738585072014e-308"),
    Conversion("decimal", "0.1234567890123456789", "text 0.1234567890123456789"),
  ])
  func aDoubleTakesNoDigitsThatItWouldLose(_ conversion: Conversion) throws {
    try conversion.check()
  }

  @Test(arguments: [
    Conversion("double", "1152921504606846976", "real 1.152921504606847e+18"),
    Conversion("double", "18446744073709551616", "real 1.8446744073709552e+19"),
  ])
  func aDoubleTakesPowersOfTwo(_ conversion: Conversion) throws {
    try conversion.check()
  }

  @Test func hyphensOfAUUIDHaveTheirPlaces() throws {
    try Conversion("uuid", #""6ba7b810----9dad11d180b400c04fd430c8""#, nil).check()
  }
}
