import JSONStream
import ObjectModel
import Testing

/// How calls of transformers are written, and read again.
@Suite struct TransformerCallTests {
  private static let calls: [(TransformerCall, String)] = [
    ("trimmed", "trimmed"), (.prefix("Patient/"), #"prefix("Patient/")"#),
    (.suffix("),\""), #"suffix("),\"")"#),
    (.split("é, "), #"split("é, ")"#), (.regex(#"(\d+)"#), #"regex("(\\d+)")"#),
    (.regex("(a)", write: "$1"), #"regex("(a)", "$1")"#),
    (.table(["A": "active", "I": nil]), #"table({"A": "active", "I": null})"#),
    (.table(["A": 1], otherwise: .keep), #"table({"A": 1}, "keep")"#),
    (.table(["A": true], otherwise: .value("keep")), #"table({"A": true}, {"value":"keep"})"#),
    (.table([1: "one", nil: "none"], otherwise: .value(nil)), #"table([[1, "one"], [null, "none"]], null)"#),
  ]

  @Test func theTextOfACallIsReadAsTheCall() {
    for (call, text) in Self.calls {
      #expect(call.description == text)
      #expect(TransformerCall(text) == call)
    }
  }

  @Test func aListIsSplitAtTheCommasBetweenCalls() throws {
    let text = Self.calls.map(\.1).joined(separator: " , ")
    var mapping = JSONMapping()
    mapping["Song"].transformers["value"] = Self.calls.map(\.0)
    let song = Entity(name: "Song", attributes: [Attribute(name: "value", type: .string)])
    let model = try mapping.applied(to: Model(entities: [song]))
    let userInfo = model.entities[0].attributes[0].userInfo["broker.transformer"]
    #expect(userInfo == text.replacing(" , ", with: ","))
    #expect(model.entities[0].attributes[0].annotations.transformers == Self.calls.map(\.0))
  }

  @Test func aStoreRemembersCalls() throws {
    var mapping = JSONMapping()
    mapping["Song"].transformers["value"] = Self.calls.map(\.0)
    #expect(try JSONMapping(remembered: mapping.remembered()).entities == mapping.entities)
  }

  /// As mappings were remembered before there were arguments.
  @Test func aRememberedListOfNamesIsRead() throws {
    var mapping = JSONMapping()
    mapping["Song"].transformers["value"] = ["trimmed", "shout"]
    let text = try mapping.remembered()
    #expect(text.contains(#""transformers":{"value":["trimmed","shout"]}"#))
    #expect(try JSONMapping(remembered: text).entities == mapping.entities)
  }
}
