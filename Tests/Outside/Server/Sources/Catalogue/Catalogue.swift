import Broker
import Foundation
import Hummingbird

/// A catalogue of products behind a web server.
public struct Catalogue: Sendable {
  let store: Store

  /// - Parameter path: The store's file.
  public init(path: String) async throws {
    store = try await Store(at: .file(path), for: Product.self, Category.self)
  }

  public init(_ store: Store) {
    self.store = store
  }

  /// The application, ready to run.
  ///
  /// - Parameter onStart: Called with the port when the server listens.
  public func application(
    address: BindAddress = .hostname("127.0.0.1", port: 8080),
    onStart: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> some ApplicationProtocol {
    Application(
      router: router(), configuration: .init(address: address),
      onServerRunning: { channel in
        if let port = channel.localAddress?.port { onStart(port) }
      })
  }

  private func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.add(middleware: ErrorMiddleware())
    let products = router.group("products")
    products.get(use: list).post(use: create)
    products.get(":id", use: find).patch(":id", use: change).delete(":id", use: delete)
    router.post("import/:entity", use: importJSON)
    router.get("export/products", use: export)
    router.get("events/products", use: events)
    router.get("statistics", use: statistics)
    return router
  }

  // MARK: - Single products

  @Sendable func list(_ request: Request, _ context: some RequestContext) async throws -> Response {
    let parameters = request.uri.queryParameters
    var query = Product.sorted(by: \.id)
    if let category = parameters["category"] {
      let code = String(category)
      query = query.filter(#Predicate { $0.category?.id == code })
    }
    if let words = parameters["where"] { query = try query.filter(format: String(words)) }
    if let limit = parameters["limit"].flatMap({ Int($0) }) { query = query.limit(limit) }
    return json(try await store.export(query))
  }

  @Sendable func find(_ request: Request, _ context: some RequestContext) async throws -> Product {
    guard
      let product = try await store.fetch(Product.self, id: context.parameters.require("id", as: Int.self))
    else {
      throw HTTPError(.notFound)
    }
    return product
  }

  @Sendable func create(_ request: Request, _ context: some RequestContext) async throws -> EditedResponse<
    Product
  > {
    let product = try await request.decode(as: Product.self, context: context)
    return EditedResponse(status: .created, response: try await store.insert(product))
  }

  @Sendable func change(_ request: Request, _ context: some RequestContext) async throws -> Product {
    let id = try context.parameters.require("id", as: Int.self)
    let body = try await request.body.collect(upTo: 1 << 20)
    var options = ImportOptions()
    options.isStrict = true
    return try await store.write { [options] transaction in
      let product = try transaction.find(Product.self, id)
      return try transaction.import(Data(body.readableBytesView), onto: product, options: options).object
    }
  }

  @Sendable func delete(_ request: Request, _ context: some RequestContext) async throws
    -> HTTPResponse.Status
  {
    try await store.delete(Product.self, context.parameters.require("id", as: Int.self))
    return .noContent
  }

  // MARK: - Many

  /// Imports what is posted, in chunks, so that other requests need not wait for its end.
  @Sendable func importJSON(_ request: Request, _ context: some RequestContext) async throws -> Report {
    let entity: any Storable.Type
    switch try context.parameters.require("entity") {
    case "products": entity = Product.self
    case "categories": entity = Category.self
    default: throw HTTPError(.notFound)
    }
    let parameters = request.uri.queryParameters
    var options = ImportOptions()
    options.isStrict = parameters["strict"] == "true"
    options.prunes = parameters["prune"] == "true"
    options.isDryRun = parameters["dry"] == "true"
    if let count = parameters["chunk"].flatMap({ Int($0) }) { options.chunks = .objects(count) }
    return try await store.import(
      pieces: request.body.map { $0.readableBytesView }, as: entity, options: options)
  }

  /// Each piece is made when the client has taken the one before.
  @Sendable func export(_ request: Request, _ context: some RequestContext) async throws -> Response {
    let pieces = store.exportStream(Product.sorted(by: \.id))
    let body = ResponseBody { writer in
      for try await piece in pieces { try await writer.write(ByteBuffer(bytes: piece)) }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "application/json"], body: body)
  }

  /// Server-sent events: the products below a stock, whenever they have become others.
  @Sendable func events(_ request: Request, _ context: some RequestContext) async throws -> Response {
    let limit = request.uri.queryParameters["stock"].flatMap { Int($0) } ?? 5
    let most = request.uri.queryParameters["events"].flatMap { Int($0) } ?? .max
    let scarce = store.observe(Product.filter(#Predicate { $0.stock < limit }).sorted(by: \.id))
    let body = ResponseBody { writer in
      var count = 0
      for try await products in scarce {
        try await writer.write(ByteBuffer(string: "data: \(products.map(\.id))\n\n"))
        count += 1
        if count == most { break }
      }
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"], body: body)
  }

  @Sendable func statistics(_ request: Request, _ context: some RequestContext) async throws -> Statistics {
    try await store.read { transaction in
      let counts = try transaction.count(Product.all, by: \.category?.id)
      return Statistics(
        products: try transaction.count(Product.all),
        stock: try transaction.sum(Product.all, of: \.stock),
        dearest: try transaction.maximum(Product.all, of: \.price),
        byCategory: Dictionary(uniqueKeysWithValues: counts.map { ($0 ?? "none", $1) }))
    }
  }

  private func json(_ data: Data) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }
}

struct Statistics: ResponseEncodable, Decodable {
  var products: Int
  var stock: Int
  var dearest: Decimal?
  var byCategory: [String: Int]
}

extension Product: ResponseEncodable {}
extension Report: @retroactive ResponseGenerator {}
extension Report: @retroactive ResponseEncodable {}
