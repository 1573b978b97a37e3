#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A command that has run, and what it took.
struct Child {
  var command: [String]
  var status: Int32
  var seconds: Double
  var peakBytes: Int
  var output: String
  var errors: String

  /// Runs a command to its end, with nothing or with a file that `cat` pipes to it as its input.
  static func run(_ command: [String], piping file: String? = nil) throws -> Child {
    sync()  // what others have left to be written is not for this one to wait for
    let output = "\(Files.temporaryFolder)/output"
    let errors = "\(Files.temporaryFolder)/errors"
    let pipe = try file.map { try Pipe(of: $0) }

    let start = Files.now()
    let process = try spawn(
      command, input: pipe?.reading, output: try openForWriting(output), errors: try openForWriting(errors))
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    let seconds = Files.now() - start

    pipe?.wait()
    return Child(
      command: command, status: exitStatus(status), seconds: seconds, peakBytes: peak(usage),
      output: try Files.read(output), errors: try Files.read(errors))
  }

  /// Throws what the command said, unless it ended as it should.
  func requireSuccess(accepting statuses: [Int32] = [0]) throws {
    guard !statuses.contains(status) else { return }
    let said = errors.split(separator: "\n").first.map { ": \($0)" } ?? ""
    let name = command.first?.split(separator: "/").last ?? ""
    throw Failure(description: "\(name) ended with status \(status)\(said)")
  }

  func measurement(accepting statuses: [Int32] = [0]) throws -> Measurement {
    try requireSuccess(accepting: statuses)
    return Measurement(seconds: seconds, peakBytes: peakBytes)
  }

  /// The status as a shell has it: 128 and the signal, for a process that one ended.
  private static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  private static func peak(_ usage: rusage) -> Int {
    #if canImport(Darwin)
      Int(usage.ru_maxrss)
    #else
      Int(usage.ru_maxrss) * 1024
    #endif
  }

  private static func openForWriting(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Files.failure(path) }
    return descriptor
  }
}
