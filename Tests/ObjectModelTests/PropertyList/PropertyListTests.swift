import CoreDataMaker
import Foundation
import ObjectModel
import Testing

@Suite("Property lists")
struct PropertyListTests {
  private static let everything: PropertyListTree = .dictionary([
    ("text", .string("plain")), ("wide", .string("smörgås \u{1F41F}")), ("empty", .string("")),
    ("small", .integer(7)), ("word", .integer(300)), ("long", .integer(1 << 40)), ("negative", .integer(-5)),
    ("least", .integer(.min)), ("unsigned", .unsigned(.max)), ("half", .real(0.5)), ("yes", .boolean(true)),
    ("no", .boolean(false)), ("date", .date(86_400)), ("data", .data(Array(0...40))),
    ("list", .array((0..<20).map { .integer($0) })), ("nothing", .array([])),
    ("inside", .dictionary([("a", .array([.dictionary([("b", .uid(300))])]))])),
  ])

  @Test("both forms have the same values", arguments: [true, false])
  func everything(isBinary: Bool) throws {
    let bytes =
      isBinary
      ? BinaryPropertyListWriter.bytes(of: Self.everything) : XMLPropertyListText.bytes(of: Self.everything)
    let members = try #require(try PropertyList(bytes).root.dictionary)
    #expect(members.count == 17)
    #expect(members["text"]?.text == "plain")
    #expect(members["wide"]?.text == "smörgås \u{1F41F}")
    #expect(members["empty"]?.text == "")
    let integers = ["small", "word", "long", "negative", "least"].map { members[$0]?.integer }
    #expect(integers == [7, 300, 1 << 40, -5, .min])
    guard case .unsigned(.max)? = members["unsigned"], case .real(0.5)? = members["half"],
      case .boolean(true)? = members["yes"], case .boolean(false)? = members["no"],
      case .date(86_400)? = members["date"]
    else {
      Issue.record("scalars")
      return
    }
    #expect(members["data"]?.data.map { Array($0) } == Array(0...40))
    #expect(members["list"]?.array?.compactMap(\.integer) == Array(0..<20))
    #expect(members["nothing"]?.array?.count == 0)
    guard case .uid(300)? = members["inside"]?.dictionary?["a"]?.array?.first?.dictionary?["b"] else {
      Issue.record("reference")
      return
    }
    #expect(members["missing"] == nil)
  }

