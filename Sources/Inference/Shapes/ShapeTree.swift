import Bytes
import JSONStream
import Mapping
import ObjectStore

/// All places of the JSON, and what was seen there.
///
/// The places are in one buffer and refer to each other by number. What is the same for all of them, the texts of keys
/// and the tables that find children, is in a few more buffers, so that a value costs no allocation.
struct ShapeTree: ~Copyable {
  private(set) var nodes = PlainBuffer<ShapeNode>(capacity: 256)
  /// For each key, where its bytes are.
  private var keyRanges = PlainBuffer<KeyRange>(capacity: 256)
  private var keyBytes = ByteBuffer(capacity: 4096)
  /// Finds keys by their bytes, and children by their parent and key.
  private var keyTable = NumberTable()
  private var childTable = NumberTable()
  var room = SetRoom()
  /// A few texts of each place, for enumerations and for examples.
  var samples: [Int32: [String]] = [:]
  /// The parts of a place's texts before the last slash.
  var prefixes: [Int32: String] = [:]
  /// The hashes of values of the first objects of some places, a row for each object.
  var rows = RowSamples()
  /// The paths to objects of which a model has keys, with these: more keys beside them make no dictionary of such an object.
  var objectPaths: [String: Set<String>] = [:]
  /// The paths to objects that a mapping has dictionaries at.
  var dictionaryPaths: Set<String> = []
  /// Whether all was read, so that what came is a whole.
  var isComplete = false
  /// Whether places were left out, since there were too many.
  private(set) var isTruncated = false

  struct KeyRange: BitwiseCopyable {
    var start: Int
    var count: Int
    var hash: UInt64
  }

  /// More places than any model has properties.
  static let mostNodes = 250_000
  /// A longer key is data.
  static let longestKey = 256

  init() {}

  deinit {
    var room = room
    for index in 0..<nodes.count {
      nodes.base[index].values.free(&room)
      nodes.base[index].owned.free(&room)
      nodes.base[index].contents.free(&room)
      nodes.base[index].within.free(&room)
      nodes.base[index].listed.free(&room)
      nodes.base[index].tails.free(&room)
    }
  }

  var count: Int { nodes.count }

  subscript(index: Int32) -> ShapeNode {
    @inline(__always) get { nodes[Int(index)] }
    @inline(__always) nonmutating set { nodes[Int(index)] = newValue }
  }

  /// The place itself, until the next one is added.
  @inline(__always)
  func pointer(_ index: Int32) -> UnsafeMutablePointer<ShapeNode> { nodes.base + Int(index) }

  // MARK: - Keys

  func text(ofKey key: Int32) -> String {
    guard key >= 0 else { return "" }
    return String(decoding: bytes(ofKey: key), as: UTF8.self)
  }

  /// The bytes of a key, or none of what stands under no key, as an element of a list does.
  @inline(__always)
  func bytes(ofKey key: Int32) -> UnsafeBufferPointer<UInt8> {
    guard key >= 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    let range = keyRanges[Int(key)]
    return UnsafeBufferPointer(start: keyBytes.base + range.start, count: range.count)
  }

  @inline(__always)
  func isKey(_ key: Int32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let known = bytes(ofKey: key)
    guard known.count == text.count else { return false }
    return Self.areEqual(known, text)
  }

  @inline(__always)
  private static func areEqual(
    _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let left = UnsafeRawPointer(first.baseAddress), let right = UnsafeRawPointer(second.baseAddress)
    else { return first.count == second.count }
    var index = 0
    while index + 8 <= first.count {
      if left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        != right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      {
        return false
      }
      index += 8
    }
    while index < first.count {
      if first[index] != second[index] { return false }
      index += 1
    }
    return true
  }

  mutating func key(_ text: UnsafeBufferPointer<UInt8>) -> Int32 {
    let hash = Hashing.hash(text)
    let ranges = keyRanges.base
    let bytes = keyBytes.base
    let found = keyTable.find(hash) { number in
      let range = ranges[Int(number)]
      return range.hash == hash
        && Self.areEqualCounted(UnsafeBufferPointer(start: bytes + range.start, count: range.count), text)
    }
    if found >= 0 { return found }
    let number = Int32(keyRanges.count)
    let start = keyBytes.count
    keyBytes.append(text)
    keyRanges.append(KeyRange(start: start, count: text.count, hash: hash))
    keyTable.insert(number, hash)
    return number
  }

