package import Foundation
import JSONStream
package import ObjectModel
import Yams

/// Models made of schemas of other languages: JSON Schema, OpenAPI, Swagger and GraphQL.
package struct ModelReading {
  package let model: Model
  /// The inferences, each with its reason, and remarks on what a model cannot say.
  package let remarks: [Remark]
  package let language: SchemaLanguage

  /// How deep a schema's document may be nested.
  private static let deepest = 200

  /// Makes a model of a schema. The text tells what language it has; of the file's name only `.graphql` and the like do.
  ///
  /// - Returns: Nil if the file is no schema. It may be a model.
  /// - Throws: ``SchemaFileError`` or `ModelError`, with the place.
  package init?(contentsOf url: URL) throws {
    // try?: a file that cannot be read is read as a model, which says why it cannot.
    guard RegularFile.isThere(url), let data = try? Data(contentsOf: url) else { return nil }
    try self.init(
      data, name: url.deletingPathExtension().lastPathComponent, kind: url.pathExtension.lowercased())
  }

  /// Makes a model of the bytes of a schema.
  ///
  /// - Parameters:
  ///   - name: What a schema that says no title describes.
  ///   - kind: The extension of the file's name.
  /// - Returns: Nil if it is no schema. It may be a model.
  package init?(_ data: Data, name: String, kind: String) throws {
    guard var text = String(validating: data, as: UTF8.self) else { return nil }
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    let isNamedGraphQL = ["graphql", "graphqls", "gql"].contains(kind)
    let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
    let root: FormValue?
    if first == "{" || first == "[" {
      root = try Self.braces(text, kind)
    } else if first == "<" {
      root = nil
    } else if isNamedGraphQL || GraphQLParser.mayBegin(text) {
      let reader = GraphQLReader(try GraphQLParser.parse(text))
      self.init(DraftModel(reader.types), reader.remarks, .graphQL)
      return
    } else {
      root = Self.mayBeSchema(text) ? try YAMLTree(text).value : nil
    }
    guard let root else {
      guard isNamedGraphQL else { return nil }
      // It is an error that the parser tells.
      _ = try GraphQLParser.parse(text)
      return nil
    }
    do {
      try self.init(root, name: name)
    } catch {
      var located = error
      located.line = Self.line(of: error.place, in: text)
      throw located
    }
  }

  /// - Returns: Nil if it is no schema.
  package init?(_ root: FormValue, name: String) throws(SchemaFileError) {
    if let schema = GraphQLIntrospection.schema(in: root) {
      let reader = GraphQLReader(GraphQLIntrospection.read(schema))
      self.init(DraftModel(reader.types), reader.remarks, .graphQL)
      return
    }
    guard Self.isSchema(root) else { return nil }
    let reader = try JSONSchemaReader(root, name: name)
    let draft = DraftModel(reader.types)
    guard !draft.model.entities.isEmpty else {
      throw SchemaFileError("", "the schema describes no objects")
    }
    let language: SchemaLanguage =
      root["openapi"] != nil ? .openAPI : root["swagger"] != nil ? .swagger : .jsonSchema
    self.init(draft, reader.remarks, language)
  }

  private init(_ draft: DraftModel, _ remarks: [Remark], _ language: SchemaLanguage) {
    model = draft.model
    self.remarks = remarks + draft.remarks
    self.language = language
  }

  // MARK: - Recognition

  /// The value of a text that begins as JSON does.
  ///
  /// - Returns: Nil if it is neither JSON nor YAML, and no word in it says that it is a schema.
  private static func braces(_ text: String, _ kind: String) throws -> FormValue? {
    do throws(JSONError) {
      return try FormValue(json: Data(text.utf8), maximumDepth: deepest)
    } catch {
      // try?: what is no YAML either is told as JSON.
      if ["yaml", "yml"].contains(kind), let tree = try? YAMLTree(text) { return tree.value }
      guard SchemaLanguage(beginning: text) != nil else { return nil }
      var failure = SchemaFileError("", error.reason)
      failure.line = error.line
      throw failure
    }
  }

  /// Whether a document says that it is a schema. A model in the JSON form has `entities`.
  private static func isSchema(_ root: FormValue) -> Bool {
    guard root["entities"] == nil else { return false }
    if root["openapi"]?.scalarWord != nil || root["swagger"]?.scalarWord != nil { return true }
    if root["$schema"]?.text != nil || root["$defs"]?.members != nil { return true }
    let isObject = root["type"] == .string("object") || root["type"] == .string("array")
    return root["definitions"]?.members != nil
      || (isObject && (root["properties"] ?? root["items"])?.members != nil)
  }

  /// A look at the words of a YAML text before it is read as a schema: a model has none of these.
  private static func mayBeSchema(_ text: String) -> Bool {
    let lines = text.split(whereSeparator: \.isNewline)
    func has(_ words: [String]) -> Bool {
      words.contains { word in
        ["\(word):", "\"\(word)\":", "'\(word)':"].contains { start in
          lines.contains { $0.hasPrefix(start) }
        }
      }
    }
    return has(["openapi", "swagger", "$schema", "$defs", "definitions"])
      || (has(["type"]) && has(["properties", "items"]))
  }

  // MARK: - Lines

  /// The line that a JSON pointer leads to, or as far as it leads. JSON is read as YAML, which tells places.
  private static func line(of pointer: String, in text: String) -> Int? {
    // try?: an error is told without its line where the line cannot be found.
    guard pointer.hasPrefix("#/"), var node = try? Yams.compose(yaml: text) else { return nil }
    var line: Int?
    for token in pointer.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
      let name = String(token.replacing("~1", with: "/").replacing("~0", with: "~"))
      switch node {
      case .mapping(let mapping):
        guard let found = mapping.first(where: { $0.key.scalar?.string == name }) else { return line }
        line = found.key.mark?.line ?? line
        node = found.value
      case .sequence(let sequence):
        guard let index = Int(name), sequence.indices.contains(index) else { return line }
        node = sequence[index]
        line = node.mark?.line ?? line
      case .scalar, .alias: return line
      }
    }
    return line
  }
}

extension FormValue {
  fileprivate var scalarWord: String? {
    switch self {
    case .string(let text): text
    case .number(let digits): digits
    case .integer(let number): String(number)
    default: nil
    }
  }
}

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

/// Why no model could be made of a schema.
package struct SchemaFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place in the schema: a JSON pointer, or a line and a column.
  package var place: String
  package var message: String
  /// The line that the JSON pointer leads to, counted from 1, if it is known.
  package var line: Int?

  init(_ place: String, _ message: String) {
    self.place = place
    self.message = message
  }

  package var description: String {
    let place = ModelError.shortened(place, to: 200)
    return place.isEmpty ? message : "\(place): \(message)"
  }
}
