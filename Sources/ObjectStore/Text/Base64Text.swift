import Foundation

/// Bytes as text.
enum Base64Text {
  static func encoded(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// The bytes; nil if the text is not Base64.
  static func decoded(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { [UInt8]($0) } }
}
