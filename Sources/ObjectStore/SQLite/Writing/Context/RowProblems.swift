/// What could not be written, and the tickets of what shows in the end only.
struct RowProblems {
  /// Those since the list was last emptied.
  var list: [RowProblem] = []
  /// The ticket of the next problem that has to wait for the end.
  private(set) var nextTicket: Int

  init(nextTicket: Int) {
    self.nextTicket = nextTicket
  }

  mutating func add(_ reason: RowProblem.Reason, row: Int) {
    list.append(RowProblem(row: row, reason: reason))
  }

  /// Notes that a row may turn out to have a problem, and returns the ticket by which the end tells which.
  mutating func addDeferred(row: Int) -> Int {
    let ticket = takeTicket()
    add(.deferred(ticket: ticket), row: row)
    return ticket
  }

  /// A ticket for a problem that no row of a batch has.
  mutating func takeTicket() -> Int {
    defer { nextTicket += 1 }
    return nextTicket
  }
}
