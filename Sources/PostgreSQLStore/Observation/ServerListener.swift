#if PostgreSQL
  import Foundation
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
          // What was committed while there was no connection is not known.
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
      // What cannot be listened to is found out by the next access, which fails.
      // try?: the next access finds the same, and fails.
      try? listener.begin(for: self)
    }
  }
#endif
