import Broker
import Testing

/// The example of docs/MAPPING.md, Transformers.
@Suite struct TransformerExampleTests {
  @Test func transformsBothWays() throws {
    // From the documentation, as it is there.
    var mapping = JSONMapping()
    mapping.functions.transformers["cents"] = Transformer(
      read: { value in
        if value == .null { return .null }
        guard let cents = value.integerValue else { throw TransformerError(expected: "cents") }
        return .double(Double(cents) / 100)
      },
      write: { value in
        value.doubleValue.map { .integer(Int64(($0 * 100).rounded())) } ?? value
      })
    var price = Attribute(name: "price", type: .decimal)
    price.userInfo["broker.transformer"] = "cents"
    let model = Model(entities: [
      Entity(name: "Ticket", attributes: [Attribute(name: "id", type: .integer64), price])
    ])
    let store = try Store(path: ":memory:", model: model, mapping: mapping)
    let report = try Importer(store).run([.string(#"[{"id": 1, "price": 1250}, {"id": 2, "price": "free"}]"#)]
    )

    #expect(report.issues.map(\.expected) == ["cents"])
    #expect(try Exporter(store).text(of: "Ticket").contains(#"{"id":1,"price":1250}"#))
  }

  /// The names that the documentation's table lists.
  @Test func builtInNames() {
    let names = [
      "commaSeparated", "embeddedJSON", "emptyIsNull", "htmlEntities", "lowercase", "milliseconds", "not",
      "numberAsString", "onOff", "stringAsNumber", "trimmed", "uppercase", "yesNo", "zeroIsNull", "zeroOne",
    ]
    #expect(Transformer.builtInNames == names)
  }
}
