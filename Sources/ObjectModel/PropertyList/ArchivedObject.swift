/// An object of a keyed archive: its class by name, and its fields.
package struct ArchivedObject: Sendable {
  /// Its number in the archive: two with the same are one object.
  package let number: Int
  private let kind: ArchivedClass
  package let fields: PropertyListDictionary
  let archive: KeyedArchive

  init(number: Int, kind: ArchivedClass, fields: PropertyListDictionary, archive: KeyedArchive) {
    self.number = number
    self.kind = kind
    self.fields = fields
    self.archive = archive
  }

  /// The name of its class.
  package var className: String { kind.name }

  /// The names of its class and of those above it, as far as they are told.
  package var classNames: [String] { kind.names }

  /// Whether its class is this one or is below it.
  package func isKind(of name: String) -> Bool { kind.isKind(of: name) }

  /// What a field holds; ``ArchivedValue/null`` if it is not there.
  package func value(_ key: String) throws(PropertyListError) -> ArchivedValue {
    guard let value = fields[key] else { return .null }
    return try archive.resolved(value)
  }
}

/// The description of a class in an archive.
struct ArchivedClass: Sendable {
  private let description: PropertyListDictionary
  /// More than any class of Apple's frameworks has above it.
  private static let mostNames = 16

  init(_ description: PropertyListDictionary) {
    self.description = description
  }

  var name: String { description.shortText("$classname") ?? "a class without a name" }

  func isKind(of name: String) -> Bool {
    description["$classes"]?.array?.contains(name, amongFirst: Self.mostNames) ?? (self.name == name)
  }

  /// Its name, then those of the classes above it.
  var names: [String] {
    guard let all = description["$classes"]?.array else { return [name] }
    return (0..<min(all.count, Self.mostNames)).compactMap(all.shortText)
  }
}
