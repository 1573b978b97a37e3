import Foundation
import Forge
import Synchronization

/// A forge in memory: lists of JSON objects in pages, with versions, and identities of its own.
actor FakeForge: Forge {
  private var lists: [String: [[String: Any]]] = [:]
  private var versions: [String: Int] = [:]
  private var nextIdentity = 100
  private(set) var told: [String] = []
  private let pageSize: Int

  init(pageSize: Int = 2) { self.pageSize = pageSize }

  func set(_ list: String, _ json: String) throws {
    lists[list] = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    versions[list, default: 0] += 1
  }

  func page(_ list: String, _ number: Int, knownVersion: String?) throws -> Page? {
    let version = String(versions[list] ?? 0)
    guard version != knownVersion else { return nil }
    let all = lists[list] ?? []
    let start = (number - 1) * pageSize
    let objects = Array(all.dropFirst(start).prefix(pageSize))
    return Page(
      json: try JSONSerialization.data(withJSONObject: objects), version: version,
      isLast: start + pageSize >= all.count)
  }

  func create(_ entity: String, _ json: Data) throws -> (identity: String, json: Data) {
    nextIdentity += 1
    var object = try object(json)
    told.append("create \(entity)")
    object["id"] = nextIdentity
    object["revision"] = 1
    return (String(nextIdentity), try JSONSerialization.data(withJSONObject: object))
  }

  func update(_ entity: String, _ identity: String, _ json: Data) throws -> Data {
    var object = try object(json)
    object["revision"] = (object["revision"] as? Int ?? 0) + 1
    told.append("update \(entity) \(identity)")
    return try JSONSerialization.data(withJSONObject: object)
  }

  func delete(_ entity: String, _ identity: String) { told.append("delete \(entity) \(identity)") }

  private func object(_ json: Data) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: json)
    return (value as? [[String: Any]])?.first ?? value as? [String: Any] ?? [:]
  }
}

/// A folder that goes with its test.
final class Folder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "forge-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// Collects what an asynchronous sequence gives.
final class Collector<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let task = Mutex<Task<Void, Never>?>(nil)

  init<Values: AsyncSequence & Sendable>(_ sequence: Values) where Values.Element == Value {
    let task = Task {
      do { for try await value in sequence { values.withLock { $0.append(value) } } } catch {}
    }
    self.task.withLock { $0 = task }
  }

  var all: [Value] { values.withLock { $0 } }

  /// Whether a condition comes true within five seconds.
  func reaches(_ condition: ([Value]) -> Bool) async throws -> Bool {
    for _ in 0..<500 {
      if condition(all) { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  deinit { task.withLock { $0?.cancel() } }
}

let forgeJSON = """
  {"accounts": [
     {"type": "User", "id": 1, "login": "octo", "name": "Octo", "avatar_url": "https://example.com/ä.png",
      "followers": [{"id": 2}], "organizations": [3]},
     {"type": "User", "id": 2, "login": "mona", "following": [1]},
     {"type": "Organization", "id": 3, "login": "acme", "plan": {"name": "team", "seats": 5}},
     {"type": "Robot", "id": 4, "login": "bot"}],
   "repositories": [
     {"id": 10, "name": "tool", "description": "A tool", "topics": ["swift", "cli"], "revision": 3,
      "license": {"key": "mit", "name": "MIT"}, "stargazers_count": "42", "pushed_at": "2026-03-01T10:00:00.123Z",
      "owner": 3, "settings": {"id": 1, "is_archived": false, "merge_methods": ["squash"]},
      "milestones": [{"id": 20, "title": "1.0", "due_on": "2026-06-01"}],
      "releases": [{"id": 31, "tag_name": "0.2", "assets": [{"name": "b.zip", "size": 2}, {"name": "a.zip", "size": 1}]},
                   {"id": 30, "tag_name": "0.1"}],
      "branches": [{"repository_id": 10, "name": "main", "head": "c2"}]},
     {"id": 11, "name": "site", "owner": {"id": 1}, "topics": ["swiftui"], "license": null, "revision": 1}],
   "commits": [
     {"sha": "c1", "message": "first", "author": {"date": "2026-01-01T00:00:00Z", "email": "o@example.com"}},
     {"sha": "c2", "message": "second", "author": {"date": "2026-01-02T00:00:00Z"}, "parents": ["c1"]}],
   "sponsorships": [
     {"id": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "amount": 12.30, "currency": "EUR", "since": "2025-12-24",
      "sponsor": 1}]}
  """

let ticketsJSON = """
  [{"id": 1, "number": 1, "title": "Crash", "state": "open", "created_at": "2026-02-01T09:00:00Z", "repository": 10,
    "user": 2, "milestone": 20, "labels": [{"repository_id": 10, "name": "bug", "color": "ff0000"}],
    "assignees": [1, 2], "reactions": {"plus": 2, "hearts": ["mona"]}, "revision": 5,
    "comments": [{"id": 2, "body": "Same here", "user": 1}, {"id": 1, "body": "Fixed?", "user": 2}]},
   {"id": 2, "number": 2, "title": "Idea", "state": "limbo", "repository": 10, "user": 1, "blocked_by": [1],
    "labels": [{"repository_id": 10, "name": "wish"}, {"repository_id": 10, "name": "bug"}], "revision": 1},
   {"id": 3, "number": 3, "title": "Typo", "state": "closed", "repository": 10, "revision": 1}]
  """
