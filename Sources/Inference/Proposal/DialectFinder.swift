import Mapping
import ObjectModel

/// Recognises the forms of JSON that many services share, by the keys around the objects.
struct DialectFinder {
  private let shapes: Shapes

  init(_ shapes: Shapes) {
    self.shapes = shapes
  }

  /// The dialect of all roots; nil if there is none, or if they have several: then each is read by what is in it. Some roots
  /// may be objects as the documents of the dialect have them.
  func dialect(of roots: [RootPlace]) -> Dialect? {
    let found = roots.map { dialect(of: shapes.find($0.node)) }
    let known = Set(found.compactMap(\.self))
    guard known.count == 1, let dialect = known.first else { return nil }
    let lone = zip(roots, found).filter { $1 == nil }.map(\.0)
    guard !lone.isEmpty else { return dialect }
    let documents = zip(roots, found).filter { $1 != nil }.map(\.0)
    let keys = documents.reduce(into: Set<Int32>()) { $0.formUnion(objectKeys(in: $1, dialect)) }
    return lone.allSatisfy { isObject($0, of: dialect, keys) } ? dialect : nil
  }

  /// Whether the types that objects say begin with a capital, as all of FHIR do.
  private func areTypesOfFHIR(_ objects: Int32) -> Bool {
    members("resourceType", of: objects).allSatisfy { place in
      (shapes.tree.samples[shapes.find(place)] ?? []).allSatisfy { $0.first?.isUppercase ?? false }
    }
  }

  /// Whether a root is a resource of FHIR, or a list of these, and neither an empty bundle nor a message.
  func isResource(_ root: Int32) -> Bool {
    let objects = shapes[root].objects > 0 ? root : shapes.element(of: root) ?? root
    return isText("resourceType", of: objects) && areTypesOfFHIR(objects)
      && members("resourceType", of: objects).allSatisfy { place in
        let words = shapes.tree.samples[shapes.find(place)] ?? []
        return !words.contains("Bundle") && !words.contains("OperationOutcome")
      }
  }

  /// Whether a root has nothing but what stands around objects, as a page without any has.
  static func isEmptyPage(_ root: Int32, _ shapes: Shapes) -> Bool {
    let keys = shapes.keys(of: root).map { shapes.tree.text(ofKey: $0) }
    return !keys.isEmpty && keys.allSatisfy { GenericNames.isMeta($0, isStrict: true) }
  }

  /// The keys of the objects in a document of a dialect.
  private func objectKeys(in root: RootPlace, _ dialect: Dialect) -> Set<Int32> {
    guard let key = dialect.wrapper, let inside = inner(root.node, key) else { return [] }
    let element = shapes.element(of: inside)
    if dialect == .fhir {
      return element.flatMap { inner($0, "resource") }.map { shapes.keys(of: $0) } ?? []
    }
    if let element { return shapes.keys(of: element) }
    return shapes.children(of: inside).reduce(into: []) { keys, list in
      if let element = shapes.element(of: list) { keys.formUnion(shapes.keys(of: element)) }
    }
  }

  /// Whether a root is an object of a dialect by itself, or a list of them: most of its keys are those of objects in documents.
  private func isObject(_ root: RootPlace, of dialect: Dialect, _ known: Set<Int32>) -> Bool {
    guard dialect.wrapper != nil, !shapes.isDictionary(root.node) else { return false }
    if Self.isEmptyPage(root.node, shapes) { return true }
    let keys = shapes.keys(
      of: shapes[root.node].objects > 0 ? root.node : shapes.element(of: root.node) ?? root.node)
    return keys.intersection(known).count * 2 > keys.count
  }

