#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Starts a command and closes, here, the files it was given.
func spawn(_ command: [String], input: Int32?, output: Int32, errors: Int32) throws -> pid_t {
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
  #else
    var actions = posix_spawn_file_actions_t()
  #endif
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  if let input {
    posix_spawn_file_actions_adddup2(&actions, input, 0)
  } else {
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  }
  posix_spawn_file_actions_adddup2(&actions, output, 1)
  posix_spawn_file_actions_adddup2(&actions, errors, 2)

  var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
  arguments.append(nil)
  defer { for argument in arguments { free(argument) } }
  var process: pid_t = 0
  let code = posix_spawn(&process, command[0], &actions, nil, arguments, environ)
  for descriptor in [input, output, errors] { descriptor.map { _ = close($0) } }
  guard code == 0 else {
    throw Failure(description: "\(command[0]) does not start: \(String(cString: strerror(code)))")
  }
  return process
}

/// A file that `cat` writes to a pipe.
struct Pipe {
  /// The end to read from; whoever is given it closes it.
  let reading: Int32
  private let process: pid_t

  init(of file: String) throws {
    guard let cat = Files.find("cat") else { throw Failure(description: "there is no cat") }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Files.failure("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    process = try spawn([cat, file], input: nil, output: ends[1], errors: open("/dev/null", O_WRONLY))
  }

  func wait() {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}
