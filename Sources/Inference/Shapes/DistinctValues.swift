/// The hashes of the distinct values of a place, in bounded memory.
///
/// As long as there is room, all hashes are kept. Then only those whose last bits are zero are, one bit more each time
/// the room is used up. Which hashes are kept depends on nothing but the hashes, so that two such sets can be compared.
struct DistinctValues: BitwiseCopyable {
  private var table: UnsafeMutablePointer<UInt64>?
  private(set) var capacity = 0
  /// How many hashes are kept.
  private(set) var count = 0
  /// How often a hash came that was kept already. Once one did, this is never zero again.
  private(set) var repeats = 0
  /// How many last bits of kept hashes are zero.
  private(set) var level = 0
  /// Of hashes of pairs, whether first values had come with several second values when the last hashes were dropped: one of few
  /// first values may have more pairs than there is room, and then none is left.
  private(set) var hadPartners = false

  /// The bits of a hash that decide whether it is kept.
  static let samplingBits: UInt64 = (1 << 24) - 1

  /// About how many distinct values there were.
  var estimatedCount: Int { count << level }
  var isExact: Bool { level == 0 }
  /// Whether so many values were all different, and all are kept.
  func areDistinct(of total: Int) -> Bool { isExact && count == total }
  /// Whether no value came twice, as far as is known.
  var areUnique: Bool { repeats == 0 }

  /// Adds a hash. True if it is new.
  ///
  /// - Parameters:
  ///   - room: The slots that all sets take.
  ///   - largest: The slots that this one may take before values are sampled.
  @inline(__always)
  mutating func insert(
    _ hash: UInt64, _ room: inout SetRoom, largest: Int = SetRoom.largest
  ) -> Bool {
    let hash = hash == 0 ? UInt64(1) << 40 : hash
    guard hash & ((1 << UInt64(level)) - 1) == 0 else { return false }
    if (count + 1) * 4 > capacity * 3 {
      makeRoom(&room, largest)
      guard hash & ((1 << UInt64(level)) - 1) == 0 else { return false }
    }
    guard let table else { return false }
    let mask = capacity - 1
    var slot = Int(truncatingIfNeeded: (hash >> 20)) & mask
    while table[slot] != 0 {
      if table[slot] == hash {
        repeats += 1
        return false
      }
      slot = (slot + 1) & mask
    }
    table[slot] = hash
    count += 1
    return true
  }

  /// Whether a hash is kept; nil if that is not known, since hashes like it are not.
  func contains(_ hash: UInt64) -> Bool? {
    let hash = hash == 0 ? UInt64(1) << 40 : hash
    guard hash & ((1 << UInt64(level)) - 1) == 0 else { return nil }
    guard let table, capacity > 0 else { return false }
    let mask = capacity - 1
    var slot = Int(truncatingIfNeeded: (hash >> 20)) & mask
    while table[slot] != 0 {
      if table[slot] == hash { return true }
      slot = (slot + 1) & mask
    }
    return false
  }

  func forEach(_ body: (UInt64) -> Void) {
    guard let table else { return }
    for slot in 0..<capacity where table[slot] != 0 { body(table[slot]) }
  }

  /// Adds what another set has, and empties that one.
  mutating func absorb(_ other: inout DistinctValues, _ room: inout SetRoom) {
    while level < other.level { thin() }
    let largest = max(SetRoom.largest, capacity, other.capacity)
    var kept = 0
    other.forEach { hash in
      guard hash & ((1 << UInt64(level)) - 1) == 0 else { return }
      kept += 1
      _ = insert(hash, &room, largest: largest)
    }
    repeats += Self.share(of: other.repeats, kept, other.count)
    hadPartners = hadPartners || other.hadPartners
    other.free(&room)
  }

  /// The repetitions of the hashes that are kept of all. One that was seen is a fact, whatever is kept.
  private static func share(of repeats: Int, _ kept: Int, _ all: Int) -> Int {
    guard repeats > 0, all > 0 else { return repeats }
    return max(1, Int((Double(repeats) * Double(kept) / Double(all)).rounded()))
  }

