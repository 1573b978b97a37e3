import SwiftSyntax

extension ExtensionWriter {
  /// The placeholder of an entity that has problems, so that its users have none that only follow from these; nil where
  /// it would not compile either.
  func placeholder(for problems: Problems) -> String? {
    guard problems.ids.isDisjoint(with: Self.problemsOfStorage), conforms,
      let identifier = placeholderIdentifier
    else { return nil }
    let members = [
      "  \(access)static var properties: _BrokerProperties<\(type)> { _BrokerProperties(\"\") }",
      "  \(access)init(row: borrowing _BrokerRow) throws { throw row.placeholderError }",
      identifier,
    ]
    return """
      nonisolated extension \(type): _BrokerStorable {
      \(members.filter { !$0.isEmpty }.joined(separator: "\n\n"))
      }
      """
  }

  /// Problems with a struct that may not be a value at all.
  private static let problemsOfStorage: Set<ProblemID> = [
    .conditional, .generic, .inheritedType, .inheritedTwice, .lazy, .propertyWrapper,
    .relationshipInCollection,
    .tuplePattern, .unstorable,
  ]

  /// The `id`, empty if the struct has one; nil if that cannot be an identity.
  private var placeholderIdentifier: String? {
    if entity.ownIdentifier != nil { return nil }
    if !entity.isIdentified { return "" }
    if let own = entity.members.first(where: { $0.name == "id" }) { return own.isLikelyIdentity ? "" : nil }
    let isUsable = entity.identity.allSatisfy { $0.canIdentify && $0.type?.bare.wrapped == nil }
    if isUsable, let identity { return identity }
    return "  \(access)var id: _BrokerRowID { _BrokerRowID() }"
  }
}
