import Catalogue
import Foundation
import Logging
import ServiceLifecycle

/// Runs a server on a free port, over a store in a folder of its own, for the time of a closure.
func withServer(_ body: @escaping @Sendable (Client, Catalogue) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "catalogue-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let catalogue = try await Catalogue(path: folder.appending(path: "store.sqlite").path)
  let (ports, started) = AsyncStream.makeStream(of: Int.self)
  let application = catalogue.application(address: .hostname("127.0.0.1", port: 0)) { port in
    started.yield(port)
    started.finish()
  }
  var logger = Logger(label: "catalogue")
  logger.logLevel = .error
  let services = ServiceGroup(configuration: .init(services: [application], logger: logger))
  try await withThrowingTaskGroup(of: Void.self) { group in
    group.addTask { try await services.run() }
    group.addTask {
      for await port in ports { try await body(Client(port: port), catalogue) }
      await services.triggerGracefulShutdown()
    }
    try await group.waitForAll()
  }
}
