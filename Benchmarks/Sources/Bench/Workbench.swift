/// The data, the tools and the places of one session of measuring.
struct Workbench {
  let root: String
  let data: String
  let broker: String
  let people: Int
  let departments: Int

  init(root: String, data: String, broker: String, scale: Double) {
    self.root = root
    self.data = data
    self.broker = broker
    people = max(1, Int(500_000 * scale))
    departments = max(1, Int(2_000 * scale))
  }

  var flatJSON: String { "\(data)/flat-\(people).json" }
  var departmentsJSON: String { "\(data)/departments-\(departments).json" }
  /// A few of the same persons, for a small store to compare a large one with.
  var fewJSON: String { "\(data)/flat-500.json" }

  /// Stores that hold little but what an import of a part touches, for large ones to be compared with.
  var smallPeople: Int { max(2, people / 25) }
  var smallDepartments: Int { max(1, departments / 250) }
  var smallFlatJSON: String { "\(data)/flat-\(smallPeople).json" }
  var smallDepartmentsJSON: String { "\(data)/departments-\(smallDepartments).json" }

  func store(_ name: String) -> String { "\(data)/\(name).sqlite" }
  func model(_ name: String) -> String { "\(root)/Benchmarks/Models/\(name).xcdatamodeld" }

  /// Another executable of this package.
  func tool(_ name: String) -> String { "\(Files.executableFolder)/\(name)" }

  /// Writes the JSON that is not there yet.
  func makeData() throws {
    try Files.makeFolder(data)
    for (shape, count, path) in [
      ("flat", people, flatJSON), ("flat", 500, fewJSON), ("departments", departments, departmentsJSON),
      ("flat", smallPeople, smallFlatJSON), ("departments", smallDepartments, smallDepartmentsJSON),
    ] where Files.size(path) == nil {
      let child = try Child.run([tool("bench-data"), shape, String(count), path])
      try child.requireSuccess()
    }
  }

  /// Removes what an earlier session, maybe of another version or scale, has left.
  func removeStores() throws {
    let names = [CommandStores.large, CommandStores.few, CommandStores.bands] + PartStores.all
    let single = names.map(store)
    for path in single + contenders.compactMap(\.store) { try Files.removeStore(path) }
  }

  var contenders: [Contender] {
    flatContenders + departmentContenders + inferredContenders + inferredDepartmentContenders
      + exportContenders + partContenders + commandContenders + serverContenders + serverDepartmentContenders
  }
}
