import Testing

/// Which initial values are defaults of imports, too.
@Suite struct DefaultTests {
  @Test(arguments: [
    ("var x = 1970", "1970"), ("var x = -1", "-1"), ("var x = 0xFF", "0xFF"), ("var x = -1.5", "-1.5"),
    ("var x = true", "true"), (#"var x = "rock""#, #""rock""#), ("var x: Int? = 3", "3"),
    (##"var x = #"a\(b)"#"##, ##"#"a\(b)"#"##), ("var x: Double = 1", "1"),
    ("var x: [Int] = [1, -2]", "[1, -2]"), ("var x: [String] = []", "[]"),
    ("var x: [[Bool]] = [[true], []]", "[[true], []]"), ("var x: Genre = .rock", ".rock"),
    ("var x: Genre? = .rock", ".rock"), ("var x: Genre = .`default`", ".`default`"),
    ("var x: Date = .distantPast", ".distantPast"),
  ])
  func constants(declaration: String, value: String) {
    expectProperties(
      of: "var id: String\n\(declaration)",
      #".attribute("id", \.id, .identity)"#, #".attribute("x", \.x, .default(\#(value)))"#)
  }

  @Test(arguments: [
    "var x: Int", "var x: Int? = nil", "var x: Date = Date()", "var x: UUID = .init()",
    #"var x: String = "\(1)""#, "var x: [Int] = [one]", "var x: Genre = Genre.rock", "var x: Genre? = .none",
    "var x: Date = .now", "var x: Date? = .now", "var x: [String: Int] = [:]", "var x: Int = 1 + 1",
    "var x: Int = -one", "var x: Genre? = .some(.rock)",
  ])
  func others(declaration: String) {
    expectProperties(
      of: "var id: String\n\(declaration)", #".attribute("id", \.id, .identity)"#, #".attribute("x", \.x)"#)
  }
}
