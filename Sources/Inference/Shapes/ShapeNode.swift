import Bytes

/// What was seen at one place of the JSON: `$.bands[].albums`. All elements of a list are one place, and so are all
/// values of a dictionary.
struct ShapeNode: BitwiseCopyable {
  // MARK: Where it is

  var parent: Int32 = -1
  /// The text of its key; -1 for a root, an element of a list and a value of a dictionary.
  var key: Int32 = -1
  var firstChild: Int32 = -1
  var lastChild: Int32 = -1
  var nextSibling: Int32 = -1
  var childCount: Int32 = 0
  /// How many children its parent had before it.
  var ordinal: Int32 = 0
  /// The place of the elements of its lists, or of the values of its dictionaries.
  var element: Int32 = -1
  /// The place of the keys of its dictionaries.
  var keys: Int32 = -1
  var flags: Flags = []

  struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt16
    /// Its objects are dictionaries: their keys are data.
    static let dictionary = Flags(rawValue: 1)
    /// Its objects are told apart by a key; each child stands for the objects with one value of it.
    static let split = Flags(rawValue: 2)
    /// Its objects have no key that tells them apart, or too many values of one.
    static let unsplit = Flags(rawValue: 4)
    /// It stands for the objects of its parent with one value of the key that tells them apart.
    static let variant = Flags(rawValue: 8)
    /// It stands for an element of a list by its position.
    static let position = Flags(rawValue: 16)
    /// Texts were too long to be keys of anything.
    static let longTexts = Flags(rawValue: 32)
    /// Not all of its texts begin alike up to the last slash.
    static let mixedPrefixes = Flags(rawValue: 64)
    /// Keys were left out, since there were too many.
    static let truncated = Flags(rawValue: 128)
    /// All texts have a slash, or another sign behind which an identity may stand.
    static let slashes = Flags(rawValue: 256)
    /// It belongs to another place now.
    static let merged = Flags(rawValue: 512)
    /// Its values may be the identities of the objects around it.
    static let identity = Flags(rawValue: 1024)
    /// Its texts are addresses, which no two objects share.
    static let address = Flags(rawValue: 2048)
    /// Its texts are names of the objects around it.
    static let label = Flags(rawValue: 4096)
    /// Its texts name the space in which the identities of the objects around it hold, such as a system of codes.
    static let space = Flags(rawValue: 8192)
    /// Empty texts or empty lists stood where its objects are missing.
    static let emptiness = Flags(rawValue: 16384)
    /// One of its lists has a value twice, as the nodes of a way do that ends where it begins.
    static let repeats = Flags(rawValue: 32768)
  }

  /// The key whose value tells its objects apart, if it is split.
  var kindKey: Int32 = -1

  // MARK: What was there

  var nulls = 0
  var trues = 0
  var falses = 0
  var integers = 0
  var fractions = 0
  var strings = 0
  var objects = 0
  var lists = 0

  // MARK: Numbers

  var minimum = Int64.max
  var maximum = Int64.min
  /// Integers that need more than 64 bits, and numbers that a double does not hold.
  var largeNumbers = 0
  /// Numbers with more places than a decimal has.
  var hugeNumbers = 0
  var fractionDigits: Int32 = 0
  /// Numbers with an exponent.
  var exponents = 0

  // MARK: Texts

  var shortest = Int32.max
  var longest: Int32 = 0
  var emptyTexts = 0
  var forms = TextForms.all
  /// The hash of what its texts have before the parts in `tails`.
  var prefixHash: UInt64 = 0
  /// The number of the value that was the last to be new.
  var lastNew = 0

  // MARK: Lists

  var fewestElements = Int32.max
  var mostElements: Int32 = 0

  // MARK: Objects

  /// The child that is most likely the identity, by its name, and how likely it is: less is better.
  var identity: Int32 = -1
  var identityRank: Int32 = .max

  /// Where the sample of its objects' values begins, and how many objects are in it; -1 if there is none.
  var rowStart = -1
  var rowCount = 0

  /// Of places that became this one: how many identities came again, and how many with something else; -1 if it was always
  /// this place.
  var repeats = -1
  var conflicts = 0

  /// How many objects the place had before others became one with it; -1 if none did.
  var ownObjects = -1
  /// How many values it had before others under other keys became one with it; -1 if none did.
  var ownTotal = -1
  /// How many of its nulls are those of others under other keys.
  var othersNulls = 0

  /// How many of its values, in objects of a list, came where the identity of the object around the list was known, and how many of
  /// them were that identity.
  var underOwners = 0
  var namingOwners = 0

  /// Of places under two keys that became this one: how many identities came at both in one document, and how many with other values
  /// each time, though with the same names.
  var metUnderKeys = 0
  var differentUnderKeys = 0

  // MARK: Values

  var values = DistinctValues()
  /// The values of elements, each with the object whose list has it. They stay with the place when it becomes one with
  /// others.
  var owned = DistinctValues()
  /// The identities of objects, each with what else the object says; at the place of a dictionary's keys, these with what
  /// the objects under them say.
  var contents = DistinctValues()
  /// The identities of objects, each with the document that it stands in and with all that the object says.
  var within = DistinctValues()
  /// The identities of objects in lists of other objects, each with what the object says, dates apart.
  var listed = DistinctValues()
  /// The parts of texts behind the last slash, or behind another sign that an identity may follow.
  var tails = DistinctValues()

  /// How many slots the set of its values may take.
  var largestSet: Int { flags.contains(.identity) ? SetRoom.ofIdentities : SetRoom.largest }

  /// How many values there were, nulls included.
  var total: Int { nulls + present }
  var present: Int { trues + falses + integers + fractions + strings + objects + lists }
  var scalars: Int { trues + falses + integers + fractions + strings }

  /// How many identities came again at the place, at the most, and how many with something else. Each counts once, however
  /// often it came: one that means two things is not outweighed by the others' repetitions.
  var repetitions: (repeats: Int, conflicts: Int) {
    guard contents.count > 0 else { return (0, 0) }
    let firsts = contents.firsts
    let distinct = firsts.count << contents.level
    let repeats = max(0, min(distinct, objects - distinct))
    return (repeats, max(firsts.withPartners << contents.level, min(repeats, conflictsWithin)))
  }

  /// How many identities came with different values of those that an identity determines, such as names.
  var ambiguousIdentities: Int { contents.firsts.withPartners << contents.level }

  /// How many identities came with different values where an object does not change: in one document, or in lists.
  var conflictsWithin: Int {
    max(within.firsts.withPartners << within.level, listed.firsts.withPartners << listed.level)
  }

  /// The repetitions at the place, or at those that became this one.
  var knownRepetitions: (repeats: Int, conflicts: Int) {
    repeats >= 0 ? (repeats, conflicts) : repetitions
  }

  /// Counts empty texts and lists in place of objects as nulls: what is empty says that there is no object. It is none of the
  /// values that came where nothing else but objects did, or lists of them.
  mutating func countEmptinessAsNulls() {
    guard scalars == emptyTexts,
      objects > 0 ? mostElements == 0 : lists > 0 && emptyTexts > 0 && mostElements > 0
    else { return }
    let empty = emptyTexts + (objects > 0 ? lists : 0)
    guard empty > 0 else { return }
    flags.insert(.emptiness)
    nulls += empty
    (strings, emptyTexts) = (0, 0)
    if objects > 0 { lists = 0 }
  }

  /// How many values, nulls included, stood at the place itself.
  var totalOfItsOwn: Int { ownTotal >= 0 ? ownTotal : total }

  /// How many nulls stood at the place itself.
  var nullsOfItsOwn: Int { nulls - othersNulls }

  /// How many objects stood at the place itself.
  var objectsOfItsOwn: Int { ownObjects >= 0 ? ownObjects : objects }
}