  mutating func free(_ room: inout SetRoom) {
    table?.deallocate()
    room.count(capacity, is: 0)
    self = DistinctValues()
  }

  // MARK: - Room

  private mutating func makeRoom(_ room: inout SetRoom, _ largest: Int) {
    if capacity == 0 { return resize(to: 8, &room) }
    if capacity < largest, room.allows(capacity, largest) { return resize(to: capacity * 2, &room) }
    // Every value may have one hash; then there is nothing to thin out.
    for _ in 0..<8 where (count + 1) * 4 > capacity * 3 && level < 24 { thin() }
    if (count + 1) * 4 > capacity * 3 { resize(to: capacity * 2, &room) }
  }

  private mutating func resize(to size: Int, _ room: inout SetRoom) {
    let old = table
    let oldCapacity = capacity
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: size)
    larger.initialize(repeating: 0, count: size)
    table = larger
    capacity = size
    room.count(oldCapacity, is: size)
    guard let old else { return }
    for slot in 0..<oldCapacity where old[slot] != 0 { place(old[slot], in: larger) }
    old.deallocate()
  }

  /// Drops the hashes, about half of them, whose next bit is not zero.
  private mutating func thin() {
    guard let table, count > 0 else {
      level += 1
      return
    }
    var kept: [UInt64] = []
    let mask = (UInt64(2) << UInt64(level)) - 1
    for slot in 0..<capacity where table[slot] != 0 && table[slot] & mask == 0 { kept.append(table[slot]) }
    if kept.isEmpty, capacity <= SetRoom.ofPairs { hadPartners = havePartners }
    level += 1
    table.update(repeating: 0, count: capacity)
    repeats = Self.share(of: repeats, kept.count, count)
    count = kept.count
    for hash in kept { place(hash, in: table) }
  }

  private func place(_ hash: UInt64, in table: UnsafeMutablePointer<UInt64>) {
    let mask = capacity - 1
    var slot = Int(truncatingIfNeeded: (hash >> 20)) & mask
    while table[slot] != 0 { slot = (slot + 1) & mask }
    table[slot] = hash
  }
}

/// The memory that all sets of distinct values take together.
struct SetRoom: BitwiseCopyable {
  /// The slots of eight bytes that sets of usual size have, and those of larger ones.
  private var used = 0
  private var usedByLarge = 0

  /// Beyond this, sets no longer grow: sixteen megabytes for those of usual size, sixty-four with those of identities.
  private static let most = 1 << 21
  private static let mostWithLarge = 1 << 23
  /// The largest size of a set of values before it becomes a sample, and of a set of pairs.
  static let largest = 1 << 15
  static let ofPairs = 1 << 13
  /// The room of a set of possible identities: three million values are told apart by all of them.
  static let ofIdentities = 1 << 22
  private static let small = 1 << 6

  /// Whether a set of this size may become twice as large.
  func allows(_ capacity: Int, _ largest: Int) -> Bool {
    if capacity < Self.small { return true }
    return largest > Self.largest
      ? used + usedByLarge + capacity <= Self.mostWithLarge : used < Self.most
  }

  /// Notes that a set of one size has another one now.
  mutating func count(_ old: Int, is new: Int) {
    if old > Self.largest { usedByLarge -= old } else { used -= old }
    if new > Self.largest { usedByLarge += new } else { used += new }
  }
}

extension DistinctValues {
  /// How many of these values the other set has too, and how many were compared: a few thousand are enough.
  func overlap(with other: DistinctValues) -> (found: Int, compared: Int) {
    var (found, compared) = (0, 0)
    guard let table else { return (0, 0) }
    for slot in 0..<capacity where table[slot] != 0 {
      guard let isThere = other.contains(table[slot]) else { continue }
      compared += 1
      if isThere { found += 1 }
      if compared >= Self.mostCompared { break }
    }
    return (found, compared)
  }

  private static let mostCompared = 4_096

  /// Of hashes of pairs, whether first values came with several second values; see ``Hashing/pair(_:_:)``.
  var havePartners: Bool {
    if hadPartners { return true }
    var pairs: Set<UInt64> = []
    forEach { pairs.insert($0) }
    return Self.havePartners(pairs, level: level)
  }

