import CoreDataMaker
import Foundation
import ObjectModel
import Testing

@Suite("Compiled models")
struct CompiledModelTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func compiled(_ entity: String) -> Data {
    Data(ModelArchiver.compiled(Model(entities: [Entity(name: entity)])))
  }

  /// A bundle whose versions each have one entity, named after the version.
  private func bundle(versions: [String], current: String?) throws -> URL {
    for version in versions { try directory.write(compiled(version), to: "M.momd/\(version).mom") }
    if let current {
      let hashes = versions.map {
        ($0, PropertyListTree.dictionary([($0, .data([1, 2, UInt8($0.utf8.count)]))]))
      }
      let info: PropertyListTree = .dictionary([
        ("NSManagedObjectModel_CurrentVersionName", .string(current)),
        ("NSManagedObjectModel_VersionHashes", .dictionary(hashes)),
      ])
      try directory.write(Data(BinaryPropertyListWriter.bytes(of: info)), to: "M.momd/VersionInfo.plist")
    }
    return directory.url.appendingPathComponent("M.momd")
  }

  private func names(_ url: URL) throws -> [String] { try Model(contentsOf: url).entities.map(\.name) }

  @Test("a .mom file, also as XML")
  func file() throws {
    let binary = try directory.write(compiled("Binary"), to: "B.mom")
    #expect(try names(binary) == ["Binary"])
    let tree = ModelArchiver.archive(Model(entities: [Entity(name: "Text")]))
    let xml = try directory.write(Data(XMLPropertyListText.bytes(of: tree)), to: "X.mom")
    #expect(try names(xml) == ["Text"])
    // The bytes tell it too.
    let other = try directory.write(compiled("Other"), to: "model.bin")
    #expect(try names(other) == ["Other"])
  }

  @Test("a bundle's current version need not be the last")
  func currentVersion() throws {
    #expect(try names(bundle(versions: ["M", "M 2", "M 3"], current: "M 2")) == ["M 2"])
  }

  @Test("the only version is current; of several, one has to be named")
  func withoutVersionInfo() throws {
    #expect(try names(bundle(versions: ["M"], current: nil)) == ["M"])
    let url = try bundle(versions: ["M", "M 2"], current: nil)
    #expect(
      failure { try Model(contentsOf: url) }.contains(
        "no VersionInfo.plist that names one: “M 2.mom”, “M.mom”"))
    #expect(try names(url.appendingPathComponent("M 2.mom")) == ["M 2"])
  }

  @Test("a bundle that is broken, empty or leads elsewhere")
  func broken() throws {
    let url = try bundle(versions: ["M"], current: "../N")
    #expect(failure { try Model(contentsOf: url) }.contains("VersionInfo.plist names “../N”"))
    try directory.write("<dict>", to: "M.momd/VersionInfo.plist")
    #expect(failure { try Model(contentsOf: url) }.contains("VersionInfo.plist can't be read"))
    let empty = directory.url.appendingPathComponent("Empty.momd")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    #expect(failure { try Model(contentsOf: empty) }.contains("contains no .mom"))
    let outside = try directory.write(compiled("Outside"), to: "Outside.mom")
    let link = directory.url.appendingPathComponent("L.momd/L.mom")
    try FileManager.default.createDirectory(
      at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside)
    #expect(
      failure { try Model(contentsOf: link.deletingLastPathComponent()) }.contains("leads out of the model"))
  }

  @Test("what is no compiled model says so")
  func others() throws {
    let optimized = try directory.write("anything", to: "M.omo")
    #expect(failure { try Model(contentsOf: optimized) }.contains("use the .mom file beside it"))
    let broken = try directory.write("bplist00", to: "M.mom")
    #expect(
      failure { try Model(contentsOf: broken) }.contains(
        "no archive of a Core Data model: expected more than 40"))
    let text = try directory.write("hello", to: "T.mom")
    #expect(failure { try Model(contentsOf: text) }.contains("no archive of a Core Data model"))
  }

  @Test("the hashes of all versions")
  func hashes() throws {
    let hashes = try CompiledModelBundle(bundle(versions: ["M", "M 2"], current: "M")).versionHashes()
    #expect(hashes == ["M": ["M": [1, 2, 1]], "M 2": ["M 2": [1, 2, 3]]])
  }
}
