import BenchmarkData

/// Upserts each department and employee, and each skill again every time an employee has it.
struct DepartmentsFloor: Floor {
  let data: Departments

  static let schema = """
    CREATE TABLE "Department"("id" INTEGER PRIMARY KEY, "name" TEXT, "code" TEXT);
    CREATE TABLE "Skill"("id" INTEGER PRIMARY KEY, "name" TEXT);
    CREATE TABLE "Employee"(
      "id" INTEGER PRIMARY KEY, "firstName" TEXT, "lastName" TEXT, "email" TEXT, "salary" INTEGER,
      "hired" TEXT, "department" INTEGER REFERENCES "Department"("id"));
    CREATE INDEX "Employee_department" ON "Employee"("department");
    CREATE TABLE "Employee_skills"(
      "employee" INTEGER NOT NULL REFERENCES "Employee"("id"),
      "skill" INTEGER NOT NULL REFERENCES "Skill"("id"),
      PRIMARY KEY("employee", "skill"));
    CREATE INDEX "Employee_skills_skill" ON "Employee_skills"("skill", "employee");
    """

  init(count: Int) {
    data = Departments(count: count)
  }

  func fill(_ connection: Connection) throws {
    let statements = try Statements(connection)
    defer { statements.finalize() }
    try data.text.bytes.withUnsafeBytes { text in
      for department in data.departments {
        statements.department.bind(1, department.id)
        statements.department.bind(2, text[department.name])
        statements.department.bind(3, text[department.code])
        try statements.department.run()
        for index in department.employees {
          try fill(data.employees[index], of: department.id, text, statements)
        }
      }
    }
  }

  private func fill(
    _ employee: Departments.Employee, of department: Int, _ text: UnsafeRawBufferPointer,
    _ statements: Statements
  ) throws(SQLiteFailure) {
    statements.employee.bind(1, employee.id)
    statements.employee.bind(2, text[employee.firstName])
    statements.employee.bind(3, text[employee.lastName])
    statements.employee.bind(4, text[employee.email])
    statements.employee.bind(5, employee.salary)
    statements.employee.bind(6, text[employee.hired])
    statements.employee.bind(7, department)
    try statements.employee.run()
    try link(employee.id, employee.skills.0, text, statements)
    try link(employee.id, employee.skills.1, text, statements)
    try link(employee.id, employee.skills.2, text, statements)
  }

  private func link(
    _ employee: Int, _ index: Int, _ text: UnsafeRawBufferPointer, _ statements: Statements
  ) throws(SQLiteFailure) {
    let skill = data.skills[index]
    statements.skill.bind(1, skill.id)
    statements.skill.bind(2, text[skill.name])
    try statements.skill.run()
    statements.link.bind(1, employee)
    statements.link.bind(2, skill.id)
    try statements.link.run()
  }
}

private struct Statements {
  let department: Statement
  let employee: Statement
  let skill: Statement
  let link: Statement

  init(_ connection: Connection) throws(SQLiteFailure) {
    department = try connection.prepare(
      """
      INSERT INTO "Department"("id", "name", "code") VALUES (?, ?, ?)
      ON CONFLICT("id") DO UPDATE SET "name" = excluded."name", "code" = excluded."code"
      """)
    employee = try connection.prepare(
      """
      INSERT INTO "Employee"("id", "firstName", "lastName", "email", "salary", "hired", "department")
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT("id") DO UPDATE SET
        "firstName" = excluded."firstName", "lastName" = excluded."lastName",
        "email" = excluded."email", "salary" = excluded."salary", "hired" = excluded."hired",
        "department" = excluded."department"
      """)
    skill = try connection.prepare(
      """
      INSERT INTO "Skill"("id", "name") VALUES (?, ?)
      ON CONFLICT("id") DO UPDATE SET "name" = excluded."name"
      """)
    link = try connection.prepare(
      #"INSERT OR IGNORE INTO "Employee_skills"("employee", "skill") VALUES (?, ?)"#)
  }

  func finalize() {
    for statement in [department, employee, skill, link] { statement.finalize() }
  }
}
