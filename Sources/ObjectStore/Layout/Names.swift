/// Names that differ by more than case, since SQLite takes `ID` and `id` for one.
struct Names {
  private var taken: Set<String>

  init(reserved: [String]) {
    taken = Set(reserved.map { $0.lowercased() })
  }

  /// The name, or the name with underscores behind it if it is taken.
  mutating func take(_ name: String) -> String {
    var name = name.lowercased().hasPrefix("sqlite_") ? "_" + name : name
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
