/// Why an export cannot be made.
public struct ExportError: Error, Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case noRelationship(
      String, entity: String, path: String, isAttribute: Bool, nearest: String?, known: [String])
    case notExported(String, entity: String)
    case tooManyTransformers(String, most: Int)
    case notReached(String, count: Int)
  }

  let kind: Kind

  init(_ kind: Kind) {
    self.kind = kind
  }
}

extension ExportError: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .noRelationship(let name, let entity, let path, let isAttribute, let nearest, let known):
      (isAttribute
        ? "\(entity).\(name) is an attribute, so nothing can be nested there"
        : "\(entity) has no relationship \(name.isEmpty ? "without a name" : name)")
        + (path == name ? "." : ", as in \(path).")
        + (nearest.map { " Did you mean \($0)?" }
          ?? (known.isEmpty ? " It has none." : " It has \(known.joined(separator: ", "))."))
    case .tooManyTransformers(let name, let most):
      "The objects of \(name), which have transformers, are nested in each other more than \(most) times."
        + " Export their identities, or nest less deep."
    case .notReached(let name, let count):
      "\(count) object\(count == 1 ? "" : "s") of \(name) cannot be exported: without an identity they stand inside their"
        + " owners, and these own each other in a circle. Give \(name) an identity, or break the circle."
    case .notExported(let name, let entity):
      "\(entity).\(name) cannot be nested, since the model says that it is not exported."
    }
  }
}
