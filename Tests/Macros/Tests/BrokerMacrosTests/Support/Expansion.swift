import Foundation
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

@testable import BrokerMacros

/// The macros, as the package declares them.
let macros: [String: MacroSpec] = {
  let words = ["Attribute", "Identity", "Inherited", "Key", "Relationship", "Transient", "Version"]
  var specs = Dictionary(uniqueKeysWithValues: words.map { ($0, MacroSpec(type: PropertyMacro.self)) })
  for word in ["Kind", "Kinds"] { specs[word] = MacroSpec(type: KindMacro.self) }
  let storable = TypeSyntax(IdentifierTypeSyntax(name: .identifier("Storable")))
  specs["Entity"] = MacroSpec(type: EntityMacro.self, conformances: [storable])
  return specs
}()

/// Expands `source`, which must have no problems, and compares the expansion.
func expectExpansion(
  of source: String, to expected: String, at location: Testing.SourceLocation = #_sourceLocation
) {
  let (text, problems) = expand(source)
  #expect(problems.isEmpty, sourceLocation: location)
  // PlaceTests covers the lines with places.
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  let plain = lines.filter { !$0.hasPrefix("#sourceLocation") }.joined(separator: "\n")
  #expect(plain == expected, sourceLocation: location)
}

/// Expands a struct with these members, and compares the properties that the model gets.
func expectProperties(
  of members: String, _ expected: String..., at location: Testing.SourceLocation = #_sourceLocation
) {
  let (text, problems) = expand("@Entity struct Band {\n\(members)\n}")
  #expect(problems.isEmpty, sourceLocation: location)
  let items = text.split(separator: "\n").filter { $0.contains("_BrokerProperty<") }
  #expect(items.map(property) == expected, sourceLocation: location)
}

/// The property that a line of a list of properties is of: `.toMany("albums", \.albums, .inverse(…))`.
private func property(of line: Substring) -> String {
  let statements = line.components(separatedBy: "; ")
  guard let item = statements.dropLast().last?.components(separatedBy: "_BrokerProperty<Band>").last else {
    return String(line)
  }
  guard statements.count == 3, let inverse = statements[0].components(separatedBy: " = ").last else {
    return item
  }
  return item.replacing(/\.inverse\(inverse\d+\)/, with: ".inverse(\(inverse))")
}
