import ArgumentParser
import BenchmarkData

/// A set of rows, made before the clock starts, and how they get into tables.
protocol Floor {
  static var schema: String { get }
  init(count: Int)
  func fill(_ connection: Connection) throws
}

extension UnsafeRawBufferPointer {
  subscript(text: Text) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[text.offset..<text.offset + text.count])
  }
}

/// The time that SQLite itself takes for the rows: nothing that reads JSON can be expected to be faster.
@main
struct BenchFloor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-floor",
    abstract: "Upsert rows that are parsed already, in one transaction; print its seconds.",
    discussion: "bench-floor flat 500000 flat.sqlite")

  enum Shape: String, ExpressibleByArgument, CaseIterable {
    case flat, departments
  }

  @Argument(help: "Which rows.")
  var shape: Shape

  @Argument(help: "How many objects at the top.")
  var count: Int

  @Argument(help: "The database to make.")
  var path: String

  func run() throws {
    switch shape {
    case .flat: try measure(FlatFloor(count: count))
    case .departments: try measure(DepartmentsFloor(count: count))
    }
  }

  private func measure(_ floor: some Floor) throws {
    let connection = try Connection(path: path)
    defer { connection.close() }
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")
    try connection.execute(type(of: floor).schema)
    let time = try ContinuousClock().measure {
      try connection.execute("BEGIN IMMEDIATE")
      try floor.fill(connection)
      try connection.execute("COMMIT")
    }
    print(#"{"seconds": \#(time / .seconds(1))}"#)
  }
}
