package import Bytes

/// Base64, the standard alphabet or the one for URLs, with padding or without, white space allowed.
package enum Base64 {
  /// Appends what the text stands for. False, and nothing appended, if it is not Base64.
  package static func decode(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout ByteBuffer) -> Bool {
    let start = bytes.count
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text {
      if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { continue }
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value(of: byte) else {
        bytes.truncate(to: start)
        return false
      }
      bits = bits << 6 | value
      count += 1
      if count % 4 == 0 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
      }
    }
    guard count % 4 != 1, padding == 0 || (count + padding) % 4 == 0, padding <= 2 else {
      bytes.truncate(to: start)
      return false
    }
    if count % 4 == 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 4)) }
    if count % 4 == 3 {
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    }
    return true
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Appends the standard form, with padding.
  package static func encode(_ data: UnsafeRawBufferPointer, to bytes: inout ByteBuffer) {
    var index = 0
    while index < data.count {
      let first = UInt32(data[index])
      let second = index + 1 < data.count ? UInt32(data[index + 1]) : 0
      let third = index + 2 < data.count ? UInt32(data[index + 2]) : 0
      let bits = first << 16 | second << 8 | third
      bytes.append(alphabet[Int(bits >> 18 & 63)])
      bytes.append(alphabet[Int(bits >> 12 & 63)])
      bytes.append(index + 1 < data.count ? alphabet[Int(bits >> 6 & 63)] : UInt8(ascii: "="))
      bytes.append(index + 2 < data.count ? alphabet[Int(bits & 63)] : UInt8(ascii: "="))
      index += 3
    }
  }
}

extension Base64 {
  /// The standard form of bytes.
  package static func text(of data: [UInt8]) -> String {
    var bytes = ByteBuffer()
    data.withUnsafeBytes { encode($0, to: &bytes) }
    return String(decoding: bytes.elements, as: UTF8.self)
  }

  /// The bytes of a text; nil if it is not Base64.
  static func bytes(of text: String) -> [UInt8]? {
    var text = text
    var bytes = ByteBuffer()
    guard text.withUTF8({ decode($0, to: &bytes) }) else { return nil }
    return Array(bytes.elements)
  }
}
