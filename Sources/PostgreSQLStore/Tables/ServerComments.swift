#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import PostgreSQLClient

  /// The comments of a store's tables and columns, for people and tools that look at the database: the documentation of the
  /// model, and of columns with the keys of other objects which table these are in.
  ///
  /// A reference may come before its object does, so a foreign key that the server checks cannot stand there.
  struct ServerComments {
    /// The table or column that a comment is about.
    struct Place: Hashable {
      let table: String
      /// Nil for the table itself.
      let column: String?
    }

    /// The annotation of a model that has the documentation of an entity or a property.
    /// The most characters of a comment.
    private static let longest = 4_000

    private let names: NameRules
    private var comments: [(place: Place, text: String)] = []
    private var numbers: [Place: Int] = [:]

    init(_ tables: ServerTables) {
      let layout = tables.layout
      names = layout.names
      for entity in layout.entities { addEntity(entity, layout) }
      for relationship in layout.schema.relationships { addRelationship(relationship, layout) }
      for join in layout.joins { addJoin(join, layout) }
    }

    /// All comments that there are.
    var texts: Set<String> { Set(comments.map(\.text)) }

    /// The statements that make the comments, of tables that have none.
    var statements: [String] { comments.map { statement($0.place, $0.text) } }

    private func statement(_ place: Place, _ text: String?) -> String {
      let column = place.column.map { "." + SQL.quoted($0) } ?? ""
      let kind = place.column == nil ? "TABLE" : "COLUMN"
      return
        "COMMENT ON \(kind) \(names.sqlName(place.table))\(column) IS \(text.map(SQL.literal) ?? "NULL")"
    }

    // MARK: - What they say

    /// Adds a text, on a line of its own where the place has one already.
    private mutating func add(_ text: String?, to place: Place) {
      guard var text, !text.isEmpty else { return }
      // A comment with U+0000 is none for the server.
      text = String(text.filter { $0 != "\0" }.prefix(Self.longest))
      guard let number = numbers[place] else {
        numbers[place] = comments.count
        comments.append((place, text))
        return
      }
      let known = comments[number].text
      guard !known.split(separator: "\n").contains(Substring(text)) else { return }
      comments[number].text = String((known + "\n" + text).prefix(Self.longest))
    }

    private mutating func addEntity(_ described: EntityLayout, _ layout: Layout) {
      let (entity, table) = (described.entity, layout.tables[described.table])
      let declared = layout.schema.model.entities[entity.index]
      let text = declared.userInfo[Model.documentationKey]
      let isRoot = table.root == entity.index
      add(text.map { isRoot ? $0 : "\(entity.name): \($0)" }, to: Place(table: table.name, column: nil))
      for (attribute, slot) in zip(entity.attributes, described.attributeSlots) {
        let place = Place(table: table.name, column: table.columns[described.slots[slot]].name)
        add(attribute.attribute.userInfo[Model.documentationKey], to: place)
      }
    }

    private mutating func addRelationship(_ relationship: SchemaRelationship, _ layout: Layout) {
      guard case .foreignKey(let columns) = layout.relationships[relationship.index] else { return }
      let table = layout.table(of: relationship.owner)
      let target = layout.table(of: relationship.destination)
      for (column, key) in zip(columns, target.key) {
        let place = Place(table: table.name, column: table.columns[column].name)
        add(relationship.relationship.userInfo[Model.documentationKey], to: place)
        add(Self.reference(to: target.columns[key], of: target), to: place)
      }
    }

    private mutating func addJoin(_ join: JoinTable, _ layout: Layout) {
      let relationship = layout.schema.relationships[join.relationship]
      let owner = layout.schema.entities[relationship.owner].name
      let place = Place(table: join.name, column: nil)
      add("The links of \(owner).\(relationship.name)", to: place)
      add(relationship.relationship.userInfo[Model.documentationKey], to: place)
      for (columns, entity) in [
        (join.ownerColumns, relationship.owner), (join.targetColumns, relationship.destination),
      ] {
        let target = layout.table(of: entity)
        for (column, key) in zip(columns, target.key) {
          add(
            Self.reference(to: target.columns[key], of: target),
            to: Place(table: join.name, column: column.name))
        }
      }
    }

    /// The words that SQL has for it in the definition of a column.
    private static func reference(to column: Column, of table: Table) -> String {
      "references \(SQL.quoted(table.name)).\(SQL.quoted(column.name))"
    }

    // MARK: - Tables that are there

    /// Brings the comments of tables that are there to what they are to say. Comments of others stay. What the role does not
    /// own, it leaves as it is.
    ///
    /// - Parameter former: What comments said before that are the store's own.
    func refresh(_ link: PostgreSQLConnection, replacing former: Set<String>) throws {
      let present = try present(link)
      var wanted: [Place: String] = [:]
      for (place, text) in comments { wanted[place] = text }
      let statements = present.keys.sorted { ($0.table, $0.column ?? "") < ($1.table, $1.column ?? "") }
        .compactMap { place -> String? in
          let text = present[place] ?? nil
          guard text != wanted[place], text.map(former.contains) ?? true else { return nil }
          return statement(place, wanted[place])
        }
      guard !statements.isEmpty else { return }
      _ = try link.execute(statements.joined(separator: ";\n"))
    }

    /// The comments of the tables and columns that the role may make comments of; nil where there is none.
    private func present(_ link: PostgreSQLConnection) throws -> [Place: String?] {
      let rows = try link.query(
        """
        SELECT c.relname, a.attname, d.description FROM pg_class c
        CROSS JOIN LATERAL (
          SELECT NULL::name AS attname, 0 AS number UNION ALL
          SELECT attname, attnum FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) a
        LEFT JOIN pg_description d
          ON d.objoid = c.oid AND d.classoid = 'pg_class'::regclass AND d.objsubid = a.number
        WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND c.relkind IN ('r', 'p')
          AND pg_has_role(c.relowner, 'USAGE')
        """, .text(names.schema ?? ""))
      var present: [Place: String?] = [:]
      for row in 0..<rows.count {
        let (column, text) = (rows.field(row, 1), rows.field(row, 2))
        let place = Place(
          table: try rows.field(row, 0).string(), column: try column.isNull ? nil : column.string())
        present[place] = .some(try text.isNull ? nil : text.string())
      }
      return present
    }
  }
#endif
