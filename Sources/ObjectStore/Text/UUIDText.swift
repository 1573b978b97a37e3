package import Bytes

/// UUIDs in the one form that the store has for them: lower case, with hyphens.
package enum UUIDText {
  /// Appends a UUID as the store writes it. False if the text is none; then the buffer may have a part of it.
  package static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout ByteBuffer) -> Bool {
    var digits = 0
    let hasBraces = text.first == UInt8(ascii: "{") && text.last == UInt8(ascii: "}") && text.count == 38
    let bare = hasBraces ? text[1..<37] : text[...]
    guard bare.count == 32 || bare.count == 36 else { return false }
    for (place, byte) in bare.enumerated() {
      let isHyphen = byte == UInt8(ascii: "-")
      if bare.count == 36, [8, 13, 18, 23].contains(place) {
        guard isHyphen else { return false }
        continue
      }
      let lower = (byte | 0x20) &- 0x61 < 26 ? byte | 0x20 : byte
      guard digits < 32, lower &- 0x30 <= 9 || (0x61...0x66).contains(lower) else { return false }
      if digits == 8 || digits == 12 || digits == 16 || digits == 20 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(lower)
      digits += 1
    }
    return digits == 32
  }
}
