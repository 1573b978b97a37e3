import Bytes
@preconcurrency import Dispatch
import Foundation

/// Calls a handler some hundredths of a second after something was written in the folder of a file, on a queue of its
/// own, and some times later, up to half a minute.
///
/// A commit shows only after its last write to a file: a program that waits for the disk tells the others of it in shared
/// memory, of which the system tells nothing, as soon as the disk has what was written.
///
/// Linux tells of that (`inotify`). Where it does not, the handler is called twenty times a second.
final class FileEvents: Sendable {
  private let source = Locked<(any DispatchSourceProtocol)?>(nil)
  /// The number of the last event.
  private let event = Locked(0)
  private let queue = DispatchQueue(label: "broker.outside")
  private let handler: @Sendable () -> Void

  /// What many writes in a row are told after, at once.
  private static let pause = 0.02
  /// The longest time between two looks after an event.
  private static let longestPause = 16.0

  init(besides path: String, _ handler: @escaping @Sendable () -> Void) {
    self.handler = handler
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let isNoted: @Sendable () -> Void = { [weak self] in self?.look() }
    let source = Self.folderSource(folder, queue, isNoted) ?? Self.timer(queue, handler)
    self.source.withLock { $0 = source }
    source.resume()
  }

  /// Calls the handler for an event, and goes on with that.
  private func look() {
    let number = event.withLock { event in
      event += 1
      return event
    }
    handler()
    look(for: number, after: Self.pause)
  }

  /// Calls the handler after a pause, and again after longer ones, until there is another event.
  private func look(for number: Int, after pause: Double) {
    guard pause <= Self.longestPause else { return }
    queue.asyncAfter(deadline: .now() + pause) { [weak self] in
      guard let self, event.withLock({ $0 == number }), source.withLock({ $0 != nil }) else { return }
      handler()
      look(for: number, after: pause * 2)
    }
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