/// The values of the first objects at the top of the JSON, as hashes: they tell which values are different together.
struct RowSamples: ~Copyable {
  private var hashes = PlainBuffer<UInt64>(capacity: 16)
  private var places = 0

  /// The columns of values: scalars of objects, and what the objects and lists in an object say, all together.
  static let columns = 16
  private static let inside = columns - 1
  /// The column of the document that an object stands in.
  private static let document = columns
  private static let width = columns + 1
  static let mostRows = 2_048
  /// Samples are kept for so many places, and only near the top.
  private static let mostPlaces = 48
  static let deepest = 4

  /// The place for the values of another object; -1 if there are enough.
  @inline(__always)
  mutating func row(of node: UnsafeMutablePointer<ShapeNode>, in document: UInt64) -> Int {
    guard node.pointee.rowCount < Self.mostRows else { return -1 }
    if node.pointee.rowStart < 0 {
      guard places < Self.mostPlaces, node.pointee.rowCount == 0 else { return -1 }
      places += 1
      node.pointee.rowStart = hashes.append(repeating: 0, count: Self.width * Self.mostRows)
    }
    let row = node.pointee.rowStart + node.pointee.rowCount * Self.width
    node.pointee.rowCount += 1
    hashes[row + Self.document] = document
    return row
  }

