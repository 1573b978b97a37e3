extension Workbench {
  /// Departments with nested employees, and skills shared by them, into four tables.
  var departmentContenders: [Contender] {
    var contenders = [
      nested(Names.floor, store: "departments-floor") {
        try floor("departments", count: departments, store: $0)
      },
      nested(Names.broker, store: "departments", goal: .times(1.0, of: Names.floor)) {
        try Files.removeStore($0)
        return try importDepartments(store: $0)
      },
      nested(Names.again, store: "departments", goal: .times(0.7, of: Names.broker)) {
        try unchanged($0) { try importDepartments(store: $0) }
      },
      nested(Names.records, store: "departments-records") {
        try records("departments", departmentsJSON, store: $0)
      },
    ]
    if let shell = Files.find("sqlite3") {
      contenders.append(
        nested(Names.shell, store: "departments-shell") {
          try sqliteShell(shell, ShellSQL.departments(json: departmentsJSON), store: $0)
        })
    }
    return contenders
  }

  private func importDepartments(store: String) throws -> Measurement {
    try brokerImport(
      departmentsJSON, model: model("Departments"), entity: "Department", store: store)
  }

  private func nested(
    _ name: String, store: String, goal: Goal? = nil, run: @escaping (String) throws -> Measurement
  ) -> Contender {
    let path = self.store(store)
    return Contender(
      subject: .departments, name: name, bytes: Files.size(departmentsJSON), store: path, goal: goal,
      run: { _ in try run(path) })
  }
}
