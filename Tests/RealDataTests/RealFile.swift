import Foundation

/// A file of JSON that a web service sent, too large to be part of the package.
///
/// It is looked for in the folder that the environment variable `BROKER_REAL_DATA` names, else in `shared/data`
/// beside the package. Tests that need it are skipped where it is absent.
enum RealFile: String, CaseIterable {
  case twitter = "twitter.json"
  case catalog = "citm_catalog.json"

  var url: URL { Self.folder.appendingPathComponent(rawValue) }

  var isThere: Bool { FileManager.default.fileExists(atPath: url.path) }

  /// The model that goes with it.
  var modelURL: URL {
    let name = self == .twitter ? "Twitter.json" : "Catalog.json"
    return Bundle.module.bundleURL.appendingPathComponent("Models").appendingPathComponent(name)
  }

  /// The file as small types of its own, read by something that is not Broker.
  func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = self == .twitter ? .convertFromSnakeCase : .useDefaultKeys
    return try decoder.decode(Value.self, from: Data(contentsOf: url))
  }

  static var folder: URL {
    if let path = ProcessInfo.processInfo.environment["BROKER_REAL_DATA"] {
      return URL(fileURLWithPath: path)
    }
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { package.deleteLastPathComponent() }
    return package.deletingLastPathComponent().appendingPathComponent("shared/data")
  }
}
