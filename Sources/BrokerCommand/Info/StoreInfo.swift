import Foundation
import ObjectModel
import ObjectStore

/// What `broker info` tells of a store, as its JSON has it.
struct StoreInfo: Encodable {
  struct EntityInfo: Encodable {
    let name: String
    let parent: String?
    let isAbstract: Bool
    let identity: [String]
    /// Without those of sub-entities.
    let objects: Int
  }

  struct ModelInfo: Encodable {
    let versionIdentifier: String?
    /// Whether it was taken from JSON.
    let isInferred: Bool
    let entities: [EntityInfo]
  }

  struct SizeInfo: Encodable {
    let file: Int
    let free: Int
    let log: Int
    /// What counted the bytes of tables and indexes: `dbstat`, or nothing but the file's pages.
    let measuredBy: String
  }

  struct PartInfo: Encodable {
    let name: String
    let kind: String
    let table: String
    let columns: [String]?
    let bytes: Int?
  }

  /// Changes of a program that the server has not been told of, by entity.
  struct LocalChangesInfo: Encodable {
    var inserted: [String: Int] = [:]
    var updated: [String: Int] = [:]
    var renamed: [String: Int] = [:]
    var deleted: [String: Int] = [:]

    var count: Int { [inserted, updated, renamed, deleted].flatMap(\.values).reduce(0, +) }
  }

  let path: String
  let model: ModelInfo
  let size: SizeInfo
  let tables: [PartInfo]
  let indexes: [PartInfo]
  /// The tables and indexes in the order of the file.
  let parts: [DatabaseObject]
  let pendingReferences: [String: Int]
  /// Nil if the store does not track local changes.
  let localChanges: LocalChangesInfo?
  /// Views and triggers of the file that Broker did not make.
  let others: [String]
  let imports: [ImportRecord]

  private enum CodingKeys: String, CodingKey {
    case path, model, size, tables, indexes, pendingReferences, localChanges, others, imports
  }

  /// All of one moment.
  init(_ store: Store) throws {
    let log = store.logBytes
    let (path, declared) = (store.path, store.declared.model)
    self = try store.read { try StoreInfo($0, path: path, log: log, declared) }
  }

  private init(_ transaction: any StoreTransaction, path: String, log: Int, _ declared: Model) throws {
    self.path = path
    let schema = transaction.layout.schema
    let counts = try transaction.objectCounts()
    model = ModelInfo(
      versionIdentifier: declared.versionIdentifier, isInferred: ImportInference.isInferred(declared),
      entities: schema.entities.map { entity in
        EntityInfo(
          name: entity.name, parent: declared[entity: entity.name]?.parent, isAbstract: entity.isAbstract,
          identity: schema.identityNames(of: entity), objects: counts[entity.name] ?? 0)
      })
    parts = try transaction.storedParts()
    let bytes = try transaction.pageBytes()
    size = SizeInfo(
      file: bytes.all, free: bytes.free, log: log,
      measuredBy: parts.contains { $0.bytes != nil } ? "dbstat" : "pages of the file")
    tables = parts.filter { $0.kind == .table }.map(Self.part)
    indexes = parts.filter { $0.kind != .table }.map(Self.part)
    pendingReferences = try transaction.pendingReferenceCounts()
    localChanges = try Self.localChanges(transaction)
    others = try transaction.objectsOfOthers()
    imports = try transaction.importHistory()
  }

  private static func part(_ part: DatabaseObject) -> PartInfo {
    PartInfo(
      name: part.name, kind: part.kind.rawValue, table: part.table,
      columns: part.kind == .table ? nil : part.columns, bytes: part.bytes)
  }

  private static func localChanges(_ transaction: any StoreTransaction) throws -> LocalChangesInfo? {
    guard let entries = try transaction.journal()?.entries() else { return nil }
    var result = LocalChangesInfo()
    for entry in entries {
      switch entry.kind {
      case .inserted: result.inserted[entry.entity, default: 0] += 1
      case .updated where entry.former != nil: result.renamed[entry.entity, default: 0] += 1
      case .updated: result.updated[entry.entity, default: 0] += 1
      case .deleted: result.deleted[entry.entity, default: 0] += 1
      }
    }
    return result
  }
}
