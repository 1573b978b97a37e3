import Bytes
import Foundation
import ObjectModel
import ObjectStore

/// The keys of one entity's objects, or of objects at a step of key paths.
///
/// A key is resolved by its name once, and found by its bytes afterwards. Objects of one API have their keys in the
/// same order, so the first guess is the key that followed last time.
final class KeyNode {
  /// The treatment of the value of a key.
  struct Entry: BitwiseCopyable {
    enum Action: UInt8, BitwiseCopyable {
      case ignore
      case attribute
      case relationship
      case wrapper
      /// The key is for nothing itself, but key paths lead through it.
      case descend
      /// The value leads to objects of any of several entities.
      case polymorphic
      /// The value tells the kind of such objects.
      case linkKind
    }

    var action = Action.ignore
    var rank = KeyMatch.Rank.none.rawValue
    /// The index of the attribute, or the place of the relationship or the polymorphic key.
    var index: Int32 = -1
    /// The node for the keys of its value, if key paths lead through it; else -1.
    var node: Int32 = -1
    /// The entry that followed last time.
    var follower: Int32 = -1
    /// The key, in the node's bytes.
    var start: Int32
    var count: Int32
    /// How often it came.
    var uses = 0
    /// How often it has the name of a wrapper, and its value is no object.
    var misses = 0
  }

  /// The path to this node, with a dot at the end before keys; empty for an entity's own keys.
  let prefix: String
  /// Whether the keys are the places of a list, which stand in brackets.
  let isList: Bool
  private let keys: UnsafeMutablePointer<KeyTable>

  init(prefix: String, isList: Bool = false, resolve: @escaping (String) -> Entry) {
    self.prefix = prefix
    self.isList = isList
    // The table is behind a pointer of its own, since every access to a variable of a class is checked for
    // exclusivity. That would cost as much as the look-up itself.
    keys = .allocate(capacity: 1)
    keys.initialize(to: KeyTable(resolve))
  }

  deinit {
    keys.deinitialize(count: 1)
    keys.deallocate()
  }

  /// The entry of a key that follows the one at `previous`.
  @inline(__always)
  func find(_ key: UnsafeBufferPointer<UInt8>, after previous: Int) -> Int {
    keys.pointee.find(key, after: previous)
  }

  @inline(__always)
  func entry(_ index: Int) -> Entry { keys.pointee.entries.base[index] }

  /// Counts that the value of a wrapper's key was no object.
  func countMiss(_ index: Int) { keys.pointee.entries[index].misses += 1 }

  /// Takes back the count of a key that was only looked ahead at.
  func unuse(_ index: Int) { keys.pointee.entries[index].uses -= 1 }

  /// Counts a key that was not looked for by its bytes.
  func use(_ index: Int) { keys.pointee.entries[index].uses += 1 }

  /// The entry of a key, which does not count as one that came.
  func index(of key: String) -> Int {
    var key = key
    let index = key.withUTF8 { find($0, after: -1) }
    unuse(index)
    return index
  }

  func keyBytes(_ index: Int) -> UnsafeBufferPointer<UInt8> { keys.pointee.key(index) }

  func name(of index: Int) -> String { String(decoding: keyBytes(index), as: UTF8.self) }

  /// The keys that came, each after the keys on the way to it, and what is done with them.
  var used: [(key: String, entry: Entry)] {
    (0..<keys.pointee.entries.count).compactMap { index in
      let entry = keys.pointee.entries[index]
      guard entry.uses > 0, entry.rank != KeyMatch.Rank.gathered.rawValue else { return nil }
      return (prefix + name(of: index), entry)
    }
  }

