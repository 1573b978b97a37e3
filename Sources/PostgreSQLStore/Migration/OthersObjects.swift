#if PostgreSQL
  import ObjectStore
  import PostgreSQLClient

  /// What people have given to a table that is made anew, and what goes with it: rights, an owner, policies, indexes, triggers.
  struct OthersObjects {
    private(set) var statements: [String] = []
    private let connection: PostgreSQLConnection

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    /// Notes what an old table has.
    ///
    /// - Parameters:
    ///   - new: What takes its place.
    ///   - indexes: The names of the store's own indexes; nil for a join table, whose own have names of the server's.
    mutating func add(_ old: String, replacedBy new: String, ownIndexes indexes: [String]?) throws {
      let name = PostgreSQLValue.text(SQL.quoted(old))
      try addRights(name, SQL.quoted(new))
      try addPolicies(name, SQL.quoted(new))
      // Their definitions name the table.
      guard old == new, let indexes else { return }
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
        statements.append("ALTER TABLE \(new) OWNER TO \(try owner.field(0, 0).string())")
      }
    }

    /// Without its policies, a table with row security shows nothing to others: what cannot come back opens nothing.
    private mutating func addPolicies(_ old: PostgreSQLValue, _ new: String) throws {
      let security = try connection.query(
        "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = $1::regclass", old)
      for (column, what) in [(0, "ENABLE"), (1, "FORCE")] where try security.field(0, column).bool() {
        statements.append("ALTER TABLE \(new) \(what) ROW LEVEL SECURITY")
      }
      let policies = try connection.query(
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
        """, old, .text(new))
      for row in 0..<policies.count { statements.append(try policies.field(row, 0).string()) }
    }

    /// Gives it to the new tables. What is about a column that is gone cannot come back.
    func restore() throws {
      for statement in statements {
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
