import Broker
import Foundation
import GRDB

/// Predicates through relationships, beside the SQL that a person would write.
struct Relating {
  let staff: StaffStore
  let rounds: Int

  private static let employee = #"SELECT "id", "name", "salary", "department" FROM "Employee""#

  func run() async throws {
    try await contest(
      "department.city == …", Employee.filter(format: "department.city == 'City 7'").limit(1_000),
      Self.employee + #" WHERE "department" IN (SELECT "name" FROM "Department" WHERE "city" = 'City 7')"#
        + #" ORDER BY "id" LIMIT 1000"#)
    try await contest(
      "department.name == …", Employee.filter(format: "department.name == 'Department 7'"),
      Self.employee
        + #" WHERE "department" IN (SELECT "name" FROM "Department" WHERE "name" = 'Department 7')"#
        + #" ORDER BY "id""#)
    try await contest(
      "ANY skills.name == …", Employee.filter(format: "ANY skills.name == 'Skill 7'"),
      Self.employee
        + #" WHERE "id" IN (SELECT "employees" FROM "Employee_skills" WHERE "skills" = 'Skill 7')"#
        + #" ORDER BY "id""#)
    try await contest(
      "ANY employees.department.name == …",
      Skill.filter(format: "ANY employees.department.name == 'Department 7'"),
      """
      SELECT "name", "level" FROM "Skill" WHERE "name" IN (SELECT "skills" FROM "Employee_skills"
      JOIN "Employee" ON "id" = "employees" WHERE "department" = 'Department 7') ORDER BY "name"
      """)
    try await contest(
      "NOT department.name == …, counted",
      counting: Employee.filter(format: "NOT department.name == 'Department 7'"),
      """
      SELECT count(*) FROM "Employee" WHERE "department" IS NULL
      OR "department" NOT IN (SELECT "name" FROM "Department" WHERE "name" = 'Department 7')
      """)
    try await contest(
      "employees.@count > 249", Department.filter(format: "employees.@count > 249"),
      """
      SELECT "name", "city", "budget" FROM "Department" d
      WHERE (SELECT count(*) FROM "Employee" WHERE "department" = d."name") > 249 ORDER BY "name"
      """)
    try await contest(
      "sorted by department.city", Employee.filter(format: "salary < 1000").sorted(byName: "department.city"),
      """
      SELECT e."id", e."name", e."salary", e."department" FROM "Employee" e
      LEFT JOIN "Department" d ON d."name" = e."department" WHERE e."salary" < 1000 ORDER BY d."city", e."id"
      """)
  }

  private func contest<Root: Storable>(_ name: String, _ query: Query<Root>, _ sql: String) async throws {
    let expected = try await staff.peer.read { try Row.fetchAll($0, sql: sql).count }
    try await Contest(name: name, unit: "query", count: 1, limit: 1.5).run(rounds: rounds) {
      let found = try await staff.store.fetch(query)
      precondition(found.count == expected && expected > 0)
    } against: {
      let found = try await staff.peer.read { try StaffRecord.fetchAll($0, sql: sql) }
      precondition(found.count == expected)
    }
  }

  private func contest<Root: Storable>(
    _ name: String, counting query: Query<Root>, _ sql: String
  ) async throws {
    let expected = try await staff.peer.read { try Int.fetchOne($0, sql: sql) }
    try await Contest(name: name, unit: "query", count: 1, limit: 1.5).run(rounds: rounds) {
      let found = try await staff.store.count(query)
      precondition(found == expected)
    } against: {
      _ = try await staff.peer.read { try Int.fetchOne($0, sql: sql) }
    }
  }
}

/// The first columns of any of the tables.
struct StaffRecord: FetchableRecord {
  let key: DatabaseValue
  let second: DatabaseValue
  let third: DatabaseValue?
  let fourth: DatabaseValue?

  init(row: Row) {
    key = row[0]
    second = row[1]
    third = row.count > 2 ? row[2] : nil
    fourth = row.count > 3 ? row[3] : nil
  }
}

/// Fetching what a relationship leads to along with 100,000 objects, and deleting 30,000.
struct Moving {
  let staff: StaffStore
  let rounds: Int

  func run() async throws {
    try await prefetch()
    try await delete()
    try await deleteAtOnce()
    try await update()
  }

  /// Runs a change of the store and undoes it.
  private func undone(_ change: @Sendable (WriteTransaction) throws -> Int) async throws {
    do {
      try await staff.store.write { transaction in
        let count = try change(transaction)
        precondition(count == 30_000)
        throw Undone()
      }
    } catch is Undone {}
  }

  private func undone(_ statements: [String]) async throws {
    do {
      try await staff.peer.write { database in
        for sql in statements { try database.execute(sql: sql) }
        precondition(database.changesCount == 30_000)
        throw Undone()
      }
    } catch is Undone {}
  }

  private func deleteAtOnce() async throws {
    try await Contest(name: "delete 30,000, beside two statements", unit: "object", count: 30_000, limit: 1.5)
      .run(rounds: rounds) {
        try await undone { try $0.delete(Employee.filter(format: "id <= 30000")) }
      } against: {
        try await undone([
          #"DELETE FROM "Employee_skills" WHERE "employees" IN (SELECT "id" FROM "Employee" WHERE "id" <= 30000)"#,
          #"DELETE FROM "Employee" WHERE "id" <= 30000"#,
        ])
      }
  }

  private func update() async throws {
    try await Contest(name: "update 30,000, beside a statement", unit: "object", count: 30_000, limit: 1.5)
      .run(
        rounds: rounds
      ) {
        try await undone {
          try $0.update(Employee.filter(format: "id <= 30000"), set: \.salary, to: 1_000_000)
        }
      } against: {
        try await undone([#"UPDATE "Employee" SET "salary" = 1000000 WHERE "id" <= 30000"#])
      }
  }

  private func prefetch() async throws {
    let query = try Employee.filter(format: "id <= 100000").prefetching(\.department)
    let sql = """
      SELECT e."id", e."name", e."salary", e."department", d."city", d."budget" FROM "Employee" e
      LEFT JOIN "Department" d ON d."name" = e."department" WHERE e."id" <= 100000 ORDER BY e."id"
      """
    try await Contest(name: "100,000 with their department", unit: "object", count: 100_000, limit: 2).run(
      rounds: rounds
    ) {
      let found = try await staff.store.fetch(query)
      precondition(found.count == 100_000 && found[7].department?.object != nil)
    } against: {
      let found = try await staff.peer.read { try EmployeeRecord.fetchAll($0, sql: sql) }
      precondition(found.count == 100_000)
    }
  }

  private func delete() async throws {
    try await Contest(name: "delete 30,000, their links too", unit: "object", count: 30_000, limit: 2).run(
      rounds: rounds
    ) {
      do {
        try await staff.store.write { transaction in
          let count = try transaction.delete(Employee.filter(format: "id <= 30000"))
          precondition(count == 30_000)
          throw Undone()
        }
      } catch is Undone {}
    } against: {
      do {
        try await staff.peer.write { database in
          let links = try database.cachedStatement(
            sql: #"DELETE FROM "Employee_skills" WHERE "employees" = ?"#)
          let row = try database.cachedStatement(sql: #"DELETE FROM "Employee" WHERE "id" = ?"#)
          for id in 1...30_000 {
            try links.execute(arguments: [id])
            try row.execute(arguments: [id])
          }
          throw Undone()
        }
      } catch is Undone {}
    }
  }

  private struct Undone: Error {}
}

/// An employee and its department, as a join gives them.
struct EmployeeRecord: FetchableRecord {
  let id: Int
  let name: String
  let salary: Int
  let department: String?
  let city: String?
  let budget: Int?

  init(row: Row) {
    id = row[0]
    name = row[1]
    salary = row[2]
    department = row[3]
    city = row[4]
    budget = row[5]
  }
}
