import Foundation
import Testing

@testable import ObjectStore

/// Entries of the journal, made of the columns of their rows.
@Suite struct JournalEntryTests {
  private func entry(kind: String, properties: String) throws -> JournalEntry {
    try JournalEntry(
      entity: "Band", key: "Japan", kind: kind, properties: Data(properties.utf8), revision: 3, isSent: true,
      former: "Bamboo")
  }

  @Test func readableRows() throws {
    let entry = try entry(kind: "updated", properties: #"{"formed": 2}"#)
    #expect(entry.kind == .updated)
    #expect(entry.properties == ["formed": 2])
    #expect(entry.revision == 3 && entry.isSent && entry.former == "Bamboo")
  }

  @Test(arguments: [
    ("moved", "{}"), ("updated", #"{"formed": 2"#), ("updated", #"["formed"]"#), ("updated", ""),
  ])
  func unreadableRowsAreErrorsThatNameThem(_ kind: String, _ properties: String) {
    let error = #expect(throws: StoreError.self) { try entry(kind: kind, properties: properties) }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("The local change of Band Japan cannot be read: the "), "\(text)")
    #expect(text.contains("in its row of the table broker_changes"), "\(text)")
  }
}
