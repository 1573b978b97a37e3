/// Reads the binary form of property lists, `bplist00`.
///
/// The file ends in a trailer, which says where the table of offsets is; each offset is the place of an object. Objects
/// may not overlap: all of them together are no longer than the file, and so is what is made of them.
struct BinaryPropertyListReader {
  private let bytes: [UInt8]
  private let trailer: BinaryPropertyListTrailer
  private var nodes: [PropertyListNode] = []
  private var references: [UInt32] = []
  /// The bytes of the objects read so far.
  private var length = 0

  static func table(of bytes: [UInt8]) throws(PropertyListError) -> PropertyListTable {
    var reader = BinaryPropertyListReader(bytes, try BinaryPropertyListTrailer(of: bytes))
    try reader.readObjects()
    try reader.checkKeys()
    return PropertyListTable(
      bytes: bytes, nodes: reader.nodes, references: reader.references, top: reader.trailer.top)
  }

  private init(_ bytes: [UInt8], _ trailer: BinaryPropertyListTrailer) {
    self.bytes = bytes
    self.trailer = trailer
  }

  private mutating func readObjects() throws(PropertyListError) {
    nodes.reserveCapacity(trailer.objectCount)
    for index in 0..<trailer.objectCount {
      let place = trailer.tableStart + index * trailer.offsetSize
      let offset = Int(truncatingIfNeeded: bytes.number(at: place, size: trailer.offsetSize))
      guard offset >= BinaryPropertyListTrailer.headerSize, offset < trailer.tableStart else {
        throw .expected(
          "the offset of object \(index) between 8 and \(trailer.tableStart)", found: "\(offset)", at: place)
      }
      nodes.append(try object(at: offset))
      guard length <= trailer.tableStart - BinaryPropertyListTrailer.headerSize else {
        throw PropertyListError("object \(index) overlaps others", at: offset)
      }
    }
  }

