import ObjectModel

/// Which definitions extend which by `allOf`.
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

  /// What a definition extends, also by an `allOf` inside its `allOf`. References that lead to nothing are an error
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