  @inline(__always)
  func note(_ hash: UInt64, in row: Int, column: Int) {
    if column < Self.inside { hashes[row + column] = hash }
  }

  func noteInside(_ hash: UInt64, in row: Int) { hashes[row + Self.inside] = hash }

  /// Whether no two objects of a sample have the same values in some columns, and all have values there.
  func areUnique(_ node: ShapeNode, columns: [Int]) -> Bool {
    guard node.rowStart >= 0, columns.allSatisfy({ $0 < Self.inside }) else { return false }
    var seen: Set<UInt64> = []
    for row in 0..<node.rowCount {
      var hash: UInt64 = 0
      for column in columns {
        let value = hashes[node.rowStart + row * Self.width + column]
        guard value != 0 else { return false }
        hash = Hashing.mix(hash ^ value)
      }
      guard seen.insert(hash).inserted else { return false }
    }
    return true
  }
}

extension RowSamples {
  /// Whether objects of a sample with the same value in a column, which all have, are the same in all columns, and all objects
  /// of the place are in the sample.
  func saysAll(_ node: ShapeNode, by column: Int) -> Bool {
    guard node.rowStart >= 0, column < Self.inside, node.rowCount == node.objects else { return false }
    var known: [UInt64: Int] = [:]
    for row in 0..<node.rowCount {
      let value = hashes[node.rowStart + row * Self.width + column]
      guard value != 0 else { return false }
      guard let other = known[value] else {
        known[value] = row
        continue
      }
      for column in 0..<Self.columns
      where hashes[node.rowStart + row * Self.width + column]
        != hashes[node.rowStart + other * Self.width + column]
      {
        return false
      }
    }
    return true
  }
}

extension RowSamples {
  /// The values of the objects of a place in some columns, each object's by itself; nil if the sample does not have all objects, or
  /// not all columns. A null, and a value that is missing, is 0.
  func values(of node: ShapeNode, _ columns: [Int]) -> [[UInt64]]? {
    guard node.rowStart >= 0, columns.allSatisfy({ $0 < Self.inside }),
      node.rowCount == min(node.objects, Self.mostRows)
    else { return nil }
    return (0..<node.rowCount).map { row in
      columns.map { hashes[node.rowStart + row * Self.width + $0] }
    }
  }

  /// How many values of a column, which all objects of a place have, came with objects of which none says anything else than another
  /// one, though some say less, as a short form does. Nil if the sample does not have all objects of the place.
  func shortForms(_ node: ShapeNode, by column: Int) -> Int? {
    guard node.rowStart >= 0, column < Self.inside, node.rowCount == node.objects,
      node.childCount <= Self.inside
    else { return nil }
    var rows: [UInt64: [Int]] = [:]
    for row in 0..<node.rowCount {
      let start = node.rowStart + row * Self.width
      guard hashes[start + column] != 0 else { return nil }
      rows[hashes[start + column], default: []].append(start)
    }
    return rows.values.count { $0.count > 1 && areForms($0) }
  }

