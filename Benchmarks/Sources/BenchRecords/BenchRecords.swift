import ArgumentParser
import Foundation
import GRDB

/// What a Swift programmer would write: `JSONDecoder`, and a record for each row.
@main
struct BenchRecords: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-records", abstract: "Import with JSONDecoder and GRDB's records.",
    discussion: "bench-records flat flat.json flat.sqlite")

  enum Shape: String, ExpressibleByArgument, CaseIterable {
    case flat, departments
  }

  @Argument(help: "What the JSON holds.")
  var shape: Shape

  @Argument(help: "The JSON file.")
  var json: String

  @Argument(help: "The database to make.")
  var database: String

  func run() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: json))
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let pool = try DatabasePool(path: database)
    switch shape {
    case .flat:
      let people = try decoder.decode([Person].self, from: data)
      try pool.write { db in
        try Person.createTable(db)
        for person in people { try person.upsert(db) }
      }
    case .departments:
      let departments = try decoder.decode([DepartmentJSON].self, from: data)
      try pool.write { db in
        try DepartmentJSON.createTables(db)
        for department in departments { try department.upsert(db) }
      }
    }
  }
}
