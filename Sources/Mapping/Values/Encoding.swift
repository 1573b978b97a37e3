import Bytes

/// Values as the texts that JSON has for them.
package enum Encoding {
  /// Bytes as Base64, with padding.
  package static func base64(_ data: [UInt8]) -> String {
    var bytes = ByteBuffer()
    data.withUnsafeBytes { Base64.encode($0, to: &bytes) }
    return String(decoding: bytes.elements, as: UTF8.self)
  }
}
