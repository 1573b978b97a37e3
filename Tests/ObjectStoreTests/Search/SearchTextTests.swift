import Testing

@testable import ObjectStore

/// The FTS5 query for what people type.
@Suite struct SearchTextTests {
  @Test(
    arguments: [
      ("rock", #"("rock")"#),
      ("art  rock\n", #"("art") AND ("rock")"#),
      (#""art rock" live"#, #"("art rock") AND ("live")"#),
      ("“art rock” live", #"("art rock") AND ("live")"#),
      (#""art rock"#, #"("art rock")"#),
      (#"live"art rock"x"#, #"("live") AND ("art rock") AND ("x")"#),
      ("ro*", #"("ro" *)"#), ("ro**", #"("ro" *)"#), (#""art ro"*"#, #"("art ro" *)"#),
      ("r*k", #"("r*k")"#), ("*rock", #"("*rock")"#),
      ("rock OR indie", #"("rock" OR "indie")"#),
      ("rock OR indie live", #"("rock" OR "indie") AND ("live")"#),
      ("a OR b OR c*", #"("a" OR "b" OR "c" *)"#),
      ("rock or indie", #"("rock") AND ("or") AND ("indie")"#),
      ("OR rock OR", #"("rock")"#), ("rock OR OR indie", #"("rock" OR "indie")"#),
      ("rock AND indie AND", #"("rock") AND ("indie")"#),
      ("rock -pop", #"(("rock")) NOT ("pop")"#), ("rock NOT pop", #"(("rock")) NOT ("pop")"#),
      ("-pop rock --\"soft pop\"", #"(("rock")) NOT ("pop" OR "soft pop")"#),
      ("rock OR -pop", #"(("rock")) NOT ("pop")"#),
      ("rock -pop OR jazz", #"(("rock" OR "jazz")) NOT ("pop")"#),
      ("rock NOT OR pop", #"(("rock")) NOT ("pop")"#), ("rock NOT", #"("rock")"#),
      ("post-rock", #"("post-rock")"#), ("bio:rock", #"("bio:rock")"#), ("(rock)", #"("(rock)")"#),
      ("NEAR(a b)", #"("NEAR(a") AND ("b)")"#), ("^rock", #"("^rock")"#), ("a+b", #"("a+b")"#),
      ("rock + - () * ^", #"("rock")"#), ("rock - pop", #"("rock") AND ("pop")"#),
      ("a\0b", #"("a") AND ("b")"#), ("東京 ٣", #"("東京") AND ("٣")"#),
    ])
  func becomes(_ text: String, _ expression: String) throws {
    #expect(try SearchText(text).expression == expression)
  }

  @Test(arguments: [
    "", " ", "-pop", "NOT pop", "\"", "\"\"", "*", "OR", "AND", "🎸", "()", "-", "\0",
  ])
  func withoutAWordNothingIsFound(_ text: String) throws {
    #expect(try SearchText(text).expression == nil)
  }

  @Test func thereIsAnEnd() throws {
    #expect(throws: SearchText.Failure.self) {
      try SearchText(Array(repeating: "a", count: SearchText.mostTerms + 1).joined(separator: " "))
    }
    _ = try SearchText(Array(repeating: "a", count: SearchText.mostTerms).joined(separator: " "))
  }

  @Test(.onSQLite("a server has no full-text search")) func nothingThatIsTypedIsAnError() throws {
    let model =
      #"{"entities": [{"name": "E", "attributes": [{"name": "id", "type": "integer64"},"#
      + #" {"name": "a", "type": "string", "userInfo": {"broker.search": "true"}}]}]}"#
    let store = try store(model)
    let pieces = [
      "a", "\"", "'", "-", "*", "(", ")", " ", " OR ", " NOT ", " AND ", "NEAR", "^", "+", ":", "{", "}",
      "a:", "\\",
      "\0", "é", "🎸", ",", "%", "?1", "“", "\u{301}",
    ]
    var state: UInt64 = 7
    for _ in 0..<3_000 {
      var text = ""
      for _ in 0..<8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(state >> 33) % pieces.count]
      }
      var query = Query("E")
      query.search = [SearchCondition(text)]
      try store.read { transaction in
        _ = try transaction.rows(of: query)
      }
    }
  }
}