  @Test(
    "what Foundation writes is read", arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func foundation(format: PropertyListSerialization.PropertyListFormat) throws {
    let list: [String: Any] = [
      "text": "a & <b>", "wide": "ü", "number": 12, "real": 0.25, "flag": true,
      "date": Date(timeIntervalSinceReferenceDate: 3600), "data": Data([1, 2, 3]), "list": ["x", "y"],
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
    let members = try #require(try PropertyList([UInt8](data)).root.dictionary)
    #expect(members["text"]?.text == "a & <b>")
    #expect(members["wide"]?.text == "ü")
    #expect(members["number"]?.integer == 12)
    #expect(members["real"]?.number == 0.25)
    #expect(members["data"]?.data.map { Array($0) } == [1, 2, 3])
    #expect(members["list"]?.array?.compactMap(\.text) == ["x", "y"])
    guard case .date(3600)? = members["date"], case .boolean(true)? = members["flag"] else {
      Issue.record("date or flag")
      return
    }
  }

  // MARK: - XML

  private func root(_ xml: String) throws -> PropertyListValue { try PropertyList(Array(xml.utf8)).root }

  @Test("texts of XML: entities, numbers of characters, CDATA, comments")
  func texts() throws {
    #expect(try root("<string>a&amp;&lt;&#65;&#x1F41F;</string>").text == "a&<A\u{1F41F}")
    #expect(try root("<plist><string>a<![CDATA[<b>&]]>c</string></plist>").text == "a<b>&c")
    #expect(try root("\u{FEFF}<?xml version='1.0'?><!-- a --><string>a<!-- b -->c</string>").text == "ac")
    #expect(try root("<string/>").text == "")
    #expect(try root("<integer> 0x1F </integer>").integer == 31)
    #expect(try root("<array><true/><true></true></array>").array?.count == 2)
    #expect(try root("<real>-Infinity</real>").number == -.infinity)
    #expect(try root("<dict/>").dictionary?.count == 0)
  }

  @Test(
    "dates of XML are those of Foundation",
    arguments: [
      "2001-01-01T00:00:00Z", "2024-02-29T23:59:59Z", "1900-03-01T12:00:00Z",
    ])
  func dates(_ text: String) throws {
    guard case .date(let seconds) = try root("<date>\(text)</date>") else {
      Issue.record("no date")
      return
    }
    #expect(try Date(text, strategy: .iso8601).timeIntervalSinceReferenceDate == seconds)
  }

  @Test(
    "XML that is no property list says where and why",
    arguments: [
      ("", "expected a value, found the end of the file"), ("<dict>", "expected an end tag"),
      ("<dict><string>a</string></dict>", "byte 6: expected a <key>, found <string>"),
      ("<dict><key>a</key></dict>", "expected a value for each key"),
      ("<dict><key>a</key><key>b</key></dict>", "expected the value of a key"),
      ("<array><key>a</key></array>", "expected a value, found <key>"),
      ("<array></dict>", "expected </array>, found </dict>"), ("<true/><true/>", "expected one value"),
      ("<integer>1.5</integer>", "expected an integer of 64 bits, found “1.5”"),
      ("<integer>99999999999999999999</integer>", "an integer of 64 bits"), ("<real>x</real>", "a number"),
      ("<date>2001-13-01T00:00:00Z</date>", "a date such as"), ("<data>***</data>", "Base64"),
      ("<string>&boom;</string>", "expected an entity of XML, found “&boom;”"),
      ("<string>&#xD800;</string>", "entity"), ("<string>a", "expected </string>"),
      ("<string><b/></string>", "expected </string>, found <b/>"),
      ("<model/>", "an element of a property list"),
      ("<!DOCTYPE plist [<!ENTITY a 'b'>]><true/>", "declarations, which are not read"),
      ("<!DOCTYPE plist", "“>”"), ("text", "expected a tag"), ("<", "the name of an element"),
      ("<plist><true/>", "an end tag"), ("</plist>", "an element of a property list"), ("<!-- a", "“-->”"),
      ("<plist></plist><true/><plist>", "an element"),
    ])
  func brokenXML(xml: String, cause: String) {
    let message = failure { try root(xml) }
    #expect(message.contains(cause), "\(message)")
  }

  @Test("nesting costs what it takes to write")
  func deepXML() throws {
    let depth = 200_000
    let xml = String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
    #expect(try root(xml).array?.count == 1)
    #expect(failure { try root(String(repeating: "<array>", count: depth)) }.contains("an end tag"))
  }

  // MARK: - The binary form by hand

  /// A file of objects and a trailer, with offsets and references of one byte.
  private func binary(
    _ objects: [[UInt8]], top: UInt8 = 0, offsets: [UInt8]? = nil, count: UInt8? = nil
  ) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var places: [UInt8] = []
    for object in objects {
      places.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets ?? places
    func long(_ number: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, number] }
    let number = count ?? UInt8(objects.count)
    return bytes + [0, 0, 0, 0, 0, 0, 1, 1] + long(number) + long(top) + long(table)
  }

  @Test(
    "binary lists that are broken say where and why",
    arguments: [
      ([[0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], "elements of 1 bytes"),
      ([[0x5F, 0x12, 0x3B, 0x9A, 0xCA, 0x00]], "expected 1000000000 elements of 1 bytes, found 0 bytes"),
      ([[0xAF, 0x12, 0x3B, 0x9A, 0xCA, 0x00]], "expected 1000000000 elements of 1 bytes"),
      ([[0x6F, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0]], "a count below 2 to the power of 63"),
      ([[0xAF, 0x22]], "a count as an integer"),
      ([[0xA1, 0x05]], "expected the number of one of 1 objects, found 5"),
      ([[0xD1, 0x01, 0x01], [0x09]], "expected texts for the keys"),
      ([[0x13, 0x01]], "expected 8 bytes, found 1"), ([[0x15]], "an integer of 1 to 16 bytes"),
      ([[0x24, 0, 0, 0, 0]], "a real number"), ([[0xF0]], "the marker of an object, found 0xf0"),
      ([[0x0F]], "the marker of an object"),
      ([[0x14, 1] + [UInt8](repeating: 0, count: 15)], "an integer of 64 bits"),
      ([[0x8F] + [UInt8](repeating: 1, count: 16)], "a reference of at most 63 bits"),
    ] as [([[UInt8]], String)])
  func brokenBinary(objects: [[UInt8]], cause: String) {
    let message = failure { try PropertyList(binary(objects)).root }
    #expect(message.contains(cause), "\(message)")
  }

  @Test("trailers that are broken")
  func trailers() {
    let fine = binary([[0x09]])
    #expect(failure { try PropertyList(fine) }.isEmpty)
    for count in 0..<fine.count {
      #expect(failure { try PropertyList(Array(fine[..<count])) } != "")
    }
    #expect(
      failure { try PropertyList(binary([[0x09]], top: 1)) }.contains("expected the number of one of 1"))
    #expect(
      failure { try PropertyList(binary([[0x09]], count: 2)) }.contains("expected 1 to 1 objects, found 2"))
    #expect(
      failure { try PropertyList(binary([[0x09]], count: 0)) }.contains("expected 1 to 1 objects, found 0"))
    #expect(failure { try PropertyList(binary([[0x09]], offsets: [7])) }.contains("between 8 and 9"))
    #expect(failure { try PropertyList(binary([[0x09]], offsets: [9])) }.contains("between 8 and 9"))
    #expect(failure { try PropertyList(Array("bplist15".utf8) + fine[8...]) }.contains("version 00"))
    for place in [fine.count - 26, fine.count - 25] {
      var bytes = fine
      bytes[place] = 9
      #expect(failure { try PropertyList(bytes) }.contains("a size of 1 to 8 bytes, found 9"))
    }
  }

  @Test("objects that share their bytes are refused: what is read stays as long as the file")
  func overlaps() {
    // A thousand objects that are one array of a thousand elements.
    let count = 1_000
    var bytes = Array("bplist00".utf8) + [0xAF, 0x11, UInt8(count >> 8), UInt8(count & 0xFF)]
    bytes += [UInt8](repeating: 0, count: 2 * count)
    let table = bytes.count
    for _ in 0..<count { bytes += [0, 8] }
    func long(_ number: Int) -> [UInt8] {
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    bytes += [0, 0, 0, 0, 0, 0, 2, 2] + long(count) + long(0) + long(table)
    #expect(failure { try PropertyList(bytes) }.contains("object 1 overlaps others"))
  }
}