  /// The properties that keys have come for.
  var filled: [KeyMatch.Target] {
    (0..<keys.pointee.entries.count).compactMap { index in
      let entry = keys.pointee.entries[index]
      guard entry.uses > 0 else { return nil }
      switch entry.action {
      case .attribute: return .attribute(Int(entry.index))
      case .relationship: return .relationship(Int(entry.index))
      case .polymorphic: return .polymorphic(Int(entry.index))
      case .linkKind: return entry.index < 0 ? nil : .attribute(Int(entry.index))
      case .ignore, .wrapper, .descend: return nil
      }
    }
  }

  /// The keys that have come for properties, and how often each came.
  var filledKeys: [(key: String, count: Int)] {
    (0..<keys.pointee.entries.count).compactMap { index in
      let entry = keys.pointee.entries[index]
      switch entry.action {
      case .attribute, .relationship: return entry.uses > 0 ? (name(of: index), entry.uses) : nil
      case .polymorphic, .linkKind, .ignore, .wrapper, .descend: return nil
      }
    }
  }

  /// The keys that matched nothing, and how often each came.
  var unmatched: [(key: String, count: Int)] {
    var result: [(key: String, count: Int)] = []
    for index in 0..<keys.pointee.entries.count {
      let entry = keys.pointee.entries[index]
      // Keys that the mapping ignores have a rank.
      let isUnknown = entry.action == .ignore && entry.rank == KeyMatch.Rank.none.rawValue
      let count = isUnknown ? entry.uses : entry.misses
      if count > 0 { result.append((prefix + name(of: index), count)) }
    }
    return result
  }
}

/// The keys of a node, found by their bytes.
private struct KeyTable: ~Copyable {
  typealias Entry = KeyNode.Entry

  private let resolve: (String) -> Entry
  var entries = PlainBuffer<Entry>()
  private var bytes = ByteBuffer()
  /// Hash table of indices into ``entries``; -1 is free.
  private var buckets: [Int32]
  /// After so many keys, those that match nothing share an entry.
  private static let limit = 4096
  private var overflow: Int32 = -1

  init(_ resolve: @escaping (String) -> Entry) {
    self.resolve = resolve
    buckets = Array(repeating: -1, count: 64)
  }

  @inline(__always)
  mutating func find(_ key: UnsafeBufferPointer<UInt8>, after previous: Int) -> Int {
    if previous >= 0 {
      let guess = Int(entries.base[previous].follower)
      if guess >= 0, matches(guess, key) {
        entries.base[guess].uses += 1
        return guess
      }
    }
    let found = search(key)
    if previous >= 0 { entries[previous].follower = Int32(found) }
    entries[found].uses += 1
    return found
  }

  @inline(__always)
  private func matches(_ index: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let entry = entries.base[index]
    guard Int(entry.count) == key.count else { return false }
    let known = UnsafeRawPointer(bytes.base + Int(entry.start))
    guard let other = UnsafeRawPointer(key.baseAddress) else { return true }
    return memcmp(known, other, key.count) == 0
  }

  private mutating func search(_ key: UnsafeBufferPointer<UInt8>) -> Int {
    var bucket = Self.hash(key) & (buckets.count - 1)
    while buckets[bucket] >= 0 {
      let index = Int(buckets[bucket])
      if matches(index, key) { return index }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    return add(key, bucket)
  }

  private mutating func add(_ key: UnsafeBufferPointer<UInt8>, _ bucket: Int) -> Int {
    var entry = resolve(String(decoding: key, as: UTF8.self))
    if entry.action == .ignore, entries.count >= Self.limit || key.count > 256 {
      return overflowEntry()
    }
    entry.start = Int32(bytes.count)
    entry.count = Int32(key.count)
    bytes.append(key)
    entries.append(entry)
    buckets[bucket] = Int32(entries.count - 1)
    if entries.count * 2 > buckets.count { rehash() }
    return entries.count - 1
  }

  private mutating func overflowEntry() -> Int {
    if overflow < 0 {
      overflow = Int32(entries.count)
      let name: StaticString = "…"
      let start = bytes.count
      bytes.append(name)
      entries.append(Entry(start: Int32(start), count: Int32(name.utf8CodeUnitCount)))
    }
    return Int(overflow)
  }

  private mutating func rehash() {
    buckets = Array(repeating: -1, count: buckets.count * 2)
    for index in 0..<entries.count where Int32(index) != overflow {
      var bucket = Self.hash(key(index)) & (buckets.count - 1)
      while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
      buckets[bucket] = Int32(index)
    }
  }

  func key(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes.base + Int(entries[index].start), count: Int(entries[index].count))
  }