  private func dialect(of root: Int32) -> Dialect? {
    if let objects = shapes[root].objects > 0 ? root : shapes.element(of: root), !shapes.isDictionary(objects)
    {
      if isText("resourceType", of: objects), areTypesOfFHIR(objects) { return .fhir }
      if isText("type", of: objects), hasKeys(objects, ["geometry", "properties"]) { return .geojson }
    }
    guard shapes[root].objects > 0, !shapes.isDictionary(root) else { return nil }
    let members = outer(root)
    if let data = member("data", members), isJSONAPI(data) { return .jsonapi }
    if let features = member("features", members), let feature = shapes.element(of: features),
      hasKeys(feature, ["geometry", "properties"])
    {
      return .geojson
    }
    if let entry = member("entry", members), let element = shapes.element(of: entry),
      let resource = inner(element, "resource"), hasKeys(resource, ["resourceType"])
    {
      return .fhir
    }
    if let embedded = member("_embedded", members), shapes[embedded].objects > 0 { return .hal }
    let keys = members.map { shapes.key(of: $0) }
    if keys.contains(where: { $0.hasPrefix("@odata.") }), member("value", members) != nil { return .odata }
    if let data = member("data", members),
      keys.allSatisfy({ ["data", "errors", "extensions"].contains($0) }),
      shapes[data].lists == 0, shapes[data].objects > 0, hasConnections(data)
    {
      return .graphql
    }
    return nil
  }

  /// Whether the edges of a connection say something of the objects that they lead to, such as a role.
  private func haveValues(edges: Int32) -> Bool {
    guard let edge = shapes.element(of: edges) else { return false }
    return shapes.keys(of: edge).contains {
      !["node", "cursor", "__typename"].contains(shapes.tree.text(ofKey: $0))
    }
  }

  /// The children of a root, whatever tells its kind.
  private func outer(_ root: Int32) -> [Int32] {
    shapes.isSplit(root)
      ? shapes.children(of: root).flatMap { shapes.children(of: $0) } : shapes.children(of: root)
  }

  private func member(_ key: String, _ members: [Int32]) -> Int32? {
    members.first { shapes.key(of: $0) == key }
  }

  private func inner(_ index: Int32, _ key: String) -> Int32? { member(key, outer(index)) }

  private func hasKeys(_ index: Int32, _ keys: [String]) -> Bool {
    let known = Set(shapes.keys(of: index).map { shapes.tree.text(ofKey: $0) })
    return keys.allSatisfy(known.contains)
  }

  private func isJSONAPI(_ data: Int32) -> Bool {
    let objects = shapes[data].lists > 0 ? shapes.element(of: data) : data
    guard let objects, isText("type", of: objects), isText("id", of: objects) else { return false }
    let parts = ["attributes", "relationships"].flatMap { members($0, of: objects) }
    // The members are objects. A shop's product has a list of attributes.
    return !parts.isEmpty
      && parts.allSatisfy { shapes[$0].objects > 0 && shapes[$0].objects == shapes[$0].present }
  }

  /// Whether all values under a key of objects are texts.
  private func isText(_ key: String, of index: Int32) -> Bool {
    let found = members(key, of: index)
    return !found.isEmpty
      && found.allSatisfy { shapes[$0].strings > 0 && shapes[$0].strings == shapes[$0].total }
  }

  /// The places under a key of objects, whatever tells their kind.
  private func members(_ key: String, of index: Int32) -> [Int32] {
    outer(index).filter { shapes.key(of: $0) == key }
  }

  /// Whether there are connections, or names of types, anywhere below, and no edge has values of its own: such an edge is an object.
  private func hasConnections(_ data: Int32) -> Bool {
    var rest = [data]
    var seen: Set<Int32> = []
    var isFound = false
    while let next = rest.popLast(), seen.count < 2_000 {
      guard seen.insert(next).inserted else { continue }
      if let edges = shapes.child(of: next, named: "edges") {
        if haveValues(edges: edges) { return false }
        isFound = true
      }
      if hasKeys(next, ["__typename"]) || hasKeys(next, ["nodes", "pageInfo"]) { isFound = true }
      rest.append(contentsOf: shapes.children(of: next))
      if let element = shapes.element(of: next) { rest.append(element) }
    }
    return isFound
  }
}

extension Dialect {
  /// The key around the objects of a document that may come by themselves, too; nil if none do.
  var wrapper: String? {
    switch self {
    case .fhir: "entry"
    case .geojson: "features"
    case .hal: "_embedded"
    case .odata: "value"
    case .graphql, .jsonapi: nil
    }
  }
}
