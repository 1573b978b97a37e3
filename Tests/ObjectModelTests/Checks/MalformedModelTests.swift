import Foundation
import ObjectModel
import TestSettings
import Testing

@Suite("Malformed and harmful models")
struct MalformedModelTests {
  private static let laughs = """
    <?xml version="1.0"?>
    <!DOCTYPE model [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
    <model><entity name="&b;"/></model>
    """

  @Test(
    "the message says what is wrong and where",
    arguments: [
      (laughs, "2: <!DOCTYPE is not allowed in a model; remove the declaration"),
      ("<model>\n<!ENTITY x SYSTEM 'file:///etc/passwd'></model>", "2: <!ENTITY is not allowed"),
      ("", "the file is empty"),
      ("   \n", "malformed XML: the file breaks off"),
      ("<model", "1: malformed XML"),
      ("<model><entity name='E'></model>", "1: malformed XML: an end tag that does not match"),
      ("<model>\n\n<entity name='&evil;'/></model>", "3: malformed XML: an entity that XML does not define"),
      ("<model/><model/>", "goes on after the outermost element"),
      ("<model><entity name='E\0'/></model>", "the file contains a NUL character"),
      ("<model name='\u{1}'/>", "a character that XML does not allow"),
      ("<plist/>", "not a Core Data model: the outermost element is <plist>, expected <model>"),
      ("<?xml version='1.0' encoding='UTF-7'?><model/>", "1: the file says it is encoded in “UTF-7”"),
      ("<?xml version='1.0' encoding = \"latin1\" ?><model/>", "1: the file says it is encoded in “latin1”"),
      ("<model><entity/></model>", "1: an entity needs “name”"),
      ("<model><entity name=''/></model>", "1: an entity needs “name”"),
      (
        "<model><entity name='E'>\n<attribute attributeType='String'/></entity></model>",
        "2: E: an attribute needs “name”"
      ),
      (
        "<model><entity name='E'><attribute name='a' attributeType='Integer64'/></entity></model>",
        "1: E.a: “Integer64” is not an attribute type, as “attributeType” must be; did you mean “Integer 64”?"
      ),
      (
        "<model><entity name='E'><attribute name='a' optional='MAYBE'/></entity></model>",
        "1: E.a: “MAYBE” is not YES or NO, as “optional” must be"
      ),
      (
        "<model><entity name='E'><attribute name='a' defaultDateTimeInterval='soon'/></entity></model>",
        "E.a: “soon” is not a number"
      ),
      (
        "<model><entity name='E'><attribute name='a' attributeType='Composite'/></entity></model>",
        "E.a: an attribute needs “composite”"
      ),
      (
        "<model><entity name='E'><relationship name='r'/></entity></model>",
        "E.r: a relationship needs “destinationEntity”"
      ),
      (
        "<model><entity name='E'><relationship name='r' destinationEntity='E' deletionRule='Cascad'/></entity></model>",
        "E.r: “Cascad” is not a deletion rule, as “deletionRule” must be; did you mean “Cascade”?"
      ),
    ])
  func malformed(xml: String, message: String) {
    #expect(failure { try Model(coreDataXML: Data(xml.utf8)) }.contains(message))
  }

  @Test("deep nesting is refused")
  func deepNesting() {
    let xml = "<model>" + String(repeating: "<a>", count: 10_000) + String(repeating: "</a>", count: 10_000)
    #expect(failure { try Model(coreDataXML: Data(xml.utf8)) }.contains("nested more than 64 deep"))
  }

  @Test("bytes that are not UTF-8 are refused", arguments: [[0x3C, 0xFF, 0x3E], [0xFF, 0xFE, 0x3C, 0x00]])
  func notUTF8(bytes: [UInt8]) {
    #expect(failure { try Model(coreDataXML: Data(bytes)) }.contains("not valid UTF-8"))
  }

  @Test("names are only names", arguments: [#"Robert"); DROP TABLE "x"#, "a'b", "Order", "../../etc", "é 😀"])
  func oddNames(name: String) throws {
    let model = Model(entities: [Entity(name: name, attributes: [Attribute(name: name, type: .string)])])
    #expect(try Model(coreDataXML: Data(model.coreDataXML().utf8)) == model)
    #expect(try Model(json: Data(model.json().utf8)) == model)
  }

  @Test("what a file says can't reach the terminal as control characters, and is shortened")
  func messagesAreTame() {
    let name = "\\u001b[31m" + String(repeating: "x", count: 1000)
    let message = failure { try Model(json: Data(#"{"entities": [{"name": "\#(name)", "x": 1}]}"#.utf8)) }
    #expect(!message.unicodeScalars.contains("\u{1B}"))
    #expect(message.count < 500)
  }

  @Test("whatever bytes are damaged, a file is read or refused, and what is read can be written")
  func damaged() throws {
    var random = Seeded(state: 42)
    for original in [Data(RoundTripTests.everything.utf8), Data(JSONFormTests.bands.json().utf8)] {
      for _ in 0..<(Seeds.isLong ? 1500 : 300) {
        var data = original
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let index = data.indices.randomElement(using: &random) ?? 0
          switch Int.random(in: 0..<4, using: &random) {
          case 0: data[index] = UInt8.random(in: 0...255, using: &random)
          case 1: data.remove(at: index)
          case 2: data = data.prefix(index + 1)
          default: data[index] = Data("<>\"'&;/={}[],:-0".utf8).randomElement(using: &random) ?? 0
          }
        }
        guard let model = (try? Model(coreDataXML: data)) ?? (try? Model(json: data)) else { continue }
        _ = model.problems()
        #expect(try Model(json: Data(model.json().utf8)) == model)
        let written = try Model(coreDataXML: Data(model.coreDataXML().utf8))
        #expect(try Model(coreDataXML: Data(written.coreDataXML().utf8)) == written)
      }
    }
  }
}
