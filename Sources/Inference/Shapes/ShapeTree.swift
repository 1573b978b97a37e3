import Bytes

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
  /// What the texts of a place have before the last slash.
  var prefixes: [Int32: String] = [:]
  /// The hashes of values of the first objects of some places, a row for each object.
  var rows = RowSamples()
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
  static let mostNodes = 40_000
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
    @inline(__always) get { nodes.base[Int(index)] }
    @inline(__always) nonmutating set { nodes.base[Int(index)] = newValue }
  }

  /// The place itself, until the next one is added.
  @inline(__always)
  func pointer(_ index: Int32) -> UnsafeMutablePointer<ShapeNode> { nodes.base + Int(index) }

  // MARK: - Keys

  func text(ofKey key: Int32) -> String {
    guard key >= 0 else { return "" }
    return String(decoding: bytes(ofKey: key), as: UTF8.self)
  }

  @inline(__always)
  func bytes(ofKey key: Int32) -> UnsafeBufferPointer<UInt8> {
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
    var next = self[parent].firstChild
    while next >= 0 {
      result.append(next)
      next = self[next].nextSibling
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
