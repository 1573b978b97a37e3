#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads with a stack of a certain size. Where the system gives none, that is an error: a thread that never begins would
/// be waited for without end.
package enum StackThread {
  /// Runs `body` on a new thread.
  ///
  /// - Throws: ``SystemError`` if the system gives no thread.
  package static func start(stackSize: Int, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    let page = max(4096, Int(sysconf(Int32(_SC_PAGESIZE))))
    pthread_attr_setstacksize(&attributes, (stackSize + page - 1) / page * page)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(&thread, &attributes, { Work.run($0) }, work.toOpaque())
    #else
      var thread = pthread_t()
      let code = pthread_create(&thread, &attributes, { $0.flatMap { Work.run($0) } }, work.toOpaque())
    #endif
    guard code != 0 else { return }
    work.release()
    throw SystemError(
      "the system gives no thread a stack of \(stackSize >> 10) kB: \(String(cString: strerror(code)))")
  }

  /// Runs `body` on a new thread, and waits for it.
  ///
  /// - Throws: ``SystemError`` if the system gives no thread.
  package static func run<Result>(stackSize: Int, _ body: () -> Result) throws(SystemError) -> Result {
    var result: Result?
    var failure: SystemError?
    withoutActuallyEscaping({ result = body() }) { run in
      let call = Call(run)
      do throws(SystemError) {
        try start(stackSize: stackSize) { call.perform() }
        call.wait()
      } catch {
        call.drop()
        failure = error
      }
    }
    if let failure { throw failure }
    guard let result else { throw SystemError("a thread ended before its work was done") }
    return result
  }

  private final class Work: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
      return nil
    }
  }

  /// A call that one thread makes while another waits for it, so that only one of them does anything at a time.
  private final class Call: @unchecked Sendable {
    private var body: (() -> Void)?
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isDone = false

    init(_ body: @escaping () -> Void) {
      self.body = body
      pthread_mutex_init(lock, nil)
      pthread_cond_init(change, nil)
    }

    deinit {
      pthread_cond_destroy(change)
      pthread_mutex_destroy(lock)
      change.deallocate()
      lock.deallocate()
    }

    func perform() {
      take()
      pthread_mutex_lock(lock)
      isDone = true
      pthread_cond_signal(change)
      pthread_mutex_unlock(lock)
    }

    /// A waiting thread must find that nobody has the body any more.
    private func take() {
      let body = body.take()
      body?()
    }

    func wait() {
      pthread_mutex_lock(lock)
      while !isDone { pthread_cond_wait(change, lock) }
      pthread_mutex_unlock(lock)
    }

    func drop() { body = nil }
  }
}
