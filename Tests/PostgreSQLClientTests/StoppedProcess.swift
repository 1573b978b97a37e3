#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that does nothing until it goes on, as one on a machine that hangs.
struct StoppedProcess {
  private let process: Int32

  init(_ process: Int32) {
    self.process = process
    kill(process, SIGSTOP)
  }

  func go() { kill(process, SIGCONT) }
}
