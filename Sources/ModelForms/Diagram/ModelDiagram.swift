package import ObjectModel

/// A model as a diagram.
package struct ModelDiagram {
  package enum Form: String, CaseIterable, Sendable {
    case svg
    case mermaid
    case dot
    case dbml
  }

  private let schema: Schema
  private let title: String

  /// - Parameter title: What stands above the diagram.
  /// - Throws: ``SchemaError`` if the model cannot be used.
  package init(_ model: Model, title: String) throws(SchemaError) {
    schema = try Schema(model)
    self.title = title
  }

  /// - Throws: ``TooManyEntities`` for a picture of more entities than anyone can see.
  package func text(_ form: Form) throws(TooManyEntities) -> String {
    switch form {
    case .svg:
      guard schema.entities.count <= TooManyEntities.limit,
        schema.relationships.count <= TooManyEntities.relationshipLimit
      else {
        throw TooManyEntities(entities: schema.entities.count, relationships: schema.relationships.count)
      }
      return SVGDiagram(DiagramGraph(schema), title: title).text
    case .mermaid: return MermaidDiagram(DiagramGraph(schema), title: title).text
    case .dot: return DotDiagram(DiagramGraph(schema), title: title).text
    case .dbml: return DBMLDiagram(schema, title: title).text
    }
  }
}

/// A model has more entities or relationships than a picture can show.
package struct TooManyEntities: Error, CustomStringConvertible {
  static let limit = 500
  static let relationshipLimit = 2000
  let entities: Int
  let relationships: Int

  package var description: String {
    "The model has \(entities) entities and \(relationships) relationships; a picture shows \(Self.limit) and"
      + " \(Self.relationshipLimit) at most. Take --format dot or dbml."
  }
}
