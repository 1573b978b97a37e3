#if PostgreSQL
  import ObjectModel
  import ObjectStore

  /// Where the rows of a table are.
  enum TablePlacement: Sendable, Equatable {
    /// On the server of the connection, as those of any table of PostgreSQL's.
    case local
    /// All on each server.
    case reference
    /// Each on one server, by the value of a column.
    case distributed(column: String)
  }

  /// Where the rows of a store's tables are. Statements that depend on it ask here.
  struct Distribution: Sendable, Equatable {
    /// The tables that are not local, by their names.
    var placements: [String: TablePlacement] = [:]

    /// Whether any table is not local.
    var isDistributed: Bool { !placements.isEmpty }

    func placement(of table: String) -> TablePlacement { placements[table] ?? .local }

    /// The column that says on which server a row of a table is; nil if none does.
    func column(of table: String) -> String? {
      if case .distributed(let column) = placement(of: table) { column } else { nil }
    }

    // MARK: - What cannot be done to it

    /// Why a distributed store cannot become one of another layout; nil if nothing stands against it.
    func obstacle(from former: Layout, to new: Layout) -> String? {
      for table in former.tables {
        guard let name = column(of: table.name), let column = table.columns.first(where: { $0.name == name })
        else { continue }
        let entity = former.schema.entities[table.root].name
        let kept = new.tables.first { $0.name == table.name }?.columns.first { $0.name == name }
        guard let kept, kept.isKey else {
          return
            "the objects of \(entity) are distributed by \(name), which would not be their identity any more"
        }
        if ColumnForm(kept) != ColumnForm(column) {
          return "the objects of \(entity) are distributed by \(name), whose type cannot be changed then"
        }
      }
      return nil
    }

    /// The error for a version of the model that a distributed store cannot become one of.
    static func refusal(_ obstacle: String, _ place: String) -> StoreError {
      StoreError.invalid(
        "\(place) cannot become a store of another version of its model: \(obstacle). Export it, or make the table local"
          + " again with undistribute_table. Nothing was changed.")
    }
  }
#endif