  private static func areEqualCounted(
    _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    first.count == second.count && areEqual(first, second)
  }

  mutating func key(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { key($0) }
  }

  // MARK: - Places

  /// Adds a place that is no child by a key; -1 if there are too many.
  mutating func add(under parent: Int32) -> Int32 {
    guard nodes.count < Self.mostNodes else {
      isTruncated = true
      return -1
    }
    var node = ShapeNode()
    node.parent = parent
    nodes.append(node)
    return Int32(nodes.count - 1)
  }

  /// The child by a key; -1 if there is none.
  @inline(__always)
  func child(of parent: Int32, key: Int32) -> Int32 {
    let nodes = nodes.base
    return childTable.find(Self.childHash(parent, key)) { number in
      let node = nodes + Int(number)
      return node.pointee.parent == parent && node.pointee.key == key
        && !node.pointee.flags.contains(.merged)
    }
  }

  /// The child under a key, also one that became one with another place: what comes under the key then comes there. -1 if there is none.
  func childWherever(of parent: Int32, key: Int32) -> Int32 {
    let known = child(of: parent, key: key)
    guard known < 0 else { return known }
    let nodes = nodes.base
    return childTable.find(Self.childHash(parent, key)) { number in
      let node = nodes + Int(number)
      // The place of a kind has the word for that in place of a key.
      return node.pointee.parent == parent && node.pointee.key == key
        && !node.pointee.flags.contains(.variant)
    }
  }

  private static func childHash(_ parent: Int32, _ key: Int32) -> UInt64 {
    Hashing.mix(UInt64(UInt32(bitPattern: parent)) << 32 | UInt64(UInt32(bitPattern: key)))
  }

  /// Adds a child by a key that there is none for; -1 if there are too many places.
  mutating func addChild(of parent: Int32, key: Int32) -> Int32 {
    let child = add(under: parent)
    guard child >= 0 else { return -1 }
    pointer(child).pointee.key = key
    pointer(child).pointee.ordinal = self[parent].childCount
    adopt(child, by: parent)
    return child
  }

  /// Puts a place with a key at the end of another one's children.
  mutating func adopt(_ child: Int32, by parent: Int32) {
    let node = pointer(child)
    node.pointee.parent = parent
    node.pointee.nextSibling = -1
    childTable.insert(child, Self.childHash(parent, node.pointee.key))
    let owner = pointer(parent)
    if owner.pointee.lastChild >= 0 {
      pointer(owner.pointee.lastChild).pointee.nextSibling = child
    } else {
      owner.pointee.firstChild = child
    }
    owner.pointee.lastChild = child
    owner.pointee.childCount += 1
  }

  /// Takes a child from a place. It is nobody's until another place adopts it.
  mutating func detach(_ child: Int32, from parent: Int32) {
    let owner = pointer(parent)
    let next = pointer(child).pointee.nextSibling
    var previous: Int32 = -1
    var index = owner.pointee.firstChild
    while index >= 0, index != child { (previous, index) = (index, pointer(index).pointee.nextSibling) }
    guard index == child else { return }
    if previous >= 0 { pointer(previous).pointee.nextSibling = next } else { owner.pointee.firstChild = next }
    if owner.pointee.lastChild == child { owner.pointee.lastChild = previous }
    owner.pointee.childCount -= 1
    pointer(child).pointee.parent = -1
  }

  /// The place of the elements of a place's lists, or of the values of its dictionaries.
  mutating func elements(of parent: Int32) -> Int32 {
    let known = self[parent].element
    if known >= 0 { return known }
    let added = add(under: parent)
    if added >= 0 { pointer(parent).pointee.element = added }
    return added
  }

