import Foundation
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Predicates that can be read and do not fit the model of ``BandCollection``, with a caret under the spot.
@Suite("Predicates that do not fit the model")
struct PredicateRefusalTests {
  @Test(
    "names that lead nowhere",
    arguments: [
      ("fromed > 1", "^", "Band has no property fromed. Did you mean formed?"),
      ("formed > 1 AND xyz = 1", "               ^", "Band has no property xyz."),
      ("ANY albums.lable = 'x'", "           ^", "Album has no property lable. Did you mean label?"),
      ("ANY almubs.label = 'x'", "    ^", "Band has no property almubs. Did you mean albums?"),
      ("parent.parent.nme = 'x'", "              ^", "Band has no property nme. Did you mean name?"),
      ("name.first = 'x'", "^", "Band.name is an attribute, so nothing can follow it."),
      ("albums.@max.yaer > 1", "            ^", "Album has no property yaer. Did you mean year?"),
      (
        "SUBQUERY(albums, $a, $a.yaer = 1).@count > 0", "                        ^",
        "Album has no property yaer. Did you mean year?"
      ),
      ("ANY albums.bSide = 'x'", "           ^", "Album has no property bSide."),
    ])
  func names(_ format: String, _ caret: String, _ message: String) throws {
    try check("Band", format, caret, message)
  }

  @Test(
    "values of the wrong type, at the value",
    arguments: [
      ("formed > 'soon'", "         ^", "formed is a whole number, and 'soon' is not."),
      ("'soon' < formed", "^", "formed is a whole number, and 'soon' is not."),
      ("formed IN {1, 'x'}", "              ^", "formed is a whole number, and 'x' is not."),
      ("formed BETWEEN {1, 'x'}", "                   ^", "formed is a whole number, and 'x' is not."),
      ("rating = 'x'", "         ^", "rating is a number, and 'x' is not."),
      ("price = '1,5'", "        ^", "price is a decimal number, and '1,5' is not."),
      ("isActive = 2", "           ^", "isActive is true or false, and 2 is not."),
      ("founded > 1981", "          ^", "founded is a date, and 1981 is not."),
      ("founded > '1981-13-01'", "          ^", "founded is a date, and '1981-13-01' is not."),
      ("key = 'abc'", "      ^", "key is a UUID, and 'abc' is not."),
      ("logo = '*'", "       ^", "logo is binary data, and '*' is not."),
      ("formed = CAST(0, 'NSDate')", "         ^", "formed is a whole number, and CAST(0, 'NSDate') is not."),
      ("name = NOW()", "       ^", "name is a text, and NOW() is not."),
      ("'a' = 1", "^", "1 is a decimal number, and 'a' is not."),
      (
        "parent = 'x' AND home = 'x'", "                        ^",
        "The identity of home has 2 parts: write them in quotes, joined by commas."
      ),
      ("home = 'x,y'", "       ^", "home is a whole number, and x is not."),
      ("formed = name", "         ^", "formed is a whole number and name a text: they cannot be compared."),
      ("founded = name", "          ^", "founded is a date and name a text: they cannot be compared."),
      (
        "home = name", "       ^",
        "home is an identity of several parts and name a text: they cannot be compared."
      ),
      ("home < '1,x'", "^", "home has an identity of several parts, which has no order."),
      ("formed > nil", "         ^", "nil can only be compared by == and !=."),
      ("formed BETWEEN {nil, 1}", "                ^", "nil can only be compared by == and !=."),
      ("formed = {1}", "         ^", "A list can only stand behind IN or BETWEEN."),
      ("formed BETWEEN {1}", "               ^", "BETWEEN takes a list of two values: {1970, 1980}."),
      ("formed BETWEEN 1", "               ^", "BETWEEN takes a list of two values: {1970, 1980}."),
      (
        "'a' IN name", "       ^",
        "name is not a list. IN takes one, {1, 2}; CONTAINS finds a text in another."
      ),
      ("isActive BEGINSWITH 'x'", "^", "isActive is no text to search in or for."),
      ("name CONTAINS nil", "              ^", "nil is no text to search in or for."),
      ("name CONTAINS {'a'}", "              ^", "{'a'} is no text to search in or for."),
      ("name MATCHES '['", "             ^", "'[' is not a regular expression."),
      ("name MATCHES ')('", "             ^", "')(' is not a regular expression."),
      ("price + 1 > 2", "^", "Decimals are exact, and calculating with them is not supported."),
      ("name + 1 > 2", "^", "name is nothing to calculate with."),
      ("formed + '1' > 2", "         ^", "'1' is nothing to calculate with."),
      (
        "CAST(formed, 'NSDate') = NOW()", "     ^",
        "CAST takes what is the same for all objects: seconds since 2001, a date in quotes, NOW()."
      ),
      ("founded = CAST('x', 'NSDate')", "               ^", "'x' is no date."),
      (
        "founded = CAST(1e12, 'NSDate')", "               ^",
        "The store keeps dates of the years 0 to 9999 only."
      ),
    ])
  func types(_ format: String, _ caret: String, _ message: String) throws {
    try check("Band", format, caret, message)
  }

