import Broker
import Foundation

// OfflineChanges.md

func openingWithAJournal() async throws -> Store {
  let store = try await Store(at: .file("bands.sqlite"), for: Band.self, tracksLocalChanges: true)
  return store
}

func changingOffline(_ store: Store) async throws {
  try await store.update(Band.self, "Japan") { $0.formed = 1975 }
  try await store.save(Label(name: "Hansa", country: "DE", bands: ToMany()))
  for change in try await store.localChanges() {
    print(change.kind, change.entity, change.identity, change.properties)
  }
  // updated Band Japan ["formed"]
  // inserted Label Hansa []
}

func telling(_ server: Server, of store: Store) async throws {
  let changes = try await store.localChanges()
  try await server.post(try await store.exportLocalChanges(changes))
  try await store.confirm(changes)
}

func tellingOneByOne(_ server: Server, of store: Store) async throws {
  for change in try await store.localChanges() {
    switch change.kind {
    case .inserted, .updated:
      let query = ObjectQuery(change.entity).filter(identity: change.identity)
      try await server.post(try await store.export(query))
    case .renamed:
      let query = ObjectQuery(change.entity).filter(identity: change.identity)
      let former = change.formerIdentity ?? change.identity
      try await server.rename(change.entity, former, try await store.export(query))
    case .deleted:
      try await server.delete(change.entity, change.identity)
    }
    try await store.confirm([change])
  }
}

func importingOverAChange(_ store: Store) async throws -> Report {
  let report = try await store.import(#"[{"name": "Japan", "formed": 1974, "rating": 9}]"#, as: Band.self)
  print(report.keptLocal)  // ["Band": 1]
  return report
}

func lettingTheServerWin(_ answer: String, in store: Store) async throws -> Report {
  var options = ImportOptions()
  options.overwritesLocalChanges = true
  let report = try await store.import(answer, as: Band.self, options: options)
  return report
}

func creating(_ draft: LocalChange, at server: Server, in store: Store) async throws {
  let query = ObjectQuery(draft.entity).filter(identity: draft.identity)
  let answer = try await server.create(try await store.export(query))
  try await store.write { transaction in
    try transaction.confirm(draft, identity: answer.identity)
    try transaction.import(answer.json, as: draft.entity)
  }
}

func takingTheAnswer(_ answer: String, to changes: [LocalChange], in store: Store) async throws {
  try await store.write { transaction in
    try transaction.confirm(changes)
    try transaction.import(answer, as: Band.self)
  }
}
