/// Follows the brackets of bytes, which may come a few at a time: how deeply they nest, and whether the bytes cannot
/// be JSON, whatever follows.
///
/// It does not find every mistake. The import says what is wrong and where.
struct BracketScan {
  private var depth = 0
  /// The largest number of arrays and objects that were open at once.
  private(set) var deepest = 0
  private var isInString = false
  private var isEscaped = false
  private var hasBegun = false
  /// Whether a bracket closes one that was never opened, or the bytes begin like an HTML page.
  private(set) var isBroken = false

  mutating func scan(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes where !isBroken {
      if isInString {
        scanString(byte)
      } else {
        scanStructure(byte)
      }
    }
  }

  private mutating func scanString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private mutating func scanStructure(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      deepest = max(deepest, depth)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      isBroken = depth < 0
    case UInt8(ascii: "<"): isBroken = !hasBegun
    case 0x20, 0x09, 0x0A, 0x0D: return
    default: break
    }
    hasBegun = true
  }
}
