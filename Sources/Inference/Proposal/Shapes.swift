import Mapping
import ObjectModel

/// The places of the JSON, as a proposal looks at them.
final class Shapes {
  var tree: ShapeTree
  /// The form that many services share, if the JSON has one.
  var dialect: Dialect?
  /// The key that names the entity of each object at the top; no attribute has to keep it.
  var documentKind: String?
  /// Places whose objects a key tells apart, however alike they are: the dialect says so.
  var keptApart: Set<Int32> = []

  /// The kinds of objects at the top that their documents name, by the places of these.
  var saidKinds: [Int32: String] = [:]

  /// The first of the identities that each object has in an object under a key such as `ids`; nil if none tells the objects apart: where
  /// values came again, others must have come as often.
  func identityAmong(identitiesOf index: Int32) -> Int32? {
    guard !isSplit(index) else { return nil }
    for member in children(of: index) where IdentityNames.areIdentities(key(of: member)) {
      guard isObject(member), !isSplit(member), self[member].nulls == 0,
        self[member].objects == self[index].objects
      else { continue }
      let complete = children(of: member).filter { child in
        let node = self[child]
        return node.integers + node.strings == self[member].objects && node.total == self[member].objects
          && node.emptyTexts == 0
      }
      guard let first = complete.first else { continue }
      if self[first].values.areUnique { return first }
      let count = self[first].values.estimatedCount
      let others = complete.dropFirst()
      if count > 1, !others.isEmpty, others.allSatisfy({ self[$0].values.estimatedCount == count }) {
        return first
      }
    }
    return nil
  }

  /// Places of objects that only stand for others, which came in full somewhere else: what they say of these is no news.
  var shortForms: Set<Int32> = []

  /// Places of values that no two objects had at any of the places that became one.
  var uniqueApart: Set<Int32> = []

  /// The paths to dictionaries whose keys identify none of the objects under them, as a store knows.
  var sharedKeys: Set<String> = []
  /// Where a store knows lists of objects to be.
  var knownLists = KnownLists()
  /// By the place of a root, the name that its files have.
  var rootNames: [Int32: String] = [:]
  /// Places of objects that are lists of values, without names for these.
  var rowPlaces: Set<Int32> = []
  /// The place of the elements of maps, as Overpass answers with them; -1 if there are none.
  var mapElements: Int32 = -1
  /// Places at the top of the JSON of which each source has one object.
  var oneEach: Set<Int32> = []
  /// The names of the files that have one of the objects at a place each.
  var filesOfOneEach: [Int32: Set<String>] = [:]

  /// The paths to values in objects that tell of those around these, by the keys under which the latter have them.
  var linkPaths: [Int32: [String]] = [:]

  /// Objects that others name by their addresses.
  var collections: [AddressCollection] = []
  /// Places of objects that have the address of another one and nothing else.
  var bareAddresses: [Int32] = []

  private let isCancelled: @Sendable () -> Bool

  init(_ tree: consuming ShapeTree, isCancelled: @escaping @Sendable () -> Bool = { false }) {
    self.tree = tree
    self.isCancelled = isCancelled
  }

  /// - Throws: ``ImportError`` if the caller wants no model any more.
  func checkCancellation() throws {
    if isCancelled() { throw ImportError.cancelled }
  }

  /// Gives the tree to who adds to it, and has an empty one until it is put back.
  func takeTree() -> ShapeTree {
    var taken = ShapeTree()
    swap(&taken, &tree)
    return taken
  }

  subscript(index: Int32) -> ShapeNode { tree[tree.find(index)] }

  func find(_ index: Int32) -> Int32 { tree.find(index) }

  /// The objects of a place, if others name them by their addresses.
  func collection(of index: Int32) -> AddressCollection? {
    guard index >= 0, !collections.isEmpty else { return nil }
    let index = find(index)
    return collections.first { find($0.place) == index }
  }

  /// The word before the ends of the addresses of all objects at a place.
  func collectionWord(of index: Int32) -> String? {
    for child in children(of: index) where LabelNames.flags(of: key(of: child)) == .address {
      let node = self[child]
      guard node.strings == self[index].objects, node.flags.contains(.slashes),
        node.flags.isDisjoint(with: .mixedPrefixes)
      else { continue }
      return tree.prefixes[find(child)].flatMap { AddressCollection.word(of: $0[...]) }
    }
    return nil
  }

