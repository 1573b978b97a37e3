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

/// The graph of a diagram: a box for each entity and a line for each pair of relationships.
struct DiagramGraph {
  struct Row {
    var name: String
    var type: String
    var isIdentity = false
    var isRelationship = false
  }

  struct Box {
    var name: String
    var isAbstract: Bool
    var rows: [Row]
  }

  struct End {
    var box: Int
    /// The row that the line begins at; nil for the head of the box.
    var row: Int?
    /// How many objects of this end belong to one object of the other; nil if nothing says it.
    var count: String?
  }

  enum Kind {
    /// From an entity to one that inherits from it.
    case inheritance
    case relationship
  }

  struct Line {
    var kind: Kind
    var from: End
    var to: End
  }

  private(set) var boxes: [Box] = []
  private(set) var lines: [Line] = []

  init(_ schema: Schema) {
    for entity in schema.entities { boxes.append(Self.box(of: entity, schema)) }
    for (index, entity) in schema.model.entities.enumerated() {
      guard let parent = entity.parent.flatMap(schema.index) else { continue }
      lines.append(Line(kind: .inheritance, from: End(box: parent), to: End(box: index)))
    }
    for relationship in schema.relationships { addLine(of: relationship, schema) }
  }

  private static func box(of entity: SchemaEntity, _ schema: Schema) -> Box {
    guard let own = schema.model[entity: entity.name] else {
      return Box(name: entity.name, isAbstract: entity.isAbstract, rows: [])
    }
    let identity = Set(entity.declaredIdentity?.properties ?? [])
    let attributes = own.attributes.map {
      let isIdentity = identity.contains($0.name)
      return Row(
        name: $0.name, type: $0.type.name + ($0.isOptional && !isIdentity ? "?" : ""), isIdentity: isIdentity)
    }
    let relationships = own.relationships.map {
      let target = $0.isToMany ? "[\($0.destination)]" : $0.destination
      let isIdentity = identity.contains($0.name)
      let mayBeEmpty = !$0.isToMany && $0.isOptional && !isIdentity
      return Row(
        name: $0.name, type: target + (mayBeEmpty ? "?" : ""), isIdentity: isIdentity, isRelationship: true)
    }
    return Box(name: entity.name, isAbstract: entity.isAbstract, rows: attributes + relationships)
  }

  /// A line for a relationship, unless its inverse has it already.
  private mutating func addLine(of relationship: SchemaRelationship, _ schema: Schema) {
    let inverse = relationship.inverse.map { schema.relationships[$0] }
    if let inverse, inverse.inverse == relationship.index, inverse.index < relationship.index { return }
    let from = End(
      box: relationship.owner, row: row(of: relationship.name, in: relationship.owner),
      count: inverse.map(Self.count))
    var to = End(box: relationship.destination, count: Self.count(of: relationship))
    if let inverse {
      to.box = inverse.owner
      to.row = row(of: inverse.name, in: inverse.owner)
    }
    lines.append(Line(kind: .relationship, from: from, to: to))
  }

  private func row(of name: String, in box: Int) -> Int? {
    boxes[box].rows.firstIndex { $0.isRelationship && $0.name == name }
  }

  /// `1`, `0..1`, `*`, `2..90`.
  private static func count(of relationship: SchemaRelationship) -> String {
    guard relationship.isToMany else { return relationship.isOptional ? "0..1" : "1" }
    let declared = relationship.relationship
    let least = declared.leastCount
    let most = declared.maximumCount.flatMap { $0 > 0 ? String($0) : nil }
    if least == 0, most == nil { return "*" }
    return "\(least)..\(most ?? "*")"
  }
}
