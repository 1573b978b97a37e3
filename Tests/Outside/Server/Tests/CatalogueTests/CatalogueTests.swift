import Broker
import Foundation
import Testing

@testable import Catalogue

/// The server as its clients use it.
@Suite struct CatalogueTests {
  private func products(_ range: Range<Int>) -> String {
    let objects = range.map {
      #"{"id": \#($0), "name": "Product \#($0)", "price": \#($0 % 100).99, "stock": 10, "category": "c\#($0 % 7)"}"#
    }
    return "[" + objects.joined(separator: ",") + "]"
  }

  @Test func singleProducts() async throws {
    try await withServer { client, _ in
      let json = #"{"id": 1, "name": "Pen", "price": 1.5, "stock": 3, "tags": ["blue"]}"#
      let created = try await client.send(.post, "/products", json)
      #expect(created.status == .created && created.text.contains(#""name":"Pen""#))
      #expect(try await client.send(.post, "/products", json).status == .conflict)
      let pen = try await client.send(.get, "/products/1").decoded(as: Product.self)
      #expect(pen.price == Decimal(string: "1.5") && pen.tags == ["blue"])
      let changed = try await client.send(.patch, "/products/1", #"{"price": "2.25", "category": "office"}"#)
      #expect(changed.status == .ok && changed.text.contains("2.25"))
      #expect(try await client.send(.patch, "/products/1", #"{"price": -1}"#).status == .badRequest)
      #expect(try await client.send(.get, "/products/9").status == .notFound)
      #expect(try await client.send(.delete, "/products/9").status == .notFound)
      #expect(try await client.send(.delete, "/products/1").status == .noContent)
      #expect(try await client.send(.get, "/products/1").status == .notFound)
    }
  }

  @Test func importsWithReportAndLists() async throws {
    try await withServer { client, _ in
      let report = try await client.send(.post, "/import/products?chunk=100", products(0..<500))
        .decoded(as: Report.self)
      #expect(report.inserted == ["Product": 500] && report.pendingCount == 500)
      #expect(report.chunks == 5)
      let categories = (0..<7).map { #"{"code": "c\#($0)", "parent": "c0"}"# }.joined(separator: "\n")
      #expect(try await client.send(.post, "/import/categories", categories).status == .ok)
      let found = try await client.send(.get, "/products?category=c3&limit=2").text
      #expect(found.contains(#""id":3,"#) && found.contains(#""id":10,"#))
      #expect(try await client.send(.get, "/products?where=price%20%3E").status == .badRequest)
      let statistics = try await client.send(.get, "/statistics").decoded(as: Statistics.self)
      #expect(statistics.products == 500 && statistics.stock == 5_000)
      #expect(statistics.dearest == Decimal(string: "99.99") && statistics.byCategory["c0"] == 72)
    }
  }

  @Test func whatIsBrokenChangesNothingAndAPruneDeletes() async throws {
    try await withServer { client, _ in
      try await client.send(.post, "/import/products", products(0..<500))
      let broken = #"[{"id": 1000, "name": "n", "price": 1}, {"id": "#
      #expect(try await client.send(.post, "/import/products", broken).status == .badRequest)
      #expect(try await client.send(.get, "/products/1000").status == .notFound)
      let report = try await client.send(.post, "/import/products?prune=true", products(0..<400))
        .decoded(as: Report.self)
      #expect(report.deleted == ["Product": 100])
    }
  }

  @Test func aLargeExportIsStreamed() async throws {
    try await withServer { client, catalogue in
      try await catalogue.store.import(products(0..<50_000), as: Product.self)
      let exported = try await client.send(.get, "/export/products").body
      let report = try await catalogue.store.import(exported, as: Product.self)
      #expect(report.unchanged == ["Product": 50_000] && !report.changesAnything)
    }
  }

  /// A client that takes nothing holds the export up, and not the store.
  @Test func aSlowReaderHoldsUpNobody() async throws {
    try await withServer { client, catalogue in
      try await catalogue.store.import(products(0..<50_000), as: Product.self)
      var pieces = catalogue.store.exportStream(Product.all).makeAsyncIterator()
      _ = try await pieces.next()
      #expect(try await client.send(.post, "/import/products", products(60_000..<60_010)).status == .ok)
      var size = 0
      while let piece = try await pieces.next() { size += piece.count }
      #expect(size > 1_000_000)
      #expect(try await catalogue.store.count(Product.all) == 50_010)
    }
  }

  @Test func events() async throws {
    try await withServer { client, catalogue in
      async let listening = client.send(.get, "/events/products?stock=5&events=3").text
      try await Task.sleep(for: .milliseconds(500))
      try await client.send(.post, "/import/products", products(0..<3))
      #expect(try await client.send(.patch, "/products/2", #"{"stock": 1}"#).status == .ok)
      try await Task.sleep(for: .milliseconds(500))
      try await client.send(.delete, "/products/2")
      let heard = try await listening
      #expect(heard == "data: []\n\ndata: [2]\n\ndata: []\n\n")
    }
  }

  @Test func manyClientsBesideALargeImport() async throws {
    try await withServer { client, catalogue in
      async let importing = client.send(.post, "/import/products?chunk=1000", products(100_000..<130_000))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<200 {
          group.addTask { try await self.useServer(as: task, client) }
        }
        try await group.waitForAll()
      }
      let report = try await importing.decoded(as: Report.self)
      #expect(report.inserted == ["Product": 30_000])
      #expect(try await catalogue.store.count(Product.all) == 30_100)
    }
  }

  /// What one of many clients does.
  private func useServer(as task: Int, _ client: Client) async throws {
    let json = #"{"id": \#(task), "name": "Task \#(task)", "price": 1, "tags": [], "stock": 9}"#
    #expect(try await client.send(.post, "/products", json).status == .created)
    #expect(try await client.send(.patch, "/products/\(task)", #"{"stock": 8}"#).status == .ok)
    #expect(try await client.send(.get, "/products/\(task)").text.contains(#""stock":8"#))
    guard task.isMultiple(of: 2) else { return }
    #expect(try await client.send(.delete, "/products/\(task)").status == .noContent)
  }
}
