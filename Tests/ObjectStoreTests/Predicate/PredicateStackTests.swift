import Foundation
import ObjectModel
import ObjectStore
import Testing

/// Predicates of threads that have little stack.
@Suite("predicates on 256 kB of stack")
struct PredicateStackTests {
  private static let model = """
    {"entities": [{"name": "Band", "attributes": [
      {"name": "id", "type": "integer64"}, {"name": "formed", "type": "integer64", "optional": true}]}]}
    """

  /// Runs `body` on a thread with 256 kB of stack.
  private func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws
    -> Result
  {
    let box = ResultBox<Result>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      box.result = Swift.Result { try body() }
      done.signal()
    }
    thread.stackSize = 256 << 10
    thread.start()
    done.wait()
    return try #require(box.result).get()
  }

  /// The result is written before the semaphore is signalled, and read after it was waited for.
  private final class ResultBox<Value>: @unchecked Sendable {
    var result: Swift.Result<Value, any Error>?
  }

  private func count(_ format: String) throws -> Int {
    let store = try Store(path: ":memory:", model: Model(json: Data(Self.model.utf8)))
    return try onSmallStack {
      var query = Query("Band")
      query.predicate = try ObjectPredicate(format: format)
      return try store.read { try $0.count(query) }
    }
  }

  @Test("what may be nested is read and asked", arguments: [7, 16, 50, 60])
  func parentheses(_ depth: Int) throws {
    let (open, close) = (String(repeating: "(", count: depth), String(repeating: ")", count: depth))
    #expect(try count("\(open)formed > 1970\(close)") == 0)
    #expect(try count("formed > \(open)1970\(close)") == 0)
  }

  @Test("conditions in each other", arguments: [10, 14])
  func conditions(_ depth: Int) throws {
    var format = "formed > 1970"
    for level in 1..<depth { format = level % 2 == 0 ? "(\(format) AND id > 1)" : "(\(format) OR id < 1)" }
    #expect(try count(format) == 0)
  }

  @Test("what is nested deeper is an error", arguments: [61, 1_000, 200_000])
  func tooDeep(_ depth: Int) throws {
    let (open, close) = (String(repeating: "(", count: depth), String(repeating: ")", count: depth))
    for format in [
      "\(open)formed > 1970\(close)", "formed > \(open)1970\(close)", open,
      String(repeating: "NOT ", count: depth) + "formed > 1970",
      "formed > \(String(repeating: "-", count: depth))1",
      "formed IN \(String(repeating: "{", count: depth))1",
    ] {
      #expect(throws: ObjectPredicateError.self, "\(format.prefix(40))") { try count(format) }
    }
  }
}