  private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in key { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }
}

/// The places of a list that key paths lead to.
final class ListNode {
  /// The places, `[0]`, `[-1]` and `[]`, as if they were keys.
  let keys: KeyNode
  /// The properties that take their values from all elements.
  let gathers: [Gathering]
  /// Whether key paths also lead on where the value is an object.
  let takesKeys: Bool
  /// Whether the number of elements has to be known before the first is read.
  let countsFromEnd: Bool
  private let places: [(position: Int, index: Int)]
  /// The entry of all elements; nil if paths do not lead through all.
  private let all: Int?

  init(
    prefix: String, _ entries: [(step: JSONKeyPath.Step, entry: KeyNode.Entry)], _ gathers: [Gathering],
    takesKeys: Bool
  ) {
    self.gathers = gathers
    self.takesKeys = takesKeys
    let known = Dictionary(
      entries.map { ($0.step.text, $0.entry) }, uniquingKeysWith: { first, _ in first })
    keys = KeyNode(prefix: prefix, isList: true) { known[$0] ?? KeyNode.Entry(start: 0, count: 0) }
    var places: [(position: Int, index: Int)] = []
    var all: Int?
    for (step, _) in entries {
      let index = keys.index(of: step.text)
      if case .position(let position) = step { places.append((position, index)) } else { all = index }
    }
    self.places = places
    self.all = all
    countsFromEnd = places.contains { $0.position < 0 }
  }

  /// Whether the list is only gone through for ``gathers``.
  var hasPlaces: Bool { !places.isEmpty || all != nil }

  /// The keys of the places, and those of what takes its values from all elements.
  var allKeys: [KeyNode] { [keys] + gathers.map(\.keys) }

  /// The entries of the element at a position. The count matters where places are counted from the end.
  func entries(at position: Int, of count: Int) -> [Int] {
    var result = all.map { [$0] } ?? []
    for place in places
    where place.position == position || (place.position < 0 && place.position + count == position) {
      result.append(place.index)
    }
    return result
  }
}

/// A property that takes its values from all elements of a list.
final class Gathering {
  /// The key path, as if it were a key.
  let keys: KeyNode
  let index: Int
  /// The steps from an element to the value.
  let path: [JSONKeyPath.Step]

  init(_ gather: KeyPaths.Gather, prefix: String) {
    path = Array(gather.path)
    var entry = KeyNode.Entry(start: 0, count: 0)
    entry.rank = gather.match.rank.rawValue
    switch gather.match.target {
    case .attribute(let attribute): (entry.action, entry.index) = (.attribute, Int32(attribute))
    case .relationship(let place): (entry.action, entry.index) = (.relationship, Int32(place))
    case .none, .wrapper, .polymorphic, .linkKind: break
    }
    let found = entry
    keys = KeyNode(prefix: prefix, isList: true) { _ in found }
    index = keys.index(of: "[]" + path.map(\.text).joined())
  }
}

/// Makes the nodes of an entity's keys from the tree of its key paths.
struct NodeBuilder {
  private(set) var nodes: [KeyNode] = []
  private(set) var lists: [ListNode?] = []
  private(set) var propertiesBelow: [[KeyMatch]] = []
  private let matcher: KeyMatcher

  init(matcher: KeyMatcher, paths: KeyPaths) {
    self.matcher = matcher
    _ = add(paths, at: [])
  }