  /// The children of a place, in the order in which they came.
  func children(of parent: Int32) -> [Int32] {
    var result: [Int32] = []
    var next = pointer(parent).pointee.firstChild
    result.reserveCapacity(Int(pointer(parent).pointee.childCount))
    while next >= 0 {
      result.append(next)
      next = pointer(next).pointee.nextSibling
    }
    return result
  }
}

/// Finds numbers by a hash. Who asks compares what they stand for.
struct NumberTable: ~Copyable {
  private var table: UnsafeMutablePointer<Int32>
  private var hashes: UnsafeMutablePointer<UInt32>
  private var capacity = 1024
  private var count = 0

  init() {
    table = .allocate(capacity: capacity)
    table.initialize(repeating: -1, count: capacity)
    hashes = .allocate(capacity: capacity)
    hashes.initialize(repeating: 0, count: capacity)
  }

  deinit {
    table.deallocate()
    hashes.deallocate()
  }

  @inline(__always)
  func find(_ hash: UInt64, _ isIt: (Int32) -> Bool) -> Int32 {
    let short = UInt32(truncatingIfNeeded: hash)
    let mask = capacity - 1
    var slot = Int(short) & mask
    while table[slot] >= 0 {
      if hashes[slot] == short, isIt(table[slot]) { return table[slot] }
      slot = (slot + 1) & mask
    }
    return -1
  }

  mutating func insert(_ number: Int32, _ hash: UInt64) {
    if (count + 1) * 4 > capacity * 3 { grow() }
    place(number, UInt32(truncatingIfNeeded: hash))
    count += 1
  }

  private func place(_ number: Int32, _ short: UInt32) {
    let mask = capacity - 1
    var slot = Int(short) & mask
    while table[slot] >= 0 { slot = (slot + 1) & mask }
    table[slot] = number
    hashes[slot] = short
  }

  private mutating func grow() {
    let (oldTable, oldHashes, oldCapacity) = (table, hashes, capacity)
    capacity *= 2
    table = .allocate(capacity: capacity)
    table.initialize(repeating: -1, count: capacity)
    hashes = .allocate(capacity: capacity)
    hashes.initialize(repeating: 0, count: capacity)
    for slot in 0..<oldCapacity where oldTable[slot] >= 0 { place(oldTable[slot], oldHashes[slot]) }
    oldTable.deallocate()
    oldHashes.deallocate()
  }
}

/// Notes of single values.
extension ShapeTree {
  /// A longer text is no key of anything.
  static let longestValue = 256
  /// How many different texts of a place are kept.
  static let mostSamples = 16
  /// After so many texts, what is slow to find out is found out of few.
  private static let thoroughTexts = 64

  /// Notes a text. Gives its hash.
  @inline(__always)
  mutating func note(text: UnsafeBufferPointer<UInt8>, at index: Int32) -> UInt64 {
    let node = pointer(index)
    node.pointee.strings += 1
    let count = Int32(truncatingIfNeeded: text.count)
    if count < node.pointee.shortest { node.pointee.shortest = count }
    if count > node.pointee.longest { node.pointee.longest = count }
    guard count > 0 else {
      node.pointee.emptyTexts += 1
      return 0
    }
    if !node.pointee.forms.isEmpty {
      let strings = node.pointee.strings
      node.pointee.forms = node.pointee.forms.intersection(
        TextForms.of(
          text, among: node.pointee.forms,
          isThorough: strings < Self.thoroughTexts || strings % Self.thoroughTexts == 0))
    }
    guard text.count <= Self.longestValue else {
      node.pointee.flags.insert(.longTexts)
      return Hashing.hash(UnsafeBufferPointer(rebasing: text[..<Self.longestValue]))
    }
    let hash = Hashing.hash(text)
    if node.pointee.values.insert(hash, &room, largest: node.pointee.largestSet) { noteNew(text, index) }
    if node.pointee.strings - node.pointee.emptyTexts == 1 {
      beginPrefixes(text, index)
    } else if node.pointee.flags.contains(.slashes) {
      noteTail(text, index)
    }
    return hash
  }

  /// Notes a value by its hash alone.
  mutating func note(hash: UInt64, at index: Int32) -> Bool {
    let node = pointer(index)
    return node.pointee.values.insert(hash, &room, largest: node.pointee.largestSet)
  }