  @Test(
    "one and many",
    arguments: [
      (
        "albums.year > 1", "^",
        "albums leads to many objects: put ANY, ALL or NONE before the path, or use an @count."
      ),
      (
        "albums = 1", "^",
        "albums leads to many objects: put ANY, ALL or NONE before the path, or use an @count."
      ),
      (
        "ANY albums.year > albums.year", "                  ^",
        "albums leads to many objects: put ANY, ALL or NONE before the path, or use an @count."
      ),
      ("ANY formed > 1", "    ^", "formed leads to one value: leave ANY out."),
      ("ALL parent.formed > 1", "    ^", "parent.formed leads to one value: leave ALL out."),
      ("ANY 1 = albums.year", "    ^", "ANY goes with a key path, such as albums.year."),
      ("ANY albums.@count = 1", "    ^", "ANY goes with a key path, such as albums.year."),
      ("parent.@count = 1", "^", "parent does not lead to many objects."),
      ("albums.@max.band > 1", "^", "@max takes an attribute, and albums.band is none."),
      ("albums.@sum.title > 1", "^", "@sum is not supported for a text."),
      ("albums.@avg.title = 'x'", "^", "@avg is not supported for a text."),
      ("SUBQUERY(albums.year, $a, $a = 1).@count = 1", "         ^", "SUBQUERY takes a path to objects."),
      ("SUBQUERY(parent, $a, $a = 1).@count = 1", "         ^", "parent does not lead to many objects."),
    ])
  func many(_ format: String, _ caret: String, _ message: String) throws {
    try check("Band", format, caret, message)
  }

  @Test func tooManyValues() throws {
    let numbers = (1...30_001).map { PredicateArgument($0) }
    let fixture = try BandCollection.fixture()
    let error = #expect(throws: ObjectPredicateError.self) {
      try fixture.found("Band", "formed IN %@", [.init(numbers)])
    }
    #expect(error?.message == "A predicate can have 30000 values and no more.")
  }

  @Test("a pattern that an attribute holds, and that is none, is an error when it is met")
  func patternOfAttribute() throws {
    let fixture = try Fixture("Rule\n  id: integer64\n  pattern: string")
    try fixture.load(#"[{"id": 1, "pattern": "a+"}, {"id": 2, "pattern": "b+"}]"#, as: "Rule")
    #expect(try fixture.found("Rule", "'aa' MATCHES pattern") == ["1"])
    try fixture.load(#"[{"id": 4, "pattern": ""}]"#, as: "Rule")
    #expect(try fixture.found("Rule", "'' MATCHES pattern") == ["4"])
    #expect(try fixture.found("Rule", "'aa' MATCHES[c] pattern") == ["1"])
    #expect(try fixture.found("Rule", "pattern MATCHES ''") == ["4"])
    try fixture.load(#"{"id": 3, "pattern": "["}"#, as: "Rule")
    let error = #expect(throws: StoreError.self) { try fixture.found("Rule", "'aa' MATCHES pattern") }
    #expect(error?.description == "'[' is not a regular expression.")
  }

  @Test("parts of composites; transient attributes are not in the store")
  func composites() throws {
    var model = try model("Shop\n  id: integer64")
    model.composites = [
      Composite(
        name: "Address",
        attributes: [Attribute(name: "street", type: .string), Attribute(name: "no", type: .integer16)])
    ]
    model.entities[0].attributes.append(
      Attribute(name: "address", type: .composite("Address"), isOptional: true))
    model.entities[0].attributes.append(Attribute(name: "label", type: .string, isTransient: true))
    let fixture = try Fixture(model: model, entity: "Shop")
    try fixture.load(#"[{"id": 1, "address": {"street": "Elm", "no": 5}}, {"id": 2}]"#)
    #expect(try fixture.found("Shop", "address.street ==[c] 'ELM' AND address.no > 4") == ["1"])
    #expect(try fixture.found("Shop", "address.no == nil") == ["2"])
    try check(
      fixture, "Shop", "address = 'x'", "^", "Shop.address is a composite: name a part of it, address.street."
    )
    try check(
      fixture, "Shop", "address.stret = 'x'", "^",
      "Shop has no property address.stret. Did you mean address.street?")
    try check(fixture, "Shop", "label = 'x'", "^", "Shop.label is transient, so the store does not have it.")
  }

  private func check(_ entity: String, _ format: String, _ caret: String, _ message: String) throws {
    try check(BandCollection.fixture(), entity, format, caret, message)
  }

  private func check(
    _ fixture: Fixture, _ entity: String, _ format: String, _ caret: String, _ message: String
  ) throws {
    let error = #expect(throws: ObjectPredicateError.self) { try fixture.found(entity, format) }
    #expect(error?.message == message)
    #expect(error.map { String(repeating: " ", count: $0.column - 1) + "^" } == caret)
  }
}
