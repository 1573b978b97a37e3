#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// The additions of people to a table that is made anew, which would go with it: rights, an owner, policies, settings, comments,
  /// publications, indexes, triggers.
  struct ForeignGrants {
    private var statements: [String] = []
    /// Without these, others would miss changes and not know: they must come back.
    private var publications: [String] = []
    /// Whoever is not the owner any more can do nothing else to a table.
    private var owners: [String] = []
    private let connection: PostgreSQLConnection
    private let names: NameRules

    init(_ connection: PostgreSQLConnection, _ names: NameRules) {
      (self.connection, self.names) = (connection, names)
    }

    /// Notes what an old table has.
    ///
    /// - Parameters:
    ///   - replacement: What takes its place.
    ///   - indexes: The names of the store's own indexes; nil for a join table, whose own have names of the server's.
    mutating func add(_ old: String, replacedBy replacement: String, ownIndexes indexes: [String]?) throws {
      let (name, new) = (PostgreSQLValue.text(names.sqlName(old)), names.sqlName(replacement))
      try addRights(name, new)
      try addColumnRights(name, new)
      try addPolicies(name, new)
      try addSettings(name, new)
      try addComments(name, new)
      try addPublications(name, new)
      // Their definitions name the table.
      guard old == replacement, let indexes else { return }
      let found = try connection.query(
        """
        SELECT i.relname, pg_get_indexdef(i.oid) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
        WHERE x.indrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.oid)
        """, name)
      for row in 0..<found.count {
        if try !indexes.contains(found.field(row, 0).string()) {
          statements.append(try found.field(row, 1).string())
        }
      }
      let triggers = try connection.query(
        "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = $1::regclass AND NOT tgisinternal",
        name)
      for row in 0..<triggers.count { statements.append(try triggers.field(row, 0).string()) }
    }

    private mutating func addRights(_ old: PostgreSQLValue, _ new: String) throws {
      let rights = try connection.query(
        """
        SELECT CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END, a.privilege_type,
          a.is_grantable
        FROM pg_class c, aclexplode(c.relacl) a WHERE c.oid = $1::regclass AND a.grantee <> c.relowner
        """, old)
      for row in 0..<rights.count {
        let option = try rights.field(row, 2).bool() ? " WITH GRANT OPTION" : ""
        statements.append(
          "GRANT \(try rights.field(row, 1).string()) ON \(new) TO \(try rights.field(row, 0).string())\(option)"
        )
      }
      let owner = try connection.query(
        """
        SELECT quote_ident(pg_get_userbyid(relowner)) FROM pg_class
        WHERE oid = $1::regclass AND pg_get_userbyid(relowner) <> current_user
        """, old)
      if owner.count > 0 {
        owners.append("ALTER TABLE \(new) OWNER TO \(try owner.field(0, 0).string())")
      }
    }

    private mutating func addColumnRights(_ old: PostgreSQLValue, _ new: String) throws {
      statements += try texts(
        """
        SELECT format('GRANT %s (%I) ON %s TO %s%s', r.privilege_type, c.attname, $2::text,
          CASE r.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(r.grantee)) END,
          CASE WHEN r.is_grantable THEN ' WITH GRANT OPTION' END)
        FROM pg_attribute c, aclexplode(c.attacl) r WHERE c.attrelid = $1::regclass AND c.attnum > 0 AND NOT c.attisdropped
        """, old, new)
    }

    /// How the server is to keep the table, such as `fillfactor`.
    private mutating func addSettings(_ old: PostgreSQLValue, _ new: String) throws {
      statements += try texts(
        """
        SELECT format('ALTER TABLE %s SET (%s)', $2::text, array_to_string(reloptions, ', '))
        FROM pg_class WHERE oid = $1::regclass AND reloptions IS NOT NULL
        """, old, new)
    }

    private mutating func addComments(_ old: PostgreSQLValue, _ new: String) throws {
      statements += try texts(
        """
        SELECT format('COMMENT ON %s %s%s IS %L', CASE WHEN c.attname IS NULL THEN 'TABLE' ELSE 'COLUMN' END, $2::text,
          '.' || quote_ident(c.attname), d.description)
        FROM pg_description d LEFT JOIN pg_attribute c ON c.attrelid = d.objoid AND c.attnum = d.objsubid AND c.attnum > 0
        WHERE d.objoid = $1::regclass AND d.classoid = 'pg_class'::regclass
        """, old, new)
    }

    private mutating func addPublications(_ old: PostgreSQLValue, _ new: String) throws {
      // Some servers publish whole tables only.
      let hasParts = try connection.query(
        """
        SELECT count(*) = 2 FROM pg_attribute
        WHERE attrelid = 'pg_publication_rel'::regclass AND attname IN ('prattrs', 'prqual')
        """
      ).value { try $0.bool() }
      let part =
        !hasParts
        ? "NULL"
        : """
        concat((SELECT ' (' || string_agg(quote_ident(attname), ', ' ORDER BY attnum) || ')' FROM pg_attribute
          WHERE attrelid = t.prrelid AND attnum = ANY (t.prattrs::int2[])),
          ' WHERE (' || pg_get_expr(t.prqual, t.prrelid) || ')')
        """
      publications += try texts(
        """
        SELECT format('ALTER PUBLICATION %I ADD TABLE %s%s', p.pubname, $2::text, \(part))
        FROM pg_publication_rel t JOIN pg_publication p ON p.oid = t.prpubid WHERE t.prrelid = $1::regclass
        """, old, new)
    }

    private func texts(_ query: String, _ old: PostgreSQLValue, _ new: String) throws -> [String] {
      let found = try connection.query(query, old, .text(new))
      return try (0..<found.count).map { try found.field($0, 0).string() }
    }

    /// Without its policies, a table with row security shows nothing to others: what cannot come back opens nothing.
    private mutating func addPolicies(_ old: PostgreSQLValue, _ new: String) throws {
      let security = try connection.query(
        "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = $1::regclass", old)
      for (column, what) in [(0, "ENABLE"), (1, "FORCE")] where try security.field(0, column).bool() {
        statements.append("ALTER TABLE \(new) \(what) ROW LEVEL SECURITY")
      }
      statements += try texts(
        """
        SELECT format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s', p.polname, $2::text,
          CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
          CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE'
            ELSE 'ALL' END,
          (SELECT string_agg(CASE r WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(r)) END, ', ')
            FROM unnest(p.polroles) r),
          ' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')',
          ' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')
        FROM pg_policy p WHERE p.polrelid = $1::regclass
        """, old, new)
    }

    /// Gives it to the new tables. What is about a column that is gone cannot come back.
    ///
    /// - Throws: ``StoreError`` if a table cannot be put into its publications again.
    func restore() throws {
      for statement in publications {
        do {
          _ = try connection.execute(statement)
        } catch let error as PostgreSQLError where !error.isConnectionLost {
          throw StoreError.invalid(
            "A table that has to be written anew is published, and cannot be published again: \(error.message)"
              + " (\(statement)). Nothing was changed. Take it out of the publication, and put it in again afterwards."
          )
        }
      }
      for statement in statements + owners {
        _ = try connection.execute("SAVEPOINT broker_others")
        do {
          _ = try connection.execute(statement)
        } catch let error as PostgreSQLError where !error.isConnectionLost {
          _ = try connection.execute("ROLLBACK TO SAVEPOINT broker_others")
        }
        _ = try connection.execute("RELEASE SAVEPOINT broker_others")
      }
    }
  }
#endif
