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
    "Sources/ObjectStore/SQLite/", "Sources/ObjectStore/SQL/", "Sources/PostgreSQLStore/",
    "Sources/BrokerCore/Queries/SQL/",
  ]

  @Test func onlyTheEngineKnowsSQL() throws {
    for file in Repository.files(in: "Sources", ".swift") where !Self.homes.contains(where: file.hasPrefix) {
      let code = try Repository.code(file)
      for word in Self.words {
        #expect(!code.contains { $0.contains(word) }, "\(file) mentions \(word)")
      }
    }
  }

  /// What only an engine, and what is made for it, may name: its own classes.
  private static let classes = [
    "SQLiteStore", "SQLiteTransaction", "RowWriter", "RowWriterState", "PreparedStatement",
  ]

  @Test func theMappingKnowsNoEngine() throws {
    for file in Repository.files(in: "Sources/Mapping", ".swift") {
      for line in try Repository.code(file) {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        for name in Self.classes {
          #expect(!words.contains { $0 == name }, "\(file) names \(name), which is SQLite's")
        }
      }
    }
  }

  @Test func theStoreKnowsNoJSON() throws {
    for file in Repository.files(in: "Sources/ObjectStore", ".swift") {
      #expect(try !Repository.text(file).contains("import JSONStream"), "\(file)")
    }
  }
}
