import JSONStream
import ObjectModel
import Testing

/// Transformers in mapping files.
@Suite struct MappingFileTransformerTests {
  @Test(
    arguments: [
      ("trimmed", ["trimmed"]), ("[trimmed, shout]", ["trimmed", "shout"]),
      (#"{suffix: "/"}"#, [.suffix("/")]),
      (#"'prefix("a, b")'"#, [.prefix("a, b")]),
      (#"[trimmed, {regex: '/films/(\d+)/'}]"#, ["trimmed", .regex(#"/films/(\d+)/"#)]),
      (#"{write: '/type/$1/', regex: '/type/(\d+)/'}"#, [.regex(#"/type/(\d+)/"#, write: "/type/$1/")]),
      (
        "{table: {A: active, I: inactive}, otherwise: keep}",
        [.table(["A": "active", "I": "inactive"], otherwise: .keep)]
      ),
      ("{table: {yes: true, no: false, 'true': null}}", [.table(["yes": true, "no": false, "true": nil])]),
      ("{table: {1: one, null: 1.50, 007: x}}", [.table([1: "one", nil: .number("1.50"), "007": "x"])]),
      (
        "{table: [[1, one], ['1', two]], otherwise: {value: keep}}",
        [.table([1: "one", "1": "two"], otherwise: .value("keep"))]
      ),
      (#"{"table": {"A": 1}, "otherwise": null}"#, [.table(["A": 1], otherwise: .value(nil))]),
      ("{split: '; '}", [.split("; ")]),
    ] as [(String, [TransformerCall])])
  func areRead(_ text: String, _ calls: [TransformerCall]) throws {
    let mapping = try JSONMapping(text: "Song:\n  transformers:\n    value: \(text)")
    #expect(mapping["Song"].transformers["value"] == calls)
  }

  @Test(arguments: [
    (#"{prefx: "a"}"#, #"“prefx("a")” is not a transformer with arguments; did you mean “prefix”?"#),
    (
      "{shout: 1}",
      "“shout(1)” is not a transformer with arguments; there are prefix, regex, split, suffix, table"
    ),
    ("{prefix: 1}", #"“prefix(1)” is not prefix with a text that is not empty, as in prefix("Patient/")"#),
    ("{regex: '('}", #"“regex("(")” is not a regular expression that can be read"#),
    ("{regex: '(a)', wriet: b}", "“wriet” is no argument of “regex”; did you mean “write”?"),
    (
      "{prefix: a, suffix: b}",
      "“suffix” is no argument of “prefix”; write a list of transformers: [{prefix: …}, {suffix: …}]"
    ),
    ("{table: {A: [[[1]]]}}", "the argument of “table” nests too deep"),
    (
      "{table: {A: {b: c}}}",
      #"“table({…})” is not table with pairs of scalars, and perhaps a value for others, as in table({"A": "active"}, "keep")"#
    ),
    ("[[a]]", #"expected a transformer: a name, or a name with its argument, as {prefix: "a/"}"#),
    (#"'prefix('"#, #"“prefix(” is not a name with arguments in JSON, as in prefix("Patient/")"#),
  ])
  func mistakesHaveALine(_ text: String, _ message: String) throws {
    let error = #expect(throws: MappingError.self) {
      try JSONMapping(text: "Song:\n  transformers:\n    value: \(text)", name: "api.yaml")
    }
    #expect(error?.problems.map(\.description) == ["api.yaml:3: Song.transformers: \(message)"])
  }
}
