import CoreDataMaker
import Foundation
import JSONStream
import Mapping
import ObjectModel
import ObjectStore
import Testing

/// Values in files of their own, where the model does not say that there are any.
@Suite struct ExternalTests {
  private static let name = "5B2C7F2E-0F4A-4C5B-9A51-0123456789AB"

  /// Two bands with photos, and a model without the flag.
  private func fixture(_ first: StoreValue, _ second: StoreValue) throws -> CoreDataFixture {
    var contents = Bands.contents { objects in
      objects = [
        StoreObject("Band", 1, ["name": .text("Japan"), "photo": first]),
        StoreObject("Band", 2, ["name": .text("Roxy Music"), "photo": second]),
      ]
    }
    for index in contents.model.entities[0].attributes.indices {
      contents.model.entities[0].attributes[index].other = [:]
    }
    return try CoreDataFixture(contents)
  }

  private func photos(_ fixture: CoreDataFixture) throws -> [JSONValue?] {
    let bands = try fixture.exported()["Band"]
    return ["Band/p1", "Band/p2"].map { bands?[$0]?["photo"] }
  }

  @Test func theValuesTell() throws {
    let fixture = try fixture(.dataInRow([7]), .dataInFile([9, 9], name: Self.name))
    let report = try fixture.run(try fixture.open())
    #expect(try photos(fixture) == ["Bw==", "CQk="])
    #expect(report.issues.isEmpty, "\(report.issues)")
    #expect(
      report.notes.contains(
        "Band.photo: 1 of its values is in .App_SUPPORT/_EXTERNAL_DATA, though the model does not say so"))
  }

  @Test func bytesCanBecomeFiles() throws {
    let fixture = try fixture(.dataInRow([7]), .dataInFile([9, 9], name: Self.name))
    var options = CoreDataStore.Options()
    options.externalFolder = fixture.folder.path("files")
    try fixture.run(try fixture.open([], options))
    #expect(try photos(fixture) == ["Band_p1-photo", .string(Self.name)])
  }

  @Test func missingFilesAreAnIssue() throws {
    let reference = [2] + Array(Self.name.utf8) + [0]
    let fixture = try fixture(.dataInRow([7]), .data(reference))
    let report = try fixture.run(try fixture.open())
    #expect(try photos(fixture) == ["AQc=", .string(Data(reference).base64EncodedString())])
    #expect(report.issues.map(\.path) == ["Band.photo"])
    #expect(report.issues.map(\.expected) == ["the files of its values in .App_SUPPORT/_EXTERNAL_DATA"])
    #expect(report.issues.map(\.found) == ["1 value that looks like names of files that are not there"])
    #expect(report.issues.map(\.action) == ["kept as they are"])
  }

  @Test func otherBytesStayAsTheyAre() throws {
    let fixture = try fixture(.data([3, 1]), .dataInFile([9, 9], name: Self.name))
    let report = try fixture.run(try fixture.open())
    #expect(try photos(fixture).first == "AwE=")
    #expect(report.issues.isEmpty)
  }

  @Test func aByteThatMayBeAMarkIsNoted() throws {
    let fixture = try fixture(.dataInRow([7]), .dataInRow([8]))
    let report = try fixture.run(try fixture.open())
    #expect(try photos(fixture) == ["AQc=", "AQg="])
    #expect(report.notes.contains { $0.hasPrefix("Band.photo: each of its 2 values begins with the byte 1") })
  }
}
