#if PostgreSQL
  import CLibPQ

  /// What another session sent with NOTIFY.
  package struct PostgreSQLNotification: Sendable, Equatable {
    package var channel: String
    package var payload: String
    /// The process of the server that served the sender.
    package var processID: Int32
  }

  extension PostgreSQLConnection {
    /// Removes and returns the notifications that have arrived. It does not wait.
    package func takeNotifications() throws -> [PostgreSQLNotification] {
      let handle = try open()
      guard PQconsumeInput(handle) == 1 else { throw callError() }
      var notifications: [PostgreSQLNotification] = []
      while let notification = PQnotifies(handle) {
        notifications.append(
          PostgreSQLNotification(
            channel: String(cString: notification.pointee.relname),
            payload: String(cString: notification.pointee.extra), processID: notification.pointee.be_pid))
        PQfreemem(notification)
      }
      return notifications
    }

    /// Waits for notifications of the channels that `LISTEN` named.
    /// - Returns: An empty list after the timeout.
    package func waitForNotifications(timeout: Duration) throws -> [PostgreSQLNotification] {
      guard activity == .none else { throw PostgreSQLError.misuse("another statement has not ended") }
      let deadline = ContinuousClock.now + timeout
      while true {
        let notifications = try takeNotifications()
        guard notifications.isEmpty else { return notifications }
        // Nothing runs on the server: there is nothing to cancel on it.
        guard try !wait(for: .readable, until: deadline).isEmpty else { return [] }
      }
    }
  }
#endif
