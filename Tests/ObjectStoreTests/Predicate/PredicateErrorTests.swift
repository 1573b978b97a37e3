import Foundation
import ObjectStore
import Testing

/// Formats that cannot be read, with a caret under the place of the error, and its message.
@Suite("Predicates that cannot be read")
struct PredicateErrorTests {
  @Test(
    "what does not belong",
    arguments: [
      ("", "^", "The predicate is empty."),
      ("  ", "  ^", "The predicate is empty."),
      ("a >", "   ^", "Expected a value, found the end."),
      ("a", "^", "a is a value. A condition compares it: a == …"),
      ("a = 1 and", "         ^", "Expected a value, found the end."),
      ("a = 1 b", "      ^", "b was not expected here."),
      ("a beginwith 'x'", "  ^", "Expected a comparison, found beginwith. Did you mean BEGINSWITH?"),
      ("a UTI-CONFORMS-TO 'x'", "  ^", "Expected a comparison, found UTI."),
      ("a 'x'", "  ^", "'x' was not expected here."),
      ("a ın {1}", "  ^", "Expected a comparison, found ın."),
      ("a = 1)", "     ^", "This ) closes nothing."),
      ("(a = 1", "^", "This ( is not closed."),
      ("a IN {1, 2", "     ^", "This { is not closed."),
      ("a IN (1, 2)", "       ^", "A list stands in braces: {1, 2}."),
      ("a IN {{1}}", "      ^", "A list cannot have lists in it."),
      ("1 < a < 5", "      ^", "Only two values can be compared. Join comparisons with AND."),
      ("(a = 1) = 2", "^", "Expected a value, found a condition."),
      ("NOT a", "    ^", "a is a value. A condition compares it: a == …"),
      ("a NOT IN {1}", "  ^", "NOT stands before the whole comparison: NOT x IN …"),
      (
        "and = 1", "^",
        "Expected a value, found and, which is a word of the language. If a property is meant, write #and."
      ),
      ("all = 1", "^", "all is a word of the language. If a property is meant, write #all."),
      ("ANY a", "     ^", "Expected a comparison behind ANY …, found the end."),
      ("a. = 1", "   ^", "Expected a name behind the point, found =."),
      ("a # 1", "  ^", "Expected a name behind #."),
      ("a ; b", "  ^", "; means nothing in a predicate."),
      ("a = ‘x’", "    ^", "Texts stand in straight quotes, ' or \"."),
      ("a = 'x", "    ^", "The text that begins here has no end: a ' is missing."),
      ("a = \"x'", "    ^", "The text that begins here has no end: a \" is missing."),
      ("a = 'x\\", "    ^", "The text that begins here has no end: a ' is missing."),
      ("a = '\\u12'", "     ^", "Behind \\u come the four hexadecimal digits of a character."),
      ("a = 12abc", "    ^", "A number runs into a word. A text needs quotes around it."),
      ("a = 1e", "    ^", "This is no number: digits belong behind the e."),
      ("a = 0xG", "    ^", "This is no whole number of base 16 with at most 64 bits."),
      ("a ==[x] 1", "     ^", "The options are c and d, not x."),
      ("a ==[] 1", "     ^", "Expected c or d, or both, found ]."),
      ("a = 1\nand b >> 2", "       ^", "Expected a value, found >."),
    ])
  func grammar(_ format: String, _ caret: String, _ message: String) {
    check(format, [], caret, message)
  }

  @Test(
    "what NSPredicate has and Broker has not",
    arguments: [
      ("a[0] = 1", " ^", "Places in a list, such as [0], [FIRST] or [SIZE], are not supported."),
      ("a ** 2 = 1", "  ^", "Powers are not supported."),
      ("a := 1", "  ^", "Assignments are not supported."),
      ("a ==[n] 'x'", "     ^", "The options are c and d; n is not supported."),
      (
        "a.@distinctUnionOfObjects.b = 1", "  ^",
        "@distinctUnionOfObjects is not supported: only @count, @min, @max, @sum and @avg are."
      ),
      (
        "a.@cuont = 1", "  ^",
        "@cuont is not supported: only @count, @min, @max, @sum and @avg are. Did you mean @count?"
      ),
      ("a.@count.b = 1", "         ^", "Nothing can follow @count."),
      ("a.@max = 1", "  ^", "An attribute stands behind @max: albums.@max.year."),
      ("@count = 1", "^", "@count stands behind a relationship: albums.@count."),
      ("a.@max.b.@count = 1", "         ^", "A path can have one @ only."),
      (
        "FUNCTION(a, 'x') = 1", "^",
        "There is no function FUNCTION here: only NOW, CAST and SUBQUERY are supported."
      ),
      ("sum(a) = 1", "^", "There is no function sum here: only NOW, CAST and SUBQUERY are supported."),
      (
        "CAST(a, 'NSString') = 1", "        ^",
        "CAST knows the types 'NSDate' and 'NSNumber', not 'NSString'."
      ),
      (
        "SUBQUERY(a, $x, $x.b = 1) = 1", "                          ^",
        "Of a SUBQUERY only its .@count can be used."
      ),
      ("SUBQUERY(a, x, b = 1).@count = 1", "            ^", "Expected a variable such as $a, found x."),
      (
        "SUBQUERY('a', $x, b = 1).@count = 1", "         ^",
        "SUBQUERY begins with a path to objects: SUBQUERY(albums, $a, …)."
      ),
    ])
  func unsupported(_ format: String, _ caret: String, _ message: String) {
    check(format, [], caret, message)
  }

