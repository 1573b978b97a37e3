/// Stores of which a part is imported or pruned.
enum PartStores {
  static let prunedMany = "pruned-many"
  static let prunedFew = "pruned-few"
  static let ownersMany = "owners-many"
  static let ownersFew = "owners-few"
  /// What the pruned ones are copied from.
  static let original = "-original"

  static let all = [
    prunedMany, prunedFew, ownersMany, ownersFew, prunedMany + original, prunedFew + original,
  ]
}

extension Workbench {
  /// Imports that touch a part of a store, each into a large store and into one that has little else.
  var partContenders: [Contender] {
    [
      part(Names.pruneOfFew) { _ in
        try prune(PartStores.prunedFew, smallFlatJSON, keeping: smallPeople - smallPeople / 2)
      },
      part(Names.pruneOfMany, goal: .times(1.5, of: Names.pruneOfFew)) { _ in
        try prune(PartStores.prunedMany, flatJSON, keeping: people - smallPeople / 2)
      },
      part(Names.intoFew) { try importInto(PartStores.ownersFew, smallDepartmentsJSON, run: $0) },
      part(Names.intoMany, goal: .times(1.5, of: Names.intoFew)) {
        try importInto(PartStores.ownersMany, departmentsJSON, run: $0)
      },
    ]
  }

  private func part(
    _ name: String, goal: Goal? = nil, run: @escaping (Int) throws -> Measurement
  ) -> Contender {
    Contender(subject: .parts, name: name, bytes: nil, store: nil, goal: goal, run: run)
  }

  /// Deletes the persons with the greatest ids from a copy of a store of all.
  private func prune(_ name: String, _ json: String, keeping last: Int) throws -> Measurement {
    let original = store(name + PartStores.original)
    if Files.size(original) == nil { _ = try importPeople(json, store: original) }
    try Files.removeStore(store(name))
    try Child.run(["/bin/cp", original, store(name)]).requireSuccess()
    let path = "\(data)/pruning.json"
    try Files.save(#"[{"id": 1, "name": "Ada Lovelace"}]"#, to: path)
    return try brokerImport(
      path, model: model("Person"), entity: "Person", store: store(name),
      options: ["--prune-where", "id > \(last)"])
  }

  /// Imports employees into a department that has as many.
  private func importInto(_ name: String, _ json: String, run: Int) throws -> Measurement {
    let path = store(name)
    if Files.size(path) == nil {
      _ = try brokerImport(json, model: model("Departments"), entity: "Department", store: path)
      _ = try importEmployees(into: path, first: 0, salary: 1)
    }
    return try importEmployees(into: path, first: (run + 1) * 100, salary: run + 2)
  }

  private func importEmployees(into store: String, first: Int, salary: Int) throws -> Measurement {
    let employees = (first..<first + 1000).map { number in
      #"{"id": \#(100_000_000 + number), "last_name": "Employee \#(number)", "salary": \#(salary)}"#
    }
    let path = "\(data)/employees.json"
    try Files.save("[\(employees.joined(separator: ",\n"))]", to: path)
    return try brokerImport(
      path, model: model("Departments"), entity: nil, store: store,
      options: ["--into", "Department/1/employees", "--prune"])
  }
}