  private mutating func object(at offset: Int) throws(PropertyListError) -> PropertyListNode {
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0: return try single(marker, at: offset)
    case 1: return try integer(low, at: offset)
    case 2, 3: return try real(marker, at: offset)
    case 4: return try span(.data, at: offset)
    case 5, 7: return try span(.utf8, at: offset)
    case 6: return try span(.utf16, unit: 2, at: offset)
    case 8:
      let place = try take(low + 1, behind: offset)
      guard low < 8, let uid = Int(exactly: bytes.number(at: place, size: low + 1)) else {
        throw .expected("a reference of at most 63 bits", found: "a larger one", at: offset)
      }
      return PropertyListNode(.uid, payload: UInt64(uid))
    case 0xA, 0xB, 0xC: return try container(.array, at: offset)
    case 0xD: return try container(.dictionary, at: offset)
    default: throw unknown(marker, at: offset)
    }
  }

  private func unknown(_ marker: UInt8, at offset: Int) -> PropertyListError {
    .expected("the marker of an object", found: "0x" + String(marker, radix: 16), at: offset)
  }

  private mutating func single(_ marker: UInt8, at offset: Int) throws(PropertyListError) -> PropertyListNode
  {
    length += 1
    switch marker {
    case 0: return PropertyListNode(.null)
    case 8: return PropertyListNode(.false)
    case 9: return PropertyListNode(.true)
    default: throw unknown(marker, at: offset)
    }
  }

  /// The place of an object's bytes, which are `count` and come behind its marker.
  private mutating func take(_ count: Int, behind offset: Int) throws(PropertyListError) -> Int {
    let room = trailer.tableStart - offset - 1
    guard count <= room else {
      throw .expected("\(count) bytes", found: "\(room) before the table of offsets", at: offset)
    }
    length += 1 + count
    return offset + 1
  }

  private mutating func integer(_ power: Int, at offset: Int) throws(PropertyListError) -> PropertyListNode {
    guard power <= 4 else {
      throw .expected("an integer of 1 to 16 bytes", found: "2 to the power of \(power)", at: offset)
    }
    let size = 1 << power
    let place = try take(size, behind: offset)
    guard size == 16 else {
      // Of 8 bytes they have a sign, shorter ones have none.
      return PropertyListNode(.integer, payload: bytes.number(at: place, size: size))
    }
    let (high, low) = (bytes.number(at: place, size: 8), bytes.number(at: place + 8, size: 8))
    let isNegative = Int64(bitPattern: low) < 0
    if high == 0 { return PropertyListNode(isNegative ? .unsigned : .integer, payload: low) }
    guard high == .max, isNegative else {
      throw .expected("an integer of 64 bits", found: "a longer one", at: offset)
    }
    return PropertyListNode(.integer, payload: low)
  }

  private mutating func real(_ marker: UInt8, at offset: Int) throws(PropertyListError) -> PropertyListNode {
    switch marker {
    case 0x22:
      let place = try take(4, behind: offset)
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: bytes.number(at: place, size: 4)))
      return PropertyListNode(.real, payload: Double(float).bitPattern)
    case 0x23, 0x33:
      let place = try take(8, behind: offset)
      return PropertyListNode(marker == 0x23 ? .real : .date, payload: bytes.number(at: place, size: 8))
    default:
      throw .expected("a real number of 4 or 8 bytes", found: "0x" + String(marker, radix: 16), at: offset)
    }
  }

  /// The beginning of the elements of an object, and their number. A count above 14 is an integer of its own.
  private mutating func elements(
    at offset: Int, unit: Int
  ) throws(PropertyListError) -> (start: Int, count: Int) {
    var start = offset + 1
    var count = Int(bytes[offset] & 0x0F)
    if count == 0x0F {
      guard start < trailer.tableStart, bytes[start] >> 4 == 1, bytes[start] & 0x0F <= 3 else {
        throw .expected("a count as an integer of 1 to 8 bytes", found: "something else", at: start)
      }
      let size = 1 << Int(bytes[start] & 0x0F)
      let place = try take(size, behind: start)
      guard let number = Int(exactly: bytes.number(at: place, size: size)) else {
        throw .expected("a count below 2 to the power of 63", found: "a larger one", at: start)
      }
      count = number
      start = place + size
    }
    let room = trailer.tableStart - start
    guard count <= room / unit else {
      throw .expected("\(count) elements of \(unit) bytes", found: "\(room) bytes", at: offset)
    }
    length += 1 + count * unit
    return (start, count)
  }

  private mutating func span(
    _ kind: PropertyListNode.Kind, unit: Int = 1, at offset: Int
  ) throws(PropertyListError) -> PropertyListNode {
    let (start, count) = try elements(at: offset, unit: unit)
    return PropertyListNode(
      kind, payload: UInt64(start), count: UInt32(truncatingIfNeeded: count))
  }

  private mutating func container(
    _ kind: PropertyListNode.Kind, at offset: Int
  ) throws(PropertyListError) -> PropertyListNode {
    let size = trailer.referenceSize
    let parts = kind == .dictionary ? 2 : 1
    let (start, count) = try elements(at: offset, unit: size * parts)
    let first = references.count
    for index in 0..<count * parts {
      let reference = bytes.number(at: start + index * size, size: size)
      guard reference < UInt64(trailer.objectCount) else {
        throw .expected(
          "the number of one of \(trailer.objectCount) objects", found: "\(reference)",
          at: start + index * size)
      }
      references.append(UInt32(truncatingIfNeeded: reference))
    }
    return PropertyListNode(kind, payload: UInt64(first), count: UInt32(truncatingIfNeeded: count))
  }

  /// Dictionaries have texts for keys.
  private func checkKeys() throws(PropertyListError) {
    for (number, node) in nodes.enumerated() where node.kind == .dictionary {
      let start = Int(node.payload)
      for reference in references[start..<start + Int(node.count)] {
        let key = nodes[Int(reference)].kind
        guard key == .utf8 || key == .utf16 else {
          throw .expected("texts for the keys of object \(number), a dictionary", found: key.name)
        }
      }
    }
  }
}

/// The last 32 bytes of a binary property list: how its objects are found.
struct BinaryPropertyListTrailer {
  static let headerSize = 8
  private static let size = 32

  /// The bytes of an entry in the table of offsets.
  let offsetSize: Int
  /// The bytes of a reference from one object to another.
  let referenceSize: Int
  let objectCount: Int
  let top: Int
  let tableStart: Int

  init(of bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.count > Self.headerSize + Self.size else {
      throw .expected("more than 40 bytes, for a header and a trailer", found: "\(bytes.count)")
    }
    guard bytes.starts(with: "bplist00".utf8) else {
      let version = String(decoding: bytes[6..<8], as: UTF8.self)
      throw .expected("version 00 of the binary form", found: PropertyListError.shown(version), at: 6)
    }
    let trailer = bytes.count - Self.size
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    for (size, place) in [(offsetSize, trailer + 6), (referenceSize, trailer + 7)] {
      guard (1...8).contains(size) else {
        throw .expected("a size of 1 to 8 bytes", found: "\(size)", at: place)
      }
    }
    let start = bytes.number(at: trailer + 24, size: 8)
    guard start > UInt64(Self.headerSize), start < UInt64(trailer) else {
      throw .expected("the table of offsets between 9 and \(trailer)", found: "\(start)", at: trailer + 24)
    }
    tableStart = Int(start)
    let count = bytes.number(at: trailer + 8, size: 8)
    let room = (trailer - tableStart) / offsetSize
    guard count > 0, count <= UInt64(room) else {
      throw .expected("1 to \(room) objects", found: "\(count)", at: trailer + 8)
    }
    objectCount = Int(count)
    let top = bytes.number(at: trailer + 16, size: 8)
    guard top < count else {
      throw .expected("the number of one of \(count) objects", found: "\(top)", at: trailer + 16)
    }
    self.top = Int(top)
  }
}

