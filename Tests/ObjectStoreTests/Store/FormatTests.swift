import Foundation
import ObjectModel
import ObjectStore
import Testing

/// Stores that a newer version of Broker has written.
@Suite("Formats", .onSQLite("about the format of files")) struct FormatTests {
  private func store(_ directory: TemporaryDirectory, format: String, readable: String? = nil) throws {
    let store = try Store(path: directory.path, model: model)
    try store.transaction { _ in ((), .commit) }
    try store.write("UPDATE broker_store SET value = '\(format)' WHERE key = 'format'")
    if let readable { try store.write("INSERT INTO broker_store VALUES ('readable', '\(readable)')") }
    try store.close()
  }

  private let model: Model = {
    var entity = Entity(name: "Band")
    entity.attributes = [Attribute(name: "id", type: .integer64)]
    return Model(entities: [entity])
  }()

  @Test("one that has only added something can be read, and not written")
  func added() throws {
    let directory = try TemporaryDirectory()
    try store(directory, format: "2", readable: "1")
    #expect(try Store(path: directory.path, access: .readOnly).model == model)
    let error = #expect(throws: StoreError.self) { try Store(path: directory.path) }
    #expect(error?.description.contains("(format 2). It can be read, and not written.") == true)
  }

  @Test("another one is refused")
  func another() throws {
    let directory = try TemporaryDirectory()
    try store(directory, format: "2")
    for access in [Store.Access.readOnly, .readWrite] {
      let error = #expect(throws: StoreError.self) { try Store(path: directory.path, access: access) }
      #expect(error?.description.contains("was written by a newer version of Broker (format 2)") == true)
    }
  }
}
