#if PostgreSQL
  import Foundation
  import Mapping
  import ObjectModel
  import ObjectStore
  import PostgreSQLServer
  import PostgreSQLStore
  import Synchronization
  import Testing

  /// Several writers of one store on a server.
  @Suite("Several writers of a server", .enabled(if: PostgreSQLServer.isWanted))
  struct SeveralWriterTests {
    static let notation = """
      Department
        id: integer64
        name: string
        employees: [Employee] <- department
      Employee
        id: integer64
        name: string
        department: Department <- employees
        skills: [Skill] <- employees
      Skill
        id: string
        employees: [Employee] <- skills
      City
        id: string
        name: string
      """

    static func departments(_ writer: Int) -> String {
      let objects = (0..<20).map { index in
        let number = (index * 7 + writer * 3) % 30
        return
          #"{"id": \#(number), "name": "by \#(writer)", "employees": [{"id": \#(number), "skills": ["s\#(number % 4)", "s\#(writer)"]}]}"#
      }
      return "[\(objects.joined(separator: ","))]"
    }

    static func cities(_ writer: Int) -> String {
      "[\((0..<100).map { #"{"id": "c\#(($0 * 7 + writer) % 150)", "name": "by \#(writer)"}"# }.joined(separator: ","))]"
    }

    @Test func eightImportersEnd() throws {
      let schema = "s\(UUID().uuidString.prefix(12))"
      let failures = Mutex<[String]>([])
      let url = try ServerFixture.database.get()
      let model = try model(Self.notation)
      DispatchQueue.concurrentPerform(iterations: 8) { writer in
        do {
          let store = try PostgreSQLStore(DatabaseAddress(url, schema: schema), model: model)
          var options = ImportOptions()
          for round in 0..<4 {
            let isCity = (round + writer) % 2 == 0
            options.entity = isCity ? "City" : "Department"
            let json = isCity ? Self.cities(writer) : Self.departments(writer)
            _ = try Importer(store, options).run([.string(json)])
          }
        } catch {
          failures.withLock { $0.append("\(writer): \(error)") }
        }
      }
      #expect(failures.withLock { $0 } == [])
      let server = try ServerFixture(Self.notation, entity: "City", schema: schema)
      #expect(try server.exported("Department").count == 30)
      #expect(try server.exported("City").count == 150)
      let store = server.store
      #expect(try store.read { try $0.importHistory().count } == 32)
    }

    /// Documents with entities that have nothing to do with each other, in both orders, and programs that write beside.
    @Test func noTwoWritersWaitForEachOther() throws {
      let schema = "s\(UUID().uuidString.prefix(12))"
      let failures = Mutex<[String]>([])
      let url = try ServerFixture.database.get()
      let model = try model(Self.notation)
      let sizes = WriteSizes(changes: 4, batch: BatchSize(bytes: 1 << 10, cells: 32))
      DispatchQueue.concurrentPerform(iterations: 6) { writer in
        do {
          let store = try PostgreSQLStore(DatabaseAddress(url, schema: schema), model: model, sizes: sizes)
          let lists = [
            #""departments": \#(Self.departments(writer))"#, #""cities": \#(Self.cities(writer))"#,
          ]
          for round in 0..<6 {
            if writer % 3 == 0 {
              try Store(store).transaction { transaction in
                try transaction.keepOthersFromWriting()
                _ = try transaction.objectCounts()
                return ((), .commit)
              }
            }
            let list = (writer + round) % 2 == 0 ? lists : lists.reversed()
            _ = try Importer(store).run([.string("{\(list.joined(separator: ","))}")])
          }
        } catch {
          failures.withLock { $0.append("\(writer): \(error)") }
        }
      }
      #expect(failures.withLock { $0 } == [])
    }

    @Test func whoKeepsAWriterWaitingIsNamed() throws {
      let schema = "s\(UUID().uuidString.prefix(12))"
      let first = try ServerFixture(Self.notation, entity: "City", schema: schema)
      let second = try ServerFixture(
        Self.notation, entity: "City", longestWait: .milliseconds(50), schema: schema)
      _ = try first.load(Self.cities(0))
      var options = ImportOptions()
      options.entity = "City"
      let error = try first.store.transaction(isCancelled: nil) { transaction in
        _ = try Importer(first.store, options).execute([.string(Self.cities(1))], in: transaction)
        // Others may write what is not linked with it.
        _ = try second.load(Self.departments(1)) {
          $0.entity = "Department"; $0.isDryRun = true
        }
        return (#expect(throws: StoreError.self) { _ = try second.load(Self.cities(2)) }, .rollback)
      }
      #expect(error?.description.contains("process ") == true, "\(error?.description ?? "")")
      #expect(try second.load(Self.cities(2)).inserted["City"] == 50)
    }

    @Test func aWaitCanBeCancelled() throws {
      let schema = "s\(UUID().uuidString.prefix(12))"
      let first = try ServerFixture(Self.notation, entity: "City", schema: schema)
      _ = try first.load(Self.cities(0))
      var options = ImportOptions()
      options.entity = "City"
      let error = try first.store.transaction(isCancelled: nil) { transaction in
        _ = try Importer(first.store, options).execute([.string(Self.cities(1))], in: transaction)
        let second = try ServerFixture(Self.notation, entity: "City", schema: schema)
        let end = ContinuousClock.now + .milliseconds(100)
        let error = #expect(throws: ImportError.self) {
          _ = try Importer(second.store, options).run(
            [.string(Self.cities(2))], isCancelled: { ContinuousClock.now > end })
        }
        return (error, .rollback)
      }
      #expect(error != nil)
    }
  }
#endif
