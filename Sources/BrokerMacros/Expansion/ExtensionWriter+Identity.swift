import SwiftSyntax

extension ExtensionWriter {
  /// The `id`, and for an identity of several attributes its type.
  ///
  /// `nil` if the struct has an `id` already: its own, or the stored one of an entity without identity.
  var identity: String? {
    let parts = entity.identity
    if parts.isEmpty, let inherited = entity.inherited, let type = inherited.writtenType {
      return identifier(of: "\(type.trimmedDescription).ID", "self.\(inherited.code).id")
    }
    guard let first = parts.first, let type = first.identityType else { return nil }
    if parts.count > 1 { return identityType(parts) }
    return first.name == "id" ? nil : identifier(of: type, first.identityValue)
  }

  private func identifier(of type: String, _ value: String) -> String {
    "  \(access)var id: \(type) { \(value) }"
  }

  private func identityType(_ parts: [PropertyDeclaration]) -> String {
    let typed = parts.map { "\($0.code): \($0.identityType ?? "")" }
    let values = parts.map { "\($0.code): \($0.identityValue)" }.joined(separator: ", ")
    return """
        \(access)struct ID: _BrokerIdentityValue {
      \(lines(typed, indent: 4) { "\(access)var \($0)" })

          \(access)init(\(typed.joined(separator: ", "))) {
      \(lines(parts.map(\.code), indent: 6) { "self.\($0) = \($0)" })
          }

          \(access)init(from parts: inout _BrokerIdentityDecoder) throws {
      \(lines(parts.map(\.decoding), indent: 6) { $0 })
          }

          \(access)func encode(to parts: inout _BrokerIdentityEncoder) {
      \(lines(parts.map(\.encoding), indent: 6) { $0 })
          }
        }

      \(identifier(of: "ID", "ID(\(values))"))
      """
  }

  private func lines(_ items: [String], indent: Int, _ line: (String) -> String) -> String {
    items.map { String(repeating: " ", count: indent) + line($0) }.joined(separator: "\n")
  }
}

extension PropertyDeclaration {
  /// The type of the property's value in an identity: of a relationship, that of the object's identity.
  fileprivate var identityType: String? {
    if let target = role.target { return "\(target.trimmedDescription).ID" }
    return type?.trimmedDescription
  }

  /// The part of an identity that a property of an object gives.
  fileprivate var identityValue: String { role.target == nil ? "self.\(code)" : "self.\(code).id" }

  fileprivate var decoding: String {
    guard let target = role.target else { return "self.\(code) = try parts.next()" }
    return "self.\(code) = try \(target.trimmedDescription).identity(from: &parts)"
  }

  fileprivate var encoding: String {
    guard let target = role.target else { return "parts.append(self.\(code))" }
    return "\(target.trimmedDescription).encode(self.\(code), to: &parts)"
  }
}
