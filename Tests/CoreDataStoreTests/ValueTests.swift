import CoreDataMaker
import Foundation
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Each kind of value, and what cannot be used.
@Suite struct ValueTests {
  private func band(_ values: [String: StoreValue]) -> StoreContents {
    Bands.contents { objects in
      objects = [StoreObject("Band", 1, values.merging(["name": .text("Japan")]) { first, _ in first })]
    }
  }

  /// What an export has for an attribute, and the issues.
  private func result(
    _ attribute: String, _ value: StoreValue, _ options: CoreDataStore.Options = .init()
  ) throws -> (value: JSONValue?, issues: [ImportIssue]) {
    let fixture = try CoreDataFixture(band([attribute: value]))
    let report = try fixture.run(try fixture.open([], options))
    return (try fixture.exported()["Band"]?["Band/p1"]?[attribute], report.issues)
  }

  @Test(arguments: [
    ("formed", StoreValue.date(0), JSONValue.string("2001-01-01T00:00:00Z")),
    ("formed", .integer(86_400), "2001-01-02T00:00:00Z"), ("formed", .real(-0.5), "2000-12-31T23:59:59.5Z"),
    ("rating", .integer(12), .number("12")), ("rating", .real(0.1), .number("0.1")),
    ("rating", .text("1.50"), .number("1.5")), ("active", .integer(1), true), ("active", .integer(0), false),
    ("active", .integer(7), true), ("members", .integer(-3), -3), ("members", .real(4), 4),
    ("uid", .data(Array(0..<16)), "00010203-0405-0607-0809-0a0b0c0d0e0f"),
    ("photo", .dataInRow([1, 2, 3]), "AQID"), ("photo", .dataInFile([9, 9], name: "F00D"), "CQk="),
    ("photo", .dataInRow([]), ""), ("name", .integer(5), "5"),
  ])
  func valuesAreRead(attribute: String, stored: StoreValue, expected: JSONValue) throws {
    let (value, issues) = try result(attribute, stored)
    #expect(value == expected)
    #expect(issues.isEmpty, "\(issues)")
  }

  @Test(arguments: [
    ("formed", StoreValue.text("yesterday"), "seconds since 2001, in the years 0 to 9999"),
    ("formed", .real(1e300), "seconds since 2001, in the years 0 to 9999"),
    ("rating", .text("NaN"), "a decimal number"),
    ("members", .integer(70_000), "a whole number from -32768 to 32767"),
    ("members", .real(1.5), "a whole number from -32768 to 32767"),
    ("uid", .data([1, 2]), "16 bytes of a UUID"),
    (
      "photo", .data([2] + Array("../../etc/passwd".utf8) + [0]),
      "the name of a file in .App_SUPPORT/_EXTERNAL_DATA"
    ),
    ("photo", .data([2] + Array("GONE".utf8) + [0]), "the file .App_SUPPORT/_EXTERNAL_DATA/GONE"),
  ])
  func whatCannotBeUsedIsAnIssue(attribute: String, stored: StoreValue, expected: String) throws {
    let (value, issues) = try result(attribute, stored)
    #expect(value == .null)
    #expect(issues.map(\.path) == ["Band/p1.\(attribute)"])
    #expect(issues.map(\.expected) == [expected])
    #expect(issues.map(\.action) == ["value left out"])
    #expect(issues.map(\.identity) == ["Band/p1"])
  }

  @Test func archivesOfPlainValuesAreJSON() throws {
    var writer = ArchiveWriter()
    let root = writer.array([writer.text("a"), writer.text("b")])
    let (value, issues) = try result(
      "extra", .archive(BinaryPropertyListWriter.bytes(of: writer.archive(root: root))))
    #expect(value == ["a", "b"])
    #expect(issues.isEmpty)
  }