  /// The key that a place stands under. Places that became one may stand under different keys.
  func key(of index: Int32) -> String { tree.text(ofKey: keyNumber(of: index)) }

  func keyNumber(of index: Int32) -> Int32 {
    let key = tree.pointer(index).pointee.key
    return key >= 0 ? key : tree.pointer(find(index)).pointee.key
  }

  func path(of index: Int32) -> String { tree.path(of: index) }

  /// The place of the elements of a list or of the values of a dictionary; nil if there were none.
  func element(of index: Int32) -> Int32? {
    let element = tree.pointer(find(index)).pointee.element
    return element >= 0 ? find(element) : nil
  }

  /// The places under the keys of an object's place, each as it stood there before it became one with others.
  func children(of index: Int32) -> [Int32] {
    let children = tree.children(of: find(index))
    guard children.count > Self.fewChildren else {
      var result: [Int32] = []
      result.reserveCapacity(children.count)
      for child in children {
        let key = tree.pointer(child).pointee.key
        if !result.contains(where: { tree.pointer($0).pointee.key == key }) { result.append(child) }
      }
      return result
    }
    var keys: Set<Int32> = []
    return children.filter { keys.insert(tree.pointer($0).pointee.key).inserted }
  }

  /// The keys of so many places are compared with each other rather than put in a set.
  private static let fewChildren = 16

  /// How many places stand under the keys of an object's place, or of all of its kinds.
  func memberCount(of index: Int32) -> Int32 {
    let place = tree.pointer(find(index)).pointee
    guard place.flags.contains(.split) else { return place.childCount }
    return tree.children(of: find(index)).reduce(0) { $0 + tree.pointer(find($1)).pointee.childCount }
  }

  /// The step of a key path to the place of a value in an object.
  func step(to index: Int32, in owner: Int32) -> JSONKeyPath.Step {
    let key = key(of: index)
    guard rowPlaces.contains(find(owner)), let place = Int(key.dropFirst().dropLast()) else {
      return .key(key)
    }
    return .position(place)
  }

  func child(of index: Int32, named name: String) -> Int32? {
    var name = name
    return name.withUTF8 { text in
      var child = tree.pointer(find(index)).pointee.firstChild
      while child >= 0 {
        let key = keyNumber(of: child)
        if key >= 0 ? tree.isKey(key, text) : text.isEmpty { return child }
        child = tree.pointer(child).pointee.nextSibling
      }
      return nil
    }
  }

  /// The place itself, as it is now, until the next one is added.
  func pointer(_ index: Int32) -> UnsafeMutablePointer<ShapeNode> { tree.pointer(find(index)) }

  func flags(of index: Int32) -> ShapeNode.Flags { tree.pointer(find(index)).pointee.flags }
  func isDictionary(_ index: Int32) -> Bool { flags(of: index).contains(.dictionary) }
  func isSplit(_ index: Int32) -> Bool { flags(of: index).contains(.split) }

  /// Whether empty texts or lists stood where objects of a place are missing.
  func isEmptied(_ index: Int32) -> Bool {
    tree[index].flags.contains(.emptiness) || self[index].flags.contains(.emptiness)
  }

  /// Whether a place has objects with names for keys, and nothing else.
  func isObject(_ index: Int32) -> Bool {
    let node = self[index]
    return node.objects > 0 && node.scalars == 0 && node.lists == 0 && !node.flags.contains(.dictionary)
  }

  /// Whether a place has objects, and each of them is empty.
  func hasOnlyEmptyObjects(_ index: Int32) -> Bool {
    let node = self[index]
    return node.objects > 0 && node.objects == node.present && keys(of: index).isEmpty
      && element(of: index) == nil
  }

  /// The place of the objects in a place's lists, if these hold objects and nothing else.
  func listedObjects(_ index: Int32) -> Int32? {
    let node = self[index]
    guard node.lists > 0, node.scalars == 0, let element = element(of: index),
      isObject(element) || isObject(element, in: index)
    else { return nil }
    return element
  }

  /// Whether the elements of a list are objects, though identities of them stood elsewhere in place of others, which became one place
  /// with these: the customers of charges.
  private func isObject(_ element: Int32, in list: Int32) -> Bool {
    let (whole, own) = (self[element], tree[tree[find(list)].element])
    return whole.objects > 0 && whole.lists == 0 && !whole.flags.contains(.dictionary)
      && own.objectsOfItsOwn > 0 && own.totalOfItsOwn == own.objectsOfItsOwn + own.nullsOfItsOwn
  }