  /// How many objects of a place came again in another document by the values of some columns, which all have, and how many of them are
  /// the same ones, though they may have changed: all columns agree, or enough of those that tell the objects apart do. Nil if one
  /// document says several things of an object, or if the sample does not have all objects of the place.
  ///
  /// - Parameters:
  ///   - uncounted: Columns of values that any two objects may have, as small numbers are.
  ///   - isSure: Whether half of the telling columns must agree, two at the least. Otherwise one will do.
  func comebacks(_ node: ShapeNode, by columns: [Int], uncounted: Set<Int>, isSure: Bool) -> (
    all: Int, alike: Int
  )? {
    guard node.rowStart >= 0, columns.allSatisfy({ $0 < Self.inside }), node.rowCount == node.objects else {
      return nil
    }
    var rows: [UInt64: [Int]] = [:]
    for row in 0..<node.rowCount {
      let start = node.rowStart + row * Self.width
      guard columns.allSatisfy({ hashes[start + $0] != 0 }) else { return nil }
      rows[columns.reduce(0) { Hashing.mix($0 ^ hashes[start + $1]) }, default: []].append(start)
    }
    let telling = (0..<Self.columns).filter { other in
      guard !columns.contains(other), !uncounted.contains(other) else { return false }
      let values = Set(rows.values.map { hashes[$0[0] + other] }).subtracting([0])
      return values.count >= 2 && values.count * 2 >= rows.count
    }
    var (all, alike) = (0, 0)
    for starts in rows.values {
      let first = starts[0]
      var firsts = [hashes[first + Self.document]: first]
      for again in starts.dropFirst() {
        if let known = firsts[hashes[again + Self.document]] {
          guard areSame(known, again) else { return nil }
          continue
        }
        firsts[hashes[again + Self.document]] = again
        all += 1
        let compared = telling.filter { hashes[first + $0] != 0 && hashes[again + $0] != 0 }
        let agreed = compared.count { hashes[first + $0] == hashes[again + $0] }
        let isAlike = isSure ? agreed >= 2 && agreed * 2 >= compared.count : agreed > 0
        if isAlike || areSame(first, again) { alike += 1 }
      }
    }
    return (all, alike)
  }

  private func areSame(_ first: Int, _ second: Int) -> Bool {
    (0..<Self.columns).allSatisfy { hashes[first + $0] == hashes[second + $0] }
  }

  /// Whether no two of some rows have different values in a column, and some lack values that others have.
  private func areForms(_ starts: [Int]) -> Bool {
    var isShorter = false
    for column in 0..<Self.columns {
      var known: UInt64 = 0
      var isMissing = false
      for start in starts {
        let value = hashes[start + column]
        if value == 0 {
          isMissing = true
        } else if known == 0 {
          known = value
        } else if known != value {
          return false
        }
      }
      if isMissing, known != 0 { isShorter = true }
    }
    return isShorter
  }
}

/// How much of an input is looked at.
struct SampleLimits: Sendable {
  var records: Int?
  var bytes: Int?

  func isReached(records: Int, bytes: Int) -> Bool {
    if let most = self.records, records >= most { return true }
    if let most = self.bytes, bytes >= most { return true }
    return false
  }
}

/// When the keys of objects are taken for data.
enum ChildLimits {
  private static let steps: [Int32] = [96, 256, 512, 1024]
  /// A table of SQLite has room for 2,000 columns, some of which are Broker's own.
  static let most: Int32 = 1_900

  /// Whether the objects of a place, which a new key just came for, are dictionaries.
  static func isDictionary(_ node: Int32, in tree: borrowing ShapeTree) -> Bool {
    let count = tree[node].childCount
    guard count < most else { return true }
    guard steps.contains(count), !DictionaryEvidence.isKnownObject(node, tree) else { return false }
    return DictionaryEvidence(node, tree).isDictionary
  }
}
