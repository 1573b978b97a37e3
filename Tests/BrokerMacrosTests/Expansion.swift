import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import BrokerMacros

/// The macros, as the package declares them.
let macros: [String: MacroSpec] = {
  let words = ["Attribute", "Identity", "Inherited", "Key", "Relationship", "Transient", "Version"]
  var specs = Dictionary(uniqueKeysWithValues: words.map { ($0, MacroSpec(type: PropertyMacro.self)) })
  let storable = TypeSyntax(IdentifierTypeSyntax(name: .identifier("Storable")))
  specs["Entity"] = MacroSpec(type: EntityMacro.self, conformances: [storable])
  return specs
}()

/// Expands `source`, in which nothing is wrong, and compares what comes out.
func expectExpansion(
  of source: String, to expected: String, at location: Testing.SourceLocation = #_sourceLocation
) {
  assertMacroExpansion(
    source, expandedSource: expected, macroSpecs: macros, indentationWidth: .spaces(2),
    failureHandler: { Issue.record("\($0.message)", sourceLocation: location) })
}

/// Expands a struct with these members, and compares the properties that the model gets.
func expectProperties(
  of members: String, _ expected: String..., at location: Testing.SourceLocation = #_sourceLocation
) {
  let (text, problems) = expand("@Entity struct Band {\n\(members)\n}")
  #expect(problems.isEmpty, sourceLocation: location)
  let items = text.split(separator: "\n").filter { $0.hasPrefix("    .") }
  let plain = items.map { $0.drop { $0 == " " } }.map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
  #expect(plain.map(String.init) == expected, sourceLocation: location)
}
