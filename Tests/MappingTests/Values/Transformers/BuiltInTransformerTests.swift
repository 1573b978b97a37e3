import JSONStream
import Mapping
import ObjectModel
import Testing

/// What each of Broker's transformers reads and writes.
@Suite struct BuiltInTransformerTests {
  /// The value that the transformer reads; what a thrown error expected, after a question mark.
  private func read(_ name: String, _ json: String) throws -> String {
    let transformer = try #require(Transformer.builtIn[name])
    let value = try #require(JSONValue(text: json))
    do {
      return try transformer.read(value).text
    } catch let error as TransformerError {
      return "? " + error.expected
    }
  }

  private func written(_ name: String, _ json: String) throws -> String? {
    let transformer = try #require(Transformer.builtIn[name])
    let value = try #require(JSONValue(text: json))
    return try? transformer.write(value).text
  }

  @Test(arguments: [
    ("trimmed", #"" a b\n""#, #""a b""#), ("trimmed", #""\u00a0 ""#, #""""#), ("trimmed", "7", "7"),
    ("lowercase", #""ÄB""#, #""äb""#), ("uppercase", #""straße""#, #""STRASSE""#),
    ("emptyIsNull", #""""#, "null"), ("emptyIsNull", #"" ""#, #"" ""#), ("emptyIsNull", "[]", "[]"),
    ("zeroIsNull", "0", "null"), ("zeroIsNull", "10", "10"), ("zeroIsNull", #""0""#, #""0""#),
    ("numberAsString", #"" 42 ""#, "42"), ("numberAsString", #""-1.50e3""#, "-1.50e3"),
    ("numberAsString", "42", "42"), ("numberAsString", #""x""#, "? a number in a string"),
    ("numberAsString", #""""#, "? a number in a string"),
    ("numberAsString", #""007""#, "? a number in a string"),
    ("stringAsNumber", "94107", #""94107""#), ("stringAsNumber", "1.50", #""1.50""#),
    ("milliseconds", "1500", "1.5"), ("milliseconds", "-7", "-0.007"), ("milliseconds", "0", "0"),
    ("milliseconds", #""2000""#, "2"),
    ("milliseconds", "12345678901234567890123", "12345678901234567890.123"),
    ("milliseconds", "1e300", "? a number of at most 200 places"), ("milliseconds", #""soon""#, #""soon""#),
    ("yesNo", #""Yes""#, "true"), ("yesNo", #""inactive""#, "false"), ("yesNo", "true", "true"),
    ("yesNo", #""maybe""#, "? yes or no"), ("yesNo", "1", "1"),
    ("onOff", #""on""#, "true"), ("onOff", #"" OFF""#, "false"), ("onOff", #""""#, "? on or off"),
    ("zeroOne", "1", "true"), ("zeroOne", "0.0", "false"), ("zeroOne", #""0""#, "false"),
    ("zeroOne", "2", "? 0 or 1"), ("zeroOne", "false", "false"),
    ("not", "true", "false"), ("not", "0", "true"), ("not", #""no""#, "true"),
    ("not", "7", "? true or false"), ("not", "[]", "? true or false"),
    ("commaSeparated", #""rock, pop,,""#, #"["rock","pop"]"#), ("commaSeparated", #""""#, "[]"),
    ("commaSeparated", "[1]", "[1]"), ("commaSeparated", "7", "7"),
    ("embeddedJSON", #""{\"b\": 1.0, \"a\": [true]}""#, #"{"a":[true],"b":1.0}"#),
    ("embeddedJSON", #""null""#, "null"), ("embeddedJSON", #""{""#, "? JSON in a string"),
    ("embeddedJSON", #""1 2""#, "? JSON in a string"), ("embeddedJSON", "[1]", "[1]"),
  ])
  func reads(_ name: String, _ json: String, _ expected: String) throws {
    #expect(try read(name, json) == expected)
  }

  @Test(arguments: [
    ("trimmed", #"" a""#, #"" a""#), ("lowercase", #""A""#, #""A""#), ("emptyIsNull", "null", #""""#),
    ("emptyIsNull", "5", "5"), ("zeroIsNull", "null", "0"), ("zeroIsNull", "7", "7"),
    ("numberAsString", "42", #""42""#), ("numberAsString", "null", "null"),
    ("stringAsNumber", #""94107""#, "94107"), ("stringAsNumber", #""007""#, #""007""#),
    ("stringAsNumber", #""A1""#, #""A1""#), ("milliseconds", "1.5", "1500"),
    ("milliseconds", "1e-9", "0.000001"),
    ("milliseconds", #""2014-08-31T00:00:00Z""#, #""2014-08-31T00:00:00Z""#),
    ("yesNo", "true", #""yes""#), ("onOff", "false", #""off""#), ("zeroOne", "true", "1"),
    ("not", "true", "false"),
    ("not", "null", "null"), ("yesNo", "null", "null"),
    ("commaSeparated", #"["rock", 7]"#, #""rock, 7""#), ("commaSeparated", "[]", #""""#),
    ("commaSeparated", #""[\"a\",\"b\"]""#, #""a, b""#), ("commaSeparated", #""a""#, #""a""#),
    ("embeddedJSON", #"{"a": "\""}"#, #""{\"a\":\"\\\"\"}""#), ("embeddedJSON", "null", "null"),
    ("embeddedJSON", "7", #""7""#),
  ])
  func writes(_ name: String, _ json: String, _ expected: String) throws {
    #expect(try written(name, json) == expected)
  }

  @Test(arguments: [#"["a,b"]"#, #"[" a"]"#, #"[""]"#, "[null]", "[[1]]", #"[{"id": 1}]"#])
  func aListThatCommasCannotSeparateIsWrittenAsOne(_ json: String) throws {
    #expect(try written("commaSeparated", json) == json.replacing("\": ", with: "\":"))
  }

  @Test(arguments: [
    ("Tom &amp; Jerry", "Tom & Jerry"), ("&lt;b&gt; &quot;&apos;&#39;", "<b> \"''"), ("caf&eacute;", "café"),
    ("&Eacute;&szlig;&yuml;", "Éßÿ"), ("a&nbsp;b", "a\u{A0}b"), ("&#233;&#xE9;&#XE9;", "ééé"),
    ("&#x1F600;", "😀"), ("Rock &#146;n&#8217; Roll&hellip;", "Rock ’n’ Roll…"), ("&euro;5", "€5"),
    // Once, not until nothing is left.
    ("&amp;lt;", "&lt;"),
    // What is no reference stays.
    ("AT&T", "AT&T"), ("&;", "&;"), ("&eacute", "&eacute"), ("&nosuch;", "&nosuch;"),
    ("&#xD800;", "&#xD800;"),
    ("&#0;", "&#0;"), ("&#+5;", "&#+5;"), ("&#;", "&#;"), ("&#99999999999;", "&#99999999999;"),
    ("& &amp;", "& &"), ("&&amp;amp;", "&&amp;"),
  ])
  func readsReferences(_ html: String, _ text: String) throws {
    let transformer = try #require(Transformer.builtIn["htmlEntities"])
    #expect(try transformer.read(.string(html)) == .string(text))
  }

  @Test(arguments: ["<a href=\"x\">Tom & 'Jerry'</a>", "&amp;", "café", ""])
  func writesReferencesThatReadAsTheText(_ text: String) throws {
    let transformer = try #require(Transformer.builtIn["htmlEntities"])
    let written = try #require(try transformer.write(.string(text)).stringValue)
    #expect(!written.contains { "<>\"'".contains($0) })
    #expect(try transformer.read(.string(written)) == .string(text))
  }

  /// But for those whose task is to say something about null.
  @Test(arguments: Transformer.builtInNames)
  func nullIsReadAsNull(_ name: String) throws {
    #expect(try read(name, "null") == "null")
  }
}
