#if PostgreSQL
  import ObjectModel
  import ObjectStore

  /// What does not hold for the tables of a plan, and what follows from that.
  struct DistributionLimits {
    private let layout: Layout
    private let distributed: [DistributionPlan.Table]

    init(_ plan: DistributionPlan, _ layout: Layout) {
      self.layout = layout
      distributed = plan.tables.filter { $0.kind == .distributed }
    }

    var all: [DistributionPlan.Limit] { distributed.isEmpty ? [] : numbers + uniqueness + states }

    /// The numbers of rows, where they are not the key.
    private var numbers: [DistributionPlan.Limit] {
      let names = distributed.map(\.name).filter { name in
        layout.tables.contains { $0.name == name && !$0.keyIsRowID }
      }
      guard !names.isEmpty else { return [] }
      return [
        .init(
          "No server checks that the numbers of rows (broker_row) are unique in \(names.joined(separator: ", ")).",
          "Broker gives them under its lock. Another program that inserts rows has to take numbers of its own."
        )
      ]
    }

    /// Constraints of the model that no server can check for all.
    private var uniqueness: [DistributionPlan.Limit] {
      layout.tables.flatMap { table in
        let column = distributed.first { $0.name == table.name }?.column
        return table.indexes.compactMap { index -> DistributionPlan.Limit? in
          let names = index.columns.map { table.columns[$0.column].name }
          guard let column, index.uniqueFor != nil, !names.contains(column) else { return nil }
          return .init(
            "No server can check that \(names.joined(separator: ", ")) of \(table.name) is unique.",
            "Broker checks it under its lock at the end of each import, as in any store. Another program can break it."
          )
        }
      }
    }

    private var states: [DistributionPlan.Limit] {
      [
        .init(
          "A transaction sees one state of each server in each statement, not one for all its statements.",
          "An export that runs while others write may contain a part of what they commit meanwhile."),
        .init(
          "What a query looks up in other tables is gathered first, up to citus.max_intermediate_result_size (1 GB).",
          "A query that needs more fails. The setting can be raised."),
        .init(
          "The column that a table is distributed by keeps its type.",
          "A version of the model with another identity needs a new store."),
      ]
    }
  }
#endif
