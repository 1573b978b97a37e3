/// Looks at a YAML text before it is parsed.
///
/// The parser compares the keys of a mapping, all that they contain. With anchors inside anchors, such a key may contain
/// more than any computer can go through, in a text of a few lines.
struct YAMLPrecheck {
  private let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Whether the text has anchors, and keys that are no plain texts.
  var isSuspicious: Bool {
    var hasAnchor = false
    var hasKey = false
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "&") where begins(index): hasAnchor = true
      case UInt8(ascii: "*") where begins(index): hasKey = hasKey || isKey(from: index)
      case UInt8(ascii: "?") where begins(index): hasKey = hasKey || isSpace(index + 1)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): hasKey = hasKey || isColon(after: index)
      default: break
      }
    }
    return hasAnchor && hasKey
  }

  /// Whether a value may begin here.
  private func begins(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    return isSpace(index - 1) || "[{,?-:".utf8.contains(bytes[index - 1])
  }

  private func isSpace(_ index: Int) -> Bool {
    guard index < bytes.count else { return true }
    return [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index])
  }

  /// Whether a colon follows an alias.
  private func isKey(from index: Int) -> Bool {
    var next = index + 1
    while next < bytes.count, !isSpace(next), !",[]{}".utf8.contains(bytes[next]) { next += 1 }
    return isColon(after: next - 1) || (next > index + 1 && bytes[next - 1] == UInt8(ascii: ":"))
  }

  private func isColon(after index: Int) -> Bool {
    var next = index + 1
    while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
    return next < bytes.count && bytes[next] == UInt8(ascii: ":")
  }
}
