extension People {
  /// Writes the rows as one JSON array of flat objects.
  package func write(to path: String) throws(FileFailure) {
    var file = try JSONFile(path: path)
    file.write("[\n")
    for row in rows {
      if row.id > 1 { file.write(",\n") }
      file.write("{\"id\":")
      file.write(row.id)
      file.write(",\"name\":")
      file.write(string: text[row.name])
      file.write(",\"email\":")
      file.write(string: text[row.email])
      file.write(",\"age\":")
      file.write(row.age)
      file.write(",\"score\":")
      file.write(hundredths: row.score)
      file.write(row.active ? ",\"active\":true" : ",\"active\":false")
      file.write(",\"bio\":")
      file.write(string: text[row.bio])
      file.write(",\"created\":")
      file.write(moment: text[row.created])
      file.write("}")
      try file.flushIfFull()
    }
    file.write("\n]\n")
    try file.finish()
  }
}

extension Departments {
  /// Writes the rows as one JSON array of departments with everything nested.
  package func write(to path: String) throws(FileFailure) {
    var file = try JSONFile(path: path)
    file.write("[\n")
    for department in departments {
      if department.id > 1 { file.write(",\n") }
      file.write("{\"id\":")
      file.write(department.id)
      file.write(",\"name\":")
      file.write(string: text[department.name])
      file.write(",\"code\":")
      file.write(string: text[department.code])
      file.write(",\"employees\":[\n")
      for index in department.employees {
        if index > department.employees.lowerBound { file.write(",\n") }
        write(employees[index], to: &file)
      }
      file.write("]}")
      try file.flushIfFull()
    }
    file.write("\n]\n")
    try file.finish()
  }

  private func write(_ employee: Employee, to file: inout JSONFile) {
    file.write("{\"id\":")
    file.write(employee.id)
    file.write(",\"first_name\":")
    file.write(string: text[employee.firstName])
    file.write(",\"last_name\":")
    file.write(string: text[employee.lastName])
    file.write(",\"email\":")
    file.write(string: text[employee.email])
    file.write(",\"salary\":")
    file.write(employee.salary)
    file.write(",\"hired\":")
    file.write(moment: text[employee.hired])
    file.write(",\"skills\":[")
    write(skills[employee.skills.0], to: &file)
    file.write(",")
    write(skills[employee.skills.1], to: &file)
    file.write(",")
    write(skills[employee.skills.2], to: &file)
    file.write("]}")
  }

  private func write(_ skill: Skill, to file: inout JSONFile) {
    file.write("{\"id\":")
    file.write(skill.id)
    file.write(",\"name\":")
    file.write(string: text[skill.name])
    file.write("}")
  }
}
