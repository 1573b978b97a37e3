import Broker
import Foundation

enum AfterTheRelease {
  @Entity("Group", renamedFrom: "Band") struct Group {
    @Identity var name: String
    @Attribute(renamedFrom: "formed") var founded: Int?
    @Relationship(renamedFrom: "label") var publisher: ToOne<Publisher>?
  }

  @Entity struct Publisher {
    @Identity var name: String
  }

  func openAfterTheRelease() async throws -> Store {
    var options = Store.Options()
    options.migration = .automatic
      .allowing(.removals)
      .setting("1970", for: "Group.founded")
      .converting("Album.seconds") { value in
        guard case .text(let text) = value else { return .null }
        return Int64(text).map { .integer($0) } ?? .null
      }
    options.migration.backupPath = "groups-before.sqlite"
    return try await Store(at: .file("groups.sqlite"), for: Group.self, options: options)
  }
}

func isReady(for model: Model) throws -> Bool {
  let store = try Store(path: "groups.sqlite", access: .readOnly)
  let plan = try store.plan(for: model)
  for step in plan.refused { print(step) }
  return plan.canRun
}

func migration() throws -> Store.Migration {
  try Store.Migration.automatic
    .stage(Model(contentsOf: URL(filePath: "first.json")))
    .stage(Model(contentsOf: URL(filePath: "second.json"))) { old, new in
      try old.forEach(ObjectQuery("Person")) { person in
        guard case .string(let first)? = person["first"], case .string(let last)? = person["last"] else {
          return
        }
        try new.save(Object("Person", ["id": person["id"] ?? .null, "name": .string("\(first) \(last)")]))
      }
    }
}