  @Test func arguments() {
    check("a = %@", [], "    ^", "No argument is given for %@.")
    check("a = 1", [1, 2], "     ^", "2 arguments are given, and the format has places for 0.")
    check("a = %d", ["x"], "    ^", "The argument for %d has to be a number.")
    check("a = %d", [1.5], "    ^", "The argument for %d has to be a whole number.")
    check("%K = 1", [1], "^", "The argument for %K has to be a string, a key path.")
    check("a = %f", [.init(Double.nan)], "    ^", "nan is no number to compare with.")
    check("a IN %@", [[["x"]]], "     ^", "A list cannot have lists in it.")
    check("a = %x", [1], "    ^", "Behind a % comes what its argument is: %@, %K, %d, %ld, %f …")
    check(
      "a = %%", [], "    ^",
      "%% stands for a % in a text, and texts stand in quotes, where a single % means itself.")
    check("a = %dx", [1], "    ^", "%d runs into what follows it: put a space between them.")
    check("a = $x", [], "    ^", "Nothing is given for $x.")
    check(
      "a = %@", [.init(Date(timeIntervalSinceReferenceDate: 1e12))], "    ^",
      "The store keeps dates of the years 0 to 9999 only.")
  }

  private func check(_ format: String, _ arguments: [PredicateArgument], _ caret: String, _ message: String) {
    do throws(ObjectPredicateError) {
      let predicate = try ObjectPredicate(format: format, arguments)
      Issue.record("\(format) was read as \(predicate)")
    } catch {
      #expect(error.message == message)
      #expect(String(repeating: " ", count: error.column - 1) + "^" == caret)
    }
  }

  private func error(of format: String) throws -> ObjectPredicateError {
    try #require(throws: ObjectPredicateError.self) { try ObjectPredicate(format: format) }
  }

  @Test("the description shows the line, with a caret below the spot")
  func description() throws {
    let error = try error(of: "a = 1\nAND\tå =\u{1B} 'x")
    #expect(error.line == 2)
    #expect(error.column == 8)
    #expect(error.offset == 14)
    let second = try self.error(of: "a = 1\nAND é == 'x")
    #expect(
      second.description == """
        The text that begins here has no end: a ' is missing.

          AND é == 'x
                   ^
        """)
  }

  @Test("of a long line, the description shows what is around the spot")
  func excerpt() throws {
    let names = Array(repeating: "a = 1", count: 40).joined(separator: " AND ")
    let description = try error(of: names + " AND ; AND " + names).description
    let lines = description.components(separatedBy: "\n")
    #expect(lines.count == 4)
    #expect(
      lines[2] == "  … 1 AND a = 1 AND a = 1 AND a = 1 AND a = 1 AND ; AND a = 1 AND a = 1 AND a = 1…")
    #expect(lines[3].count == lines[2].prefix { $0 != ";" }.count + 1)
  }

  @Test(
    "very long and malformed formats are errors",
    arguments: [
      String(repeating: "(", count: 10_000), String(repeating: "(", count: 10_000) + "a = 1",
      String(repeating: "NOT ", count: 10_000) + "a = 1", String(repeating: "!", count: 10_000),
      "a = " + String(repeating: "-", count: 10_000) + "1", String(repeating: "{", count: 10_000),
      "a = 1" + String(repeating: " + 1", count: 10_000), String(repeating: "CAST(", count: 10_000),
      String(repeating: "SUBQUERY(a, $x, ", count: 10_000), String(repeating: "ANY ", count: 10_000),
      "a == '" + String(repeating: "x", count: 100_000), String(repeating: "a.", count: 100_000),
      "\0", "a = \0", "👩‍👩‍👧 = 1", "a = 👍", "\u{FEFF}a = 1", "a = 1\u{202E}", "'", "\"", "\\", "#", "$", "@", "%",
      String(repeating: "[", count: 10_000), String(repeating: "'\"", count: 9_999),
    ])
  func longAndMalformed(_ format: String) throws {
    let error = try error(of: format)
    #expect(error.offset <= format.utf8.count)
    #expect(error.description.count < 400)
  }

  @Test("any prefix of a format is read or refused")
  func prefixes() throws {
    let format =
      "NOT (a.b ==[cd] 'x\\u00e9' OR ANY c.@max.d IN {-1.5e3, $x, %@}) AND SUBQUERY(e, $f, $f.g > NOW()).@count"
    for length in 0...format.count {
      let part = String(format.prefix(length))
      let error = try error(of: part)
      #expect(error.description.hasPrefix(error.message))
    }
  }
}
