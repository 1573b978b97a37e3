import Foundation
import GRDB

/// A department as JSON has it, everything nested.
struct DepartmentJSON: Decodable {
  var id: Int64
  var name: String
  var code: String
  var employees: [EmployeeJSON]
}

struct EmployeeJSON: Decodable {
  var id: Int64
  var firstName: String
  var lastName: String
  var email: String
  var salary: Int
  var hired: Date
  var skills: [Skill]

  enum CodingKeys: String, CodingKey {
    case id, email, salary, hired, skills
    case firstName = "first_name"
    case lastName = "last_name"
  }
}

struct Department: Codable, PersistableRecord {
  var id: Int64
  var name: String
  var code: String
}

struct Employee: Codable, PersistableRecord {
  var id: Int64
  var firstName: String
  var lastName: String
  var email: String
  var salary: Int
  var hired: Date
  var departmentId: Int64
}

struct Skill: Codable, PersistableRecord {
  var id: Int64
  var name: String
}

struct EmployeeSkill: Codable, PersistableRecord {
  var employeeId: Int64
  var skillId: Int64
}

extension DepartmentJSON {
  func upsert(_ db: Database) throws {
    try Department(id: id, name: name, code: code).upsert(db)
    for employee in employees {
      let record = Employee(
        id: employee.id, firstName: employee.firstName, lastName: employee.lastName,
        email: employee.email, salary: employee.salary, hired: employee.hired, departmentId: id)
      try record.upsert(db)
      for skill in employee.skills {
        try skill.upsert(db)
        try EmployeeSkill(employeeId: employee.id, skillId: skill.id).insert(db, onConflict: .ignore)
      }
    }
  }

  static func createTables(_ db: Database) throws {
    try db.create(table: "department") { table in
      table.primaryKey("id", .integer)
      table.column("name", .text)
      table.column("code", .text)
    }
    try db.create(table: "skill") { table in
      table.primaryKey("id", .integer)
      table.column("name", .text)
    }
    try db.create(table: "employee") { table in
      table.primaryKey("id", .integer)
      table.column("firstName", .text)
      table.column("lastName", .text)
      table.column("email", .text)
      table.column("salary", .integer)
      table.column("hired", .datetime)
      table.belongsTo("department")
    }
    try db.create(table: "employeeSkill") { table in
      table.primaryKey {
        table.belongsTo("employee")
        table.belongsTo("skill")
      }
    }
  }
}
