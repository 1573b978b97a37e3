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

/// The definitions that others extend by `allOf`.
struct SchemaParents {
  private let document: SchemaDocument
  private let shapes: SchemaShapes
  /// How many definitions extend each definition, by the reference.
  private var extended: [String: Int] = [:]

  /// More ancestors would be no model.
  private static let mostAncestors = 64

  /// - Throws: ``SchemaFileError`` if a definition extends itself.
  init(_ document: SchemaDocument, _ shapes: SchemaShapes) throws(SchemaFileError) {
    self.document = document
    self.shapes = shapes
    for definition in document.definitions {
      for part in definition.schema["allOf"]?.elements ?? [] {
        if let pointer = part["$ref"]?.text { extended[pointer, default: 0] += 1 }
      }
    }
    try checkCircles()
  }

  /// Whether what extends a definition is a sub-entity: the definition tells kinds apart, or several extend it.
  func isParent(_ target: SchemaDocument.Definition, _ reference: String) -> Bool {
    shapes.isObject(target.schema)
      && (target.schema["discriminator"] != nil || extended[reference, default: 0] > 1)
  }

  /// The nearest definition that all these are or extend; nil if there is none.
  func nearestCommon(_ members: [SchemaDocument.Definition]) -> SchemaDocument.Definition? {
    guard let first = members.first else { return nil }
    let others = members.dropFirst().map { Set(line(of: $0).map(\.pointer)) }
    return line(of: first).first { ancestor in others.allSatisfy { $0.contains(ancestor.pointer) } }
  }

  /// A definition and those that it extends, itself first.
  private func line(of definition: SchemaDocument.Definition) -> [SchemaDocument.Definition] {
    var line = [definition]
    while let last = line.last, line.count < Self.mostAncestors, let parent = parent(of: last) {
      line.append(parent)
    }
    return line
  }

  private func parent(of definition: SchemaDocument.Definition) -> SchemaDocument.Definition? {
    for part in definition.schema["allOf"]?.elements ?? [] {
      guard let reference = part["$ref"]?.text else { continue }
      var seen: [String] = []
      guard let target = try? document.target(of: reference, from: definition.pointer, seen: &seen),
        isParent(target, reference)
      else { continue }
      return target
    }
    return nil
  }

  // MARK: - Circles

  /// No definition extends itself, by way of others.
  private func checkCircles() throws(SchemaFileError) {
    var isFine: Set<String> = []
    for definition in document.definitions where !isFine.contains(definition.pointer) {
      // The definitions on the way here, each with those that it extends and that are still to be followed.
      var way: [(definition: SchemaDocument.Definition, next: [SchemaDocument.Definition])] = []
      var isOnWay: Set = [definition.pointer]
      way.append((definition, bases(of: definition)))
      while var last = way.popLast() {
        guard let base = last.next.popLast() else {
          isOnWay.remove(last.definition.pointer)
          isFine.insert(last.definition.pointer)
          continue
        }
        way.append(last)
        guard !isFine.contains(base.pointer) else { continue }
        guard isOnWay.insert(base.pointer).inserted else {
          let circle = way.map(\.definition).drop { $0.pointer != base.pointer } + [base]
          let names = circle.map { $0.name.isEmpty ? $0.pointer : $0.name }
          throw SchemaFileError(base.pointer, "it extends itself: \(names.joined(separator: " → "))")
        }
        way.append((base, bases(of: base)))
      }
    }
  }

  /// The definitions that a definition extends, also by an `allOf` inside its `allOf`. References that lead to nothing are an error
  /// elsewhere.
  private func bases(of definition: SchemaDocument.Definition) -> [SchemaDocument.Definition] {
    var bases: [SchemaDocument.Definition] = []
    var parts = definition.schema["allOf"]?.elements ?? []
    while let part = parts.popLast() {
      if let reference = part["$ref"]?.text {
        var seen: [String] = []
        if let base = try? document.target(of: reference, from: definition.pointer, seen: &seen) {
          bases.append(base)
        }
      } else {
        parts += part["allOf"]?.elements ?? []
      }
    }
    return bases
  }
}
