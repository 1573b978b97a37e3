import Foundation
import ObjectModel
import Testing

/// Files that would end the parsers of Foundation.
@Suite("Files that parsers cannot read")
struct UnreadableFileTests {
  @Test(
    "processing instructions mean nothing to a model",
    arguments: [
      "<?x?><model/>", "<model><?x?></model>", "<?xml version='1.0'?><?x ?><model/>", "<model/><?x?>",
      "<?xml-stylesheet href='a'?><model/>", "<model><!-- <?x?> --></model>", "<model><?x?", "<?x?>", "<?",
      "<model><![CDATA[<?x?>]]></model>", "\u{FEFF}<?xml version='1.0'?><model/>",
    ])
  func instructions(_ xml: String) {
    let isWhole = xml.hasSuffix(">") && xml != "<?x?>"
    let model = try? Model(coreDataXML: Data(xml.utf8))
    #expect((model != nil) == isWhole)
  }

  @Test("the line of what comes behind an instruction of several lines")
  func lines() {
    let error = #expect(throws: ModelError.self) {
      try Model(coreDataXML: Data("<model><?x\n\n y?>\n<entity/></model>".utf8))
    }
    #expect(error?.line == 4)
  }

  @Test("200,000 attributes of an element are refused at once")
  func attributes() {
    let attributes = (0..<200_000).map { "a\($0)='1' " }.joined()
    let error = #expect(throws: ModelError.self) {
      try Model(coreDataXML: Data("<model>\n<entity name='E' \(attributes)/></model>".utf8))
    }
    #expect(error?.description == "2: an element has more than 1000 attributes, which no model needs")
  }

  @Test(
    "an .xccurrentversion that is nested is not handed over",
    arguments: [
      "<?xml version='1.0'?><plist version='1.0'>" + String(repeating: "<array>", count: 10_000),
      String(repeating: "<array>", count: 4_000), String(repeating: "(", count: 10_000),
      String(repeating: "{a=", count: 10_000), "bplist00" + String(repeating: "\u{1}", count: 100),
      String(repeating: " ", count: 100_000),
    ])
  func currentVersion(_ text: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).xcdatamodeld")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appending(path: "A.xcdatamodel"), withIntermediateDirectories: true)
    try Data("<model/>".utf8).write(to: folder.appending(path: "A.xcdatamodel/contents"))
    try Data(text.utf8).write(to: folder.appending(path: ".xccurrentversion"))
    let error = #expect(throws: ModelError.self) { try Model(contentsOf: folder) }
    #expect(error?.description.contains(".xccurrentversion is not a property list") == true)
  }
}
