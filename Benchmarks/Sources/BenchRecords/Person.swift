import Foundation
import GRDB

struct Person: Codable, PersistableRecord {
  var id: Int64
  var name: String
  var email: String
  var age: Int
  var score: Double
  var active: Bool
  var bio: String
  var created: Date

  static func createTable(_ db: Database) throws {
    try db.create(table: "person") { table in
      table.primaryKey("id", .integer)
      table.column("name", .text)
      table.column("email", .text)
      table.column("age", .integer)
      table.column("score", .double)
      table.column("active", .boolean)
      table.column("bio", .text)
      table.column("created", .datetime)
    }
  }
}