  /// The name of the files that a place is in; empty if they have none.
  func rootName(of index: Int32) -> String {
    rootNames[tree.root(of: index)] ?? ""
  }

  /// The keys of a place's objects.
  func keys(of index: Int32) -> Set<Int32> {
    if isSplit(index) {
      return children(of: index).reduce(into: []) { $0.formUnion(keys(of: $1)) }
    }
    return Set(children(of: index).map { keyNumber(of: $0) })
  }

  /// The places of objects that stood in lists or dictionaries with nulls among them.
  func placesAmongNulls() -> Set<Int32> {
    Set(
      (0..<Int32(tree.count)).filter { index in
        let node = tree[index]
        return node.key < 0 && node.parent >= 0 && node.nullsOfItsOwn > 0
      }.map(find))
  }

  /// Whether identities are so long that two kinds of objects hardly have the same ones by chance.
  func areLong(_ identity: Int32) -> Bool {
    let node = self[identity]
    if node.integers > 0 { return node.minimum > ShapeMatcher.smallNumbers && node.strings == 0 }
    return node.shortest >= 6
  }

  /// Whether values are large numbers, or long words with digits: no two objects have one of them by chance.
  func areMadeByProgram(_ index: Int32) -> Bool {
    let node = self[index]
    return node.integers > 0
      ? node.strings == 0 && node.minimum > ShapeMatcher.smallNumbers
      : tree.samples[find(index)]?.allSatisfy(LinkFinder.isMadeByProgram) ?? false
  }

  /// All places with objects that have names for keys, variants included, the outermost first.
  func objectPlaces() -> [Int32] {
    (0..<Int32(tree.count)).filter { index in
      let node = tree[index]
      return !node.flags.contains(.merged) && node.objects > 0 && !node.flags.contains(.dictionary)
        && !node.flags.contains(.split)
    }
  }
}

extension Shapes {
  /// Whether a root is a map, as Overpass answers with it.
  func isMap(_ root: Int32) -> Bool {
    guard !isSplit(root) else { return false }
    let generator = child(of: root, named: "generator").flatMap { tree.samples[find($0)]?.first }
    return child(of: root, named: "osm3s") != nil || generator?.hasPrefix("Overpass") ?? false
  }

  /// Whether a root is a bundle of STIX, whose `id` is another one each time: `{"type": "bundle", "id": "bundle--…", "objects": […]}`.
  func isBundle(_ root: Int32) -> Bool {
    let root = isSplit(root) ? children(of: root).first ?? root : root
    guard let type = child(of: root, named: "type"), let id = child(of: root, named: "id"),
      let list = child(of: root, named: "objects"), self[list].lists > 0
    else { return false }
    return tree.samples[find(type)] == ["bundle"]
      && tree.samples[find(id)]?.allSatisfy { $0.hasPrefix("bundle--") } ?? false
  }

  /// The place that a path leads to from a root: what an import with that path would begin at; nil if it leads nowhere.
  func place(at path: String, from root: Int32) -> Int32? {
    guard path != "$", let steps = try? JSONKeyPath(path).steps else { return root }
    var index = find(root)
    for (place, step) in steps.enumerated() {
      if isSplit(index) { tree.unsplit(index) }
      switch step {
      case .elements, .position:
        if let element = element(of: index) {
          index = element
        } else if self[index].objects == 0 {
          return nil
        }
      case .key(let key):
        let plain = place == 0 ? JSONKeyPath.withoutMark(key) : key
        guard let next = member(plain, of: index) ?? (plain == key ? nil : member(key, of: index)) else {
          // Documents may lack a key with a mark.
          return plain == key ? nil : index
        }
        index = next
      }
    }
    return index
  }

  /// The place under a key, under any of `data|included`, or under all keys of `*` and `{country}`.
  private func member(_ key: String, of index: Int32) -> Int32? {
    if key == "*" || (key.hasPrefix("{") && key.hasSuffix("}")) {
      if !isDictionary(index) { tree.collapse(index) }
      return element(of: index)
    }
    let found = key.split(separator: "|").compactMap { child(of: index, named: String($0)) }
    for other in found.dropFirst() { tree.merge(found[0], other) }
    return found.first.map(find)
  }
}
