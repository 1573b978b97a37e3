PRAGMA journal_mode = WAL;
BEGIN;
PRAGMA application_id = 0;
PRAGMA user_version = 0;
CREATE TABLE "broker_store" (
  "key" TEXT NOT NULL PRIMARY KEY,
  "value" TEXT NOT NULL
);
INSERT INTO "broker_store" (rowid, "key", "value") VALUES (1, 'format', '1');
INSERT INTO "broker_store" (rowid, "key", "value") VALUES (2, 'model', '{
  "entities": [
    {
      "name": "Sample",
      "attributes": [
        {"name": "id", "type": "integer64", "userInfo": {"broker.identity": "true"}},
        {"name": "flag", "type": "boolean", "optional": true},
        {"name": "small", "type": "integer16", "optional": true, "default": 7},
        {"name": "medium", "type": "integer32", "optional": true},
        {"name": "large", "type": "integer64", "optional": true},
        {"name": "single", "type": "float", "optional": true},
        {"name": "real", "type": "double", "optional": true},
        {"name": "exact", "type": "decimal", "optional": true},
        {"name": "text", "type": "string", "optional": true, "userInfo": {"broker.search": "true"}},
        {"name": "moment", "type": "date", "optional": true},
        {"name": "day", "type": "date", "optional": true},
        {"name": "uuid", "type": "uuid", "optional": true},
        {"name": "address", "type": "uri", "optional": true},
        {"name": "bytes", "type": "binary", "optional": true},
        {"name": "topics", "type": "transformable", "optional": true, "indexed": true},
        {"name": "place", "type": "composite", "composite": "Place", "optional": true}
      ]
    },
    {
      "name": "Feeling",
      "attributes": [
        {"name": "name", "type": "string", "userInfo": {"broker.identity": "true"}},
        {"name": "note", "type": "string", "optional": true}
      ]
    },
    {
      "name": "Shelf",
      "attributes": [
        {"name": "room", "type": "string"},
        {"name": "number", "type": "integer64"}
      ],
      "relationships": [
        {"name": "works", "destination": "Work", "toMany": true, "inverse": "shelf"}
      ],
      "userInfo": {"broker.identity": "room,number"}
    },
    {
      "name": "Work",
      "abstract": true,
      "attributes": [
        {"name": "id", "type": "string", "userInfo": {"broker.identity": "true"}},
        {"name": "title", "type": "string", "maximum": 80, "userInfo": {"broker.key": "work_title"}}
      ],
      "relationships": [
        {"name": "author", "destination": "Person", "inverse": "works"},
        {"name": "shelf", "destination": "Shelf", "inverse": "works"},
        {"name": "tags", "destination": "Tag", "toMany": true, "inverse": "works"},
        {"name": "fans", "destination": "Person", "toMany": true, "inverse": "favourites"}
      ]
    },
    {
      "name": "Book",
      "parent": "Work",
      "attributes": [
        {"name": "pages", "type": "integer64", "optional": true}
      ],
      "relationships": [
        {
          "name": "chapters",
          "destination": "Chapter",
          "toMany": true,
          "ordered": true,
          "inverse": "book",
          "deleteRule": "cascade"
        },
        {
          "name": "editions",
          "destination": "Edition",
          "toMany": true,
          "inverse": "book",
          "deleteRule": "cascade"
        }
      ]
    },
    {
      "name": "Film",
      "parent": "Work",
      "attributes": [
        {"name": "minutes", "type": "integer64", "optional": true}
      ]
    },
    {
      "name": "Chapter",
      "attributes": [
        {"name": "heading", "type": "string"}
      ],
      "relationships": [
        {"name": "book", "destination": "Book", "optional": false, "inverse": "chapters"}
      ]
    },
    {
      "name": "Edition",
      "attributes": [
        {"name": "number", "type": "integer64"},
        {"name": "year", "type": "integer64", "optional": true}
      ],
      "relationships": [
        {"name": "book", "destination": "Book", "optional": false, "inverse": "editions"}
      ],
      "userInfo": {"broker.identity": "book,number"}
    },
    {
      "name": "Tag",
      "attributes": [
        {"name": "name", "type": "string", "userInfo": {"broker.identity": "true"}}
      ],
      "relationships": [
        {"name": "works", "destination": "Work", "toMany": true, "inverse": "tags"}
      ]
    },
    {
      "name": "Person",
      "attributes": [
        {"name": "name", "type": "string", "userInfo": {"broker.identity": "true"}}
      ],
      "relationships": [
        {"name": "desk", "destination": "Desk", "inverse": "person"},
        {"name": "works", "destination": "Work", "toMany": true, "inverse": "author"},
        {
          "name": "favourites",
          "destination": "Work",
          "toMany": true,
          "ordered": true,
          "inverse": "fans"
        },
        {"name": "friends", "destination": "Person", "toMany": true, "inverse": "friends"}
      ]
    },
    {
      "name": "Desk",
      "attributes": [
        {"name": "id", "type": "integer64", "userInfo": {"broker.identity": "true"}},
        {
          "name": "colour",
          "type": "string",
          "optional": true,
          "userInfo": {"broker.values": "[\"red\",\"green\"]"}
        }
      ],
      "relationships": [
        {"name": "person", "destination": "Person", "inverse": "desk"}
      ]
    }
  ],
  "composites": [
    {
      "name": "Place",
      "attributes": [
        {"name": "street", "type": "string", "optional": true},
        {"name": "zip", "type": "string", "optional": true}
      ]
    }
  ]
}
');
INSERT INTO "broker_store" (rowid, "key", "value") VALUES (3, 'json', '{"dates":{"Sample":{"day":"date","moment":"time"}},"keys":{}}');
INSERT INTO "broker_store" (rowid, "key", "value") VALUES (4, 'revision', '4');
CREATE TABLE "broker_pending" (
  "entity" TEXT NOT NULL,
  "relationship" TEXT NOT NULL,
  "owner" TEXT NOT NULL,
  "target" TEXT NOT NULL,
  "position" INTEGER,
  PRIMARY KEY ("entity", "target", "relationship", "owner")
);
INSERT INTO "broker_pending" (rowid, "entity", "relationship", "owner", "target", "position") VALUES (1, 'Edition', 'Book.editions', 'b1', 'b1,2', NULL);
CREATE TABLE "Sample" (
  "id" INTEGER PRIMARY KEY,
  "flag" BOOLEAN,
  "small" INTEGER,
  "medium" INTEGER,
  "large" INTEGER,
  "single" REAL,
  "real" REAL,
  "exact" TEXT,
  "text" TEXT,
  "moment" TEXT,
  "day" TEXT,
  "uuid" TEXT,
  "address" TEXT,
  "bytes" BLOB,
  "topics" TEXT,
  "place_street" TEXT,
  "place_zip" TEXT
);
INSERT INTO "Sample" ("id", "flag", "small", "medium", "large", "single", "real", "exact", "text", "moment", "day", "uuid", "address", "bytes", "topics", "place_street", "place_zip") VALUES (1, 1, -32768, 2147483647, 9223372036854775807, 0.5, 0.1, '12345678901234567890.0123456789', 'Schöne alte Wörter
in two lines', '1981-11-13 20:15:00.25', '1981-11-13 00:00:00', '6f9619ff-8b86-d011-b42d-00cf4fc964ff', 'https://example.com/a?b=c', X'000102FF', '["art","it''s","日本"]', 'Talbot Road', 'W11');
INSERT INTO "Sample" ("id", "flag", "small", "medium", "large", "single", "real", "exact", "text", "moment", "day", "uuid", "address", "bytes", "topics", "place_street", "place_zip") VALUES (2, NULL, 7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE "Feeling" (
  "name" TEXT NOT NULL,
  "note" TEXT,
  PRIMARY KEY ("name")
);
INSERT INTO "Feeling" (rowid, "name", "note") VALUES (1, 'quiet', NULL);
INSERT INTO "Feeling" (rowid, "name", "note") VALUES (2, 'bright', 'as ever');
CREATE TABLE "Shelf" (
  "room" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  PRIMARY KEY ("room", "number")
);
INSERT INTO "Shelf" (rowid, "room", "number") VALUES (1, 'attic', 3);
CREATE TABLE "Work" (
  "_entity" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "title" TEXT,
  "pages" INTEGER,
  "minutes" INTEGER,
  "shelf_room" TEXT,
  "shelf_number" INTEGER,
  "author" TEXT,
  "_kind" TEXT,
  PRIMARY KEY ("id"),
  FOREIGN KEY ("author") REFERENCES "Person" ("name"),
  FOREIGN KEY ("shelf_room", "shelf_number") REFERENCES "Shelf" ("room", "number")
);
INSERT INTO "Work" (rowid, "_entity", "id", "title", "pages", "minutes", "shelf_room", "shelf_number", "author", "_kind") VALUES (1, 'Book', 'b1', 'One', 101, NULL, 'attic', 3, 'Ada', NULL);
INSERT INTO "Work" (rowid, "_entity", "id", "title", "pages", "minutes", "shelf_room", "shelf_number", "author", "_kind") VALUES (2, 'Book', 'b2', 'Two', NULL, NULL, NULL, NULL, 'Dee', NULL);
INSERT INTO "Work" (rowid, "_entity", "id", "title", "pages", "minutes", "shelf_room", "shelf_number", "author", "_kind") VALUES (3, 'Film', 'f1', 'Three', NULL, 90, NULL, NULL, 'Bo', NULL);
CREATE TABLE "Chapter" (
  "heading" TEXT,
  "_id" INTEGER PRIMARY KEY,
  "book" TEXT,
  "book_order" INTEGER,
  FOREIGN KEY ("book") REFERENCES "Work" ("id")
);
INSERT INTO "Chapter" ("heading", "_id", "book", "book_order") VALUES ('Start', 1, 'b1', 0);
INSERT INTO "Chapter" ("heading", "_id", "book", "book_order") VALUES ('Middle', 2, 'b1', 1);
INSERT INTO "Chapter" ("heading", "_id", "book", "book_order") VALUES ('End', 3, 'b1', 2);
CREATE TABLE "Edition" (
  "book" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  "year" INTEGER,
  PRIMARY KEY ("book", "number"),
  FOREIGN KEY ("book") REFERENCES "Work" ("id")
);
INSERT INTO "Edition" (rowid, "book", "number", "year") VALUES (1, 'b1', 1, 1901);
CREATE TABLE "Tag" (
  "name" TEXT NOT NULL,
  PRIMARY KEY ("name")
);
INSERT INTO "Tag" (rowid, "name") VALUES (1, 'old');
INSERT INTO "Tag" (rowid, "name") VALUES (2, 'long');
INSERT INTO "Tag" (rowid, "name") VALUES (3, 'new');
CREATE TABLE "Person" (
  "name" TEXT NOT NULL,
  "desk" INTEGER,
  PRIMARY KEY ("name"),
  FOREIGN KEY ("desk") REFERENCES "Desk" ("id")
);
INSERT INTO "Person" (rowid, "name", "desk") VALUES (1, 'Ada', 1);
INSERT INTO "Person" (rowid, "name", "desk") VALUES (2, 'Bo', NULL);
CREATE TABLE "Desk" (
  "id" INTEGER PRIMARY KEY,
  "colour" TEXT
);
INSERT INTO "Desk" ("id", "colour") VALUES (1, 'red');
CREATE TABLE "Work_tags" (
  "works" TEXT NOT NULL,
  "tags" TEXT NOT NULL,
  PRIMARY KEY ("works", "tags"),
  FOREIGN KEY ("works") REFERENCES "Work" ("id"),
  FOREIGN KEY ("tags") REFERENCES "Tag" ("name")
);
INSERT INTO "Work_tags" (rowid, "works", "tags") VALUES (1, 'b1', 'old');
INSERT INTO "Work_tags" (rowid, "works", "tags") VALUES (2, 'b1', 'long');
INSERT INTO "Work_tags" (rowid, "works", "tags") VALUES (3, 'b2', 'old');
INSERT INTO "Work_tags" (rowid, "works", "tags") VALUES (4, 'f1', 'long');
INSERT INTO "Work_tags" (rowid, "works", "tags") VALUES (5, 'f1', 'new');
CREATE TABLE "Work_fans" (
  "favourites" TEXT NOT NULL,
  "fans" TEXT NOT NULL,
  "favourites_order" INTEGER,
  PRIMARY KEY ("favourites", "fans"),
  FOREIGN KEY ("favourites") REFERENCES "Work" ("id"),
  FOREIGN KEY ("fans") REFERENCES "Person" ("name")
);
INSERT INTO "Work_fans" (rowid, "favourites", "fans", "favourites_order") VALUES (1, 'b2', 'Ada', 0);
INSERT INTO "Work_fans" (rowid, "favourites", "fans", "favourites_order") VALUES (2, 'f1', 'Ada', 1);
INSERT INTO "Work_fans" (rowid, "favourites", "fans", "favourites_order") VALUES (3, 'b9', 'Ada', 2);
INSERT INTO "Work_fans" (rowid, "favourites", "fans", "favourites_order") VALUES (4, 'b1', 'Ada', 3);
INSERT INTO "Work_fans" (rowid, "favourites", "fans", "favourites_order") VALUES (5, 'f1', 'Bo', 0);
CREATE TABLE "Person_friends" (
  "Person" TEXT NOT NULL,
  "friends" TEXT NOT NULL,
  PRIMARY KEY ("Person", "friends"),
  FOREIGN KEY ("Person") REFERENCES "Person" ("name"),
  FOREIGN KEY ("friends") REFERENCES "Person" ("name")
);
INSERT INTO "Person_friends" (rowid, "Person", "friends") VALUES (1, 'Ada', 'Bo');
INSERT INTO "Person_friends" (rowid, "Person", "friends") VALUES (2, 'Bo', 'Ada');
CREATE TABLE "Sample_topics_elements" (
  "element" NOT NULL,
  "id" INTEGER NOT NULL,
  PRIMARY KEY ("element", "id")
) WITHOUT ROWID;
INSERT INTO "Sample_topics_elements" ("element", "id") VALUES ('art', 1);
INSERT INTO "Sample_topics_elements" ("element", "id") VALUES ('it''s', 1);
INSERT INTO "Sample_topics_elements" ("element", "id") VALUES ('日本', 1);
CREATE TABLE "broker_changes" (
  "root" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "entity" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "properties" TEXT NOT NULL,
  "revision" INTEGER NOT NULL,
  "sent" BOOLEAN NOT NULL,
  "former" TEXT,
  PRIMARY KEY ("root", "key")
);
INSERT INTO "broker_changes" (rowid, "root", "key", "entity", "kind", "properties", "revision", "sent", "former") VALUES (1, 'Work', 'b1', 'Book', 'updated', '{"pages":1}', 1, 0, NULL);
INSERT INTO "broker_changes" (rowid, "root", "key", "entity", "kind", "properties", "revision", "sent", "former") VALUES (2, 'Tag', 'new', 'Tag', 'inserted', '{}', 2, 1, NULL);
INSERT INTO "broker_changes" (rowid, "root", "key", "entity", "kind", "properties", "revision", "sent", "former") VALUES (3, 'Person', 'Cy', 'Person', 'deleted', '{}', 3, 0, NULL);
INSERT INTO "broker_changes" (rowid, "root", "key", "entity", "kind", "properties", "revision", "sent", "former") VALUES (4, 'Feeling', 'quiet', 'Feeling', 'updated', '{"name":4}', 4, 0, 'calm');
CREATE TABLE "broker_imports" (
  "number" INTEGER PRIMARY KEY,
  "date" TEXT NOT NULL,
  "seconds" REAL NOT NULL,
  "sources" TEXT NOT NULL,
  "source_count" INTEGER NOT NULL,
  "inserted" TEXT NOT NULL,
  "updated" TEXT NOT NULL,
  "deleted" TEXT NOT NULL,
  "skipped" TEXT NOT NULL,
  "issues" INTEGER NOT NULL,
  "whole" BOOLEAN NOT NULL
);
INSERT INTO "broker_imports" ("number", "date", "seconds", "sources", "source_count", "inserted", "updated", "deleted", "skipped", "issues", "whole") VALUES (1, '2026-11-25 13:01:09.7884649', 7.775783538818359375e-03, '[]', 1, '{"Book":2,"Chapter":3,"Desk":1,"Edition":1,"Feeling":2,"Film":1,"Person":3,"Sample":2,"Shelf":1,"Tag":2}', '{}', '{}', '{}', 0, 1);
CREATE VIEW "Sample_search_text" AS
SELECT "id" AS "_row", "text" AS "text"
FROM "Sample" WHERE "text" IS NOT NULL;
CREATE VIRTUAL TABLE "Sample_search" USING fts5(
  "text", content="Sample_search_text",
  content_rowid="_row", tokenize="unicode61 remove_diacritics 2"
);
INSERT INTO "Sample_search" ("Sample_search") VALUES ('rebuild');
CREATE INDEX "broker_pending_owner_index"
ON "broker_pending" ("relationship", "owner");
CREATE INDEX "Work_tags_inverse_index" ON "Work_tags" ("tags", "works");
CREATE INDEX "Work_fans_inverse_index" ON "Work_fans" ("fans", "favourites");
CREATE INDEX "Person_friends_inverse_index" ON "Person_friends" ("friends", "Person");
CREATE INDEX "Work_shelf_index" ON "Work" ("shelf_room", "shelf_number");
CREATE INDEX "Work_author_index" ON "Work" ("author");
CREATE INDEX "Chapter_book_index" ON "Chapter" ("book");
CREATE INDEX "Person_desk_index" ON "Person" ("desk");
CREATE TRIGGER "Sample_topics_elements_insert" AFTER INSERT ON "Sample" WHEN NEW."topics" IS NOT NULL BEGIN
  INSERT OR IGNORE INTO "Sample_topics_elements" SELECT e.value, NEW."id" FROM json_each(CASE WHEN json_valid(NEW."topics") AND json_type(NEW."topics") = 'array' THEN NEW."topics" END) e WHERE e.type IN ('text', 'integer', 'real', 'true', 'false');
END;
CREATE TRIGGER "Sample_topics_elements_delete" AFTER DELETE ON "Sample" WHEN OLD."topics" IS NOT NULL BEGIN
  DELETE FROM "Sample_topics_elements" WHERE ("element", "id") IN (SELECT e.value, OLD."id" FROM json_each(CASE WHEN json_valid(OLD."topics") AND json_type(OLD."topics") = 'array' THEN OLD."topics" END) e WHERE e.type IN ('text', 'integer', 'real', 'true', 'false'));
END;
CREATE TRIGGER "Sample_topics_elements_update" AFTER UPDATE OF "topics", "id" ON "Sample" WHEN OLD."topics" IS NOT NEW."topics" OR OLD."id" IS NOT NEW."id" BEGIN
  DELETE FROM "Sample_topics_elements" WHERE ("element", "id") IN (SELECT e.value, OLD."id" FROM json_each(CASE WHEN json_valid(OLD."topics") AND json_type(OLD."topics") = 'array' THEN OLD."topics" END) e WHERE e.type IN ('text', 'integer', 'real', 'true', 'false'));
  INSERT OR IGNORE INTO "Sample_topics_elements" SELECT e.value, NEW."id" FROM json_each(CASE WHEN json_valid(NEW."topics") AND json_type(NEW."topics") = 'array' THEN NEW."topics" END) e WHERE e.type IN ('text', 'integer', 'real', 'true', 'false');
END;
CREATE TRIGGER "Sample_search_insert" AFTER INSERT ON "Sample" WHEN NEW."text" IS NOT NULL BEGIN
  INSERT INTO "Sample_search" (rowid, "text") SELECT NEW."id", NEW."text";
END;
CREATE TRIGGER "Sample_search_delete" AFTER DELETE ON "Sample" WHEN OLD."text" IS NOT NULL BEGIN
  INSERT INTO "Sample_search" ("Sample_search", rowid, "text") SELECT 'delete', OLD."id", OLD."text";
END;
CREATE TRIGGER "Sample_search_update" AFTER UPDATE OF "id", "text" ON "Sample" WHEN OLD."text" IS NOT NEW."text" OR OLD."id" IS NOT NEW."id" BEGIN
  INSERT INTO "Sample_search" ("Sample_search", rowid, "text") SELECT 'delete', OLD."id", OLD."text" WHERE OLD."text" IS NOT NULL;
  INSERT INTO "Sample_search" (rowid, "text") SELECT NEW."id", NEW."text" WHERE NEW."text" IS NOT NULL;
END;
COMMIT;
