import Foundation
import Inference
import ObjectModel
import Testing

/// Types by all values that came.
@Suite struct ValueTests {
  private func attribute(_ values: String, key: String = "v") throws -> Attribute {
    let objects = values.split(separator: "|").enumerated().map { "{\"id\": \($0 + 1), \"\(key)\": \($1)}" }
    let model = try inferred("[\(objects.joined(separator: ","))]").model
    return try #require(model.entities.first?.attributes.last)
  }

  @Test(arguments: [
    ("1|2|300", AttributeType.integer16), ("1|70000", .integer32), ("1|3000000000", .integer64),
    ("1|99999999999999999999", .decimal), ("1.5|2", .double), ("true|false", .boolean),
    (#""a"|"b""#, .string),
    (#""2014-08-31"|"2014-09-01""#, .date), (#""2014-08-31T00:29:15Z"|"2014-09-01""#, .date),
    (#""Sun Aug 31 00:29:15 +0000 2014""#, .date), (#""24.12.2014"|"31.12.2014""#, .date),
    (#""https://a.example.com/b"|"http://c.example.com""#, .uri),
    (#""2f7b7c1e-6b6a-4c3b-9d5b-000000000001""#, .uuid), (#""004"|"008""#, .string),
    ("[1,2]|[3]", .transformable), (#"1|"a""#, .transformable), ("null|null", .transformable),
  ])
  func typesFitAllValues(_ values: String, _ type: AttributeType) throws {
    #expect(try attribute(values).type == type, "\(values)")
  }

  @Test func numbersUnderNamesOfMomentsAreDates() throws {
    #expect(try attribute("1420070400|1420070500", key: "created").type == .date)
    #expect(try attribute("1420070400000", key: "start_time").type == .date)
    #expect(try attribute("1420070400", key: "population").type == .integer64)
  }

  /// A version may be written like a date, and an export writes all digits of one.
  @Test func versionsAreNoDates() throws {
    #expect(try attribute(#""2026.8.30"|"2026.10.1""#, key: "released").type == .string)
    #expect(try attribute(#""2026.08.30"|"2026.10.01""#, key: "version").type == .string)
    #expect(try attribute(#""2026.08.30"|"2026.10.01""#, key: "released_at").type == .date)
  }

  @Test func amountsOfMoneyAreExact() throws {
    #expect(try attribute("10.5|20.25", key: "price").type == .decimal)
    #expect(try attribute("10.5|20.25", key: "latitude").type == .double)
  }

  @Test func whatIsNotAlwaysThereIsOptional() throws {
    let full = (1...20).map { "{\"id\": \($0), \"a\": 1, \"b\": 1, \"c\": 1}" }.joined(separator: ",")
    let model = try inferred("[\(full), {\"id\": 21, \"a\": 1, \"b\": null}]").model
    let attributes = try #require(model.entities.first?.attributes)
    #expect(attributes.map(\.isOptional) == [false, false, true, true])
  }

  @Test func fewDifferentTextsInManyObjectsAreCases() throws {
    let objects = (1...200).map { "{\"id\": \($0), \"state\": \"\($0 % 2 == 0 ? "open" : "closed")\"}" }
    let model = try inferred("[\(objects.joined(separator: ","))]").model
    #expect(model.entities.first?.attributes.last?.userInfo["broker.values"] == #"["closed","open"]"#)
  }
}
