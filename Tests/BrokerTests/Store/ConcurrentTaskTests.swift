import Broker
import Foundation
import TestSettings
import Testing

/// Many tasks at once, some of which are cancelled.
@Suite struct ConcurrentTaskTests {
  @Test func everybodyAtOnce() async throws {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Resident.self)
    let other = try await Store(at: .file(file.url), for: Resident.self)
    let observer = Follower(store.observe(Resident.all.sorted(by: \.number).limit(5)))
    let changes = Follower(store.changes())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<12 {
        group.addTask {
          var random = RandomSteps(UInt64(task))
          for number in 0..<20 {
            let store = random.chance(2) ? store : other
            switch random.random.below(5) {
            case 0: _ = try await ResidentText.of(store)
            case 1:
              try await store.import(
                #"[{"name": "n\#(number)", "number": \#(task), "friends": ["n\#(task)"], "remarks": [{"text": "s"}]}]"#,
                as: Resident.self)
            case 2:
              let step = random.step(NaiveResidents())
              do { try await store.write { try step.run($0) } } catch is SaveError {} catch is ObjectNotFound
              {}
            case 3:
              let running = Task { [number] in
                try await store.write { transaction in
                  for index in 0..<50 { try transaction.save(Resident("gone \(task) \(number) \(index)")) }
                  try transaction.delete(
                    try Resident.filter(format: "name BEGINSWITH %@", .init("gone \(task) \(number) ")))
                }
              }
              if random.chance(2) { running.cancel() }
              do { try await running.value } catch is CancellationError {}
            default: _ = try await store.count(try Resident.filter(format: "ANY friends.number >= 0"))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await store.count(try Resident.filter(format: "name BEGINSWITH 'gone'")) == 0)
    // Both see the same; a last change shows the observer everything.
    #expect(try await ResidentText.of(store) == (try await ResidentText.of(other)))
    var last = Resident("last")
    last.number = -5
    try await store.save(last)
    let expected = try await store.fetch(Resident.all.sorted(by: \.number).limit(5)).map(\.name)
    #expect(await eventually { observer.last?.map(\.name) == expected })
    #expect(await eventually { changes.last?.inserted(Resident.self) == ["last"] })
    try other.close()
    try store.close()
  }

  @Test func countersDoNotLoseCounts() async throws {
    let file = try TemporaryFile()
    let stores = [
      try await Store(at: .file(file.url), for: Resident.self),
      try await Store(at: .file(file.url), for: Resident.self),
    ]
    var resident = Resident("a")
    resident.number = 0
    try await stores[0].save(resident)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<40 {
        let store = stores[task % 2]
        group.addTask {
          for _ in 0..<5 { try await store.update(Resident.self, "a") { $0.number = ($0.number ?? 0) + 1 } }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await stores[0].find(Resident.self, "a").number == 200)
    #expect(try await stores[1].find(Resident.self, "a").number == 200)
  }

  @Test func cancelledWritesAreWholeOrNot() async throws {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Badge.self)
    var expected = 0
    for round in 0..<40 {
      let task = Task {
        try await store.write { transaction in
          for index in 0..<100 {
            try transaction.insert(Badge(id: round * 1000 + index, title: nil, residents: ToMany()))
          }
        }
      }
      try await Task.sleep(for: .microseconds(round * 100))
      task.cancel()
      if case .success = await task.result { expected += 100 }
      #expect(try await store.count(Badge.all) == expected)
    }
  }

  @Test func cancelledImportsAreWholeOrNot() async throws {
    let store = try await Store(at: .scratch, for: Badge.self)
    var expected = 0
    for round in 0..<30 {
      let json = "[" + (0..<500).map { "{\"id\": \(round * 1000 + $0)}" }.joined(separator: ",") + "]"
      let task = Task { try await store.import(json, as: Badge.self) }
      try await Task.sleep(for: .microseconds(round * 200))
      task.cancel()
      if case .success = await task.result { expected += 500 }
      #expect(try await store.count(Badge.all) == expected)
    }
  }

  @Test func storesMayGoWhileTasksRun() async throws {
    for round in 0..<20 {
      let file = try TemporaryFile()
      var store: Store? = try await Store(at: .file(file.url), for: Badge.self)
      let tasks = (0..<8).map { [store] number in
        Task {
          guard let store else { return }
          if number % 4 == 3 {
            for try await _ in store.observe(Badge.all) {}
          } else if number % 4 == 2 {
            try await store.import("[{\"id\": \(number)}]", as: Badge.self)
          } else if number % 4 == 1 {
            for try await _ in store.exportStream(Badge.all) {}
          } else {
            try await store.save(Badge(id: number, title: nil, residents: ToMany()))
          }
        }
      }
      if round % 2 == 0 { try await Task.sleep(for: .milliseconds(round % 5)) }
      if round % 3 == 0 { try store?.close() }
      store = nil
      for task in tasks where round % 4 == 1 { task.cancel() }
      for (number, task) in tasks.enumerated() {
        if number % 4 == 3 { task.cancel() }
        _ = await task.result
      }
    }
  }

  @Test func storesWithinStores() async throws {
    let file = try TemporaryFile()
    let store = try await Store(at: .file(file.url), for: Badge.self)
    let memory = try await Store(at: .scratch, for: Badge.self)
    try await store.save(Badge(id: 1, title: nil, residents: ToMany()))
    // A task that is started in a transaction, and what it waits for, do not stop each other.
    let tasks = try await store.write { transaction in
      try transaction.save(Badge(id: 2, title: nil, residents: ToMany()))
      return [
        Task { try await store.count(Badge.all) },
        Task { try await store.save([Badge(id: 3, title: nil, residents: ToMany())]).count },
        Task { try await memory.save([Badge(id: 3, title: nil, residents: ToMany())]).count },
      ]
    }
    for task in tasks { #expect(try await task.value >= 1) }
    #expect(try await store.count(Badge.all) == 3)
  }

  @Test func manyObserversOfManyStores() async throws {
    let stores = try await withThrowingTaskGroup(of: Store.self) { group in
      for _ in 0..<10 { group.addTask { try await Store(at: .scratch, for: Badge.self) } }
      return try await group.reduce(into: [Store]()) { $0.append($1) }
    }
    let followers = stores.flatMap { store in (0..<5).map { _ in Follower(store.observeCount(of: Badge.all)) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        for number in 0..<20 {
          group.addTask { try await store.save(Badge(id: number, title: nil, residents: ToMany())) }
        }
      }
      try await group.waitForAll()
    }
    for follower in followers { #expect(await eventually { follower.last == 20 }) }
  }
}
