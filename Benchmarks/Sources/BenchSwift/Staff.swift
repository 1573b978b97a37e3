import Broker
import Foundation
import GRDB

@Entity struct Department {
  @Identity var name: String
  var city: String
  var budget: Int
  @Relationship(inverse: \Employee.department) var employees: ToMany<Employee>
}

@Entity struct Employee {
  var id: Int
  var name: String
  var salary: Int
  var department: ToOne<Department>?
  @Relationship(inverse: \Skill.employees) var skills: ToMany<Skill>
}

@Entity struct Skill {
  @Identity var name: String
  var level: Int
  var employees: ToMany<Employee>
}

/// A store of employees, their departments and their skills, filled by SQL.
struct StaffStore {
  static let employees = 500_000
  static let departments = 2_000
  static let skills = 400

  let store: Store
  let peer: DatabasePool

  init(_ file: URL) async throws {
    store = try await Store(at: .file(file), for: Department.self, Employee.self, Skill.self)
    // The first commit makes the indexes.
    let department = Data(#"{"name": "Department 0", "city": "City 0", "budget": 0}"#.utf8)
    try await store.import(department, as: Department.self)
    peer = try DatabasePool(path: file.path)
    try await peer.write { database in
      try database.execute(
        sql: Self.numbers(Self.departments - 1) + """
          INSERT INTO "Department" ("name", "city", "budget")
          SELECT 'Department ' || n, 'City ' || (n % 50), n FROM numbers
          """)
      try database.execute(
        sql: Self.numbers(Self.skills) + """
          INSERT INTO "Skill" ("name", "level") SELECT 'Skill ' || n, n % 10 FROM numbers
          """)
      try database.execute(
        sql: Self.numbers(Self.employees) + """
          INSERT INTO "Employee" ("id", "name", "salary", "department")
          SELECT n, 'Employee ' || n, n * 7919 % 100000, 'Department ' || (n * 104729 % \(Self.departments))
          FROM numbers
          """)
      for step in [1, 151, 263] {
        try database.execute(
          sql: Self.numbers(Self.employees) + """
            INSERT INTO "Employee_skills" ("employees", "skills")
            SELECT n, 'Skill ' || (1 + (n * 31 + \(step)) % \(Self.skills)) FROM numbers
            """)
      }
    }
  }

  private static func numbers(_ last: Int) -> String {
    "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(last)) "
  }
}
