import Foundation

/// Runs `body` on a thread with 512 kB of stack, as the worker threads of Apple's systems have it.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
  let box = ResultBox<Result>()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    box.result = Swift.Result { try body() }
    done.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  done.wait()
  guard let result = box.result else { throw CancellationError() }
  return try result.get()
}

/// The result is written before the semaphore is signalled, and read after it was waited for.
private final class ResultBox<Value>: @unchecked Sendable {
  var result: Swift.Result<Value, any Error>?
}
