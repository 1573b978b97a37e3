/// Departments, their employees, and the employees' skills, three each of two hundred.
package struct Departments: Sendable {
  package static let employeesEach = 250
  package static let skillsEach = 3

  package struct Department: Sendable {
    package var id: Int
    package var name: Text
    package var code: Text
    package var employees: Range<Int>
  }

  package struct Employee: Sendable {
    package var id: Int
    package var firstName: Text
    package var lastName: Text
    package var email: Text
    package var salary: Int
    package var hired: Text
    /// Indexes into ``Departments/skills``, all different.
    package var skills: (Int, Int, Int)
  }

  package struct Skill: Sendable {
    package var id: Int
    package var name: Text
  }

  package private(set) var text = TextArena()
  package private(set) var departments: [Department] = []
  package private(set) var employees: [Employee] = []
  package private(set) var skills: [Skill] = []

  package init(count: Int) {
    var random = Randomness(seed: 1981)
    for field in Words.fields {
      for subject in Words.subjects {
        let name = text.append {
          $0 += field
          $0.append(" ")
          $0 += subject.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: " ") : $0 }
        }
        skills.append(Skill(id: skills.count + 1, name: name))
      }
    }
    employees.reserveCapacity(count * Self.employeesEach)
    for id in stride(from: 1, through: count, by: 1) {
      appendDepartment(id, &random)
    }
  }

  private mutating func appendDepartment(_ id: Int, _ random: inout Randomness) {
    let name = text.append {
      $0 += Words.fields[random.below(Words.fields.count)]
      $0.append(" department ")
      $0.append(id)
    }
    let code = text.append {
      $0.append("D")
      $0.append(id, width: 5)
    }
    let start = employees.count
    for _ in 0..<Self.employeesEach {
      employees.append(employee(employees.count + 1, of: id, &random))
    }
    departments.append(
      Department(id: id, name: name, code: code, employees: start..<employees.count))
  }

  private mutating func employee(_ id: Int, of department: Int, _ random: inout Randomness) -> Employee {
    let first = Words.first[random.below(Words.first.count)]
    let last = Words.last[random.below(Words.last.count)]
    let email = text.append {
      $0 += first.address
      $0.append(".")
      $0 += last.address
      $0.append(".")
      $0.append(id)
      $0.append("@department-")
      $0.append(department, width: 5)
      $0.append(".company.example.com")
    }
    let one = random.below(skills.count)
    var two = random.below(skills.count)
    while two == one { two = random.below(skills.count) }
    var three = random.below(skills.count)
    while three == one || three == two { three = random.below(skills.count) }
    return Employee(
      id: id, firstName: text.append { $0 += first.written }, lastName: text.append { $0 += last.written },
      email: email, salary: 24_000 + random.below(120_000), hired: text.append { $0.appendMoment(&random) },
      skills: (one, two, three))
  }
}
