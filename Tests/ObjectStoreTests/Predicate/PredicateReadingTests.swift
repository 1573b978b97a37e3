import Foundation
import ObjectStore
import Testing

/// Formats and the descriptions of the predicates that they are read as.
@Suite("Reading predicates")
struct PredicateReadingTests {
  @Test(
    "comparisons",
    arguments: [
      ("a = 1", "a == 1"), ("a == 1", "a == 1"), ("a<>1", "a != 1"), ("a!=1", "a != 1"), ("a=<1", "a <= 1"),
      ("a <= 1", "a <= 1"), ("a => 1", "a >= 1"), ("a>=1", "a >= 1"), ("a < 1", "a < 1"), ("a>1", "a > 1"),
      ("1 < a", "1 < a"), ("a between {1, 5}", "a BETWEEN {1, 5}"), ("a In {1,2 , 3}", "a IN {1, 2, 3}"),
      ("a IN {}", "a IN {}"), ("a beginsWith 'x'", "a BEGINSWITH 'x'"),
      ("a endswith[C]'x'", "a ENDSWITH[c] 'x'"),
      ("a contains[dc] 'x'", "a CONTAINS[cd] 'x'"), ("a like [cd] '*'", "a LIKE[cd] '*'"),
      ("a matches[d] '.'", "a MATCHES[d] '.'"), ("a ==[c] b", "a ==[c] b"),
      ("a in[c] {'x'}", "a IN[c] {'x'}"),
    ])
  func comparisons(_ format: String, _ description: String) throws {
    try check(format, description)
  }

  @Test(
    "AND binds more than OR, and NOT more than both",
    arguments: [
      ("a=1 or b=1 and c=1", "a == 1 OR (b == 1 AND c == 1)"),
      ("a=1 && b=1 || c=1", "(a == 1 AND b == 1) OR c == 1"),
      ("(a=1 or b=1) and c=1", "(a == 1 OR b == 1) AND c == 1"),
      ("not a=1 and b=1", "(NOT a == 1) AND b == 1"),
      ("!(a=1 and b=1)", "NOT (a == 1 AND b == 1)"),
      ("NOT NOT a=1", "NOT (NOT a == 1)"),
      ("a=1 and b=1 and c=1", "a == 1 AND b == 1 AND c == 1"),
      ("((a)) = ((1))", "a == 1"),
      ("TRUEPREDICATE or falsepredicate", "TRUEPREDICATE OR FALSEPREDICATE"),
    ])
  func precedence(_ format: String, _ description: String) throws {
    try check(format, description)
  }

