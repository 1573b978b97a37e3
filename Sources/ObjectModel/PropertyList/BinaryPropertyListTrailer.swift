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
  /// What a file says, for a message: shortened and without control characters.
  static func shown(_ text: String) -> String { "“\(ModelError.shortened(text, to: 60))”" }
}
