import Broker
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Catalogue

/// The server as its clients use it.
@Suite struct CatalogueTests {
  private func products(_ range: Range<Int>) -> ByteBuffer {
    let objects = range.map {
      #"{"id": \#($0), "name": "Product \#($0)", "price": \#($0 % 100).99, "stock": 10, "category": "c\#($0 % 7)"}"#
    }
    return ByteBuffer(string: "[" + objects.joined(separator: ",") + "]")
  }

  private func run(_ body: @escaping @Sendable (any TestClientProtocol, Catalogue) async throws -> Void)
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "catalogue-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let catalogue = try await Catalogue(path: folder.appending(path: "store.sqlite").path)
    try await catalogue.application(address: .hostname("127.0.0.1", port: 0)).test(.live) { client in
      try await body(client, catalogue)
    }
  }

  @Test func singleProducts() async throws {
    try await run { client, _ in
      let json = ByteBuffer(string: #"{"id": 1, "name": "Pen", "price": 1.5, "stock": 3, "tags": ["blue"]}"#)
      try await client.execute(uri: "/products", method: .post, body: json) { response in
        #expect(response.status == .created)
        #expect(String(buffer: response.body).contains(#""name":"Pen""#))
      }
      try await client.execute(uri: "/products", method: .post, body: json) {
        #expect($0.status == .conflict)
      }
      try await client.execute(uri: "/products/1", method: .get) { response in
        let pen = try JSONDecoder().decode(Product.self, from: Data(response.body.readableBytesView))
        #expect(pen.price == Decimal(string: "1.5") && pen.tags == ["blue"])
      }
      try await client.execute(
        uri: "/products/1", method: .patch,
        body: ByteBuffer(string: #"{"price": "2.25", "category": "office"}"#)
      ) { response in
        #expect(response.status == .ok)
        #expect(String(buffer: response.body).contains("2.25"))
      }
      try await client.execute(
        uri: "/products/1", method: .patch, body: ByteBuffer(string: #"{"price": -1}"#)
      ) { #expect($0.status == .badRequest) }
      try await client.execute(uri: "/products/9", method: .get) { #expect($0.status == .notFound) }
      try await client.execute(uri: "/products/9", method: .delete) { #expect($0.status == .notFound) }
      try await client.execute(uri: "/products/1", method: .delete) { #expect($0.status == .noContent) }
      try await client.execute(uri: "/products/1", method: .get) { #expect($0.status == .notFound) }
    }
  }

  @Test func importsWithReportAndLists() async throws {
    try await run { client, _ in
      try await client.execute(uri: "/import/products?chunk=100", method: .post, body: products(0..<500)) {
        response in
        let report = try JSONDecoder().decode(Report.self, from: Data(response.body.readableBytesView))
        #expect(report.inserted == ["Product": 500] && report.pendingCount == 500)
        #expect(report.chunks == 6)
      }
      let categories = (0..<7).map { #"{"code": "c\#($0)", "parent": "c0"}"# }.joined(separator: "\n")
      try await client.execute(
        uri: "/import/categories", method: .post, body: ByteBuffer(string: categories)
      ) { #expect($0.status == .ok) }
      try await client.execute(uri: "/products?category=c3&limit=2", method: .get) { response in
        #expect(String(buffer: response.body).contains(#""id":3,"#))
        #expect(String(buffer: response.body).contains(#""id":10,"#))
      }
      try await client.execute(uri: "/products?where=price%20%3E", method: .get) {
        #expect($0.status == .badRequest)
      }
      try await client.execute(uri: "/statistics", method: .get) { response in
        let statistics = try JSONDecoder().decode(
          Statistics.self, from: Data(response.body.readableBytesView))
        #expect(statistics.products == 500 && statistics.stock == 5_000)
        #expect(statistics.dearest == Decimal(string: "99.99") && statistics.byCategory["c0"] == 72)
      }
      let broken = ByteBuffer(string: #"[{"id": 1000, "name": "n", "price": 1}, {"id": "#)
      try await client.execute(uri: "/import/products", method: .post, body: broken) { response in
        #expect(response.status == .badRequest)
      }
      try await client.execute(uri: "/products/1000", method: .get) { #expect($0.status == .notFound) }
      try await client.execute(uri: "/import/products?prune=true", method: .post, body: products(0..<400)) {
        response in
        let report = try JSONDecoder().decode(Report.self, from: Data(response.body.readableBytesView))
        #expect(report.deleted == ["Product": 100])
      }
    }
  }

  @Test func aLargeExportIsStreamed() async throws {
    try await run { client, catalogue in
      try await catalogue.store.import(Data(products(0..<50_000).readableBytesView), as: Product.self)
      try await client.execute(uri: "/export/products", method: .get) { response in
        let report = try await catalogue.store.import(Data(response.body.readableBytesView), as: Product.self)
        #expect(report.unchanged == ["Product": 50_000] && !report.changesAnything)
      }
    }
  }

  /// A client that takes nothing holds the export up, and not the store.
  @Test func aSlowReaderHoldsUpNobody() async throws {
    try await run { client, catalogue in
      try await catalogue.store.import(Data(products(0..<50_000).readableBytesView), as: Product.self)
      var pieces = catalogue.store.exportStream(Product.all).makeAsyncIterator()
      _ = try await pieces.next()
      try await client.execute(uri: "/import/products", method: .post, body: products(60_000..<60_010)) {
        #expect($0.status == .ok)
      }
      var size = 0
      while let piece = try await pieces.next() { size += piece.count }
      #expect(size > 1_000_000)
      #expect(try await catalogue.store.count(Product.all) == 50_010)
    }
  }

  @Test func events() async throws {
    try await run { client, catalogue in
      let listening = Task {
        try await client.execute(uri: "/events/products?stock=5&events=3", method: .get) {
          String(buffer: $0.body)
        }
      }
      try await Task.sleep(for: .milliseconds(300))
      try await client.execute(uri: "/import/products", method: .post, body: products(0..<3)) { _ in }
      try await client.execute(
        uri: "/products/2", method: .patch, body: ByteBuffer(string: #"{"stock": 1}"#)
      ) { #expect($0.status == .ok) }
      try await Task.sleep(for: .milliseconds(300))
      try await client.execute(uri: "/products/2", method: .delete) { _ in }
      #expect(try await listening.value == "data: []\n\ndata: [2]\n\ndata: []\n\n")
    }
  }

  @Test func manyClientsBesideALargeImport() async throws {
    try await run { client, catalogue in
      let importing = Task {
        try await client.execute(
          uri: "/import/products?chunk=1000", method: .post, body: products(100_000..<130_000)
        ) { try JSONDecoder().decode(Report.self, from: Data($0.body.readableBytesView)) }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<200 {
          group.addTask {
            let json = ByteBuffer(
              string: #"{"id": \#(task), "name": "Task \#(task)", "price": 1, "tags": [], "stock": 9}"#)
            try await client.execute(uri: "/products", method: .post, body: json) {
              #expect($0.status == .created)
            }
            try await client.execute(
              uri: "/products/\(task)", method: .patch, body: ByteBuffer(string: #"{"stock": 8}"#)
            ) { #expect($0.status == .ok) }
            try await client.execute(uri: "/products/\(task)", method: .get) { response in
              #expect(String(buffer: response.body).contains(#""stock":8"#))
            }
            if task.isMultiple(of: 2) {
              try await client.execute(uri: "/products/\(task)", method: .delete) {
                #expect($0.status == .noContent)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await importing.value.inserted == ["Product": 30_000])
      #expect(try await catalogue.store.count(Product.all) == 30_100)
    }
  }
}
