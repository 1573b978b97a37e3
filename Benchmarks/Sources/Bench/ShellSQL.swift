/// The same imports in SQLite's own JSON functions.
enum ShellSQL {
  private static let settings = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"

  static func flat(json: String) -> String {
    """
    \(settings)
    CREATE TABLE "Person"(
      "id" INTEGER PRIMARY KEY, "name" TEXT, "email" TEXT, "age" INTEGER, "score" REAL,
      "active" INTEGER, "bio" TEXT, "created" TEXT);
    INSERT INTO "Person"
    SELECT value ->> 'id', value ->> 'name', value ->> 'email', value ->> 'age', value ->> 'score',
      value ->> 'active', value ->> 'bio', datetime(value ->> 'created')
    FROM json_each(readfile(\(quoted(json))))
    WHERE true
    ON CONFLICT("id") DO UPDATE SET
      "name" = excluded."name", "email" = excluded."email", "age" = excluded."age",
      "score" = excluded."score", "active" = excluded."active", "bio" = excluded."bio",
      "created" = excluded."created";
    """
  }

  static func departments(json: String) -> String {
    """
    \(settings)
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
    BEGIN;
    CREATE TEMP TABLE "departments" AS
      SELECT value FROM json_each(readfile(\(quoted(json))));
    CREATE TEMP TABLE "employees" AS
      SELECT d.value ->> 'id' AS "department", e.value AS "value"
      FROM "departments" d, json_each(d.value, '$.employees') e;
    INSERT INTO "Department"
      SELECT value ->> 'id', value ->> 'name', value ->> 'code' FROM "departments" WHERE true
      ON CONFLICT("id") DO UPDATE SET "name" = excluded."name", "code" = excluded."code";
    INSERT INTO "Employee"
      SELECT value ->> 'id', value ->> 'first_name', value ->> 'last_name', value ->> 'email',
        value ->> 'salary', datetime(value ->> 'hired'), "department"
      FROM "employees" WHERE true
      ON CONFLICT("id") DO UPDATE SET
        "firstName" = excluded."firstName", "lastName" = excluded."lastName",
        "email" = excluded."email", "salary" = excluded."salary", "hired" = excluded."hired",
        "department" = excluded."department";
    INSERT INTO "Skill"
      SELECT s.value ->> 'id', s.value ->> 'name'
      FROM "employees" e, json_each(e.value, '$.skills') s WHERE true
      ON CONFLICT("id") DO UPDATE SET "name" = excluded."name";
    INSERT OR IGNORE INTO "Employee_skills"
      SELECT e.value ->> 'id', s.value ->> 'id'
      FROM "employees" e, json_each(e.value, '$.skills') s;
    COMMIT;
    """
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}
