#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// Says in a store's words what a server answered.
  struct ServerFailure {
    let address: DatabaseAddress

    init(_ address: DatabaseAddress) { self.address = address }

    /// An error as callers of a store get it.
    ///
    /// - Parameter isCommit: Whether the server was asked to commit when it failed.
    func described(_ error: any Error, isCommit: Bool = false) -> any Error {
      if let error = error as? PostgreSQLDataError {
        return StoreError.server(
          state: nil, "The store \(address.shown) holds what Broker cannot read: \(error).")
      }
      let said = (error as? PostgreSQLPipelineError)?.error ?? error as? PostgreSQLError
      guard let error = said else { return error }
      let sentence = sentence(error, isCommit)
      return error.isConnectionLost && isCommit
        ? StoreError.uncertainCommit(sentence) : StoreError.server(state: error.sqlState, sentence)
    }

    /// A message of libpq or the server in one line and without its full stop. Hints of libpq's begin with a tab.
    private static func words(_ message: String) -> String {
      let lines = message.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("\t") }
      let text = lines.joined(separator: "; ")
      return text.last == "." ? String(text.dropLast()) : text
    }

    private func sentence(_ error: PostgreSQLError, _ isCommit: Bool) -> String {
      let place = address.shown
      let said = Self.words(error.message)
      if let sentence = sumSentence(error) ?? limitSentence(error, said) { return sentence }
      if error.isAuthenticationFailure {
        return
          "\(place) refuses this login: \(said). Passwords come from ~/.pgpass, a service file or PGPASSWORD."
      }
      if error.isMissingDatabase { return "\(said): create it with createdb, or name another." }
      if error.isServerUnavailable {
        return
          "The server of \(place) takes no connection now: \(said). Nothing was changed. Try again later."
      }
      if error.isOtherServerAway {
        return
          "A server that has rows of \(place) is away: \(said). Nothing was changed. Try again when it is there."
      }
      if error.isConnectionLost {
        guard isCommit else {
          return "There is no connection to \(place): \(said). Nothing was changed."
        }
        return
          "The connection to \(place) was lost while the server was asked to commit: \(said). Whether it did is not"
          + " known. The same import again makes sure."
      }
      if error.isPermissionDenied {
        return
          "The role may not do this in \(place): \(said). \(missingRight(error)) Nothing was changed."
      }
      if error.isQueryCancelled {
        return
          "The server of \(place) ended a statement: \(said). Nothing was changed. Its setting statement_timeout limits how"
          + " long one may take; options=-cstatement_timeout=0 in the address sets none."
      }
      if error.isReadOnly {
        return
          "\(place) can only be read: \(said). It is a replica, or its role may only read. Nothing was changed."
      }
      if error.isPlanOutdated {
        return
          "Others have changed the tables of \(place) meanwhile: \(said). Nothing was changed. Try again."
      }
      if error.isTakenName {
        return
          "Something that Broker did not make has a name that \(place) needs: \(said). Nothing was changed. Give that another"
          + " name, or name another schema with ?schema=."
      }
      if error.isMissingColumn {
        return
          "A column of \(place) is missing: \(said). Nothing was changed. If another program has given the store another"
          + " version of its model, open it again."
      }
      if error.isMissingTable {
        return
          "A table of \(place) is missing: \(said). Nothing was changed. If another program has given the store another"
          + " version of its model, open it again."
      }
      if error.isLockTimeout {
        return
          "Other programs have locked tables of \(place) for longer than the time to wait: \(said). Nothing was changed."
      }
      if error.hasDependents {
        let others = error.detail.map { ": " + Self.words($0) } ?? ""
        return
          "Others have built on what has to change in \(place): \(said)\(others). Nothing was changed. Remove that first, and"
          + " make it again afterwards."
      }
      if error.isDiskFull || error.isOutOfMemory {
        return "The server of \(place) has no room: \(said). Nothing was changed."
      }
      if error.isDeadlock || error.isSerializationFailure {
        return
          "Others changed the same objects of \(place) at the same time: \(said). Nothing was changed. Try again."
      }
      return "The server of \(place): \(error). Nothing was changed."
    }

    /// That an aggregate has no value that fits its type; nil for other errors.
    private func sumSentence(_ error: PostgreSQLError) -> String? {
      guard error.isOutOfRange else { return nil }
      // The names of types are the same in all languages.
      if error.message.contains("bigint") { return StoreError.overflow }
      // Others may have limited the digits of a column.
      guard error.message.contains("out of range: overflow") else { return nil }
      return
        "A sum of numbers is larger than a double holds, so neither it nor an average can be told. Sum fewer objects, or make"
        + " the attribute a decimal."
    }

    /// That a setting of the server has ended the session, or that a row is larger than the server's; nil for other errors.
    private func limitSentence(_ error: PostgreSQLError, _ said: String) -> String? {
      if let setting = error.endingSetting {
        let advice =
          setting == "idle_in_transaction_session_timeout"
          ? " An import that waits for its input is idle; --receive-first reads all of it before." : ""
        return
          "The server of \(address.shown) ended the session: \(said). Nothing was changed. Its setting \(setting) limits how"
          + " long that may last; options=-c\(setting)=0 in the address sets none.\(advice)"
      }
      if error.isTooLong, error.message.contains("row is too big") {
        // Rows of staging tables are those of another one.
        let table =
          (error.table ?? error.copiedTable).map { $0.hasPrefix("broker_") ? "" : " of the table \($0)" }
          ?? ""
        return
          "An object has more values than a row\(table) has room for in \(address.shown): \(said). Nothing was changed. Each"
          + " text, list and decimal takes its bytes of the row and, if it is longer, some 20. Leave attributes out of the model, or"
          + " split the entity."
      }
      return nil
    }

    /// Which right a role lacks, by the words of the server. It may say them in another language: then all that may be.
    private func missingRight(_ error: PostgreSQLError) -> String {
      let said = error.message
      let schema = SQL.quoted(address.schema)
      if error.isAboutRowSecurity {
        return
          "That is row-level security, not a right: a policy of the table has to let the role write such rows (CREATE POLICY …"
          + " TO the role), or a role that policies do not hold for imports (BYPASSRLS, or the owner)."
      }
      if said.contains("temporary tables") {
        return "It needs TEMPORARY on the database: GRANT TEMPORARY ON DATABASE … TO the role."
      }
      if said.hasPrefix("must be owner") {
        return "It needs to own that: only its owner changes the tables of a store to another version."
      }
      if said.contains("for database") {
        return
          "It needs CREATE on the database to make the schema; or somebody else makes it: CREATE SCHEMA \(schema)"
          + " AUTHORIZATION the role."
      }
      if said.contains("for schema") {
        return
          "It needs USAGE on the schema, and CREATE to make tables in it: GRANT USAGE ON SCHEMA \(schema) TO the role."
      }
      if said.contains("for table") || said.contains("for sequence") || said.contains("for relation") {
        return
          "It needs SELECT to read, and SELECT, INSERT, UPDATE, DELETE and TRUNCATE to import: GRANT … ON ALL TABLES IN SCHEMA"
          + " \(schema) TO the role, and USAGE ON ALL SEQUENCES."
      }
      return
        "It needs USAGE on the schema, rights on its tables and sequences, TEMPORARY on the database, and CREATE on the schema"
        + " for a new store."
    }
  }
#endif
