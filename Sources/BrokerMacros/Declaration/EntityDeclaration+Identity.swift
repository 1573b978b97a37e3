import SwiftSyntax

extension EntityDeclaration {
  /// The properties that identify an object: the marked ones, among them relationships to one object, else the attribute
  /// whose name says so. An entity that inherits has the identity that it inherits unless it marks its own.
  var identity: [PropertyDeclaration] {
    guard isIdentified else { return [] }
    let marked = properties.filter { !$0.role.isToMany && $0.marks[.identity] != nil }
    if !marked.isEmpty || inherited != nil { return marked }
    let attributes = properties.filter { !$0.role.isRelationship }
    for wanted in ["id", "remoteid", Self.folded(storedName) + "id"] {
      if let found = attributes.first(where: { Self.folded($0.name) == wanted && $0.canIdentify }) {
        return [found]
      }
    }
    return []
  }

  private static func folded(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }
}

extension PropertyDeclaration {
  /// Whether its type may tell objects apart. One without a type has a problem of its own.
  var canIdentify: Bool {
    guard let type = type?.bare else { return true }
    let inner = type.wrapped ?? type
    if inner.element != nil || inner.entry != nil { return false }
    return !["Float", "Double", "Float16", "CGFloat", "Data"].contains(inner.named?.name)
  }

  /// Whether its type is one that identities usually have.
  var isLikelyIdentity: Bool {
    guard let name = type?.bare.named?.name else { return false }
    return [
      "String", "UUID", "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32",
    ].contains(name)
  }
}
