#if PostgreSQL
  import Foundation
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient

  /// Listens, on a connection and a thread of its own, to what others commit to a store, while somebody observes it.
  ///
  /// Whoever commits a change sends an ``Announcement`` with the name of its store object, so that what this one commits
  /// itself is told from what others do.
  final class ServerListener: Sendable {
    /// The name of this store object in notifications.
    let name = UUID().uuidString
    private let address: DatabaseAddress
    private let isRunning = Locked(false)

    init(_ address: DatabaseAddress) { self.address = address }

    /// The channel of a store. Its name has to fit into 63 bytes.
    static func channel(_ address: DatabaseAddress) -> String {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in address.schema.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      return "broker_\(String(hash, radix: 16))"
    }

    /// Begins, unless it has begun already. It ends when nobody observes any more.
    ///
    /// - Throws: ``StoreError`` if the server cannot be reached.
    func begin(for store: PostgreSQLStore) throws {
      let isFirst = isRunning.withLock { isRunning in
        defer { isRunning = true }
        return !isRunning
      }
      guard isFirst else { return }
      let connection: ServerConnection
      do {
        connection = try ServerConnection(address, nil)
        _ = try connection.link.execute("LISTEN \(Self.channel(address))")
      } catch {
        isRunning.withLock { $0 = false }
        throw error
      }
      // Neither the thread nor the listener keeps the store: its observations end with it.
      let thread = Thread { [weak store] in self.run(connection) { store } }
      thread.name = "broker.listener"
      thread.start()
    }

    private func run(_ connection: ServerConnection, _ store: () -> PostgreSQLStore?) {
      defer {
        connection.close()
        isRunning.withLock { $0 = false }
        // Somebody may have begun to observe since he was looked for.
        if let store = store(), store.observers.areThere { store.beginObservation() }
      }
      while store()?.observers.areThere ?? false {
        do {
          let found = try connection.link.waitForNotifications(timeout: .milliseconds(500))
          if !found.isEmpty { store()?.replica?.noteCommit(connection.link) }
          for notification in found { tell(store(), notification.payload) }
        } catch {
          // Commits that happened while there was no connection are not known.
          guard reconnect(connection, store) else { return }
          tell(store(), "")
        }
      }
    }

    /// Tells of what a notification says, unless the store said it itself.
    private func tell(_ store: PostgreSQLStore?, _ text: String) {
      guard let store, let changes = Announcement.changes(text, store.layout, besides: name) else { return }
      store.delivery.post(changes)
      store.delivery.deliver(store)
    }

    /// Tries until there is a connection again. False if nobody observes any more.
    private func reconnect(_ connection: ServerConnection, _ store: () -> PostgreSQLStore?) -> Bool {
      var pause = 0.1
      while store()?.observers.areThere ?? false {
        // try?: it is tried again until there is a connection.
        if (try? connection.reconnect(address, nil)) != nil,
          // try?: as above.
          (try? connection.link.execute("LISTEN \(Self.channel(address))")) != nil
        {
          return true
        }
        Thread.sleep(forTimeInterval: pause)
        pause = min(5, pause * 2)
      }
      return false
    }
  }

  extension PostgreSQLStore {
    package func beginObservation() {
      // A failure to listen is found by the next access, which fails.
      // try?: the next access finds the same, and fails.
      try? listener.begin(for: self)
    }
  }

  /// The notification of a commit for the observers of other stores: the objects if they fit into it, or else
  /// how many rows of which tables were written.
  struct Announcement: Codable {
    /// The name of the store object that made the commit.
    var store: String
    var isImport: Bool
    /// By the names of tables; nil if that is not known.
    var objects: [String: Objects]?
    var counts: [String: ObjectChanges.Counts]?

    struct Objects: Codable {
      var inserted: [Object]
      var updated: [Object]
      var deleted: [Object]
    }

    struct Object: Codable {
      var entity: String
      var key: [KeyPart]
    }

    /// A part of a key: a number, a string, or bytes as a list of numbers.
    enum KeyPart {
      case integer(Int64)
      case text(String)
      case bytes([UInt8])
    }

    /// The longest payload that the server takes, in bytes; see https://www.postgresql.org/docs/current/sql-notify.html
    private static let mostBytes = 7999

    /// The text of a notification.
    static func text(of changes: ObjectChanges, by store: String, _ layout: Layout) throws -> String {
      var announcement = Announcement(store: store, isImport: changes.isImport)
      if changes.isComplete, changes.tables.values.reduce(0, { $0 + $1.count }) < mostBytes / 16 {
        announcement.objects = announcement.named(
          changes.tables.compactMapValues { Objects($0, layout) }, layout)
        let isWhole = announcement.objects?.count == changes.tables.count
        if isWhole, let text = try announcement.text() { return text }
      }
      announcement.objects = nil
      announcement.counts = (changes.isComplete ? changes.tables.mapValues(\.counts) : changes.counted)
        .map { announcement.named($0, layout) }
      if let text = try announcement.text() { return text }
      announcement.counts = nil
      return try announcement.text() ?? ""
    }

    /// Nil if it is too long.
    private func text() throws -> String? {
      let text = try JSONEncoder().encode(self)
      return text.count <= Self.mostBytes ? String(decoding: text, as: UTF8.self) : nil
    }

    private func named<Item>(_ tables: [Int: Item], _ layout: Layout) -> [String: Item] {
      Dictionary(
        tables.map { (layout.tables[$0.key].name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: - What others said

    /// The contents of a notification, by the model of its receiver. Of an unknown entity, only that it has changed.
    static func changes(_ text: String, _ layout: Layout, besides store: String) -> ObjectChanges? {
      var changes = ObjectChanges(isComplete: false, isByOthers: true)
      guard let said = try? JSONDecoder().decode(Announcement.self, from: Data(text.utf8)) else {
        return changes
      }
      if said.store == store { return nil }
      changes.isImport = said.isImport
      if let objects = said.objects,
        let tables = numbered(objects, layout)?.mapValues({ $0.inTable(layout) }),
        !tables.values.contains(where: { $0 == nil })
      {
        changes.tables = tables.compactMapValues { $0 }
        changes.isComplete = true
      } else {
        changes.counted = said.counts.flatMap { numbered($0, layout) }
      }
      return changes
    }

    /// By table; nil if one is not known.
    private static func numbered<Item>(_ tables: [String: Item], _ layout: Layout) -> [Int: Item]? {
      var result: [Int: Item] = [:]
      for (name, item) in tables {
        guard let table = layout.tables.firstIndex(where: { $0.name == name }) else { return nil }
        result[table] = item
      }
      return result
    }
  }

  extension Announcement.Objects {
    /// Nil if a key cannot be said.
    fileprivate init?(_ changes: ObjectChanges.InTable, _ layout: Layout) {
      func said(_ objects: [ObjectChanges.Object]) -> [Announcement.Object]? {
        let said = objects.compactMap { Announcement.Object($0, layout) }
        return said.count == objects.count ? said : nil
      }
      guard let inserted = said(changes.inserted), let updated = said(changes.updated),
        let deleted = said(changes.deleted)
      else { return nil }
      (self.inserted, self.updated, self.deleted) = (inserted, updated, deleted)
    }

    /// Nil if an entity is not known.
    fileprivate func inTable(_ layout: Layout) -> ObjectChanges.InTable? {
      func known(_ objects: [Announcement.Object]) -> [ObjectChanges.Object]? {
        let known = objects.compactMap { $0.known(layout) }
        return known.count == objects.count ? known : nil
      }
      guard let inserted = known(inserted), let updated = known(updated), let deleted = known(deleted) else {
        return nil
      }
      var result = ObjectChanges.InTable()
      (result.inserted, result.updated, result.deleted) = (inserted, updated, deleted)
      return result
    }
  }

  extension Announcement.Object {
    fileprivate init?(_ object: ObjectChanges.Object, _ layout: Layout) {
      entity = layout.schema.entities[object.entity].name
      key = []
      for part in object.key.parts {
        switch part {
        case .integer(let value): key.append(.integer(value))
        case .text(let text): key.append(.text(text))
        case .blob(let bytes): key.append(.bytes(bytes))
        case .null, .real: return nil
        }
      }
    }

    fileprivate func known(_ layout: Layout) -> ObjectChanges.Object? {
      layout.schema.index(of: entity).map {
        ObjectChanges.Object(key: ObjectKey(key.map(\.value)), entity: $0)
      }
    }
  }

  extension Announcement.KeyPart: Codable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let integer = try? container.decode(Int64.self) {
        self = .integer(integer)
      } else if let text = try? container.decode(String.self) {
        self = .text(text)
      } else {
        self = .bytes(try container.decode([UInt8].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .integer(let value): try container.encode(value)
      case .text(let text): try container.encode(text)
      case .bytes(let bytes): try container.encode(bytes)
      }
    }

    fileprivate var value: SQLValue {
      switch self {
      case .integer(let value): .integer(value)
      case .text(let text): .text(text)
      case .bytes(let bytes): .blob(bytes)
      }
    }
  }
#endif
