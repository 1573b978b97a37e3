import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct BrokerPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [EntityMacro.self, KindMacro.self, PropertyMacro.self]
}
