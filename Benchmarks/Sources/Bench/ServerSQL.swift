/// The same imports by hand: rows in files for binary COPY, and set operations.
enum ServerSQL {
  // MARK: - Persons

  static let person = """
    "id" bigint NOT NULL, "active" boolean, "age" bigint, "bio" text COLLATE "C",
    "created" timestamptz, "email" text COLLATE "C", "name" text COLLATE "C", "score" float8
    """
  private static let personValues = ["active", "age", "bio", "created", "email", "name", "score"]
  static let personColumns = (["id"] + personValues).map { "\"\($0)\"" }.joined(separator: ", ")

  /// Into a new table, which gets its key when it is filled.
  static func newPersons(_ file: String) -> [String] {
    [
      #"CREATE TABLE hand."Person" (\#(person))"#, copy(#"hand."Person""#, file),
      #"ALTER TABLE hand."Person" ADD PRIMARY KEY ("id")"#,
    ]
  }

  /// Into the table that is there.
  static func mergedPersons(_ file: String) -> [String] {
    [
      "SET LOCAL work_mem = '64MB'", "CREATE TEMP TABLE staged (\(person)) ON COMMIT DROP",
      copy("staged", file),
      #"CREATE UNIQUE INDEX ON staged ("id")"#, #"LOCK TABLE hand."Person" IN SHARE ROW EXCLUSIVE MODE"#,
      merge(into: #"hand."Person""#, from: "staged", personValues),
    ]
  }

  // MARK: - Departments

  static let files = [
    "Department": #"SELECT "id", "code", "name" FROM source."Department""#,
    "Employee": """
    SELECT "id", "email", "firstName", "hired", "lastName", "salary", "department" FROM source."Employee"
    """,
    // As often as an employee names it.
    "Skill": """
    SELECT "employees", "skills", "name" FROM source."Employee_skills" JOIN source."Skill" ON "skills" = "id"
    """,
  ]

  private static let department = #""id" bigint NOT NULL, "code" text COLLATE "C", "name" text COLLATE "C""#
  private static let employee = """
    "id" bigint NOT NULL, "email" text COLLATE "C", "firstName" text COLLATE "C", "hired" timestamptz,
    "lastName" text COLLATE "C", "salary" bigint, "department" bigint
    """
  private static let mention = #""employees" bigint, "skills" bigint, "name" text COLLATE "C""#
  private static let skill = #""id" bigint NOT NULL, "name" text COLLATE "C""#
  private static let link = #""employees" bigint NOT NULL, "skills" bigint NOT NULL"#

  static func newDepartments(_ file: (String) -> String) -> [String] {
    [
      "SET LOCAL work_mem = '64MB'", "CREATE TEMP TABLE mentions (\(mention)) ON COMMIT DROP",
      #"CREATE TABLE hand."Department" (\#(department))"#, #"CREATE TABLE hand."Employee" (\#(employee))"#,
      #"CREATE TABLE hand."Skill" (\#(skill))"#, #"CREATE TABLE hand."Employee_skills" (\#(link))"#,
      copy(#"hand."Department""#, file("Department")), copy(#"hand."Employee""#, file("Employee")),
      copy("mentions", file("Skill")),
      #"INSERT INTO hand."Skill" SELECT DISTINCT ON ("skills") "skills", "name" FROM mentions"#,
      #"INSERT INTO hand."Employee_skills" SELECT "employees", "skills" FROM mentions"#,
      #"ALTER TABLE hand."Department" ADD PRIMARY KEY ("id")"#,
      #"ALTER TABLE hand."Employee" ADD PRIMARY KEY ("id")"#,
      #"CREATE INDEX ON hand."Employee" ("department")"#, #"ALTER TABLE hand."Skill" ADD PRIMARY KEY ("id")"#,
      #"ALTER TABLE hand."Employee_skills" ADD PRIMARY KEY ("employees", "skills")"#,
      #"CREATE INDEX ON hand."Employee_skills" ("skills", "employees")"#,
    ]
  }

  /// Objects that are there are updated where they differ, and the links of each employee that came are those that came.
  static func mergedDepartments(_ file: (String) -> String) -> [String] {
    [
      "SET LOCAL work_mem = '64MB'", "CREATE TEMP TABLE departments (\(department)) ON COMMIT DROP",
      "CREATE TEMP TABLE employees (\(employee)) ON COMMIT DROP",
      "CREATE TEMP TABLE mentions (\(mention)) ON COMMIT DROP", copy("departments", file("Department")),
      copy("employees", file("Employee")), copy("mentions", file("Skill")),
      #"CREATE UNIQUE INDEX ON departments ("id")"#, #"CREATE UNIQUE INDEX ON employees ("id")"#,
      #"CREATE UNIQUE INDEX ON mentions ("employees", "skills")"#,
      """
      LOCK TABLE hand."Department", hand."Employee", hand."Skill", hand."Employee_skills"
      IN SHARE ROW EXCLUSIVE MODE
      """,
      merge(into: #"hand."Department""#, from: "departments", ["code", "name"]),
      merge(
        into: #"hand."Employee""#, from: "employees",
        ["email", "firstName", "hired", "lastName", "salary", "department"]),
      merge(
        into: #"hand."Skill""#,
        from: #"(SELECT DISTINCT ON ("skills") "skills" AS "id", "name" FROM mentions)"#, ["name"]),
      """
      DELETE FROM hand."Employee_skills" t USING employees e WHERE t."employees" = e."id"
      AND NOT EXISTS (SELECT FROM mentions m WHERE m."employees" = t."employees" AND m."skills" = t."skills")
      """,
      """
      INSERT INTO hand."Employee_skills" SELECT m."employees", m."skills" FROM mentions m
      WHERE NOT EXISTS (
        SELECT FROM hand."Employee_skills" t WHERE m."employees" = t."employees" AND m."skills" = t."skills")
      """,
    ]
  }

  // MARK: - Parts

  private static func copy(_ table: String, _ file: String) -> String {
    "\\copy \(table) FROM '\(file)' WITH (FORMAT binary)"
  }

  private static func merge(into target: String, from staged: String, _ values: [String]) -> String {
    let names = values.map { "\"\($0)\"" }
    let list = { (alias: String) in names.map { "\(alias).\($0)" }.joined(separator: ", ") }
    return """
      MERGE INTO \(target) t USING \(staged) s ON t."id" = s."id"
      WHEN MATCHED AND (\(list("t"))) IS DISTINCT FROM (\(list("s")))
      THEN UPDATE SET \(names.map { "\($0) = s.\($0)" }.joined(separator: ", "))
      WHEN NOT MATCHED THEN INSERT ("id", \(names.joined(separator: ", "))) VALUES (s."id", \(list("s")))
      """
  }
}
