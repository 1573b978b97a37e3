import BenchmarkData

/// One upsert a person.
struct FlatFloor: Floor {
  let people: People

  static let schema = """
    CREATE TABLE "Person"(
      "id" INTEGER PRIMARY KEY, "name" TEXT, "email" TEXT, "age" INTEGER, "score" REAL,
      "active" INTEGER, "bio" TEXT, "created" TEXT);
    """

  init(count: Int) {
    people = People(count: count)
  }

  func fill(_ connection: Connection) throws {
    let upsert = try connection.prepare(
      """
      INSERT INTO "Person"("id", "name", "email", "age", "score", "active", "bio", "created")
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT("id") DO UPDATE SET
        "name" = excluded."name", "email" = excluded."email", "age" = excluded."age",
        "score" = excluded."score", "active" = excluded."active", "bio" = excluded."bio",
        "created" = excluded."created"
      """)
    defer { upsert.finalize() }
    try people.text.bytes.withUnsafeBytes { text in
      for row in people.rows {
        upsert.bind(1, row.id)
        upsert.bind(2, text[row.name])
        upsert.bind(3, text[row.email])
        upsert.bind(4, row.age)
        upsert.bind(5, Double(row.score) / 100)
        upsert.bind(6, row.active ? 1 : 0)
        upsert.bind(7, text[row.bio])
        upsert.bind(8, text[row.created])
        try upsert.run()
      }
    }
  }
}
