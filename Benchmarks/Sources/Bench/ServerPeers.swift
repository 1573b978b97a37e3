/// Programs in Python that import persons, as their packages' documentation shows it. Arguments: the JSON, the schema.
enum ServerPeers {
  /// Upserts of 5,000 rows each. https://docs.sqlalchemy.org/en/20/dialects/postgresql.html#insert-on-conflict-upsert
  static let sqlAlchemy = """
    import json, sys
    from datetime import datetime
    from sqlalchemy import *
    from sqlalchemy.dialects.postgresql import insert
    engine = create_engine("postgresql+psycopg2://")
    table = Table("Person", MetaData(schema=sys.argv[2]),
      Column("id", BigInteger, primary_key=True), Column("active", Boolean), Column("age", BigInteger),
      Column("bio", Text), Column("created", DateTime(timezone=True)), Column("email", Text),
      Column("name", Text), Column("score", Double))
    table.metadata.create_all(engine)
    with open(sys.argv[1]) as file: rows = json.load(file)
    for row in rows: row["created"] = datetime.fromisoformat(row["created"].replace("Z", "+00:00"))
    statement = insert(table)
    statement = statement.on_conflict_do_update(index_elements=["id"],
      set_={c.name: c for c in statement.excluded if c.name != "id"})
    with engine.begin() as connection:
      for first in range(0, len(rows), 5000): connection.execute(statement, rows[first:first + 5000])
    """

  /// https://dlthub.com/docs/general-usage/merge-loading#upsert-strategy
  static let dlt = """
    import json, os, sys, tempfile
    import dlt
    user, host, database = (os.environ[name] for name in ("PGUSER", "PGHOST", "PGDATABASE"))
    os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
    place = f"postgresql://{user}:none@localhost/{database}?host={host}"
    with tempfile.TemporaryDirectory() as folder:
      pipeline = dlt.pipeline("persons", pipelines_dir=folder, dataset_name=sys.argv[2],
        destination=dlt.destinations.postgres(place))
      with open(sys.argv[1]) as file: rows = json.load(file)
      pipeline.run(rows, table_name="Person", primary_key="id",
        write_disposition={"disposition": "merge", "strategy": "upsert"})
    """
}
