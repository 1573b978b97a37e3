#if PostgreSQL
  import ObjectModel
  import ObjectStore
  import UnitOfWork

  /// The bulk rows of one entity: where they are copied to, and which have been copied.
  ///
  /// Rows go straight to a fresh table. Others go to a staging table, whose columns are `p`, a bit for each slot that a row
  /// has, `r`, the number of the row if it turns out to be new, and `c0`, `c1` and so on, a column for each slot.
  final class BulkTable {
    let entity: BulkEligibility
    let table: Int
    let forms: [ColumnForm]
    let keySlots: [Int]
    /// By index with texts, their slots.
    private let textSlots: [[Int]]
    /// Whether the one value of the key is the number of the row.
    let keyIsRow: Bool
    /// The COPY targets.
    let direct: String
    /// What the staging table is for, among those of the transaction.
    let purpose: String
    /// The name of the staging table; empty while it is not there.
    var staging = ""

    /// The keys that were copied straight, or staged since the staging table was emptied. Not checked for overlapping access,
    /// since every row passes here and no function of it calls out.
    @exclusivity(unchecked) var keys = KeySet()
    /// Whether the rows go to the fresh table.
    var isDirect = false
    /// Whether rows went there that were not checked for references that lead nowhere.
    var hasUncheckedRows = false
    var hasStaging: Bool { !staging.isEmpty }
    var staged = 0
    /// Bits of the slots that all staged rows have, and of those that any has.
    var inAll = UInt64.max
    var inAny: UInt64 = 0
    /// The number of the first staged row, where the keys do not say it; the others follow it.
    var firstStaged: Int64 = 0

    /// - Parameter number: A number that no other has in this transaction.
    init(_ entity: BulkEligibility, _ tables: ServerTables, number: Int) {
      self.entity = entity
      table = entity.layout.table
      let described = tables.layout.tables[table]
      keySlots = entity.layout.keySlots
      keyIsRow = described.keyIsRowID
      forms = entity.layout.slots.map { tables.forms[entity.layout.table][$0] }
      textSlots = tables.textIndexes[table].map { entity.layout.slots(of: $0.columns) }
      var names = entity.layout.slots.map { SQL.quoted(described.columns[$0].name) }
      if !described.keyIsRowID { names.insert(ServerTables.rowName, at: 0) }
      direct = "\(tables.name(entity.layout.table)) (\(names.joined(separator: ", ")))"
      purpose = "rows \(number)"
    }

    /// The values of staging columns, as they are named in statements.
    func column(_ slot: Int) -> String { "c\(slot)" }

    /// The columns of the staging table.
    func stagingColumns(_ tables: ServerTables) -> [StagingTables.Column] {
      let described = tables.layout.tables[table].columns
      return [.init(name: "p", form: .integer), .init(name: "r", form: .integer)]
        + forms.enumerated().map { slot, form in
          .init(name: column(slot), form: form, matching: described[entity.layout.slots[slot]].name)
        }
    }

    /// Whether the texts of a row fit into all indexes as they are.
    func fitsIntoIndexes(_ row: Int, _ batch: borrowing RowBatch) -> Bool {
      for slots in textSlots {
        var bytes = 0
        for slot in slots where slot >= 0 {
          let kind = batch[row, slot].kind
          if kind == .text || kind == .blob { bytes += Int(batch[row, slot].count) }
        }
        if bytes > ValueLimit.longestIdentity { return false }
      }
      return true
    }

    func forgetStaged() {
      (staged, inAll, inAny) = (0, .max, 0)
      if !isDirect { keys.removeAll() }
    }
  }
#endif