extension [UInt8] {
  /// A number of up to 8 bytes, the highest first. The caller makes sure that the bytes are there.
  func number(at place: Int, size: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in place..<place + size { number = number << 8 | UInt64(self[index]) }
    return number
  }
}

extension PropertyListError {
  /// The text of a file, for a message: shortened and without control characters.
  static func shown(_ text: String) -> String { "“\(ModelError.shortened(text, to: 60))”" }
}

/// The values of a property list in flat arrays: a value is the index of its node.
///
/// Containers hold indices, so that values that are shared, or lead back to themselves, take no more room than in the
/// file, and reading never calls itself.
final class PropertyListTable: Sendable {
  /// The bytes of texts and data: the file itself, or for XML its texts without escapes.
  let bytes: [UInt8]
  let nodes: [PropertyListNode]
  /// The indices in all containers, those of one container side by side.
  let references: [UInt32]
  let top: Int

  init(bytes: [UInt8], nodes: [PropertyListNode], references: [UInt32], top: Int) {
    self.bytes = bytes
    self.nodes = nodes
    self.references = references
    self.top = top
  }

  func value(at index: Int) -> PropertyListValue {
    let node = nodes[index]
    let start = Int(truncatingIfNeeded: node.payload)
    let count = Int(node.count)
    switch node.kind {
    case .null: return .null
    case .false: return .boolean(false)
    case .true: return .boolean(true)
    case .integer: return .integer(Int64(bitPattern: node.payload))
    case .unsigned: return .unsigned(node.payload)
    case .real: return .real(Double(bitPattern: node.payload))
    case .date: return .date(Double(bitPattern: node.payload))
    case .data: return .data(bytes[start..<start + count])
    case .utf8: return .string(String(decoding: bytes[start..<start + count], as: UTF8.self))
    case .utf16: return .string(utf16(start, count))
    case .uid: return .uid(start)
    case .array: return .array(PropertyListArray(table: self, node: index, start: start, count: count))
    case .dictionary:
      return .dictionary(PropertyListDictionary(table: self, node: index, start: start, count: count))
    }
  }

  /// A text of so many units of two bytes, the higher first.
  private func utf16(_ start: Int, _ count: Int) -> String {
    let units = (0..<count).lazy.map { [bytes] in
      UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Whether a value is this text, which is ASCII. Nothing is allocated.
  func isText(_ index: Int, _ text: String) -> Bool {
    let node = nodes[index]
    guard node.kind == .utf8, Int(node.count) == text.utf8.count else { return false }
    let start = Int(truncatingIfNeeded: node.payload)
    return bytes.withUnsafeBytes { bytes in
      var place = start
      for byte in text.utf8 {
        if bytes[place] != byte { return false }
        place += 1
      }
      return true
    }
  }
}

/// A value, or where it is.
struct PropertyListNode: BitwiseCopyable {
  enum Kind: UInt8 {
    case null
    case `false`
    case `true`
    case integer
    case unsigned
    case real
    case date
    case data
    /// ASCII is UTF-8 as well.
    case utf8
    case utf16
    case uid
    /// Sets are arrays.
    case array
    /// Its keys come first, then its values.
    case dictionary

    /// The name in messages.
    var name: String {
      switch self {
      case .null: "null"
      case .false, .true: "a Boolean"
      case .integer, .unsigned: "an integer"
      case .real: "a real number"
      case .date: "a date"
      case .data: "data"
      case .utf8, .utf16: "a text"
      case .uid: "a reference"
      case .array: "an array"
      case .dictionary: "a dictionary"
      }
    }
  }

  /// A number's bits; or where its bytes or its references begin.
  var payload: UInt64 = 0
  /// How many bytes, units or elements it has.
  var count: UInt32 = 0
  var kind: Kind

  init(_ kind: Kind, payload: UInt64 = 0, count: UInt32 = 0) {
    self.kind = kind
    self.payload = payload
    self.count = count
  }
}
