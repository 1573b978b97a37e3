package import Foundation

/// The languages in which APIs publish what their JSON has.
package enum SchemaLanguage: Sendable, Hashable {
  case openAPI
  case swagger
  case jsonSchema
  case graphQL

  /// A document of the language, for messages: `an OpenAPI document`.
  package var document: String {
    switch self {
    case .openAPI: "an OpenAPI document"
    case .swagger: "a Swagger document"
    case .jsonSchema: "a JSON Schema"
    case .graphQL: "a GraphQL schema"
    }
  }

  /// How much of a file ``init(beginningOf:)`` looks at.
  private static let glance = 4096

  /// The language that the first lines of a file say it is written in. Only these are read, so that large files of data
  /// cost nothing.
  ///
  /// - Returns: Nil if they say none, and for what is no file, such as a pipe.
  package init?(beginningOf url: URL) {
    // try?: a file that cannot be read says no language; who needs the file says what is wrong.
    guard RegularFile.isThere(url), let text = try? Self.beginning(of: url) else { return nil }
    self.init(beginning: text)
  }

  private static func beginning(of url: URL) throws -> String {
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    return String(decoding: try handle.read(upToCount: glance) ?? Data(), as: UTF8.self)
  }

  /// The language that the first lines of a text say.
  init?(beginning text: String) {
    switch text.unicodeScalars.first(where: { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }) {
    case "{":
      if text.contains(/"openapi"\s*:\s*"?3/) {
        self = .openAPI
      } else if text.contains(/"swagger"\s*:\s*"?2/) {
        self = .swagger
      } else if text.contains(/"\$schema"\s*:\s*"[^"]*json-schema\.org/) {
        self = .jsonSchema
      } else if text.contains(/"__schema"\s*:\s*\{/) {
        self = .graphQL
      } else {
        return nil
      }
    case "[", "<", nil: return nil
    default:
      if GraphQLParser.mayBegin(text) {
        self = .graphQL
      } else if text.contains(/(?m)^["']?openapi["']?\s*:\s*["']?3/) {
        self = .openAPI
      } else if text.contains(/(?m)^["']?swagger["']?\s*:\s*["']?2/) {
        self = .swagger
      } else if text.contains(/(?m)^["']?\$schema["']?\s*:.*json-schema\.org/) {
        self = .jsonSchema
      } else {
        return nil
      }
    }
  }
}

/// Files, unlike folders, pipes and devices: they can be read again.
enum RegularFile {
  static func isThere(_ url: URL) -> Bool {
    var status = stat()
    return url.path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
