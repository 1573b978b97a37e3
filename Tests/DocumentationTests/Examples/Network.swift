import Broker
import Foundation

// What the examples take for granted.

/// A web service.
struct Server {
  func post(_ body: Data) async throws {}
  func delete(_ entity: String, _ identity: String) async throws {}
  func rename(_ entity: String, _ former: String, _ body: Data) async throws {}

  /// Makes an object, which gets an identity of the server's.
  func create(_ body: Data) async throws -> (identity: String, json: String) {
    ("Hansa-1", #"{"name": "Hansa-1", "country": "DE"}"#)
  }
}

/// An answer to somebody who asked.
struct Response {
  func write(_ piece: Data) async throws {}
}

func show(_ value: some Sendable) {}

#if !canImport(Darwin)
  /// As Apple's Foundation has it.
  struct URLSession {
    static let shared = URLSession()
    func bytes(from url: URL) async throws -> (AsyncStream<UInt8>, String) {
      (AsyncStream { $0.finish() }, "")
    }
  }
#endif