  @Test func otherArchivesAreKeptAsBytes() throws {
    var writer = ArchiveWriter()
    let root = PropertyListTree.uid(writer.object(["App.Color"], [("red", .real(0.5))]))
    let bytes = BinaryPropertyListWriter.bytes(of: writer.archive(root: root))
    let contents = Bands.contents { objects in
      objects = (1...3).map { StoreObject("Band", $0, ["name": .text("\($0)"), "extra": .archive(bytes)]) }
    }
    let fixture = try CoreDataFixture(contents)
    let report = try fixture.run(try fixture.open())
    #expect(
      try fixture.exported()["Band"]?["Band/p2"]?["extra"] == .string(Data(bytes).base64EncodedString()))
    // Once for the attribute, not for each object.
    #expect(report.issues.map(\.found) == ["an archive with App.Color, in 3 objects"])
    #expect(report.issues.map(\.path) == ["Band.extra"])
  }

  @Test func kindsOfValuesThatAreNotPlainAreCounted() throws {
    var writer = ArchiveWriter()
    let root = PropertyListTree.uid(writer.object(["App.Color"], [("red", .real(0.5))]))
    let color = BinaryPropertyListWriter.bytes(of: writer.archive(root: root))
    let values = [color, color, color, Array("{\"a\": 1}".utf8), Array("plain text".utf8), [0, 1, 2]]
    let contents = Bands.contents { objects in
      objects = values.enumerated().map { index, bytes in
        StoreObject("Band", Int64(index + 1), ["name": .text("\(index)"), "extra": .archive(bytes)])
      }
    }
    let fixture = try CoreDataFixture(contents)
    let report = try fixture.run(try fixture.open())
    #expect(
      report.issues.map(\.found) == [
        "an archive with App.Color, in 3 objects; text that is no property list, in 2 objects;"
          + " bytes that are no property list, in 1 object"
      ])
  }

  private func archive(_ make: (inout ArchiveWriter) -> PropertyListTree) -> StoreValue {
    var writer = ArchiveWriter()
    let root = make(&writer)
    return .archive(BinaryPropertyListWriter.bytes(of: writer.archive(root: root)))
  }

  @Test func numbersThatJSONCannotHaveAreTold() throws {
    let value = archive { writer in
      let numbers = [Double.nan, .infinity, 1.5].map { PropertyListTree.uid(writer.add(.real($0))) }
      return writer.array(numbers)
    }
    let (found, issues) = try result("extra", value)
    #expect(found == [.null, .null, .number("1.5")])
    #expect(issues.map(\.path) == ["Band.extra"])
    #expect(issues.map(\.found) == ["NaN or an infinite number in an archive, in 1 object"])
    #expect(issues.map(\.action) == ["null in its place"])
  }

  @Test func ofEqualKeysTheLastOneCounts() throws {
    let value = archive { writer in
      let texts = ["k", "other", "k"].map { writer.text($0) }
      return .uid(
        writer.object(
          ["NSDictionary"],
          [("NS.keys", .array(texts)), ("NS.objects", .array(["a", "b", "c"].map { writer.text($0) }))]))
    }
    let (found, issues) = try result("extra", value)
    #expect(found == ["other": "b", "k": "c"])
    #expect(issues.isEmpty)
  }

  @Test func datesInArchivesAreISO8601() throws {
    let value = archive { writer in
      writer.array([.uid(writer.object(["NSDate"], [("NS.time", .real(0.5))]))])
    }
    #expect(try result("extra", value).value == ["2001-01-01T00:00:00.5Z"])
  }

  @Test func aRequiredPropertyWithoutAColumnBecomesOptional() throws {
    let fixture = try CoreDataFixture(Bands.contents)
    try SQLiteFile(fixture.path).run("ALTER TABLE ZALBUM DROP COLUMN ZTITLE")
    let report = try fixture.run(try fixture.open())
    #expect(report.inserted["Album"] == 2)
    #expect(report.issues.isEmpty, "\(report.issues)")
    #expect(
      report.notes.contains("Album.title is required by the model and has no column: it is optional now"))
  }

  @Test func bytesCanBecomeFiles() throws {
    let folder = try TemporaryFolder()
    var options = CoreDataStore.Options()
    options.externalFolder = folder.path("files")
    let (first, _) = try result("photo", .dataInRow([1, 2, 3]), options)
    #expect(first == "Band_p1-photo")
    #expect(FileManager.default.contents(atPath: folder.path("files/Band_p1-photo")) == Data([1, 2, 3]))
    let (second, _) = try result("photo", .dataInFile([9], name: "F00D"), options)
    #expect(second == "F00D")
    #expect(FileManager.default.contents(atPath: folder.path("files/F00D")) == Data([9]))
  }

  @Test func aRequiredPropertyThatIsEmptyBecomesOptional() throws {
    let fixture = try CoreDataFixture(Bands.contents { $0[1].values["name"] = .null })
    let source = try fixture.open()
    let report = try fixture.run(source)
    #expect(report.inserted["Band"] == 2)
    #expect(
      report.notes.contains { $0.hasPrefix("Band.name is required by the model and empty in 1 object") })
    #expect(source.declaredModel[entity: "Band"]?[attribute: "name"]?.isOptional == false)
  }
}
