import Foundation
import ModelForms
import ObjectModel
import ObjectStore
import Testing

@Suite struct ModelSQLTests {
  @Test func tablesOfAModel() throws {
    let model = try SampleModels.model(
      #"""
      {"name": "Band", "attributes": [{"name": "name", "type": "string", "userInfo": {"broker.identity": "true"}}]},
      {"name": "Album", "attributes": [{"name": "id", "type": "integer64"}],
       "relationships": [{"name": "band", "destination": "Band"}]}
      """#)
    #expect(
      try model.sql() == #"""
        CREATE TABLE "Band" (
          "name" TEXT NOT NULL,
          PRIMARY KEY ("name")
        );
        CREATE TABLE "Album" (
          "id" INTEGER PRIMARY KEY,
          "band" TEXT,
          FOREIGN KEY ("band") REFERENCES "Band" ("name")
        );
        CREATE INDEX "Album_band_index" ON "Album" ("band");

        """#)
  }
}
