import Foundation

/// What a property's text says: `int! = 3`, `string?`, `rock | jazz`, `Album.band`.
struct ShortType {
  enum Kind: Equatable {
    /// The name of the type in the JSON form.
    case attribute(String)
    case composite(String)
    case values([String])
    case relationship(String, inverse: String?)
  }

  let kind: Kind
  /// Nil if nothing says it.
  let isOptional: Bool?
  let isIdentity: Bool
  let defaultText: String?

  init(_ text: String, _ names: ShortNames) throws {
    var core = Substring(text)
    if let equals = text.firstIndex(of: "=") {
      core = text[..<equals]
      defaultText = Self.unquoted(Self.trimmed(text[text.index(after: equals)...]))
    } else {
      defaultText = nil
    }
    var name = Self.trimmed(core)
    var isOptional: Bool?
    var isIdentity = false
    while let mark = name.last, "!?*".contains(mark) {
      switch mark {
      case "!": isOptional = false
      case "?": isOptional = true
      default: isIdentity = true
      }
      name = Self.trimmed(name.dropLast())
    }
    self.isOptional = isOptional ?? (isIdentity ? false : nil)
    self.isIdentity = isIdentity
    kind = try Self.kind(name, names)
  }

  private static func kind(_ name: String, _ names: ShortNames) throws -> Kind {
    if name.contains("|") { return .values(name.split(separator: "|").map { unquoted(trimmed($0)) }) }
    if names.entities.contains(name) { return .relationship(name, inverse: nil) }
    if let dot = name.lastIndex(of: "."), names.entities.contains(String(name[..<dot])) {
      return .relationship(String(name[..<dot]), inverse: String(name[name.index(after: dot)...]))
    }
    if names.composites.contains(name) { return .composite(name) }
    if let type = FormNames.types.first(where: { $0.name == name })?.name { return .attribute(type) }
    if let type = FormNames.shortTypes[name] { return .attribute(type) }
    throw ModelError(
      .unexpected(
        value: name, of: "type", expected: "an entity or an attribute type", nearest: nearest(to: name, names)
      ))
  }

  private static func nearest(to name: String, _ names: ShortNames) -> String? {
    let entities = names.entities.sorted()
    let types = FormNames.types.map(\.name) + FormNames.shortTypes.keys.sorted() + names.composites.sorted()
    return nearestName(to: name.split(separator: ".").first.map(String.init) ?? name, in: entities)
      ?? FormNames.nearestType(to: name) ?? nearestName(to: name, in: types)
  }

  static func trimmed(_ text: some StringProtocol) -> String { text.trimmingCharacters(in: .whitespaces) }

  /// A text in quotation marks without them.
  private static func unquoted(_ text: String) -> String {
    guard text.hasPrefix("\""), case .string(let inner)? = try? FormValue(json: Data(text.utf8)) else {
      return text
    }
    return inner
  }
}