  private mutating func noteNew(_ text: UnsafeBufferPointer<UInt8>, _ index: Int32) {
    let node = pointer(index)
    node.pointee.lastNew = node.pointee.strings
    guard node.pointee.values.count <= Self.mostSamples else { return }
    samples[index, default: []].append(String(decoding: text, as: UTF8.self))
  }

  /// The place behind which a text may end with an identity: the last slash that something follows, the last colon of a name such as
  /// `urn:uuid:…`, or the bar in FHIR's `Organization?identifier=https://example.org|7`. Nil if there is none.
  private static func lastSlash(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    var end = text.count
    var bar: Int?
    if end > 0, text[end - 1] == UInt8(ascii: "/") { end -= 1 }
    while end > 0 {
      end -= 1
      if text[end] == UInt8(ascii: "/") { return isSearch(text, before: bar) ? bar : end }
      if text[end] <= 0x20 { return nil }
      if text[end] == UInt8(ascii: "|"), bar == nil { bar = end }
    }
    if isSearch(text, before: bar) { return bar }
    guard text.starts(with: "urn:".utf8), let colon = text.lastIndex(of: UInt8(ascii: ":")),
      colon + 1 < text.count
    else { return nil }
    return colon
  }

  /// Whether a text names an object of FHIR by what a search for its identifier would find.
  private static func isSearch(_ text: UnsafeBufferPointer<UInt8>, before bar: Int?) -> Bool {
    guard let bar, bar + 1 < text.count, let mark = text.firstIndex(of: UInt8(ascii: "?")), mark < bar else {
      return false
    }
    return text[mark...].starts(with: "?identifier=".utf8)
  }

  private mutating func beginPrefixes(_ text: UnsafeBufferPointer<UInt8>, _ index: Int32) {
    guard let slash = Self.lastSlash(text) else { return }
    let prefix = UnsafeBufferPointer(rebasing: text[...slash])
    let node = pointer(index)
    node.pointee.flags.insert(.slashes)
    node.pointee.prefixHash = Hashing.hash(prefix)
    prefixes[index] = String(decoding: prefix, as: UTF8.self)
    noteTail(text, index)
  }

  private mutating func noteTail(_ text: UnsafeBufferPointer<UInt8>, _ index: Int32) {
    let node = pointer(index)
    guard let slash = Self.lastSlash(text) else {
      node.pointee.flags.remove(.slashes)
      node.pointee.tails.free(&room)
      return
    }
    if Hashing.hash(UnsafeBufferPointer(rebasing: text[...slash])) != node.pointee.prefixHash {
      node.pointee.flags.insert(.mixedPrefixes)
    }
    var end = text.count
    if text[end - 1] == UInt8(ascii: "/") { end -= 1 }
    guard slash + 1 < end else { return }
    _ = node.pointee.tails.insert(
      Hashing.hash(UnsafeBufferPointer(rebasing: text[(slash + 1)..<end])), &room, largest: SetRoom.ofPairs)
  }

  /// Notes a number. Gives the hash of its text, if it is an integer.
  @inline(__always)
  mutating func note(
    number text: UnsafeBufferPointer<UInt8>, integer: Int64?, at index: Int32
  ) -> UInt64 {
    let node = pointer(index)
    if let integer {
      node.pointee.integers += 1
      if integer < node.pointee.minimum { node.pointee.minimum = integer }
      if integer > node.pointee.maximum { node.pointee.maximum = integer }
      let hash = Hashing.hash(text)
      if node.pointee.values.insert(hash, &room, largest: node.pointee.largestSet) {
        noteNewNumber(text, index)
      }
      return hash
    }
    noteFraction(text, node)
    return Hashing.hash(UnsafeBufferPointer(rebasing: text.prefix(Self.longestValue)))
  }

  private mutating func noteNewNumber(_ text: UnsafeBufferPointer<UInt8>, _ index: Int32) {
    guard pointer(index).pointee.values.count <= Self.mostSamples else { return }
    samples[index, default: []].append(String(decoding: text, as: UTF8.self))
  }

