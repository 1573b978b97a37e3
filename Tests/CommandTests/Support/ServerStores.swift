#if PostgreSQL
  import Foundation
  import PostgreSQLClient
  import PostgreSQLServer

  /// With BROKER_ENGINE=postgresql: schemas of a database that take the place of a folder's files `*.sqlite`.
  struct ServerStores: StoresElsewhere {
    let folder: Folder

    private static let database = Result { try PostgreSQLServer.required().makeDatabase() }

    /// What the names of a folder's schemas begin with.
    private var prefix: String { folder.url.lastPathComponent.suffix(8).lowercased() + "." }

    private func schema(_ name: String) -> String { prefix + name }

    private func connection() throws -> PostgreSQLConnection { try .open(Self.database.get()) }

    // MARK: - Arguments of the command

    /// The store's name within the folder, if an argument is that of a store: a file that ends in `.sqlite`, and that no
    /// test wrote itself.
    private func name(of argument: String) -> String? {
      guard argument.hasSuffix(".sqlite"), !FileManager.default.fileExists(atPath: folder.path(argument))
      else {
        return nil
      }
      let path = folder.url.path + "/"
      let name = argument.hasPrefix(path) ? String(argument.dropFirst(path.count)) : argument
      return name.contains("/") ? nil : name
    }

    /// The argument for the command: an address in place of a store's file.
    func address(_ argument: String) throws -> String {
      guard let name = name(of: argument) else { return argument }
      return try Self.database.get() + "&schema=" + schema(name)
    }

    /// What the command says, with names of files in place of addresses.
    func withNames(_ text: String) throws -> String {
      let address = try Self.database.get().prefix { $0 != "?" }
      return text.replacing("\(address), schema \(prefix)", with: "")
    }

    // MARK: - What is there

    func exists(_ name: String) throws -> Bool {
      try connection().query("SELECT FROM pg_namespace WHERE nspname = \(literal(schema(name)))").count > 0
    }

    /// All rows, without the history of imports.
    func contents(_ name: String) throws -> [String] {
      let connection = try connection()
      let tables = try texts(
        """
        SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace(\(literal(quoted(schema(name)))))
        AND relname <> 'broker_imports' ORDER BY relname
        """, connection)
      return try tables.flatMap { table in
        let rows = try texts(
          "SELECT t::text FROM \(quoted(schema(name))).\(quoted(table)) t ORDER BY t::text COLLATE \"C\"",
          connection)
        return ["# \(table)"] + rows
      }
    }

    func isBeingWritten(_ name: String) throws -> Bool {
      try connection().query(
        """
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND (classid::bigint << 32) | objid::bigint IN (
          SELECT hashtextextended('broker:' || nspname || ':' || relname, 0)
          FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = \(literal(schema(name))))
        """
      ).count > 0
    }

    /// Makes the stores of another folder this one's too.
    func copy(from other: Folder) throws {
      let stores = ServerStores(folder: other)
      let schemas = try texts(
        "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, \(literal(stores.prefix)))", connection()
      )
      for name in schemas.map({ $0.dropFirst(stores.prefix.count) }) {
        let there = schema(String(name))
        try connection().execute("DROP SCHEMA IF EXISTS \(quoted(there)) CASCADE")
        let outcome = try broker(
          ["copy", "--from", stores.address(String(name)), "--to", address(String(name))], in: folder)
        guard outcome.status == 0 else { throw Folder.SetUpFailure(outcome: outcome) }
        // The history has the copy too.
        let imports = "\(quoted(there)).broker_imports"
        try connection().execute("DELETE FROM \(imports) WHERE number = (SELECT max(number) FROM \(imports))")
      }
    }

    private func texts(_ query: String, _ connection: PostgreSQLConnection) throws -> [String] {
      let result = try connection.query(query)
      return try (0..<result.count).map { try result.field($0, 0).string() }
    }

    private func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
    private func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
  }
#endif