  /// Adds the node for what stands at a path: the keys of an object, the places of a list, or both.
  private mutating func add(_ paths: KeyPaths, at path: [JSONKeyPath.Step]) -> Int32 {
    let place = nodes.count
    // The indices of the nodes below are known before the node itself is made.
    nodes.append(KeyNode(prefix: "") { _ in KeyNode.Entry(start: 0, count: 0) })
    lists.append(nil)
    propertiesBelow.append(paths.matches)
    var below: [JSONKeyPath.Step: Int32] = [:]
    let deeper = paths.children.filter {
      !$0.value.children.isEmpty || !$0.value.gathers.isEmpty || $0.value.holdsProperties
    }
    for (step, child) in deeper.sorted(by: { $0.key.text < $1.key.text }) {
      below[step] = add(child, at: path + [step])
    }
    nodes[place] = keys(paths, at: path, below)
    lists[place] = list(paths, at: path, below)
    return Int32(place)
  }

  private func keys(
    _ paths: KeyPaths, at path: [JSONKeyPath.Step], _ below: [JSONKeyPath.Step: Int32]
  ) -> KeyNode {
    let matcher = path.isEmpty || paths.holdsProperties ? self.matcher : nil
    let children = paths.children
    let prefix = path.isEmpty ? "" : JSONKeyPath.text(of: path[...]) + "."
    return KeyNode(prefix: prefix) { key in
      let step = JSONKeyPath.Step.key(key)
      if let match = children[step]?.match { return Self.entry(for: match, node: below[step] ?? -1) }
      let match = matcher?.match(key) ?? KeyMatch.none
      // A path may begin with its own property's name, with that of one that has a key elsewhere, or with an `id`. Then the
      // value of that key is not the property's.
      let isOnTheWay = children[step].map {
        $0.targets.contains(match.target) || match.rank == .identity || matcher?.isKeyless(match) == false
      }
      return Self.entry(for: isOnTheWay == true ? .none : match, node: below[step] ?? -1)
    }
  }

  private mutating func list(
    _ paths: KeyPaths, at path: [JSONKeyPath.Step], _ below: [JSONKeyPath.Step: Int32]
  ) -> ListNode? {
    var entries: [(step: JSONKeyPath.Step, entry: KeyNode.Entry)] = []
    for (step, child) in paths.children.sorted(by: { $0.key.text < $1.key.text }) {
      if case .key = step { continue }
      entries.append((step, Self.entry(for: child.match ?? .none, node: below[step] ?? -1)))
    }
    guard !entries.isEmpty || !paths.gathers.isEmpty else { return nil }
    let prefix = JSONKeyPath.text(of: path[...])
    let gathers = paths.gathers.map { Gathering($0, prefix: prefix) }
    let takesKeys = paths.children.keys.contains { if case .key = $0 { true } else { false } }
    let list = ListNode(prefix: prefix, entries, gathers, takesKeys: takesKeys)
    // Explanations and counts of keys go through all nodes.
    for node in list.allKeys {
      nodes.append(node)
      lists.append(nil)
      propertiesBelow.append([])
    }
    return list
  }

  private static func entry(for match: KeyMatch, node: Int32) -> KeyNode.Entry {
    var entry = KeyNode.Entry(start: 0, count: 0)
    entry.rank = match.rank.rawValue
    entry.node = node
    switch match.target {
    case .none: entry.action = node >= 0 ? .descend : .ignore
    case .wrapper: entry.action = node >= 0 ? .descend : .wrapper
    case .attribute(let index):
      entry.action = .attribute
      entry.index = Int32(index)
    case .relationship(let place):
      entry.action = .relationship
      entry.index = Int32(place)
    case .polymorphic(let place):
      entry.action = .polymorphic
      entry.index = Int32(place)
    case .linkKind(let attribute):
      entry.action = .linkKind
      entry.index = Int32(attribute ?? -1)
    }
    return entry
  }
}
