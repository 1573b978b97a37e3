import Bytes
@preconcurrency import Dispatch
import Foundation

/// Calls a handler some hundredths of a second after something was written in the folder of a file, on a queue of its
/// own.
///
/// Linux tells of that (`inotify`). Where it does not, the handler is called twenty times a second.
final class FileEvents: Sendable {
  private let source: Guarded<(any DispatchSourceProtocol)?>
  private let queue = DispatchQueue(label: "broker.outside")
  private let handler: @Sendable () -> Void

  /// What many writes in a row are told after, at once.
  private static let pause = 0.02

  init(besides path: String, _ handler: @escaping @Sendable () -> Void) {
    self.handler = handler
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let source = Self.folderSource(folder, queue, handler) ?? Self.timer(queue, handler)
    self.source = Guarded(source)
    source.resume()
  }

  func cancel() {
    let source = source.withLock { source in
      defer { source = nil }
      return source
    }
    source?.cancel()
  }

  /// Calls the handler once more, a little later.
  func lookAgain() {
    queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in
      guard let self, self.source.withLock({ $0 != nil }) else { return }
      self.handler()
    }
  }

  private static func timer(
    _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceProtocol {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 0.05, repeating: 0.05, leeway: .milliseconds(10))
    timer.setEventHandler(handler: DispatchWorkItem(block: handler))
    return timer
  }

  /// Nil where the system does not tell.
  private static func folderSource(
    _ folder: String, _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) -> (any DispatchSourceProtocol)? {
    #if os(Linux)
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      guard inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)) >= 0 else {
        close(descriptor)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler(
        handler: DispatchWorkItem {
          Thread.sleep(forTimeInterval: pause)
          drain(descriptor)
          handler()
        })
      source.setCancelHandler(handler: DispatchWorkItem { close(descriptor) })
      return source
    #else
      return nil
    #endif
  }

  #if os(Linux)
    /// Takes the events, which say nothing that matters.
    private static func drain(_ descriptor: Int32) {
      withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
        while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      }
    }
  #endif
}
