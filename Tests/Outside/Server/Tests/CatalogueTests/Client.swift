import Foundation
import Hummingbird

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client of a server on this machine.
struct Client: Sendable {
  let port: Int

  struct Response: Sendable {
    let status: HTTPResponse.Status
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
      try JSONDecoder().decode(type, from: body)
    }
  }

  /// Asks the server, and returns its answer once all of it has come.
  @discardableResult
  func send(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil) async throws -> Response {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else { throw URLError(.badURL) }
    var request = URLRequest(url: url, timeoutInterval: 300)
    request.httpMethod = method.rawValue
    request.httpBody = body.map { Data($0.utf8) }
    let (data, response) = try await URLSession.shared.data(for: request)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    return Response(status: HTTPResponse.Status(code: response.statusCode), body: data)
  }
}
