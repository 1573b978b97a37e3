import Foundation
import ObjectModel

/// A document of JSON Schema, OpenAPI or Swagger: its definitions, and what references lead to.
struct SchemaDocument {
  /// A definition with its name, and the pointer to it.
  struct Definition {
    var name: String
    var pointer: String
    var schema: FormValue
  }

  let root: FormValue
  let definitions: [Definition]
  private let byPointer: [String: Int]
  /// The document's own address, without a fragment.
  private let address: String?
  private let anchors: [String: String]

  /// How many references may lead from one to the next.
  private static let mostSteps = 50

  /// Where definitions stand.
  private static let sections = [["components", "schemas"], ["definitions"], ["$defs"]]

  init(_ root: FormValue) {
    self.root = root
    address = (root["$id"] ?? root["id"])?.text.map { String($0.prefix { $0 != "#" }) }
    var definitions: [Definition] = []
    for section in Self.sections {
      let found = section.reduce(Optional(root)) { $0?[$1] }
      let prefix = "#/" + section.joined(separator: "/") + "/"
      for member in found?.members ?? [] {
        definitions.append(
          Definition(name: member.key, pointer: prefix + Self.escaped(member.key), schema: member.value))
      }
    }
    self.definitions = definitions
    byPointer = Dictionary(
      definitions.enumerated().map { ($1.pointer, $0) }, uniquingKeysWith: { _, last in last })
    let address = address
    anchors = Dictionary(
      definitions.compactMap { definition in
        Self.anchor(of: definition.schema, address).map { ($0, definition.pointer) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The plain name that references have for a schema: `$anchor`, or up to draft 7 an `$id` with only a fragment.
  private static func anchor(of schema: FormValue, _ address: String?) -> String? {
    if let name = schema["$anchor"]?.text { return name }
    guard let id = (schema["$id"] ?? schema["id"])?.text, let sign = id.firstIndex(of: "#") else {
      return nil
    }
    let document = id[..<sign]
    guard document.isEmpty || String(document) == address else { return nil }
    let name = id[id.index(after: sign)...]
    return name.isEmpty || name.hasPrefix("/") ? nil : String(name)
  }

  /// The definition that a pointer leads to, if it is one.
  func definition(at pointer: String) -> Definition? { byPointer[pointer].map { definitions[$0] } }

  /// The schema that a `$ref` leads to, with its pointer.
  ///
  /// - Parameter seen: The references that led here.
  func target(of reference: String, from place: String, seen: inout [String]) throws(SchemaFileError)
    -> Definition
  {
    let pointer = try pointer(reference, from: place)
    guard !seen.contains(pointer) else {
      throw SchemaFileError(
        place,
        "the references lead in a circle, and to no schema: \((seen + [pointer]).joined(separator: " → "))")
    }
    seen.append(pointer)
    guard seen.count <= Self.mostSteps else {
      throw SchemaFileError(place, "more than \(Self.mostSteps) references lead from one to the next")
    }
    if let found = definition(at: pointer) { return found }
    guard let schema = value(at: pointer) else {
      let nearest = nearestName(to: pointer, in: definitions.map(\.pointer))
      throw SchemaFileError(
        place,
        "“\(ModelError.shortened(reference))” leads to nothing"
          + (nearest.map { "; did you mean “\($0)”?" } ?? ""))
    }
    let name = pointer.split(separator: "/").last.map { Self.unescaped(String($0)) } ?? "Root"
    return Definition(name: pointer == "#" ? "" : name, pointer: pointer, schema: schema)
  }

  private func pointer(_ reference: String, from place: String) throws(SchemaFileError) -> String {
    let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    let document = parts.first ?? ""
    let fragment = (parts.count > 1 ? parts[1] : "").removingPercentEncoding ?? ""
    guard document.isEmpty || isOwn(document) else {
      throw SchemaFileError(
        place,
        "it refers to “\(ModelError.shortened(reference))”, which is another document: nothing is fetched; put what it"
          + " refers to into this one")
    }
    if fragment.isEmpty || fragment == "/" { return "#" }
    if !fragment.hasPrefix("/") { return anchors[fragment] ?? "#\(fragment)" }
    return "#"
      + fragment.split(separator: "/", omittingEmptySubsequences: false).map {
        Self.escaped(Self.unescaped(String($0)))
      }.joined(separator: "/")
  }

  /// Whether an address is that of the document itself, from its root or beside it.
  private func isOwn(_ document: String) -> Bool {
    guard let address, !address.isEmpty else { return false }
    if document == address { return true }
    return !document.contains("/") && address.split(separator: "/").last.map(String.init) == document
  }

  private func value(at pointer: String) -> FormValue? {
    guard pointer.hasPrefix("#") else { return nil }
    var tokens = pointer.dropFirst().split(separator: "/")
    var value = root
    // Many references may lead into definitions, of which there may be many.
    for count in [3, 2] where tokens.count > count {
      if let definition = definition(at: "#/" + tokens.prefix(count).joined(separator: "/")) {
        value = definition.schema
        tokens.removeFirst(count)
        break
      }
    }
    for token in tokens {
      let key = Self.unescaped(String(token))
      if let element = value.elements {
        guard let index = Int(key), element.indices.contains(index) else { return nil }
        value = element[index]
      } else {
        guard let member = value[key] else { return nil }
        value = member
      }
    }
    return value
  }

  static func escaped(_ key: String) -> String { key.replacing("~", with: "~0").replacing("/", with: "~1") }

  private static func unescaped(_ key: String) -> String {
    key.replacing("~1", with: "/").replacing("~0", with: "~")
  }
}
