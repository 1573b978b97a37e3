import ArgumentParser

/// What a table of the report is about.
enum Subject: String, CaseIterable, ExpressibleByArgument {
  case flat, departments
  case inferred
  case inferredDepartments = "inferred-departments"
  case export, parts, commands
  case server
  case serverDepartments = "server-departments"
}

/// One row of the report: what it is called and how it is run once.
struct Contender {
  var subject: Subject
  var name: String
  /// Bytes of JSON that a run reads, where a rate means something.
  var bytes: Int?
  /// The database it fills, which must hold the same rows as the others of its subject.
  var store: String?
  /// The same of a server.
  var schema: String?
  /// What its ratio is to.
  var floor = Names.floor
  var goal: Goal?
  /// Runs it; the argument counts the runs, from zero.
  var run: (Int) throws -> Measurement
}

/// What one run took.
struct Measurement {
  var seconds: Double
  /// Peak memory of the process; none where it says nothing about the contender.
  var peakBytes: Int?
  /// The seconds that the command itself reports, where it does.
  var inside: Double?
  /// How many objects it says it changed, where it says that.
  var changed: Int?
  /// Bytes of JSON written, where that is what is measured.
  var bytes: Int?
  /// Bytes that a server wrote to its log.
  var logBytes: Int?
}

/// What a median must reach.
enum Goal {
  /// At most so many times another contender of the same subject.
  case times(Double, of: String)
  case seconds(Double)
  /// At most so many seconds as the command reports them.
  case inside(Double)
  /// At least so many bytes a second.
  case rate(Double)
}

/// A contender that could not run, or that did not do what it should.
struct Failure: Error, CustomStringConvertible {
  var description: String
}