  @Test(
    "values",
    arguments: [
      ("a = 'it\\'s'", "a == 'it\\'s'"), (#"a = "it's""#, "a == 'it\\'s'"),
      ("a = 'x\\ty\\n'", "a == 'x\\ty\\n'"),
      ("a = '\\u00e9'", "a == 'é'"), (#"a MATCHES '\d+\\.'"#, #"a MATCHES '\\d+\\.'"#), ("a = ''", "a == ''"),
      ("a = 'a\0b'", "a == 'a\0b'"), ("a = '👩‍👩‍👧'", "a == '👩‍👩‍👧'"), ("a = '%@ #x $y'", "a == '%@ #x $y'"),
      ("a = -1.50", "a == -1.50"), ("a = .5", "a == .5"), ("a = 1e3", "a == 1e3"), ("a = 0xFF", "a == 255"),
      ("a = 0b101", "a == 5"), ("a = 0o17", "a == 15"), ("a = - - 1", "a == --1"), ("a = -b", "a == -b"),
      ("a = yes or a = No", "a == TRUE OR a == FALSE"), ("a = true or a = FALSE", "a == TRUE OR a == FALSE"),
      ("a = nil or a = Null", "a == nil OR a == nil"), ("a = now()", "a == NOW()"),
      ("a > CAST(0, 'NSDate')", "a > CAST(0, 'NSDate')"),
    ])
  func values(_ format: String, _ description: String) throws {
    try check(format, description)
  }

  @Test(
    "calculations: * and / bind more than + and -, and go from the left",
    arguments: [
      ("a = 1 + 2 * 3", "a == 1 + (2 * 3)"), ("a = (1 + 2) * 3", "a == (1 + 2) * 3"),
      ("a - 1 - 2 > 0", "(a - 1) - 2 > 0"), ("a/2/2 = 1", "(a / 2) / 2 == 1"), ("a-1 = 2", "a - 1 == 2"),
    ])
  func calculations(_ format: String, _ description: String) throws {
    try check(format, description)
  }

  @Test(
    "key paths",
    arguments: [
      ("a.b.c = 1", "a.b.c == 1"), ("SELF.a = 1", "a == 1"), ("self = 'x'", "SELF == 'x'"),
      ("#in = 1", "#in == 1"), ("#name = 1", "name == 1"), ("a.in = 1", "a.#in == 1"),
      ("größe = 1", "größe == 1"), ("any a.b = 1", "ANY a.b == 1"), ("SOME a.b = 1", "ANY a.b == 1"),
      ("all a.b = 1", "ALL a.b == 1"), ("None a.b IN {1}", "NONE a.b IN {1}"),
      ("a.@count > 1", "a.@count > 1"),
      ("a.@max.b = 1", "a.@max.b == 1"), ("a.b.@avg.c.d > 1", "a.b.c.@avg.d > 1"),
      (
        "subquery(a, $x, $x.b = 1 and c = $x).@count = 0",
        "SUBQUERY(a, $x, $x.b == 1 AND c == $x).@count == 0"
      ),
    ])
  func paths(_ format: String, _ description: String) throws {
    try check(format, description)
  }

  /// A description is a format of the same predicate.
  private func check(_ format: String, _ description: String) throws {
    let predicate = try ObjectPredicate(format: format)
    #expect(predicate.description == description)
    #expect(try ObjectPredicate(format: description).description == description)
  }

  @Test func arguments() throws {
    let date = Date(timeIntervalSinceReferenceDate: 12.5)
    let uuid = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    let table: [(String, [PredicateArgument], String)] = [
      ("a = %@", ["it's"], "a == 'it\\'s'"), ("%K = %d", ["a.b", 3], "a.b == 3"),
      ("%K.@count = %ld", ["in", 3], "#in.@count == 3"), ("a.%K = 1", ["b.@count"], "a.b.@count == 1"),
      ("ANY %K.%K = %@", ["a", "b", nil], "ANY a.b == nil"), ("a = %@", [true], "a == TRUE"),
      ("a = %f or a = %@", [1.5, -2.5], "a == 1.5 OR a == -2.5"),
      ("a = %llu", [.init(UInt64.max)], "a == 18446744073709551615"),
      ("a IN %@", [["x", "y"]], "a IN {'x', 'y'}"), ("a BETWEEN {%i, %u}", [1, 2], "a BETWEEN {1, 2}"),
      ("a = %@", [.init(date)], "a == CAST(12.5, 'NSDate')"),
      ("a = %@", [.init(uuid)], "a == '6BA7B810-9DAD-11D1-80B4-00C04FD430C8'"),
      ("a = %@", [.init(Decimal(string: "12345678901234567890.5") ?? 0)], "a == 12345678901234567890.5"),
      ("a = %@", [.init(Data([1, 2]))], "a == 'AQI='"),
    ]
    for (format, arguments, description) in table {
      #expect(try ObjectPredicate(format: format, arguments).description == description)
    }
  }

  @Test func variables() throws {
    let predicate = try ObjectPredicate(
      format: "a > $least AND SUBQUERY(b, $least, $least.c = 1).@count = $most",
      variables: ["least": 3, "most": "x"])
    #expect(predicate.description == "a > 3 AND SUBQUERY(b, $least, $least.c == 1).@count == 'x'")
  }

  @Test("equal if the format and the arguments are")
  func equality() throws {
    let one = try ObjectPredicate(format: "a = %d", [1])
    #expect(try one == ObjectPredicate(format: "a = %d", [1]))
    #expect(try one != ObjectPredicate(format: "a = %d", [2]))
    #expect(try Set([one, ObjectPredicate(format: "a = %d", [1])]).count == 1)
  }
}
