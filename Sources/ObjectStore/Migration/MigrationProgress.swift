/// Tells how far a migration has come, by the numbers of the rows that it goes through.
package final class MigrationProgress {
  private let total: Int64
  private var before: Int64 = 0
  private var inTable: Int64 = 0
  private let report: (@Sendable (Double) -> Void)?

  package init(_ total: Int64, _ report: (@Sendable (Double) -> Void)?) {
    self.total = total
    self.report = report
  }

  /// Notes that the rows of a table are done up to a number.
  package func add(upTo row: Int64) {
    inTable = max(0, row)
    report?(min(1, (Double(before) + Double(inTable)) / Double(max(1, total))))
  }

  package func endTable() {
    before = before.addingReportingOverflow(inTable).overflow ? .max : before + inTable
    inTable = 0
  }
}
