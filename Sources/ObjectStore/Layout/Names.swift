/// What a database asks of the names of tables and columns.
package struct NameRules: Sendable {
  /// The most bytes that a name may have.
  package var longest = Int.max
  /// Names that columns cannot have.
  package var reservedColumns = ["rowid", "oid", "_rowid_"]
  /// Names that tables cannot have, beside those of the store's own tables.
  package var reservedTables: [String] = []
  /// The schema of the tables, which statements name them by; nil where the database is the store's alone.
  package var schema: String?

  package static let sqlite = NameRules()

  package init() {}

  /// A name that is too long without its end, with a hash of the whole instead.
  func shortened(_ name: String) -> String {
    guard name.utf8.count > longest else { return name }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    let digits = String(hash, radix: 16)
    // Room for the hash, and for underscores.
    var beginning = name.prefix(longest)
    while beginning.utf8.count > longest - 18 - 4 { beginning.removeLast() }
    return "\(beginning)_\(String(repeating: "0", count: 16 - digits.count) + digits)"
  }
}

/// Names that differ by more than case, since SQLite takes `ID` and `id` for one.
struct Names {
  private var taken: Set<String>
  private let rules: NameRules

  init(reserved: [String], _ rules: NameRules) {
    taken = Set(reserved.map { $0.lowercased() })
    self.rules = rules
  }

  /// The names of a table's columns.
  init(columns rules: NameRules) { self.init(reserved: rules.reservedColumns, rules) }

  /// The name, or the name with underscores behind it if it is taken.
  mutating func take(_ name: String) -> String {
    var name = rules.shortened(name.lowercased().hasPrefix("sqlite_") ? "_" + name : name)
    while !taken.insert(name.lowercased()).inserted { name += "_" }
    return name
  }

  /// The name, or the name with underscores behind it if it is taken or one of those that others are to have.
  mutating func take(_ name: String, leaving others: Set<String>) -> String {
    var name = name
    while others.contains(name.lowercased()) { name += "_" }
    return take(name)
  }

  /// A name that can be taken together with the names that it gives with some suffixes.
  mutating func take(_ name: String, with suffixes: [String]) -> String {
    func all(_ name: String) -> [String] { ([""] + suffixes).map { (name + $0).lowercased() } }
    var name = name
    while !taken.isDisjoint(with: all(name)) { name += "_" }
    taken.formUnion(all(name))
    return name
  }
}