  private func noteFraction(
    _ text: UnsafeBufferPointer<UInt8>, _ node: UnsafeMutablePointer<ShapeNode>
  ) {
    var digits: Int32 = 0
    var isFraction = false
    var hasExponent = false
    // A short number without an exponent is held by doubles and decimals.
    let isLong = text.count > 17
    for byte in text {
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if byte | 0x20 == UInt8(ascii: "e") {
        hasExponent = true
        break
      } else if isFraction {
        digits += 1
      }
    }
    if isLong || hasExponent { noteWidth(of: text, node) }
    guard isFraction || hasExponent else {
      node.pointee.integers += 1
      node.pointee.largeNumbers += 1
      return
    }
    node.pointee.fractions += 1
    if hasExponent { node.pointee.exponents += 1 }
    if digits > node.pointee.fractionDigits { node.pointee.fractionDigits = digits }
  }

  /// Notes that a number is too wide for a double, or for a decimal.
  private func noteWidth(of text: UnsafeBufferPointer<UInt8>, _ node: UnsafeMutablePointer<ShapeNode>) {
    if !(DecimalNumber(text)?.isKept ?? false) { node.pointee.hugeNumbers += 1 }
    let isWhole = !text.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    if !isWhole, RealNumber.double(text) == nil { node.pointee.largeNumbers += 1 }
  }
}

extension ShapeTree {
  /// The places around a place as they were read, the nearest first. In trees of which places became one, some may stand in
  /// each other: each comes once.
  func places(around index: Int32) -> [Int32] {
    var result: [Int32] = []
    var place = self[index].parent
    while place >= 0 {
      result.append(place)
      place = self[place].parent
      // Only documents that nest deep have so many.
      if result.count > Self.mostAround, place == index || result.contains(place) { break }
    }
    return result
  }

  private static let mostAround = 32

  /// The outermost place around a place, as they were read.
  func root(of index: Int32) -> Int32 {
    var outer = index
    for _ in 0..<ShapeMatcher.deepest where self[outer].parent >= 0 { outer = self[outer].parent }
    return outer
  }

  /// The key that the objects of a place stand under: its own, or that of the list or the dictionary around it.
  func ownerName(of index: Int32) -> String {
    let named = ([index] + places(around: index)).first {
      self[$0].key >= 0 && self[$0].flags.isDisjoint(with: [.variant, .position])
    }
    return named.map { text(ofKey: self[$0].key) } ?? ""
  }

  /// The nearest key above the objects of a place that says what they are; empty if none does.
  func meaningfulName(of index: Int32) -> String {
    var first = ""
    for place in [index] + places(around: index) {
      let node = self[place]
      guard node.key >= 0, node.flags.isDisjoint(with: [.variant, .position]) else { continue }
      let key = text(ofKey: node.key)
      if !GenericNames.isWrapper(key) { return key }
      if first.isEmpty { first = key }
      // The members of a team are no team: what says something of itself is no wrapper.
      if node.parent >= 0, saysSomething(node.parent) { return first }
    }
    return ""
  }

  /// Whether the objects of a place have scalars that are about them, and not about a list in them. A page has an address, too.
  private func saysSomething(_ index: Int32) -> Bool {
    guard self[index].flags.isDisjoint(with: [.dictionary, .split]) else { return false }
    return children(of: index).contains { child in
      let key = text(ofKey: self[child].key)
      return self[child].scalars > 0 && !GenericNames.isMeta(key, isStrict: true)
        && !GenericNames.isAddress(key)
    }
  }

  /// The path to a place, for messages: `$.bands[].albums`.
  func path(of index: Int32) -> String {
    var steps: [String] = []
    for place in [index] + places(around: index) {
      let node = self[place]
      guard node.flags.isDisjoint(with: [.variant, .position]) else { continue }
      if node.key >= 0 {
        steps.append(".\(text(ofKey: node.key))")
      } else if node.parent >= 0 {
        steps.append(self[node.parent].flags.contains(.dictionary) ? ".*" : "[]")
      }
    }
    return "$" + steps.reversed().joined()
  }
}
