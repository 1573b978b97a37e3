import Broker
import Foundation
import Mapping
import ObjectStore
import Synchronization
import Testing

/// Stores that let their files go, as apps do before the system suspends them.
@Suite struct SuspensionTests {
  private let file: TemporaryFile

  init() throws { file = try TemporaryFile() }

  private func store(_ options: Store.Options = Store.Options()) async throws -> Store {
    try await Store(at: .file(file.url), for: Band.self, options: options)
  }

  /// How many descriptors of this process are open on the store's file and on those beside it; nil where the system does not tell.
  private var openFiles: Int? {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") else {
      return nil
    }
    return names.count { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
      return target?.hasPrefix(file.url.path) == true
    }
  }

  private func isSuspended(_ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
      return false
    } catch {
      return (error as? StoreError)?.isSuspended == true
    }
  }

  @Test("a suspended store has no file open, and refuses to be used until it is resumed")
  func lettingGo() async throws {
    let store = try await store()
    try await store.import(bandsJSON)
    _ = try await store.fetch(Band.all)
    if let openFiles { #expect(openFiles > 0) }
    #expect(store.suspend())
    if let openFiles { #expect(openFiles == 0) }
    #expect(await isSuspended { _ = try await store.fetch(Band.all) })
    #expect(await isSuspended { try await store.update(Band.self, "Japan") { $0.formed = 1 } })
    #expect(await isSuspended { try await store.import(bandsJSON) })
    // Once more is as well as once.
    #expect(store.suspend())
    store.resume()
    store.resume()
    #expect(try await store.find(Band.self, "Japan").formed == 1974)
    try await store.update(Band.self, "Japan") { $0.formed = 1 }
    #expect(try await store.find(Band.self, "Japan").formed == 1)
  }

  @Test("a transaction that goes on is interrupted and undone")
  func interruption() async throws {
    let store = try await store()
    try await store.import(bandsJSON)
    let (hasBegun, begin) = AsyncStream.makeStream(of: Void.self)
    let writing = Task {
      try await store.write { transaction in
        for year in 1... {
          _ = try transaction.update(Band.self, "Japan") { $0.formed = year }
          if year == 3 { begin.yield() }
        }
      }
    }
    for await _ in hasBegun { break }
    #expect(store.suspend(waitingAtMost: .seconds(60)))
    if let openFiles { #expect(openFiles == 0) }
    #expect(await isSuspended { try await writing.value })
    store.resume()
    #expect(try await store.find(Band.self, "Japan").formed == 1974)
  }

  @Test("who waits for a turn is told, and does not wait for the end")
  func waiting() async throws {
    let store = try await store()
    try await store.import(bandsJSON)
    let (hasBegun, begin) = AsyncStream.makeStream(of: Void.self)
    let mayEnd = DispatchSemaphore(value: 0)
    let first = Task {
      try await store.write { transaction in
        begin.yield()
        mayEnd.wait()
        try transaction.delete(Band.self, "Japan")
      }
    }
    for await _ in hasBegun { break }
    let second = Task { try await store.update(Band.self, "Japan") { $0.formed = 1 } }
    // What holds a connection and does not use it is waited for as long as was said.
    #expect(!store.suspend(waitingAtMost: .milliseconds(50)))
    #expect(await isSuspended { _ = try await second.value })
    mayEnd.signal()
    #expect(await isSuspended { try await first.value })
    #expect(store.suspend(waitingAtMost: .seconds(60)))
    if let openFiles { #expect(openFiles == 0) }
    store.resume()
    #expect(try await store.find(Band.self, "Japan").formed == 1974)
  }

  @Test("an import in the middle is undone, and comes in afterwards")
  func imports() async throws {
    let store = try await store()
    try await store.import("[]", as: Band.self)
    let bands = (0..<40_000).map { #"{"name": "Band \#($0)"}"# }.joined(separator: ",")
    let importing = Task { try await store.import("[\(bands)]", as: Band.self) }
    // Somewhere in the middle: whatever was done by then, the import is whole or not there.
    try await Task.sleep(for: .milliseconds(100))
    #expect(store.suspend(waitingAtMost: .seconds(60)))
    let failed = await isSuspended { _ = try await importing.value }
    store.resume()
    #expect(try await store.count(Band.all) == (failed ? 0 : 40_000))
    if failed { try await store.import("[\(bands)]", as: Band.self) }
    #expect(try await store.count(Band.all) == 40_000)
  }

  @Test("observations wait for the end, and then see what others have written meanwhile")
  func observations() async throws {
    let (own, other) = (try await store(), try await store())
    try await own.import(bandsJSON)
    let object = Follower(own.observe(Band.self, "Japan"))
    let query = Follower(own.observe(Band.filter(#Predicate { $0.formed < 1980 }).sorted(by: \.name)))
    #expect(await eventually { object.all.count == 1 && query.all.count == 1 })
    #expect(own.suspend())
    try await other.update(Band.self, "Japan") { $0.formed = 1999 }
    let late = Follower(own.observeCount(of: Band.all))
    try await Task.sleep(for: .milliseconds(150))
    #expect(object.error == nil && query.error == nil && late.error == nil)
    own.resume()
    #expect(await eventually { object.last??.formed == 1999 && query.last?.map(\.name) == ["Talk Talk"] })
    #expect(await eventually { late.last == 2 })
    // Changes go on coming.
    try await own.update(Band.self, "Japan") { $0.formed = 3 }
    try await other.update(Band.self, "Talk Talk") { $0.formed = 4 }
    #expect(await eventually { object.last??.formed == 3 && query.last?.map(\.formed) == [3, 4] })
  }

  @Test("a new store has nothing to let go, and is made afterwards")
  func newStores() async throws {
    let store = try await store()
    #expect(store.suspend())
    #expect(await isSuspended { try await store.import(bandsJSON) })
    #expect(!FileManager.default.fileExists(atPath: file.url.path))
    store.resume()
    try await store.import(bandsJSON)
    #expect(try await store.count(Band.all) == 2)
  }

  @Test("a store that is being made is not there, and its folder is not locked")
  func making() async throws {
    let store = try await store()
    let (hasBegun, begin) = AsyncStream.makeStream(of: Void.self)
    let making = Task {
      try await store.write { transaction in
        try transaction.import(bandsJSON)
        begin.yield()
        for year in 1... { _ = try transaction.update(Band.self, "Japan") { $0.formed = year } }
      }
    }
    for await _ in hasBegun { break }
    #expect(store.suspend(waitingAtMost: .seconds(60)))
    #expect(await isSuspended { try await making.value })
    #expect(!FileManager.default.fileExists(atPath: file.url.path))
    let folder = open(file.url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY)
    #expect(flock(folder, LOCK_EX | LOCK_NB) == 0)
    close(folder)
    store.resume()
    try await store.import(bandsJSON)
    #expect(try await store.count(Band.all) == 2)
  }

  @Test("a file that was removed meanwhile is not made anew")
  func removed() async throws {
    let store = try await store()
    try await store.import(bandsJSON)
    #expect(store.suspend())
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.url.path + suffix) }
    store.resume()
    await #expect(throws: StoreError.self) { try await store.update(Band.self, "Japan") { $0.formed = 1 } }
    #expect(!FileManager.default.fileExists(atPath: file.url.path))
  }

  @Test("stores in memory keep what they hold, and a closed store stays closed")
  func others() async throws {
    let memory = try await Store(at: .memory, for: Band.self)
    try await memory.import(bandsJSON)
    #expect(memory.suspend())
    #expect(try await memory.count(Band.all) == 2)
    let closed = try await store()
    #expect(closed.suspend())
    try closed.close()
    closed.resume()
    await #expect(throws: StoreError.closed) { try await closed.import(bandsJSON) }
  }

  @Test("within a transaction it does not wait for itself")
  func within() async throws {
    let store = try await store()
    try await store.import(bandsJSON)
    let failed = await isSuspended {
      try await store.write { transaction in
        #expect(!store.suspend(waitingAtMost: .seconds(600)))
        try transaction.delete(Band.self, "Japan")
      }
    }
    #expect(failed)
    store.resume()
    #expect(try await store.count(Band.all) == 2)
  }

  @Test("protection is that of the folder, and does nothing where the system has none")
  func protection() async throws {
    var options = Store.Options()
    options.fileProtection = .completeUnlessOpen
    let store = try await store(options)
    try await store.import(bandsJSON)
    #expect(try await store.count(Band.all) == 2)
  }
}

/// The background of an app, played by notifications and by a system that grants time.
@Suite struct BackgroundSuspensionTests {
  /// A system that keeps what it is asked for until it is told how much time there is.
  private final class System: Sendable {
    let phase = AppPhase(begin: .init("begin \(UUID())"), end: .init("end \(UUID())"))
    private let bodies = Mutex<[@Sendable (Bool) -> Void]>([])

    var activity: BackgroundActivity { { body in self.bodies.withLock { $0.append(body) } } }
    var requests: Int { bodies.withLock { $0.count } }

    func enterBackground() { NotificationCenter.default.post(name: phase.begin, object: nil) }
    func enterForeground() { NotificationCenter.default.post(name: phase.end, object: nil) }

    /// Runs the last request, on a thread that tasks do not need.
    func grant(isTimeUp: Bool) async {
      let body = bodies.withLock { $0.last }
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          body?(isTimeUp)
          continuation.resume()
        }
      }
    }
  }

  private let file: TemporaryFile
  private let system = System()

  init() throws { file = try TemporaryFile() }

  private func store(
    quietTime: Duration = .milliseconds(200)
  ) async throws -> (Store, BackgroundSuspension) {
    let store = try await Store(at: .file(file.url), for: Band.self)
    try await store.import(bandsJSON)
    let engine = try #require(store.backend as? SQLiteStore)
    let background = BackgroundSuspension(
      engine, [system.phase], quietTime: quietTime, activity: system.activity)
    return (store, background)
  }

  /// - Parameter pause: How long to leave the store alone before.
  private func isSuspended(_ store: Store, after pause: Duration = .zero) async throws -> Bool {
    try await Task.sleep(for: pause)
    do {
      _ = try await store.count(Band.all)
      return false
    } catch let error as StoreError where error.isSuspended {
      return true
    }
  }

  @Test("it suspends once the store is quiet, and resumes when the app comes back")
  func quiet() async throws {
    let (store, background) = try await store()
    system.enterBackground()
    #expect(system.requests == 1)
    #expect(try await !isSuspended(store))
    let begin = ContinuousClock.now
    await system.grant(isTimeUp: false)
    #expect(begin.duration(to: .now) >= .milliseconds(200))
    #expect(try await isSuspended(store))
    system.enterForeground()
    #expect(try await !isSuspended(store))
    withExtendedLifetime(background) {}
  }

  @Test("work in the background goes on until time is up")
  func timeIsUp() async throws {
    let (store, background) = try await store(quietTime: .seconds(60))
    let system = system
    system.enterBackground()
    let work = Task {
      // Not quiet for as long as it lasts.
      while true { try await store.update(Band.self, "Japan") { $0.formed = ($0.formed + 1) % 100 } }
    }
    let granted = Task.detached { await system.grant(isTimeUp: false) }
    try await Task.sleep(for: .milliseconds(500))
    #expect(try await !isSuspended(store))
    await system.grant(isTimeUp: true)
    #expect(try await isSuspended(store))
    await granted.value
    await #expect(throws: StoreError.self) { try await work.value }
    withExtendedLifetime(background) {}
  }

  @Test("who comes back before that is not suspended, whatever the system says later")
  func comingBack() async throws {
    let (store, background) = try await store()
    system.enterBackground()
    system.enterForeground()
    await system.grant(isTimeUp: false)
    await system.grant(isTimeUp: true)
    #expect(try await !isSuspended(store))
    withExtendedLifetime(background) {}
  }

  @Test("an option has stores do it by the notifications of apps")
  func option() async throws {
    var options = Store.Options()
    options.suspendsInBackground = true
    let store = try await Store(at: .file(file.url), for: Band.self, options: options)
    let other = try await Store(at: .file(file.url), for: Band.self)
    try await store.import(bandsJSON)
    let phase = try #require(AppPhase.all.first)
    NotificationCenter.default.post(name: phase.begin, object: nil)
    #expect(try await eventually { try await isSuspended(store, after: .seconds(3)) })
    #expect(try await !isSuspended(other))
    NotificationCenter.default.post(name: phase.end, object: nil)
    #expect(try await !isSuspended(store))
    try store.close()
    NotificationCenter.default.post(name: phase.begin, object: nil)
  }

  @Test("nothing is asked of the system once it is gone")
  func end() async throws {
    let (store, kept) = try await store()
    var background: BackgroundSuspension? = consume kept
    let observed = { [weak background] in background }
    background = nil
    #expect(observed() == nil)
    system.enterBackground()
    #expect(system.requests == 0)
    #expect(try await !isSuspended(store))
  }
}
