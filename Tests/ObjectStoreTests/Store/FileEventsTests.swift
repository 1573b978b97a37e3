import Foundation
import Testing

@testable import ObjectStore

/// Looking for what others commit to a file.
@Suite struct FileEventsTests {
  @Test func anEventIsFollowedByLaterLooks() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "store.sqlite")
    let looks = Locked(0)
    let events = FileEvents(besides: file.path) { looks.withLock { $0 += 1 } }
    defer { events.cancel() }
    // One event. A commit may show any time after it, without another one.
    try Data([1]).write(to: file)
    for _ in 0..<3_000 where looks.withLock({ $0 }) < 5 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(looks.withLock { $0 } >= 5)
  }
}
