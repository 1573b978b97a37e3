import Foundation
import ObjectModel

/// Models that the tests write in other forms.
enum SampleModels {
  /// A model with one of everything that all forms can say.
  static func everything() throws -> Model { try Model(json: Data(everythingJSON.utf8)) }

  /// A model of entities in the JSON form, separated by commas; composites the same.
  static func model(_ entities: String, composites: String = "") throws -> Model {
    try Model(json: Data("{\"entities\": [\(entities)], \"composites\": [\(composites)]}".utf8))
  }

  private static let everythingJSON = #"""
    {"entities": [
      {"name": "Band",
        "attributes": [
          {"name": "name", "type": "string", "maximum": 80, "pattern": "[A-Z]\\w.*", "userInfo": {"broker.identity": "true"}},
          {"name": "formed", "type": "integer16", "optional": true, "default": 1970, "renamingIdentifier": "founded"},
          {"name": "active", "type": "boolean", "default": "YES"},
          {"name": "rating", "type": "double", "optional": true, "minimum": 0, "maximum": 10.5, "indexed": true},
          {"name": "genre", "type": "string", "optional": true, "userInfo": {"broker.values": "[\"rock\",\"free jazz\",\"default\",\"\",\"3-step\"]", "broker.default": "free jazz", "broker.unknown": "rock"}},
          {"name": "level", "type": "integer32", "userInfo": {"broker.values": "[-1,0,3]", "broker.default": "3"}},
          {"name": "description", "type": "string", "optional": true, "userInfo": {"broker.key": "desc", "broker.key.1": "about.text", "broker.search": "true", "broker.transformer": "trimmed,prefix(\"Band/\")"}},
          {"name": "price", "type": "decimal", "default": "9.95"},
          {"name": "home", "type": "uri", "optional": true},
          {"name": "token", "type": "uuid", "optional": true},
          {"name": "logo", "type": "binary", "optional": true, "userInfo": {"broker.exported": "false"}},
          {"name": "extra", "type": "transformable", "optional": true},
          {"name": "default", "type": "string", "default": "a \"quoted\"\n\\text"},
          {"name": "self", "type": "string", "optional": true},
          {"name": "first-name", "type": "string", "optional": true},
          {"name": "Größe", "type": "float", "optional": true},
          {"name": "名前", "type": "string", "optional": true},
          {"name": "id", "type": "integer64", "optional": true},
          {"name": "code", "type": "string", "optional": true},
          {"name": "edited", "type": "date", "optional": true},
          {"name": "seen", "type": "date", "optional": true, "userInfo": {"broker.dateFormat": "yyyy/MM/dd"}}
        ],
        "relationships": [
          {"name": "albums", "destination": "Album", "toMany": true, "ordered": true, "inverse": "band", "deleteRule": "cascade"},
          {"name": "members", "destination": "Musician", "toMany": true, "inverse": "bands"},
          {"name": "label", "destination": "Label", "inverse": "bands", "deleteRule": "deny", "userInfo": {"broker.key": "label_id", "broker.transformer": "prefix(\"Label/\")"}},
          {"name": "friends", "destination": "Band", "toMany": true, "inverse": "friends"},
          {"name": "parent", "destination": "Band", "inverse": "children"},
          {"name": "children", "destination": "Band", "toMany": true, "inverse": "parent"},
          {"name": "manager", "destination": "Musician"},
          {"name": "producer", "destination": "Musician"}
        ],
        "unique": [["code"]],
        "userInfo": {"broker.version": "edited", "documentation": "A group of musicians.\nOr one alone."},
        "renamingIdentifier": "Group"
      },
      {"name": "Album",
        "attributes": [
          {"name": "id", "type": "integer64"},
          {"name": "title", "type": "string"}
        ],
        "relationships": [
          {"name": "band", "destination": "Band", "optional": false, "inverse": "albums"},
          {"name": "tracks", "destination": "Track", "toMany": true, "optional": false, "minimumCount": 2, "maximumCount": 90, "inverse": "album", "ordered": true, "deleteRule": "cascade"}
        ],
        "userInfo": {"broker.discriminator": "kind", "broker.unknown": "LiveAlbum"}
      },
      {"name": "LiveAlbum",
        "parent": "Album",
        "attributes": [
          {"name": "place", "type": "string", "optional": true}
        ],
        "userInfo": {"broker.kind": "live,concert"}
      },
      {"name": "Track",
        "attributes": [
          {"name": "title", "type": "string"},
          {"name": "seconds", "type": "integer32", "default": 0}
        ],
        "relationships": [
          {"name": "album", "destination": "Album", "inverse": "tracks"}
        ]
      },
      {"name": "Musician",
        "attributes": [
          {"name": "email", "type": "string"}
        ],
        "relationships": [
          {"name": "bands", "destination": "Band", "toMany": true, "inverse": "members"}
        ],
        "unique": [["email"]]
      },
      {"name": "Label",
        "attributes": [
          {"name": "labelID", "type": "uuid"}
        ],
        "relationships": [
          {"name": "bands", "destination": "Band", "toMany": true, "inverse": "label"}
        ]
      },
      {"name": "Show",
        "attributes": [
          {"name": "country", "type": "string"},
          {"name": "number", "type": "integer32"}
        ],
        "userInfo": {"broker.identity": "country,number"}
      },
      {"name": "crate",
        "attributes": [
          {"name": "name", "type": "string"}
        ],
        "relationships": [
          {"name": "versions", "destination": "Version", "toMany": true, "inverse": "crate"}
        ],
        "unique": [["name"]]
      },
      {"name": "Version",
        "attributes": [
          {"name": "number", "type": "string"}
        ],
        "relationships": [
          {"name": "crate", "destination": "crate", "optional": false, "inverse": "versions"}
        ],
        "userInfo": {"broker.identity": "crate,number"}
      },
      {"name": "Date",
        "attributes": [
          {"name": "text", "type": "string"}
        ]
      },
      {"name": "Review",
        "parent": "Date",
        "attributes": [
          {"name": "number", "type": "integer64", "userInfo": {"broker.identity": "true"}},
          {"name": "stars", "type": "integer16", "default": 3}
        ]
      },
      {"name": "Key",
        "attributes": [
          {"name": "key", "type": "string", "userInfo": {"broker.identity": "true", "broker.key": "k"}},
          {"name": "protocol", "type": "string", "optional": true},
          {"name": "in", "type": "string", "optional": true}
        ],
        "relationships": [
          {"name": "where", "destination": "Key", "inverse": "is"},
          {"name": "is", "destination": "Key", "inverse": "where"}
        ]
      },
      {"name": "Étude",
        "attributes": [
          {"name": "número", "type": "integer64", "userInfo": {"broker.identity": "true"}}
        ]
      }
    ]}
    """#

  /// A model whose names mean something in Swift.
  static func names() throws -> Model { try model(namesJSON) }

  private static let namesJSON = #"""
      {"name": "Legacy", "attributes": [{"name": "ID", "type": "integer64"}, {"name": "properties", "type": "string"}, {"name": "entityName", "type": "string", "optional": true}, {"name": "row", "type": "string", "default": "x"}, {"name": "list", "type": "integer16", "default": 1}]},
      {"name": "Pair", "attributes": [{"name": "ID", "type": "integer64"}, {"name": "code", "type": "string"}], "userInfo": {"broker.identity": "ID,code"}},
      {"name": "Label", "attributes": [{"name": "hashValue", "type": "integer64", "userInfo": {"broker.identity": "true"}}, {"name": "Type", "type": "string", "optional": true}, {"name": "init", "type": "string", "optional": true}, {"name": "some", "type": "string", "optional": true}, {"name": "any", "type": "string", "optional": true}, {"name": "async", "type": "string", "optional": true}, {"name": "description", "type": "string", "optional": true}, {"name": "debugDescription", "type": "string", "optional": true}]},
      {"name": "Record", "attributes": [{"name": "id", "type": "integer64"}, {"name": "label", "type": "string", "userInfo": {"broker.values": "[\"a\",\"self\",\"init\",\"Type\",\"none\",\"some\",\"allCases\",\"rawValue\"]"}}, {"name": "date", "type": "string", "optional": true, "userInfo": {"broker.values": "[\"x\",\"y\"]", "broker.default": "y"}}, {"name": "when", "type": "date"}, {"name": "string", "type": "string", "userInfo": {"broker.values": "[\"A\",\"a\"]"}}, {"name": "hash", "type": "string", "optional": true}], "relationships": [{"name": "home", "destination": "Label", "optional": false}, {"name": "await", "destination": "Label"}]},
      {"name": "Optional", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Array", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Error", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Task", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Store", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Storable", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Query", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Version", "attributes": [{"name": "id", "type": "uuid"}, {"name": "at", "type": "date"}], "userInfo": {"broker.version": "at"}},
      {"name": "Sendable2", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Character", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Result", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Never", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Void", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Model", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "URLRequest", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "CodingKeys", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "Hashable", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "KeyPath", "attributes": [{"name": "id", "type": "uuid"}]},
      {"name": "StaticString", "attributes": [{"name": "id", "type": "uuid"}, {"name": "x", "type": "string", "optional": true, "minimum": 1, "pattern": "a"}]}
    """#
}
