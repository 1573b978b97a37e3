/// Rows of eight values with nothing nested: the same rows for every contender.
package struct People: Sendable {
  package struct Row: Sendable {
    package var id: Int
    package var name: Text
    package var email: Text
    package var age: Int
    /// In hundredths, so that text and number are the same everywhere.
    package var score: Int
    package var active: Bool
    package var bio: Text
    /// As SQLite writes it: `2019-04-12 08:33:21`.
    package var created: Text
  }

  package private(set) var text = TextArena()
  package private(set) var rows: [Row] = []

  package init(count: Int) {
    var random = Randomness(seed: 1974)
    rows.reserveCapacity(count)
    for id in stride(from: 1, through: count, by: 1) {
      rows.append(row(id, &random))
    }
  }

  private mutating func row(_ id: Int, _ random: inout Randomness) -> Row {
    let first = Words.first[random.below(Words.first.count)]
    let last = Words.last[random.below(Words.last.count)]
    let name = text.append {
      $0 += first.written
      $0.append(" ")
      $0 += last.written
    }
    let email = text.append {
      $0 += first.address
      $0.append(".")
      $0 += last.address
      $0.append(id)
      $0.append("@example.com")
    }
    return Row(
      id: id, name: name, email: email, age: 18 + random.below(70), score: random.below(100_000),
      active: random.below(3) > 0, bio: bio(&random), created: text.append { $0.appendMoment(&random) })
  }

  /// A dozen words; in one text of sixteen, some that JSON must escape.
  private mutating func bio(_ random: inout Randomness) -> Text {
    let escapes = random.below(16) == 0
    return text.append { bytes in
      for number in 0..<11 + random.below(4) {
        if number > 0 { bytes.append(number == 6 && escapes ? "\n" : " ") }
        let quotes = number == 3 && escapes
        if quotes { bytes.append("\"") }
        bytes += Words.plain[random.below(Words.plain.count)]
        if quotes { bytes.append("\"") }
      }
    }
  }
}
