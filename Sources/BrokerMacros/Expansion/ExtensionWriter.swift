import SwiftSyntax
import SwiftSyntaxMacros

/// Writes the extension that `@Entity` expands to.
struct ExtensionWriter {
  let entity: EntityDeclaration
  /// The struct's name as the file sees it: `Model.Band`.
  let type: String
  /// Whether the struct does not say itself that it conforms.
  let conforms: Bool
  /// `public `, `package ` or nothing.
  let access: String
  /// The location of a token in the source.
  let location: (TokenSyntax) -> AbstractSourceLocation?

  var text: String {
    let conformance = conforms ? ": _BrokerStorable" : ""
    let members = [propertyList, rowInitializer, identity].compactMap(\.self)
    return """
      nonisolated extension \(type)\(conformance) {
      \(members.joined(separator: "\n\n"))
      }
      """
  }

  /// Reads the columns in the order of the list of properties.
  private var rowInitializer: String {
    var lines = entity.properties.enumerated().map { index, property in
      "self.\(property.code) = try row.value(\(index))"
    }
    if let inherited = entity.inherited {
      lines.append("self.\(inherited.code) = try row.inherited(at: \(lines.count))")
    }
    if !entity.isIdentified { lines.append("self.id = row.rowID") }
    return """
        \(access)init(row: borrowing _BrokerRow) throws {
      \(lines.map { "    \($0)" }.joined(separator: "\n"))
        }
      """
  }
}
