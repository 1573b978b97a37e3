import Foundation
import Testing

/// SQL, statements and GRDB stay in the folders that the architecture gives them.
@Suite struct WallTests {
  /// What only an engine may mention.
  private static let words = [
    "import GRDB", "sqlite3_", "PreparedStatement", "QueryBuilder", "SQL.quoted", "SQL.literal",
    ".prepare(\"", "SELECT ", "INSERT INTO", "DELETE FROM",
  ]

  /// Where SQL is at home, or is what a program writes itself.
  private static let homes = [
    "Sources/ObjectStore/SQLite/", "Sources/BrokerCore/Queries/SQL/",
  ]

  @Test func onlyTheEngineKnowsSQL() throws {
    for file in Repository.files(in: "Sources", ".swift") where !Self.homes.contains(where: file.hasPrefix) {
      let code = try Repository.text(file).split(separator: "\n")
        .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
      for word in Self.words {
        #expect(!code.contains { $0.contains(word) }, "\(file) mentions \(word)")
      }
    }
  }

  @Test func theStoreKnowsNoJSON() throws {
    for file in Repository.files(in: "Sources/ObjectStore", ".swift") {
      #expect(try !Repository.text(file).contains("import JSONStream"), "\(file)")
    }
  }
}