  /// The same of several sets of pairs together.
  static func havePartners(_ pairs: Set<UInt64>, level: Int) -> Bool {
    // The few bits of a first value that are kept may be the same by chance.
    let chance = Double(pairs.count) * Double(pairs.count) / Double(samplingBits >> UInt64(level))
    let firsts = Set(pairs.map { $0 & samplingBits })
    return Double(pairs.count - firsts.count) > chance * 2
  }

  /// Of hashes of pairs, how many different first values there are, and how many of these came with several second values. What is
  /// the same by chance in the few bits of a first value that are kept counts as different.
  var firsts: (count: Int, withPartners: Int) {
    var firsts: [UInt64] = []
    firsts.reserveCapacity(count)
    forEach { firsts.append($0 & DistinctValues.samplingBits) }
    firsts.sort()
    var (distinct, withPartners) = (0, 0)
    var start = 0
    while start < firsts.count {
      var end = start + 1
      while end < firsts.count, firsts[end] == firsts[start] { end += 1 }
      distinct += 1
      if end - start > 1 { withPartners += 1 }
      start = end
    }
    let pairs = Double(distinct) * Double(distinct) / 2
    let chance = pairs / Double(DistinctValues.samplingBits >> UInt64(level))
    let isByChance = Double(withPartners) <= chance + 4 * chance.squareRoot()
    let same = isByChance ? withPartners : Int(chance)
    return (distinct + same, withPartners - same)
  }

  /// Of hashes of pairs of two sets, how many first values both have, and how many of these with no second value in common.
  func firsts(apartFrom other: DistinctValues) -> (shared: Int, apart: Int) {
    let level = max(level, other.level)
    let mask = (UInt64(1) << UInt64(level)) - 1
    var known: [UInt64: Set<UInt64>] = [:]
    forEach { if $0 & mask == 0 { known[$0 & Self.samplingBits, default: []].insert($0) } }
    var same: [UInt64: Bool] = [:]
    other.forEach { pair in
      guard let pairs = known[pair & Self.samplingBits], pair & mask == 0 else { return }
      let first = pair & Self.samplingBits
      same[first] = (same[first] ?? false) || pairs.contains(pair)
    }
    return (same.count, same.values.count { !$0 })
  }
}

/// Hashes of bytes. They are no secret: whoever makes two values with one hash only misleads a guess.
enum Hashing {
  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    guard let start = UnsafeRawPointer(bytes.baseAddress) else { return 0x9E37 }
    var hash = UInt64(truncatingIfNeeded: bytes.count &+ 1) &* 0x9E37_79B9_7F4A_7C15
    var index = 0
    while index + 8 <= bytes.count {
      hash = (hash ^ start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
      index += 8
    }
    return mix(hash ^ rest(start, index, bytes.count))
  }

  /// The bytes from an index on, which are fewer than eight, as a number.
  @inline(__always)
  private static func rest(_ start: UnsafeRawPointer, _ index: Int, _ count: Int) -> UInt64 {
    let left = count - index
    guard left > 0 else { return 0 }
    // Bytes that were taken into the hash before do no harm.
    if count >= 8 { return start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) }
    if left >= 4 {
      let first = start.loadUnaligned(fromByteOffset: index, as: UInt32.self)
      let last = start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return UInt64(first) << 32 | UInt64(last)
    }
    let middle = start.load(fromByteOffset: index + left / 2, as: UInt8.self)
    let last = start.load(fromByteOffset: count - 1, as: UInt8.self)
    return UInt64(start.load(fromByteOffset: index, as: UInt8.self)) << 16 | UInt64(middle) << 8
      | UInt64(last)
  }

  @inline(__always)
  static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ (value >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return value ^ (value >> 33)
  }

  /// A hash of two values that is kept in samples together with the first.
  @inline(__always)
  static func pair(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let mask = DistinctValues.samplingBits
    return (mix(first ^ mix(second)) & ~mask) | (first & mask)
  }
}
