package import Foundation
package import ObjectModel

/// Models made of schemas of other languages: JSON Schema, OpenAPI, Swagger and GraphQL.
package struct ModelReading {
  package let model: Model
  /// What was inferred, each with its reason, and what a model cannot say.
  package let remarks: [Remark]

  /// How deep a schema's document may be nested.
  private static let deepest = 200

  /// Makes a model of a schema.
  ///
  /// - Parameter name: What a schema that says no title describes.
  /// - Returns: Nil if the file is no schema. It may be a model.
  /// - Throws: ``SchemaFileError`` or ``ModelError``, with the place.
  package init?(contentsOf url: URL) throws {
    let name = url.deletingPathExtension().lastPathComponent
    let kind = url.pathExtension.lowercased()
    guard ["json", "yaml", "yml", "graphql", "graphqls", "gql"].contains(kind),
      // try?: a file that is no schema is read as a model, which says what cannot be read.
      let data = try? Data(contentsOf: url), let text = String(validating: data, as: UTF8.self)
    else { return nil }
    if kind.hasPrefix("g") {
      let reader = GraphQLReader(try GraphQLParser.parse(text))
      self.init(DraftModel(reader.types), reader.remarks)
      return
    }
    let isYAML = kind != "json" && text.first { !$0.isWhitespace } != "{"
    guard isYAML ? Self.mayBeSchema(text) : true,
      let root = isYAML ? try YAMLTree(text).value : try? FormValue(json: data, maximumDepth: Self.deepest)
    else { return nil }
    try self.init(root, name: name)
  }

  /// - Returns: Nil if it is no schema.
  package init?(_ root: FormValue, name: String) throws(SchemaFileError) {
    if let schema = GraphQLIntrospection.schema(in: root) {
      let reader = GraphQLReader(GraphQLIntrospection.read(schema))
      self.init(DraftModel(reader.types), reader.remarks)
      return
    }
    guard Self.isSchema(root) else { return nil }
    let reader = try JSONSchemaReader(root, name: name)
    let draft = DraftModel(reader.types)
    guard !draft.model.entities.isEmpty else {
      throw SchemaFileError("", "the schema describes no objects")
    }
    self.init(draft, reader.remarks)
  }

  private init(_ draft: DraftModel, _ remarks: [Remark]) {
    model = draft.model
    self.remarks = remarks + draft.remarks
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
    return ["openapi", "swagger", "$schema", "$defs", "definitions", "\"openapi\"", "'openapi'"].contains {
      word in
      lines.contains { $0.hasPrefix("\(word):") }
    }
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
