import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Entity`: makes a struct a kind of object that the store keeps.
struct EntityMacro {
  // The expansion is laid out as it should be read.
  static var formatMode: FormatMode { .disabled }
}

extension EntityMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let structure = declaration.as(StructDeclSyntax.self) else {
      reportNoStruct(declaration, in: context)
      return []
    }
    let (entity, found) = EntityReader.read(structure, mark: node)
    let writer = ExtensionWriter(
      entity: entity, type: type.trimmedDescription, conforms: !protocols.isEmpty,
      access: entity.access(in: context.lexicalContext),
      location: { context.location(of: $0, at: .afterLeadingTrivia, filePathMode: .filePath) })
    let problems = EntityChecker.check(entity, found: found, in: context.lexicalContext)
    problems.emit(in: context)
    guard let text = problems.isEmpty ? writer.text : writer.placeholder(for: problems) else { return [] }
    return [try ExtensionDeclSyntax("\(raw: text)")]
  }

  private static func reportNoStruct(
    _ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
  ) {
    let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text ?? "this extension"
    var fixIts: [Fix] = []
    if let type = declaration.as(ClassDeclSyntax.self) {
      var changes: [FixIt.Change] = [.replace(type.classKeyword, with: "struct")]
      if let final = type.modifiers.first(where: { $0.name.tokenKind == .keyword(.final) }) {
        changes.append(.remove(final))
      }
      fixIts = [Fix("make it a struct", changes)]
    }
    var problems = Problems()
    problems.error(
      .notAStruct, at: declaration.introducer,
      "@Entity is for structs; \(name) is \(declaration.introducer.kindInWords)", fixIts: fixIts)
    problems.emit(in: context)
  }
}

extension EntityMacro: MemberMacro {
  /// The `id` of an entity without identity is stored: the number of its row.
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let structure = declaration.as(StructDeclSyntax.self) else { return [] }
    let (entity, _) = EntityReader.read(structure, mark: node)
    guard !entity.isIdentified else { return [] }
    return ["nonisolated \(raw: entity.access(in: context.lexicalContext))var id = _BrokerRowID()"]
  }
}

extension TokenSyntax {
  fileprivate var kindInWords: String {
    switch tokenKind {
    case .keyword(.class): "a class"
    case .keyword(.actor): "an actor"
    case .keyword(.enum): "an enum"
    case .keyword(.protocol): "a protocol"
    default: "none"
    }
  }
}
