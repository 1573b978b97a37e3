#if PostgreSQL
  extension PostgreSQLError {
    /// The transaction has to be tried again: another one changed what it read.
    package var isSerializationFailure: Bool { sqlState == "40001" }

    /// The transaction has to be tried again: the server ended it to resolve a deadlock.
    package var isDeadlock: Bool { sqlState == "40P01" }

    /// The connection cannot be used any more. Whether a COMMIT took place is unknown.
    package var isConnectionLost: Bool { isSocketGone || isEndOfSession }

    /// The server told why it ended the session: it was asked to, it stops, or the session was idle for too long.
    package var isEndOfSession: Bool {
      ["57P01", "57P02", "57P05", "25P03", "25P04"].contains(sqlState)
    }

    /// The server itself has lost a connection, to another server that has rows of its tables. That to the client is there.
    package var isOtherServerAway: Bool { isOfClass("08") && !isSocketGone }

    /// The server is starting, stopping or has no connection left. Trying again later may succeed.
    package var isServerUnavailable: Bool { sqlState == "57P03" || sqlState == "53300" }

    package var isUniqueViolation: Bool { sqlState == "23505" }
    package var isNotNullViolation: Bool { sqlState == "23502" }
    package var isForeignKeyViolation: Bool { sqlState == "23503" }

    /// The role may not do this.
    package var isPermissionDenied: Bool { sqlState == "42501" }

    /// The role or its password was refused.
    package var isAuthenticationFailure: Bool { isOfClass("28") }

    package var isDiskFull: Bool { sqlState == "53100" }
    package var isOutOfMemory: Bool { sqlState == "53200" }

    /// `lock_timeout` has passed, or a lock with NOWAIT was not free.
    package var isLockTimeout: Bool { sqlState == "55P03" }

    /// The statement was cancelled by another thread or session, or by `statement_timeout`.
    package var isQueryCancelled: Bool { sqlState == "57014" }

    package var isMissingTable: Bool { sqlState == "42P01" }
    package var isMissingSchema: Bool { sqlState == "3F000" }

    /// Something is longer than the server takes: a value than an index has room for.
    package var isTooLong: Bool { sqlState == "54000" }

    /// A statement was prepared before others changed the tables that it is about. It is prepared anew the next time.
    package var isPlanOutdated: Bool { sqlState == "0A000" && message.hasPrefix("cached plan") }

    /// Other objects of the database depend on what was to be removed: views, for example.
    package var hasDependents: Bool { sqlState == "2BP01" }

    package var isMissingDatabase: Bool { sqlState == "3D000" }

    /// An earlier statement failed: only ROLLBACK is possible now.
    package var isTransactionAborted: Bool { sqlState == "25P02" }

    /// The session is read only, as on a standby server.
    package var isReadOnly: Bool { sqlState == "25006" }

    /// A value of a text is not in the encoding of the database: U+0000 among them.
    package var isUnrepresentableText: Bool { sqlState == "22021" || sqlState == "22P05" }

    /// The server does not know the prepared statement any more, or its result has other columns now.
    var isStatementOutdated: Bool { sqlState == "26000" || sqlState == "0A000" }

    private func isOfClass(_ name: String) -> Bool { sqlState?.hasPrefix(name) ?? false }
  }
#endif
